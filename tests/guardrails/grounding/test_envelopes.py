"""The post-validator of envelopes: an honest one holds, and no reference outside of the change does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope_form import EnvelopeForm
from guardrails.drafts.page import Heading
from guardrails.drafts.sourced import Basis, FieldValue, Prose, Sentence, Sourced
from guardrails.evidence.references import Catalogue, Reference
from guardrails.findings import Severity
from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes import postvalidator as envelopes
from guardrails.resolving.resolved import Resolved
from tests.guardrails.grounding.enveloped import CHANGE, held, refused, single
from tests.guardrails.grounding.pointing import HERE, PARENT, POOL, codes, small, told
from tests.redacting import redacted

EVIDENCE = small()


def test_an_honest_envelope_holds() -> None:
    assert refused(single(), EVIDENCE) == set()


PLANTED: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("a number", {"short_md": "`maxConnections` is 11 instead of 40"}, "unsupported-quantity"),
    ("a symbol", {"short_md": "`maxConnection` is 10 instead of 40"}, "unsupported-code"),
    ("a direction", {"short_md": "The pool size goes from 10 to 40"}, "direction-differs"),
    ("a turned opening", {"title": "Increase the pool size"}, "opposite-word"),
    ("what is gone, as new", {"short_md": "Adds `y()` to the pool"}, "side-differs"),
    ("a reason", {"medium_md": "The pool is lower, because nightly invoices deadlocked for tenants."}, "clause-unsupported"),
    ("an effect", {"medium_md": "The pool is lower and faster."}, "effect-unsupported"),
    ("a credit", {"medium_md": "The pool is lower, reviewed by two people."}, "credit-unsupported"),
    ("a person", {"medium_md": "The pool is lower, as Zaqwina has it."}, "person-unsupported"),
    ("a heading", {"detail_md": f"{CHANGE['detail_md']}\n\n## Since 9.9.9\n\nNo more."}, "unsupported-version"),
    ("code", {"detail_md": f"{CHANGE['detail_md']}\n\n```\nzq_frobnicate()\n```"}, "unsupported-symbol"),
    ("a note", {"refs": [{**CHANGE["refs"][0], "note": "cache eviction under pressure"}]}, "claim-unsupported"),
    ("a number in a note", {"refs": [{**CHANGE["refs"][0], "note": "maxConnections is 12"}]}, "unsupported-quantity"),
    ("a secret in a note", {"refs": [{**CHANGE["refs"][0], "note": "ask \u202eada"}]}, "invisible-character"),
    ("a kind", {"kind": "security"}, "kind-unsupported"),
    ("a ticket", {"relations": {**CHANGE["relations"], "ticket": "#7"}}, "relation-uncited"),
)


@pytest.mark.requirement("DC-07", "DC-08", "DC-12")
@pytest.mark.parametrize(("fields", "code"), [row[1:] for row in PLANTED], ids=[row[0] for row in PLANTED])
def test_one_fault_refuses_an_envelope(fields: dict[str, Any], code: str) -> None:
    assert code in refused(single(**fields), EVIDENCE)


WARNED: tuple[tuple[str, str, str], ...] = (
    ("named elsewhere", "- `src/db/pool.ts:22` — as `z()` has it.", "named-elsewhere"),
    ("new code told as gone", "- `src/db/pool.ts:22` — `const maxConnections = 10` is removed.", "side-differs"),
)


@pytest.mark.parametrize(("detail", "code"), [row[1:] for row in WARNED], ids=[row[0] for row in WARNED])
def test_what_may_be_right_is_told_to_the_reviewer(detail: str, code: str) -> None:
    found = held(single(detail_md=detail, refs=CHANGE["refs"][:1]), EVIDENCE)
    assert (code, Severity.WARNING) in {(one.code, one.severity) for one in found}
    assert code not in {one.code for one in found if one.severity is Severity.ERROR}


@pytest.mark.requirement("DC-21")
def test_a_page_that_is_null_beside_a_diff_is_told_to_the_reviewer() -> None:
    degraded = single(detail_md=None, refs=[], medium_md=None)
    assert "detail-left-out" in {one.code for one in held(degraded, EVIDENCE)}
    assert refused(degraded, EVIDENCE) == set()
    unknown = replace(told(), commits=(replace(told().commits[0], diff_known=False),))
    assert "detail-left-out" not in {one.code for one in held(degraded, unknown)}


SHAS = st.sampled_from((HERE, HERE[:7], PARENT, PARENT[:8], "f" * 40))
REFERENCES = st.builds(
    lambda path, first, more, sha: {"path": path, "range": f"{first}-{first + more}", "sha": sha, "note": "removed"},
    st.sampled_from(("src/db/pool.ts", "src/old.ts", "src/short.ts", "src/name.ts", "logo.png", "src/none.ts")),
    st.integers(1, 70),
    st.integers(0, 9),
    SHAS,
)


@pytest.mark.requirement("DC-07")
@settings(deadline=None)
@drawn(st.lists(REFERENCES, min_size=1, max_size=3))
def test_no_accepted_envelope_has_a_reference_outside_the_diff(references: list[dict[str, str]]) -> None:
    if refused(single(refs=references), EVIDENCE):
        return
    shown = {
        (path, line)
        for file in EVIDENCE.commits[0].files
        for path in (file.path, file.old_path)
        for hunk in file.hunks
        for first, count in ((hunk.new_start, hunk.new_lines), (hunk.old_start, hunk.old_lines))
        for line in range(first, first + count)
    }
    for one in references:
        first, _, last = one["range"].partition("-")
        assert {(one["path"], int(first)), (one["path"], int(last))} <= shown
        assert one["sha"][:7] in {HERE[:7], PARENT[:7]}


def ours(**changes: Sourced[FieldValue]) -> tuple[Draft, Citable, Resolved]:
    """A draft of our own about one hunk, with other values where given; paths are written with two underscores for a dot."""
    evidence = redacted(told(POOL))
    places = Catalogue.of(evidence.bundle).references(("H1",))
    resolved: dict[str, Sourced[FieldValue]] = {
        "shape": Sourced("single", Basis.ANSWER, ("C1",)),
        "operation.type": Sourced("range", Basis.RULE),
        "operation.id": Sourced("main..HEAD", Basis.RULE),
        "operation.repository": Sourced("example/payments", Basis.PROFILE),
        "change.kind": Sourced("improvement", Basis.EVIDENCE, ("C1",)),
        **{f"change.relations.{key}": Sourced(None, Basis.EVIDENCE, ("C1",)) for key in ("ticket", "request", "reporter")},
    }
    values = {**resolved, "change.refs": Sourced(places, Basis.EVIDENCE, ("H1",))}
    values |= {path.replace("__", "."): value for path, value in changes.items()}
    place = tuple(one.place() for one in places)
    line = Sentence("`maxConnections` is 10.", ("H1",), Heading.CHANGED, place)
    prose = {
        f"change.{name}": Prose((Sentence("Lower the pool size", ("C1",)),), Basis.EVIDENCE)
        for name in ("title", "short_md", "medium_md")
    }
    draft = Draft(EnvelopeForm(), values, {**prose, "change.detail_md": Prose((line,), Basis.SYNTHESIS)}, {"C1": "change"})
    return draft, Citable.of(evidence, None), Resolved(resolved, {}, (), (), (), {"C1": "change"}, form=EnvelopeForm())


def judged(draft: Draft, citable: Citable, resolved: Resolved) -> list[str]:
    """The codes of what is found in a draft of ours."""
    found = envelopes.postvalidate(draft, citable, resolved, redacted(told(POOL)).guard)
    return codes(one for one in found if one.severity is not Severity.WARNING)


def test_a_draft_of_our_own_holds() -> None:
    assert judged(*ours()) == []


OWN: tuple[tuple[str, dict[str, Sourced[FieldValue]], str], ...] = (
    (
        "other references",
        {"change__refs": Sourced((Reference("src/db/pool.ts", "22", HERE),), Basis.EVIDENCE, ("H2",))},
        "place-differs",
    ),
    ("another kind", {"change__kind": Sourced("docs", Basis.EVIDENCE, ("C1",))}, "decision-conflict"),
    ("a drafter's kind", {"change__kind": Sourced("improvement", Basis.SYNTHESIS)}, "decision-synthesised"),
    ("a ticket of nobody", {"change__relations__ticket": Sourced("#7", Basis.RULE)}, "decision-conflict"),
)


@pytest.mark.parametrize(("changes", "code"), [row[1:] for row in OWN], ids=[row[0] for row in OWN])
def test_what_we_decided_is_what_was_resolved(changes: dict[str, Sourced[FieldValue]], code: str) -> None:
    assert code in judged(*ours(**changes))


def test_places_beside_our_sentences_are_those_of_the_catalogue() -> None:
    draft, citable, resolved = ours()
    line = replace(draft.prose["change.detail_md"].sentences[0], places=("src/db/pool.ts:60",))
    prose = {**draft.prose, "change.detail_md": Prose((line,), Basis.SYNTHESIS)}
    assert "place-differs" in judged(replace(draft, prose=prose), citable, resolved)


def test_what_is_left_out_and_not_asked_is_missing() -> None:
    draft, citable, resolved = ours()
    values = {path: value for path, value in draft.values.items() if path != "change.kind"}
    assert judged(replace(draft, values=values), citable, resolved) == ["field-missing"]


COVERAGES: tuple[tuple[str, dict[str, str], str | None], ...] = (
    ("told", {"C1": "change"}, None),
    ("not accounted for", {"C1": " "}, "commit-unaccounted"),
    ("nothing told", {"C1": "changes nothing"}, "item-without-commit"),
    ("not selected", {"C1": "change", "C9": "change"}, "commit-not-selected"),
)


@pytest.mark.parametrize(("coverage", "code"), [row[1:] for row in COVERAGES], ids=[row[0] for row in COVERAGES])
def test_our_coverage_is_exact(coverage: dict[str, str], code: str | None) -> None:
    draft, citable, resolved = ours()
    found = judged(replace(draft, coverage=coverage), citable, resolved)
    assert (code in found) if code else found == []


def test_a_sentence_that_leans_on_what_was_left_out_is_refused() -> None:
    draft, citable, resolved = ours()
    found = judged(replace(draft, coverage={"C1": "reverted by 77aa001 of the same range"}), citable, resolved)
    assert "cites-excluded-commit" in found
