"""An envelope's draft has the fields of the contract in its order, whatever the order in which they were decided."""

from __future__ import annotations

import json

import pytest

from guardrails.drafts.changeset import CHANGESET
from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope_form import EnvelopeForm, changes
from guardrails.drafts.page import Heading
from guardrails.drafts.sourced import Basis, FieldValue, Prose, Sentence, Sourced
from guardrails.evidence.references import Reference

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
