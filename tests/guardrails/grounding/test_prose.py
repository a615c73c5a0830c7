"""The wording rules over whole drafts: each code has a draft that raises it and a neighbour that does not."""

from __future__ import annotations

import pytest

from guardrails.drafts.changeset import CHANGESET
from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis, Prose, Sentence
from guardrails.findings import Severity
from guardrails.grounding.changesets.prose import check

GOOD = {
    "summary": "Resume settlement jobs interrupted during shutdown",
    "rationale": "Avoid manual recovery when deployments interrupt long jobs",
    "targets[0].migration": "Set `resume` to true in worker.toml.",
}


def _draft(**texts: str) -> Draft:
    fields = {**GOOD, **{name.replace("migration", "targets[0].migration"): text for name, text in texts.items()}}
    return Draft(
        form=CHANGESET,
        values={},
        prose={where: Prose((Sentence(text, ("C1",)),), Basis.SYNTHESIS) for where, text in fields.items()},
    )


def _found(draft: Draft) -> list[tuple[str, str, Severity]]:
    return [(finding.code, finding.where, finding.severity) for finding in check(draft)]


@pytest.mark.requirement("IC-6.4")
@pytest.mark.requirement("IC-6.5")
@pytest.mark.requirement("IC-6.6e")
def test_the_example_of_the_specification_has_no_finding() -> None:
    assert _found(_draft()) == []


RAISED = {
    "activity": ({"summary": "Refactor code"}, ("summary-activity", "summary", Severity.ERROR)),
    "long summary": ({"summary": "Resume " + "jobs " * 30}, ("summary-too-long", "summary", Severity.WARNING)),
    "repetition": ({"rationale": GOOD["summary"] + "."}, ("rationale-repeats-summary", "rationale", Severity.ERROR)),
    "no reason": ({"rationale": "Adds a journal."}, ("rationale-without-reason", "rationale", Severity.WARNING)),
    "no step": ({"migration": "No migration needed."}, ("migration-not-actionable", "targets[0].migration", Severity.ERROR)),
    "placeholder": ({"rationale": "TODO: say why"}, ("placeholder-text", "rationale", Severity.ERROR)),
}


@pytest.mark.parametrize(("texts", "expected"), RAISED.values(), ids=RAISED.keys())
def test_each_rule_raises_its_own_code(texts: dict[str, str], expected: tuple[str, str, Severity]) -> None:
    assert _found(_draft(**texts)) == [expected]


def test_a_summary_of_the_allowed_length_passes() -> None:
    assert _found(_draft(summary="Resume " + "j" * 133)) == []


def test_findings_of_all_fields_gather_in_order() -> None:
    draft = _draft(summary="Update files", rationale="Update files", migration="none")
    assert [finding.code for finding in check(draft)] == [
        "summary-activity",
        "rationale-repeats-summary",
        "migration-not-actionable",
    ]


def test_absent_fields_and_other_fields_are_other_rules_matter() -> None:
    prose = {"disclosure.placeholder": Prose((Sentence("TODO", ()),), Basis.GIVEN)}
    assert check(Draft(form=CHANGESET, values={}, prose=prose)) == ()


def test_a_rationale_without_a_summary_is_still_judged() -> None:
    prose = {"rationale": Prose((Sentence("Adds a journal.", ("C1",)),), Basis.GIVEN)}
    assert [finding.code for finding in check(Draft(form=CHANGESET, values={}, prose=prose))] == ["rationale-without-reason"]


def test_messages_quote_no_text() -> None:
    draft = _draft(summary="Update files", rationale="Lorem ipsum dolor", migration="none")
    assert not any("files" in finding.message or "dolor" in finding.message for finding in check(draft))
