"""Disclosure is decided by a record, a reviewed rule or a person, and every field that does not apply is null."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import AnswerValue
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules
from tests.guardrails.resolving.building import (
    INSIDE,
    NO_RULES,
    PROFILE_TEXT,
    RULES,
    WHOLE,
    asked,
    contradictions,
    profile_of,
    record,
    resolve,
)


def disclosed(resolved: Resolved) -> dict[str, object]:
    """The settled fields."""
    fields = {path: sourced.value for path, sourced in resolved.values.items() if path.startswith("disclosure.")}
    return {path.partition(".")[2]: said for path, said in fields.items()}


PUBLIC = {"state": "public", "not-before": None, "policy": None, "placeholder": None}


def test_a_reviewed_rule_or_a_single_word_settles_the_state() -> None:
    assert disclosed(resolve(WHOLE)) == PUBLIC
    only = profile_of(PROFILE_TEXT.replace("disclosures: [public, embargoed, redacted]", "disclosures: [public]"))
    assert disclosed(resolve(WHOLE, profile=only, rules=NO_RULES)) == PUBLIC


@pytest.mark.requirement("AI-3")
@pytest.mark.requirement("AI-6")
@pytest.mark.parametrize("rules", [NO_RULES, Rules(disclosure="secret")])
def test_the_state_is_asked_and_never_a_default(rules: Rules) -> None:
    resolved = resolve(WHOLE, rules=rules)
    assert asked(resolved)["disclosure.state"].accepts == ("public", "embargoed", "redacted")
    assert disclosed(resolved) == {}


@pytest.mark.parametrize(
    ("answers", "expected", "open_field"),
    [
        ({"state": "public"}, PUBLIC, None),
        ({"state": "embargoed", "policy": "coordinated"}, {**PUBLIC, "state": "embargoed", "policy": "coordinated"}, None),
        (
            {"state": "embargoed", "not-before": "2027-01-01"},
            {**PUBLIC, "state": "embargoed", "not-before": "2027-01-01"},
            None,
        ),
        ({"state": "embargoed"}, {"state": "embargoed", "policy": None, "placeholder": None}, "not-before"),
        ({"state": "redacted", "placeholder": "A fix"}, {**PUBLIC, "state": "redacted", "placeholder": "A fix"}, None),
        ({"state": "redacted"}, {"state": "redacted", "policy": None, "not-before": None}, "placeholder"),
    ],
)
def test_a_person_decides_and_what_the_state_needs_is_asked(
    answers: dict[str, AnswerValue], expected: dict[str, object], open_field: str | None
) -> None:
    resolved = resolve(WHOLE, answers={f"disclosure.{name}": said for name, said in answers.items()})
    assert disclosed(resolved) == expected
    assert list(asked(resolved)) == ([f"disclosure.{open_field}"] if open_field else [])


@pytest.mark.parametrize(
    ("answers", "refused"),
    [
        ({"state": "secret"}, "state"),
        ({"state": "public", "placeholder": "A fix"}, "placeholder"),
        ({"state": "embargoed", "not-before": "soon"}, "not-before"),
        ({"state": "redacted", "placeholder": " "}, "placeholder"),
    ],
)
def test_an_answer_that_does_not_apply_is_refused(answers: dict[str, AnswerValue], refused: str) -> None:
    resolved = resolve(WHOLE, answers={f"disclosure.{name}": said for name, said in answers.items()})
    assert contradictions(resolved) == [("answer-not-accepted", f"disclosure.{refused}")]
    assert refused not in disclosed(resolved)


def test_the_record_of_this_id_has_decided_already() -> None:
    held = {"state": "embargoed", "not-before": None, "policy": "coordinated", "placeholder": None}
    resolved = resolve(WHOLE, policy=INSIDE, records=(record(1, disclosure=held),))
    assert disclosed(resolved) == held
    assert resolved.values["disclosure.state"].basis is Basis.EVIDENCE


@pytest.mark.requirement("IC-7.2")
def test_an_answer_does_not_move_an_embargoed_record() -> None:
    held = {"state": "embargoed", "not-before": None, "policy": "coordinated", "placeholder": None}
    answers: dict[str, AnswerValue] = {"disclosure.state": "public"}
    resolved = resolve(WHOLE, answers=answers, policy=INSIDE, records=(record(1, disclosure=held),))
    assert contradictions(resolved) == [("answer-conflict", "disclosure.state")]
    assert asked(resolved)["disclosure.state"].reason is Reason.CONTRADICTION


def test_a_state_of_a_record_that_the_profile_lacks_is_asked() -> None:
    narrow = profile_of(PROFILE_TEXT.replace("disclosures: [public, embargoed, redacted]", "disclosures: [embargoed]"))
    resolved = resolve(WHOLE, profile=narrow, rules=replace(RULES, disclosure=None), records=(record(1),))
    assert asked(resolved)["disclosure.state"].reason is Reason.POLICY
