"""Drafts: fields by path, joined with a reply, read and cut, in the order of their form."""

from __future__ import annotations

import pytest

from guardrails.drafts.changeset import CHANGESET
from guardrails.drafts.draft import Draft, combine, without
from guardrails.drafts.page import Heading
from guardrails.drafts.reply import FieldReply, ProseReply, SentenceReply
from guardrails.drafts.sourced import Basis, FieldValue, Prose, Sentence, Sourced, plain, texts
from guardrails.evidence.references import Reference

HELD = Prose((Sentence("Said by a person.", ("A1",)),), Basis.ANSWER)
DRAFT = Draft(CHANGESET, {"id": Sourced("a-b", Basis.TRAILER, ("C1",))}, {"rationale": HELD}, {"C1": "decision"}, {"x": 1})
POOL = Reference("src/db/pool.ts", "22-30", "a" * 40, "limit")


def reply(**fields: str | None) -> ProseReply:
    sentences = {name: (SentenceReply(text=text, evidence=("C1",)),) if text else None for name, text in fields.items()}
    return ProseReply(fields=tuple(FieldReply(field=name, sentences=said) for name, said in sentences.items()))


def test_a_reply_fills_in_what_was_asked_and_nothing_that_is_said_already() -> None:
    told = combine(DRAFT, reply(summary="It works.", rationale="A guess.", id="c-d"), ["summary", "rationale"])
    assert told.get("summary") == "It works."
    assert told.prose["summary"].basis is Basis.SYNTHESIS
    assert told.prose["rationale"] == HELD
    assert told.get("id") == "a-b"
    assert combine(DRAFT, reply(summary=None), ["summary"]) == combine(DRAFT, None, ["summary"]) == DRAFT


def test_a_heading_counts_on_a_page_alone() -> None:
    said = (SentenceReply(text="It works.", evidence=("C1",), heading=Heading.WHY),)
    names = ("change.title", "change.detail_md")
    told = ProseReply(fields=tuple(FieldReply(field=name, sentences=said) for name in names))
    prose = combine(DRAFT, told, names).prose
    assert [prose[name].sentences[0].heading for name in names] == [None, Heading.WHY]
    assert prose["change.title"].text == "It works."


def test_the_paths_come_in_the_order_of_the_form() -> None:
    assert combine(DRAFT, reply(summary="It works."), ["summary"]).paths == ("id", "summary", "rationale")


def test_what_is_taken_out_is_gone_and_all_else_stays() -> None:
    cut = without(DRAFT, ["rationale", "targets[0].impact"])
    assert (cut.values, cut.prose, cut.coverage, cut.extra) == (DRAFT.values, {}, DRAFT.coverage, DRAFT.extra)
    assert cut.get("rationale") is None


@pytest.mark.parametrize(
    ("value", "json", "words"),
    [
        (None, None, ()),
        ("patch", "patch", ("patch",)),
        ((), [], ()),
        (("a", "b"), ["a", "b"], ("a", "b")),
        (
            (POOL, Reference("b.png", None, None)),
            [{"path": "src/db/pool.ts", "range": "22-30", "sha": "a" * 40, "note": "limit"}, {"path": "b.png"}],
            ("src/db/pool.ts:22-30", "b.png"),
        ),
    ],
)
def test_a_value_is_told_as_json_and_as_texts(value: FieldValue, json: object, words: tuple[str, ...]) -> None:
    assert plain(value) == json
    assert texts(value) == words
