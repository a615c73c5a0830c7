"""An envelope of our own is judged as its consumers judge it, whole or in parts."""

from __future__ import annotations

from typing import Any

import pytest

from guardrails.drafts import register
from guardrails.drafts.draft import Draft, without
from guardrails.drafts.envelope_form import EnvelopeForm, given
from guardrails.drafts.sourced import Basis, Prose, Sentence
from guardrails.evidence import references
from guardrails.grounding.envelopes import contract
from tests.guardrails.grounding.enveloped import CHANGE, itemized, read, single

PAGE = "## What changed\n\nThe pool is lower."


def own(value: dict[str, Any], *left_out: str) -> Draft:
    """An envelope as if we had drafted it, perhaps without some fields."""
    draft = given(read(value), ())
    prose = {path: Prose((Sentence(text.text, ()),), Basis.SYNTHESIS, text.text) for path, text in draft.prose.items()}
    return without(Draft(draft.form, draft.values, prose), frozenset(left_out))


def found(draft: Draft) -> set[tuple[str, str]]:
    return {(finding.code, finding.where) for finding in contract.check(draft)}


WHOLE: tuple[str, ...] = ()
PARTIAL: tuple[str, ...] = ("change.kind",)
FAULTS: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    ("a placeholder", {"title": "TODO"}, "placeholder-text", "change.title"),
    ("a title that is too long", {"title": f"Lower {'very ' * 20}much"}, "title-too-long", "change.title"),
    ("a long short text", {"short_md": "a" * 141}, "short-too-long", "change.short_md"),
    ("a path for users", {"medium_md": "The pool in src/db/pool.ts is lower."}, "medium-path", "change.medium_md"),
    ("a page without places", {"detail_md": PAGE, "refs": []}, "detail-without-refs", "change.detail_md"),
)


@pytest.mark.requirement("DC-22", "DC-24")
@pytest.mark.parametrize("left_out", [WHOLE, PARTIAL], ids=["whole", "partial"])
@pytest.mark.parametrize(("fields", "code", "where"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_no_draft_of_ours_has_what_a_consumer_rejects(
    fields: dict[str, Any], code: str, where: str, left_out: tuple[str, ...]
) -> None:
    assert (code, where) in found(own(single(**fields), *left_out))


@pytest.mark.parametrize("left_out", [WHOLE, PARTIAL], ids=["whole", "partial"])
def test_what_keeps_the_contract_stands(left_out: tuple[str, ...]) -> None:
    assert found(own(single(), *left_out)) == set()


def test_items_are_named_by_their_keys_and_judged_together() -> None:
    draft = own(itemized({}, {"kind": "breaking"}))
    form = EnvelopeForm(("aaaaaaa", "bbbbbbb"))
    keyed = {old: f"items[{key}]" for old, key in (("items[0]", "aaaaaaa"), ("items[1]", "bbbbbbb"))}

    def renamed(path: str) -> str:
        return next((new + path.removeprefix(old) for old, new in keyed.items() if path.startswith(old)), path)

    values = {renamed(path): value for path, value in draft.values.items()}
    prose = {renamed(path): text for path, text in draft.prose.items()}
    assert ("items-out-of-order", "items[bbbbbbb].kind") in found(Draft(form, values, prose))


def test_what_somebody_else_wrote_is_judged_where_it_is_read() -> None:
    assert list(contract.check(given(read(single(title="TODO")), CHANGE["refs"]))) == []


NOTES = (references.REMOVED, references.GAP, *references._CONTENTS.values(), *references._CHANGES.values())


@pytest.mark.parametrize("note", NOTES)
def test_every_note_of_the_catalogue_is_one(note: str) -> None:
    assert list(register.note("change.refs[0].note", note.format(old="src/a.py"))) == []
