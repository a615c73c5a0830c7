"""Putting an envelope together: refs are the places that the detail cites, the summary is counted out of the items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope import of
from guardrails.drafts.page import Heading
from guardrails.drafts.reply import FieldReply, ProseReply, SentenceReply
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import AnswerValue, Commit, DocumentKind, Operation, OperationType
from guardrails.resolving.envelopes.assembling import assemble
from guardrails.resolving.envelopes.describing import describe
from tests.guardrails.resolving.building import NO_RULES, commit, document, evidence, oid
from tests.guardrails.resolving.changes import edited

RANGE: Final = Operation(OperationType.RANGE, "v1.0..v1.1", "acme/widgets")
K1, K2 = oid(1)[:7], oid(2)[:7]
Said = Mapping[str, str | tuple[tuple[str, tuple[str, ...]], ...]]


def assembled(
    *commits: Commit, said: Said | None = None, answers: Mapping[str, AnswerValue] | None = None, **parts: Any
) -> Draft:
    """The draft of some commits with what a drafter said: a text that rests on nothing, or sentences with their evidence."""
    shown = evidence(*commits, answers=answers or {"shape": "single"}, **{"operation": RANGE, **parts})
    fields = tuple(FieldReply(field=path, sentences=_sentences(path, text)) for path, text in (said or {}).items())
    return assemble(shown, describe(shown, None, NO_RULES), ProseReply(fields=fields) if fields else None)


def _sentences(path: str, text: str | tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[SentenceReply, ...]:
    told = ((text, ("C1",)),) if isinstance(text, str) else text
    heading = Heading.CHANGED if path.endswith("detail_md") else None
    return tuple(SentenceReply(text=words, evidence=cited, heading=heading) for words, cited in told)


def refs(draft: Draft, path: str = "change") -> object:
    record = draft.record()
    change = record["change"] if path == "change" else record["items"]
    assert isinstance(change, dict)
    return change.get("refs")


TWO_PLACES: Final = edited(1, "feat: Export reports", {"src/a.py": "+one\n+two", "src/b.py": "+three"})
H_A, H_B = (file.hunks[0].id for file in TWO_PLACES.files)
A, B = ({"path": path, "range": lines, "sha": oid(1)} for path, lines in (("src/a.py", "1-2"), ("src/b.py", "1")))


@pytest.mark.requirement("DC-07", "DC-09", "DC-10", "DC-11", "DC-06")
@pytest.mark.parametrize(
    ("cited", "expected"),
    [
        (((H_A,), (H_B,)), [A, B]),
        (((H_B,), (H_A,)), [B, A]),
        (((H_A, H_B), (H_B,)), [A, B]),
        (((H_A, "F100"),), [A]),
        ((("C1",),), []),
        ((("F101",), (H_A,)), [{"path": "src/b.py", "sha": oid(1)}, A]),
    ],
)
def test_refs_are_the_cited_places_in_order_each_once(cited: tuple[tuple[str, ...], ...], expected: list[object]) -> None:
    told = tuple((f"Part {number}.", items) for number, items in enumerate(cited))
    draft = assembled(TWO_PLACES, said={"change.detail_md": told})
    assert refs(draft) == expected


@pytest.mark.requirement("DC-06")
def test_places_are_written_beside_the_sentence_that_cites_them() -> None:
    draft = assembled(TWO_PLACES, said={"change.detail_md": (("Both grow.", (H_A, H_B)), ("Why not.", ("C1",)))})
    assert (
        draft.prose["change.detail_md"].text == "## What changed\n\n- `src/a.py:1-2` and `src/b.py:1` — Both grow.\n\nWhy not."
    )


def test_without_a_page_there_are_no_refs_and_nothing_is_null() -> None:
    draft = assembled(TWO_PLACES, said={"change.title": "Export reports"})
    assert refs(draft) is None
    assert "change.medium_md" not in draft.values


@pytest.mark.requirement("DC-07")
def test_the_refs_of_a_person_s_page_stay_those_that_it_names() -> None:
    page = "- `src/b.py:1` — exports."
    draft = assembled(TWO_PLACES, answers={"shape": "single", "change.detail_md": page})
    assert (refs(draft), draft.prose["change.detail_md"].text) == ([B], page)


# Without a diff


UNREAD: Final = replace(commit(1, "feat: Export reports"), diff_known=False)


@pytest.mark.requirement("DC-21", "DC-05")
@pytest.mark.parametrize(
    ("said", "answered", "medium"),
    [
        ({}, {}, None),
        ({"change.medium_md": "Reports can be exported."}, {}, "Reports can be exported."),
        ({}, {"change.medium_md": "Take reports along."}, "Take reports along."),
        ({}, {"change.medium_md": None}, None),
    ],
)
def test_without_a_diff_what_nobody_said_is_null(
    said: dict[str, str], answered: dict[str, AnswerValue], medium: str | None
) -> None:
    draft = assembled(UNREAD, said=said, answers={"shape": "single", **answered})
    change = draft.record()["change"]
    assert isinstance(change, dict)
    assert (change["medium_md"], change["detail_md"], change["refs"]) == (medium, None, [])


# The summary


FEATURE = edited(1, "feat: Export reports", {"src/a.py": "+one\n+two"})
FIX = edited(2, "fix: Accept plus signs", {"src/b.py": "+three"})
ITEMIZED: Final[dict[str, AnswerValue]] = {"shape": "itemized"}
TITLES: Final = {f"items[{K1}].title": (("Export reports", ("C1",)),), f"items[{K2}].title": (("Accept plus signs", ("C2",)),)}


@pytest.mark.requirement("DC-15", "DC-16")
def test_the_summary_is_counted_once_each_item_has_a_kind_and_a_title() -> None:
    draft = assembled(FEATURE, FIX, said=TITLES, answers=ITEMIZED)
    summary = {name: draft.prose[f"summary.{name}"] for name in ("title", "short_md", "medium_md")}
    assert {name: prose.text for name, prose in summary.items()} == {
        "title": "Changes in main..HEAD",
        "short_md": "Two changes: one feature, one fix",
        "medium_md": "Export reports. Accept plus signs.",
    }
    assert {prose.basis for prose in summary.values()} == {Basis.RULE}
    assert summary["short_md"].sentences[0].evidence == ("C1", "C2")


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ((FEATURE, FIX), {}),
        ((FEATURE, FIX), {key: TITLES[key] for key in list(TITLES)[:1]}),
        ((FEATURE, replace(FIX, message="Sundries")), TITLES),
    ],
    ids=["no title", "one title missing", "a kind is open"],
)
def test_there_is_no_summary_before(made: tuple[Commit, ...], said: Said) -> None:
    draft = assembled(*made, said=said, answers=ITEMIZED)
    assert [path for path in draft.paths if path.startswith("summary")] == []


def test_a_person_s_summary_stays_beside_what_is_counted() -> None:
    draft = assembled(FEATURE, FIX, said=TITLES, answers={**ITEMIZED, "summary.title": "The autumn release"})
    assert draft.prose["summary.title"].text == "The autumn release"
    assert draft.prose["summary.short_md"].text == "Two changes: one feature, one fix"


def test_a_single_change_has_no_summary() -> None:
    draft = assembled(FEATURE, said={"change.title": "Export reports"})
    assert [path for path in draft.paths if path.startswith("summary")] == []


def test_a_request_is_titled_as_its_author_titled_it() -> None:
    operation = Operation(OperationType.PULL_REQUEST, "12", "acme/widgets")
    request = document(1, DocumentKind.PULL_REQUEST, key="#12", title="Export reports, and mend addresses")
    draft = assembled(FEATURE, FIX, said=TITLES, answers=ITEMIZED, operation=operation, documents=(request,))
    (sentence,) = draft.prose["summary.title"].sentences
    assert (sentence.text, sentence.evidence) == ("Export reports, and mend addresses", ("P1",))


@pytest.mark.requirement("DC-15", "DC-14")
@pytest.mark.parametrize("shape", ["single", "itemized"])
def test_a_whole_draft_is_an_envelope(shape: str) -> None:
    paths = {"single": ["change"], "itemized": [f"items[{K1}]", f"items[{K2}]"]}[shape]
    made = {"single": (FEATURE,), "itemized": (FEATURE, FIX)}[shape]
    said: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {}
    for path, one in zip(paths, made, strict=True):
        texts = {"title": "Export reports", "short_md": "Exports reports", "medium_md": "Reports are exported."}
        said |= {f"{path}.{name}": ((text, (one.id,)),) for name, text in texts.items()}
        said[f"{path}.detail_md"] = (("More.", (one.files[0].hunks[0].id,)),)
    draft = assembled(*made, said=said, answers={"shape": shape})
    assert not isinstance(of(draft.record()), tuple)
