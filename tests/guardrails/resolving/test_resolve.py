"""Resolving as a whole: what evidence decides, what it leaves open, and that nothing is ever made up."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.drafts.changeset import CHANGESET, field_order, target_field
from guardrails.drafts.draft import Draft
from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import AnswerValue
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules
from tests.guardrails.resolving.building import (
    NO_RULES,
    PROFILE,
    RULES,
    WHOLE,
    asked,
    commit,
    contradictions,
    file,
    oid,
    record,
    resolve,
)


@pytest.mark.requirement("AI-3")
@pytest.mark.requirement("IC-6.6c")
@pytest.mark.requirement("IC-6.6d")
def test_the_seed_s_commit_decides_every_field_but_the_prose() -> None:
    resolved = resolve(WHOLE)
    assert {path: (sourced.value, sourced.basis) for path, sourced in resolved.values.items()} == {
        "id": ("resume-settlement-jobs", Basis.TRAILER),
        "source-repository": ("https://github.com/example/payments", Basis.PROFILE),
        "targets[0].release-unit": ("apps/worker", Basis.TRAILER),
        "targets[0].stream": ("stable", Basis.PROFILE),
        "targets[0].type": ("reliability", Basis.RULE),
        "targets[0].impact": ("patch", Basis.TRAILER),
        "targets[0].audiences": (("operators",), Basis.RULE),
        "targets[0].migration": (None, Basis.EVIDENCE),
        "provenance.issues": (("DEVELOP-219",), Basis.EVIDENCE),
        "relations.reverts": ((), Basis.EVIDENCE),
        "relations.supersedes": ((), Basis.EVIDENCE),
        "disclosure.state": ("public", Basis.RULE),
        "disclosure.not-before": (None, Basis.RULE),
        "disclosure.policy": (None, Basis.RULE),
        "disclosure.placeholder": (None, Basis.RULE),
    }
    assert [request.field for request in resolved.requests] == ["summary", "rationale"]
    assert (resolved.unresolved, resolved.contradictions) == ((), ())


@pytest.mark.requirement("IC-6.6f")
@pytest.mark.requirement("IC-4.2")
def test_several_commits_of_the_seed_s_complete_example_decide_one_record_with_two_targets() -> None:
    gateway = """security(apps/gateway): accept overlapping credentials

Remove planned credential rotation from the deployment critical path.

Target-Impact: apps/gateway=minor
Target-Migration: apps/gateway=Deploy overlapping credentials before revoking the old set
Changeset: rotate-service-credentials
Refs: SECURITY-84
"""
    worker = """security(apps/worker): read both credentials

