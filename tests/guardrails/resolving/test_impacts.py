"""The impact of a target is what trailers say, else rules, else defaults; where they differ a person decides."""

from __future__ import annotations

import pytest

from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import AnswerValue
from guardrails.resolving.rules import Rules
from tests.guardrails.resolving.building import NO_RULES, PROFILE_TEXT, asked, contradictions, profile_of, resolve

PATH = "targets[0].impact"
WORKER = "fix(apps/worker): x"


def linked(subject: str, *trailers: str) -> str:
    return "\n".join([subject, "", "Why it is so.", "", *trailers, "Changeset: a-b", ""])


SETTLED = [
    ([WORKER], NO_RULES, "patch", Basis.PROFILE),
    ([WORKER], Rules(impacts={"fix": "minor"}), "minor", Basis.RULE),
    ([f"{WORKER}\n\nImpact: major"], Rules(impacts={"fix": "minor"}), "major", Basis.TRAILER),
    ([f"{WORKER}\n\nImpact: minor\nTarget-Impact: apps/worker=none"], NO_RULES, "none", Basis.TRAILER),
    (
        [f"{WORKER}\n\nTarget-Impact: apps/worker=none\nTarget-Impact: apps/worker@stable=major"],
        NO_RULES,
        "major",
        Basis.TRAILER,
    ),
    ([f"{WORKER}\n\nImpact: minor", WORKER], NO_RULES, "minor", Basis.TRAILER),
    ([f"{WORKER}\n\nImpact: minor", f"{WORKER}\n\nImpact: minor"], NO_RULES, "minor", Basis.TRAILER),
    (["fix(apps/worker)!: x"], Rules(breaking_marker="major"), "major", Basis.RULE),
    ([f"{WORKER}\n\nBREAKING CHANGE: y"], Rules(breaking_marker="major"), "major", Basis.RULE),
    (["fix(apps/worker)!: x\n\nImpact: major"], NO_RULES, "major", Basis.TRAILER),
    ([f"{WORKER}\n\nthe breaking change: not here"], NO_RULES, "patch", Basis.PROFILE),
]


@pytest.mark.requirement("IC-6.6d")
@pytest.mark.parametrize(("messages", "rules", "expected", "basis"), SETTLED)
def test_the_strongest_source_settles_the_impact(messages: list[str], rules: Rules, expected: str, basis: Basis) -> None:
    settled = resolve(*messages, rules=rules).values[PATH]
    assert (settled.value, settled.basis) == (expected, basis)


CONFLICTS = [
    ([f"{WORKER}\n\nImpact: minor", f"{WORKER}\n\nImpact: patch"], NO_RULES, "impact-conflict", ("C1", "C2")),
    ([f"{WORKER}\n\nImpact: minor\nImpact: patch"], NO_RULES, "impact-conflict", ("C1",)),
    ([linked(WORKER, "Impact: minor"), linked(WORKER)], NO_RULES, "impact-conflict", ("C1", "C2")),
    (
        [f"{WORKER}\n\nImpact: patch", f"{WORKER}\n\nTarget-Impact: apps/worker=minor"],
        NO_RULES,
        "impact-conflict",
        ("C1", "C2"),
    ),
    (["fix(apps/worker)!: x\n\nImpact: patch"], Rules(breaking_marker="major"), "impact-conflict", ("C1",)),
    (["fix(apps/worker)!: x\n\nImpact: patch"], NO_RULES, "breaking-marker-conflict", ("C1",)),
    (["fix(apps/worker)!: x"], NO_RULES, "breaking-marker-conflict", ("C1",)),
]


