"""An envelope's draft has the fields of the contract in its order, whatever the order in which they were decided."""

from __future__ import annotations

import json

import pytest

from guardrails.drafts.changeset import CHANGESET
from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope_form import EnvelopeForm, changes, given
from guardrails.drafts.page import Heading
from guardrails.drafts.sourced import Basis, FieldValue, Prose, Sentence, Sourced
from guardrails.evidence.references import Reference
from tests.guardrails.drafts.envelopes import HONEST, SEED, envelope
from tests.guardrails.drafts.test_envelope_rules import DEGRADED

OPERATION: dict[str, FieldValue] = {
    "operation.repository": "acme/widgets",
    "operation.id": "4d1e7c0",
    "operation.type": "commit",
}
PLACE = Reference("src/db/pool.ts", "22", "4d1e7c0", "maxConnections back to 10")


def change(path: str) -> dict[str, FieldValue]:
    relations = {f"{path}.relations.{name}": None for name in ("reporter", "request", "ticket")}
    return {**relations, f"{path}.refs": (PLACE,), f"{path}.kind": "bug_fix"}


def draft(form: EnvelopeForm, values: dict[str, FieldValue], prose: dict[str, tuple[Sentence, ...]]) -> Draft:
    return Draft(
        form,
        {path: Sourced(value, Basis.RULE) for path, value in values.items()},
        {path: Prose(sentences, Basis.SYNTHESIS) for path, sentences in prose.items()},
    )


def said(text: str) -> tuple[Sentence, ...]:
    return (Sentence(text, ("H1",)),)


@pytest.mark.requirement("DC-14")
def test_a_single_change_is_written_in_the_order_of_the_contract() -> None:
    page = (Sentence("The limit is 10 again.", ("H1",), Heading.CHANGED, ("src/db/pool.ts:22",)),)
    prose = {"change.detail_md": page, "change.short_md": said("Short ü"), "change.title": said("Title")}
    one = draft(EnvelopeForm(), {**change("change"), **OPERATION, "shape": "single", "change.medium_md": None}, prose)
    assert one.form.write(one.record()) == (
        """{
  "shape": "single",
  "operation": {
    "type": "commit",
    "id": "4d1e7c0",
    "repository": "acme/widgets"
  },
  "change": {
    "kind": "bug_fix",
    "title": "Title",
    "short_md": "Short ü",
    "medium_md": null,
    "detail_md": "## What changed\\n\\n- `src/db/pool.ts:22` — The limit is 10 again.",
    "refs": [
      {
        "path": "src/db/pool.ts",
        "range": "22",
        "sha": "4d1e7c0",
        "note": "maxConnections back to 10"
      }
    ],
    "relations": {
      "ticket": null,
      "request": null,
      "reporter": null
    }
  }
}
"""
    )


@pytest.mark.requirement("DC-15", "DC-17")
def test_items_stand_in_the_order_of_their_keys_behind_the_summary() -> None:
    form = EnvelopeForm(("77aa001", "9f2c1ab", "9f2c1ab.2"))
    prose = {f"items[{key}].title": said(f"Title of {key}") for key in sorted(form.keys, reverse=True)}
    one = draft(form, {**OPERATION, "shape": "itemized", **change("items[9f2c1ab]")}, {**prose, "summary.title": said("All")})
    record = json.loads(form.write(one.record()))
    assert list(record) == ["shape", "operation", "summary", "items"]
    assert [item["title"] for item in record["items"]] == [f"Title of {key}" for key in form.keys]
    assert list(record["items"][1]) == ["kind", "title", "refs", "relations"]
    assert changes(one) == ("items[77aa001]", "items[9f2c1ab]", "items[9f2c1ab.2]")


def test_paths_are_ordered_as_the_record_has_them() -> None:
    form = EnvelopeForm(("b", "a"))
    paths = [
        "shape",
        "operation.type",
        "operation.id",
        "operation.repository",
        "summary.title",
        "items[b].kind",
        "items[b].relations.reporter",
        "items[a]",
        "items[a].title",
        "items[c].title",
        "range",
    ]
    assert sorted(set(paths), key=form.order) == paths


def test_a_partial_draft_holds_what_is_decided_and_a_single_one_has_one_change() -> None:
    one = draft(EnvelopeForm(), {"shape": "single"}, {})
    assert one.record() == {"shape": "single"}
    assert changes(one) == ("change",)
    assert changes(Draft(CHANGESET, {}, {})) == ()


@pytest.mark.parametrize("path", ["shape", "operation.repository", "change.kind", "items[9f2c1ab.2].relations.ticket", "odd"])
def test_every_field_has_a_question(path: str) -> None:
    assert EnvelopeForm().question(path).endswith("?")


@pytest.mark.requirement("DC-14", "DC-15")
@pytest.mark.parametrize("value", [*SEED.values(), *(json.loads(path.read_text("utf-8")) for path in HONEST)], ids=range(18))
def test_an_envelope_of_somebody_else_becomes_a_draft_that_writes_the_same(value: dict[str, object]) -> None:
    one = given(envelope(value), ("C1", "H1"))
    assert one.record() == value
    assert {decision.basis for decision in one.values.values()} == {Basis.GIVEN}


def test_a_given_page_is_cut_into_sentences_and_keeps_its_markup() -> None:
    detail = given(envelope(SEED["revert"]), ("C1",)).prose["change.detail_md"]
    assert [sentence.text for sentence in detail.sentences][:3] == [
        "What changed",
        "This reverts commit `a91b3f2` (#1471), restoring the pool size to its previous value.",
        "`src/db/pool.ts:22` — `maxConnections` returns to 10 from 40.",
    ]
    assert {sentence.evidence for sentence in detail.sentences} == {("C1",)}
    assert detail.text == SEED["revert"]["change"]["detail_md"]


def test_what_a_given_envelope_leaves_null_is_a_value() -> None:
    value = {**SEED["single"], "change": DEGRADED}
    one = given(envelope(value), ())
    assert one.values["change.detail_md"].value is None
    assert "change.detail_md" not in one.prose
    assert one.record() == value


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("change.title", "change"),
        ("change.refs[2].path", "change"),
        ("summary.short_md", "summary"),
        ("items[9f2c1ab].detail_md", "items[9f2c1ab]"),
        ("items[9f2c1ab.2].relations.ticket", "items[9f2c1ab.2]"),
        ("shape", ""),
        ("operation.repository", ""),
        ("range", ""),
        ("", ""),
    ],
)
def test_each_change_object_and_the_summary_are_parts_of_their_own(path: str, part: str) -> None:
    assert EnvelopeForm(("9f2c1ab", "9f2c1ab.2")).part(path) == part


@pytest.mark.parametrize("path", ["summary", "targets[0].migration", "provenance.issues", ""])
def test_a_changeset_is_one_part(path: str) -> None:
    assert CHANGESET.part(path) == ""
