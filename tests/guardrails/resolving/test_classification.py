"""Type and audiences come from reviewed rules, labels or people; two sources that differ settle nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import AnswerValue, DocumentKind
from guardrails.resolving.rules import Rules
from tests.guardrails.resolving.building import (
    NO_RULES,
    PROFILE_TEXT,
    RULES,
    asked,
    contradictions,
    document,
    profile_of,
    resolve,
)

TYPE = "targets[0].type"
AUDIENCES = "targets[0].audiences"
WORKER = "fix(apps/worker): x"
SECURITY = document(1, DocumentKind.PULL_REQUEST, key="#1", labels=("kind/security", "for-security", "other"))


@pytest.mark.requirement("IC-6.6d")
@pytest.mark.parametrize(
    ("message", "rules", "expected", "basis"),
    [
        (WORKER, RULES, "reliability", Basis.RULE),
        ("security(apps/worker): x", RULES, "security", Basis.EVIDENCE),
    ],
)
def test_a_commit_type_means_what_the_rules_or_the_profile_say(message: str, rules: Rules, expected: str, basis: Basis) -> None:
    settled = resolve(message, rules=rules).values[TYPE]
    assert (settled.value, settled.basis, settled.evidence) == (expected, basis, ("C1",))


def test_a_label_means_what_the_rules_say() -> None:
    resolved = resolve("chore(apps/worker): x", documents=(SECURITY,))
    assert (resolved.values[TYPE].value, resolved.values[TYPE].evidence) == ("security", ("P1",))


@pytest.mark.requirement("AI-5")
@pytest.mark.parametrize(
    ("messages", "documents"), [([WORKER, "feat(apps/worker): y\n\nImpact: patch"], ()), ([WORKER], (SECURITY,))]
)
def test_types_that_differ_are_a_question_with_both_sides(messages: list[str], documents: tuple[object, ...]) -> None:
    question = asked(resolve(*messages, documents=documents))[TYPE]
    assert question.reason is Reason.AMBIGUOUS
    assert len(question.suggestions) == 2


@pytest.mark.requirement("AI-3")
def test_the_type_of_one_commit_is_not_that_of_commits_that_say_none() -> None:
    question = asked(resolve(WORKER, "Show a banner"))[TYPE]
    assert (question.reason, [suggestion.value for suggestion in question.suggestions]) == (Reason.AMBIGUOUS, ["reliability"])
    assert question.evidence == ("C1", "C2")
    assert TYPE not in asked(resolve(WORKER, "Show a banner", documents=(SECURITY,), rules=replace(RULES, types={})))


@pytest.mark.requirement("AI-3")
@pytest.mark.requirement("AI-6")
def test_type_and_audiences_that_nothing_says_are_asked() -> None:
    open_fields = asked(resolve(WORKER, rules=NO_RULES))
    assert (open_fields[TYPE].reason, open_fields[TYPE].accepts) == (Reason.NO_EVIDENCE, ("feature", "reliability", "security"))
    assert (open_fields[AUDIENCES].reason, open_fields[AUDIENCES].accepts) == (
        Reason.NO_EVIDENCE,
        ("operators", "security-teams"),
    )


def test_a_vocabulary_of_one_word_leaves_no_choice() -> None:
    text = PROFILE_TEXT.replace("release-types: [feature, reliability, security]", "release-types: [change]")
    narrow = profile_of(text.replace("audiences: [operators, security-teams]", "audiences: [operators]"))
    resolved = resolve(WORKER, profile=narrow, rules=NO_RULES)
    assert (resolved.values[TYPE].value, resolved.values[TYPE].basis) == ("change", Basis.PROFILE)
    assert (resolved.values[AUDIENCES].value, resolved.values[AUDIENCES].basis) == (("operators",), Basis.PROFILE)


@pytest.mark.requirement("IC-6.6d")
def test_a_rule_outside_the_profile_settles_nothing() -> None:
    rules = replace(NO_RULES, types={"fix": "bugfix"}, audiences={"apps/worker": ("people",)}, disclosure="secret")
    assert {TYPE, AUDIENCES, "disclosure.state"} <= asked(resolve(WORKER, rules=rules)).keys()


AUDIENCE_RULES = [
    ({"apps/worker": ("security-teams", "operators")}, (), ("operators", "security-teams")),
    ({"reliability": ("operators",)}, (), ("operators",)),
    ({"reliability": ("operators",), "apps/worker": ("operators",)}, (), ("operators",)),
    ({}, (SECURITY,), ("security-teams",)),
    ({"reliability": ("security-teams",), "apps/worker": ("operators",)}, (), None),
    ({"apps/worker": ("operators",)}, (SECURITY,), None),
]


@pytest.mark.parametrize(("audiences", "documents", "expected"), AUDIENCE_RULES)
def test_audiences_are_settled_when_every_rule_agrees(
    audiences: dict[str, tuple[str, ...]], documents: tuple[object, ...], expected: tuple[str, ...] | None
) -> None:
    rules = replace(RULES, audiences=audiences, type_labels={})
    resolved = resolve(WORKER, rules=rules, documents=documents)
    if expected is None:
        assert asked(resolved)[AUDIENCES].reason is Reason.AMBIGUOUS
    else:
        assert resolved.values[AUDIENCES].value == expected


@pytest.mark.parametrize(
    ("path", "answer", "expected"),
    [
        (TYPE, "security", "security"),
        (AUDIENCES, ["security-teams", "operators"], ("operators", "security-teams")),
        (AUDIENCES, "operators", ("operators",)),
    ],
)
def test_an_answer_beats_rules(path: str, answer: AnswerValue, expected: object) -> None:
    settled = resolve(WORKER, answers={path: answer}).values[path]
    assert (settled.value, settled.basis, settled.evidence) == (expected, Basis.ANSWER, ("A1",))


@pytest.mark.requirement("IC-6.6d")
@pytest.mark.parametrize(
    ("path", "answer"),
    [
        (TYPE, "bugfix"),
        (TYPE, ["security"]),
        (AUDIENCES, []),
        (AUDIENCES, ["people"]),
        (AUDIENCES, ["operators", "operators"]),
        (AUDIENCES, None),
        (AUDIENCES, {"operators": True}),
    ],
)
def test_an_answer_outside_the_profile_is_refused_and_asked_again(path: str, answer: AnswerValue) -> None:
    resolved = resolve(WORKER, answers={path: answer})
    assert contradictions(resolved) == [("answer-not-accepted", path)]
    assert asked(resolved)[path].reason is Reason.POLICY
    assert path not in resolved.values