@pytest.mark.requirement("IC-7.2")
@pytest.mark.requirement("AI-5")
@pytest.mark.parametrize(("messages", "rules", "code", "sides"), CONFLICTS)
def test_sources_that_contradict_are_reported_and_none_wins(
    messages: list[str], rules: Rules, code: str, sides: tuple[str, ...]
) -> None:
    resolved = resolve(*messages, rules=rules)
    assert [(finding.code, finding.where, finding.evidence) for finding in resolved.contradictions] == [(code, PATH, sides)]
    assert PATH not in resolved.values
    assert asked(resolved)[PATH].reason is Reason.CONTRADICTION
    assert "targets[0].migration" not in resolved.values


@pytest.mark.requirement("AI-6")
def test_defaults_that_differ_are_a_question_with_the_largest_suggested_first() -> None:
    question = asked(resolve(WORKER, "feat(apps/worker): y", rules=NO_RULES))[PATH]
    assert question.reason is Reason.AMBIGUOUS
    assert [(suggestion.value, suggestion.evidence) for suggestion in question.suggestions] == [
        ("minor", ("C2",)),
        ("patch", ("C1",)),
    ]


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        (["security(apps/worker): x"], Reason.NO_EVIDENCE),
        ([WORKER, "security(apps/worker): y"], Reason.AMBIGUOUS),
        ([f"{WORKER}\n\nImpact: huge"], Reason.POLICY),
    ],
)
def test_an_impact_that_a_commit_does_not_say_is_asked(messages: list[str], reason: Reason) -> None:
    resolved = resolve(*messages, rules=NO_RULES)
    assert PATH not in resolved.values
    assert (asked(resolved)[PATH].reason, asked(resolved)[PATH].accepts) == (reason, ("none", "patch", "minor", "major"))


@pytest.mark.requirement("IC-6.6d")
def test_an_impact_that_the_profile_does_not_release_is_not_settled() -> None:
    narrow = profile_of(PROFILE_TEXT.replace("release-impacts: [none, patch, minor, major]", "release-impacts: [minor, major]"))
    resolved = resolve(WORKER, profile=narrow, rules=NO_RULES)
    assert asked(resolved)[PATH].reason is Reason.POLICY
    assert asked(resolved)[PATH].suggestions == ()


def test_each_target_has_its_own_impact() -> None:
    resolved = resolve("fix(apps/worker): x\n\nAffects: apps/gateway\nImpact: patch\nTarget-Impact: apps/gateway@stable=minor")
    assert [resolved.values[f"targets[{index}].impact"].value for index in (0, 1)] == ["minor", "patch"]


@pytest.mark.parametrize(
    ("messages", "answer"),
    [
        ([WORKER], "major"),
        ([f"{WORKER}\n\nImpact: huge"], "minor"),
        ([f"{WORKER}\n\nImpact: minor", f"{WORKER}\n\nImpact: patch"], "patch"),
        (["fix(apps/worker)!: x\n\nImpact: patch"], "major"),
        (["fix(apps/worker)!: x"], "patch"),
    ],
)
def test_an_answer_beats_defaults_and_settles_between_the_sides(messages: list[str], answer: str) -> None:
    resolved = resolve(*messages, answers={PATH: answer}, rules=NO_RULES)
    assert (resolved.values[PATH].value, resolved.values[PATH].basis) == (answer, Basis.ANSWER)
    assert contradictions(resolved) == []


@pytest.mark.requirement("IC-7.2")
@pytest.mark.parametrize(
    ("messages", "answer", "code"),
    [
        ([f"{WORKER}\n\nImpact: minor"], "patch", "answer-conflict"),
        ([f"{WORKER}\n\nImpact: minor", f"{WORKER}\n\nImpact: patch"], "none", "answer-conflict"),
        ([WORKER], "huge", "answer-not-accepted"),
        ([WORKER], None, "answer-not-accepted"),
    ],
)
def test_an_answer_does_not_beat_a_trailer_or_the_vocabulary(messages: list[str], answer: AnswerValue, code: str) -> None:
    resolved = resolve(*messages, answers={PATH: answer}, rules=NO_RULES)
    assert contradictions(resolved) == [(code, PATH)]
    assert PATH not in resolved.values