Impact: patch
Changeset: rotate-service-credentials
Refs: ADR-0042
"""
    rules = replace(RULES, audiences={"apps/gateway": ("operators", "security-teams"), "apps/worker": ("operators",)})
    resolved = resolve(gateway, worker, rules=rules)
    assert (resolved.unresolved, resolved.contradictions) == ((), ())
    assert Draft(CHANGESET, resolved.values, resolved.prose).record() == {
        "intent-changeset": "1.0.0",
        "id": "rotate-service-credentials",
        "source-repository": "https://github.com/example/payments",
        "targets": [
            {
                "release-unit": "apps/gateway",
                "stream": "stable",
                "type": "security",
                "impact": "minor",
                "audiences": ["operators", "security-teams"],
                "migration": "Deploy overlapping credentials before revoking the old set",
            },
            {
                "release-unit": "apps/worker",
                "stream": "stable",
                "type": "security",
                "impact": "patch",
                "audiences": ["operators"],
                "migration": None,
            },
        ],
        "provenance": {"decisions": ["ADR-0042"], "issues": ["SECURITY-84"]},
        "relations": {"reverts": [], "supersedes": []},
        "disclosure": {"state": "public", "not-before": None, "policy": None, "placeholder": None},
    }


@pytest.mark.requirement("AI-6")
@pytest.mark.requirement("IC-4.3")
def test_a_commit_that_says_little_leaves_its_questions_in_the_order_of_the_record() -> None:
    resolved = resolve("fix(apps/worker): x", rules=NO_RULES)
    assert list(asked(resolved)) == [
        "id",
        "rationale",
        "targets[0].type",
        "targets[0].audiences",
        "provenance",
        "disclosure.state",
    ]
    assert all(question.question and question.accepts for question in resolved.unresolved)


@pytest.mark.requirement("IC-4.3")
@pytest.mark.requirement("AI-6")
def test_an_empty_selection_is_one_question_and_no_record() -> None:
    resolved = resolve()
    assert [(question.field, question.reason) for question in resolved.unresolved] == [("range", Reason.NOTHING_TO_DESCRIBE)]
    assert (resolved.values, resolved.prose, resolved.requests) == ({}, {}, ())


def test_only_an_open_decision_keeps_the_other_fields_from_being_asked() -> None:
    assert resolve().names_no_decision
    assert resolve(WHOLE, WHOLE.replace("resume-settlement-jobs", "another")).names_no_decision
    assert not resolve("fix: x", rules=NO_RULES).names_no_decision


def test_changes_that_are_not_committed_yet_rest_on_their_paths() -> None:
    answers: dict[str, AnswerValue] = {"targets[0].impact": "patch", "disclosure.state": "public"}
    resolved = resolve(answers=answers, uncommitted=(file(1, "apps/worker/a.py"),))
    assert resolved.values["targets[0].migration"].evidence == ("F1",)
    assert all(sourced.evidence for sourced in resolved.values.values() if sourced.basis in RESTS_ON_EVIDENCE)


def test_a_selection_that_is_withheld_whole_says_so() -> None:
    held = {"state": "embargoed", "not-before": None, "policy": "coordinated", "placeholder": None}
    resolved = resolve(WHOLE, records=(record(1, disclosure=held),))
    assert [question.reason for question in resolved.unresolved] == [Reason.WITHHELD]
    assert resolved.values == {}


@pytest.mark.parametrize(
    "path", ["summry", "targets[1].impact", "targets[0].impct", "targets[x]", "relations", "disclosure", ""]
)
def test_an_answer_for_an_unknown_field_is_reported_with_the_fields_there_are(path: str) -> None:
    resolved = resolve(WHOLE, answers={path: "x"})
    assert contradictions(resolved) == [("unknown-answer-field", path)]
    assert "targets[i].impact" in asked(resolved)[path].accepts


def test_answers_for_targets_wait_until_the_units_are_known() -> None:
    assert contradictions(resolve("fix: x", answers={"targets[3].impact": "patch"}, rules=NO_RULES)) == []


@pytest.mark.requirement("AI-6")
def test_a_person_can_answer_everything_at_once() -> None:
    answers: dict[str, AnswerValue] = {
        "id": "new-jobs",
        "summary": "Jobs go on",
        "rationale": "Operators lost work",
        "targets": ["apps/worker"],
        "targets[0].type": "reliability",
        "targets[0].impact": "major",
        "targets[0].audiences": ["operators"],
        "targets[0].migration": "Restart it",
        "provenance": ["DEVELOP-1"],
        "disclosure.state": "public",
    }
    resolved = resolve("wip", answers=answers, rules=Rules(trackers=frozenset({"DEVELOP"})))
    assert (resolved.unresolved, resolved.contradictions, resolved.requests) == ((), (), ())
    assert resolved.values["provenance.issues"].value == ("DEVELOP-1",)


WORDS = [
    "",
    " ",
    "fix(apps/worker): x",
    "feat!: y",
    'Revert "x"',
    "Why it is so.",
    f"This reverts commit {oid(1)}.",
    f"Reverts: {oid(2)}",
    "BREAKING CHANGE: z",
    "Impact: patch",
    "Impact: huge",
    "Affects: apps/gateway",
    "Changeset: a-b",
    "Changeset: C D",
    "Migration: do it",
    "Target-Impact: apps/gateway@lts=minor",
    "Target-Impact: nobody@x=y",
    "Target-Migration: apps/worker=do that",
    "Refs: DEVELOP-1, UTF-8, #4",
    "Fixes #12",
    "  continued",
]
MESSAGES = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(WORDS), max_size=7).map("\n".join))
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=9), st.sampled_from(["major", "apps/worker", "a-b", "public"])
)
PATHS = st.sampled_from(
    [
        *(
            "id",
            "summary",
            "targets",
            "targets[0].impact",
            "targets[0].stream",
            "targets[0].audiences",
            "targets[0].release-unit",
        ),
        *(
            "targets[0].migration",
            "provenance",
            "provenance.issues",
            "relations.reverts",
            "disclosure.state",
            "disclosure.policy",
        ),
        "odd",
    ]
)
ANSWERS = st.dictionaries(PATHS, st.one_of(SCALARS, st.lists(SCALARS, max_size=3)), max_size=4)
RESTS_ON_EVIDENCE = {Basis.TRAILER, Basis.EVIDENCE, Basis.ANSWER}
ODD_RULES = Rules(
    types={"fix": "odd"}, impacts={"feat": "odd"}, units={"**": "odd"}, streams={"apps/worker": "odd"}, disclosure="odd"
)


def assert_in_vocabulary(resolved: Resolved) -> None:
    units = {unit: PROFILE.streams_of(unit) for unit in PROFILE.release_units}
    words = {
        "release-unit": units,
        "stream": {stream for streams in units.values() for stream in streams},
        "type": PROFILE.release_types,
        "impact": PROFILE.release_impacts,
    }
    for path, sourced in resolved.values.items():
        place = target_field(path)
        if place and place[1] in words:
            assert sourced.value in words[place[1]]
        elif place and place[1] == "audiences":
            assert isinstance(sourced.value, tuple)
            assert sourced.value
            assert set(sourced.value) <= set(PROFILE.audiences)
        elif path == "disclosure.state":
            assert sourced.value in PROFILE.disclosures


@pytest.mark.requirement("AI-3")
@pytest.mark.requirement("IC-6.6c")
@pytest.mark.requirement("IC-6.6d")
@settings(max_examples=150)
@given(st.lists(MESSAGES, max_size=4), ANSWERS, st.sampled_from([RULES, NO_RULES, ODD_RULES]))
def test_any_selection_resolves_into_the_vocabulary_the_same_each_time(
    messages: list[str], answers: dict[str, AnswerValue], rules: Rules
) -> None:
    commits = [commit(number, text, parents=1 + number % 2) for number, text in enumerate(messages, start=1)]
    resolved = resolve(*commits, answers=answers, rules=rules)
    assert_in_vocabulary(resolved)
    assert resolve(*commits, answers=answers, rules=rules) == resolved
    assert list(resolved.coverage) == [item.id for item in commits]
    assert all(sourced.evidence for sourced in resolved.values.values() if sourced.basis in RESTS_ON_EVIDENCE)
    known = {*resolved.coverage, *(f"A{place}" for place in range(1, len(answers) + 1))}
    assert {item for sourced in resolved.values.values() for item in sourced.evidence} <= known


@given(st.lists(MESSAGES, min_size=1, max_size=4), ANSWERS)
@settings(max_examples=100)
def test_a_field_is_settled_written_requested_or_asked_and_never_two_of_them(
    messages: list[str], answers: dict[str, AnswerValue]
) -> None:
    resolved = resolve(*messages, answers=answers)
    places = [*resolved.values, *resolved.prose, *(item.field for item in resolved.requests), *asked(resolved)]
    assert len(places) == len(set(places))
    assert {finding.where for finding in resolved.contradictions} <= asked(resolved).keys()
    assert [*asked(resolved)] == sorted(asked(resolved), key=field_order)
    assert [*resolved.values] == sorted(resolved.values, key=field_order)
