"""One target for each released unit that the evidence names, in a stream that is known."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import AnswerValue
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules
from tests.guardrails.resolving.building import (
    NO_RULES,
    PROFILE_TEXT,
    asked,
    commit,
    contradictions,
    file,
    profile_of,
    resolve,
)


def targets(resolved: Resolved) -> list[str]:
    """`unit@stream` of each target, `?` for an open stream."""
    found = []
    for index in range(20):
        unit = resolved.values.get(f"targets[{index}].release-unit")
        stream = resolved.values.get(f"targets[{index}].stream")
        found += [f"{unit.value}@{stream.value if stream else '?'}"] if unit else []
    return found


CASES = [
    ("fix(apps/worker): x", ["apps/worker@stable"]),
    ("fix(apps/worker/queue): x", ["apps/worker@stable"]),
    ("fix(apps/gateway): x", ["apps/gateway@?"]),
    ("fix(apps/worker): x\n\nAffects: apps/gateway", ["apps/gateway@?", "apps/worker@stable"]),
    ("fix: x\n\nTarget-Impact: apps/worker=patch", ["apps/worker@stable"]),
    ("fix: x\n\nTarget-Impact: apps/gateway@lts=patch", ["apps/gateway@lts"]),
    (
        "fix: x\n\nTarget-Impact: apps/gateway@lts=patch\nTarget-Impact: apps/gateway@stable=minor",
        ["apps/gateway@stable", "apps/gateway@lts"],
    ),
    ("fix(apps/gateway): x\n\nTarget-Impact: apps/gateway@lts=none", ["apps/gateway@stable"]),
    ("fix(other): x", []),
    ("fix: apps/worker is better now", []),
    ("fix: x\n\nTarget-Impact: apps/none=patch", []),
]


@pytest.mark.requirement("IC-6.6c")
@pytest.mark.requirement("IC-6.6f")
@pytest.mark.parametrize(("message", "expected"), CASES)
def test_units_come_from_the_structure_of_messages(message: str, expected: list[str]) -> None:
    assert targets(resolve(message, rules=NO_RULES)) == expected


@pytest.mark.requirement("IC-6.6f")
def test_each_unit_whose_paths_changed_is_a_target_by_rule() -> None:
    resolved = resolve(commit(1, "fix: x", "apps/worker/a.py", "apps/gateway/b.py", "docs/c.md"))
    assert targets(resolved) == ["apps/gateway@stable", "apps/worker@stable"]
    assert {resolved.values[f"targets[{index}].release-unit"].basis for index in (0, 1)} == {Basis.RULE}
    assert resolved.values["targets[0].stream"].basis is Basis.RULE


def test_staged_paths_name_units_too() -> None:
    staged = file(1, "apps/worker/a.py")
    resolved = resolve(uncommitted=(staged,))
    assert targets(resolved) == ["apps/worker@stable"]
    assert resolved.values["targets[0].release-unit"].evidence == ("F1",)


def test_a_profile_of_one_unit_leaves_no_choice() -> None:
    start, end = PROFILE_TEXT.index("  apps/gateway:"), PROFILE_TEXT.index("  apps/worker:")
    resolved = resolve("fix: x", profile=profile_of(PROFILE_TEXT[:start] + PROFILE_TEXT[end:]), rules=NO_RULES)
    assert targets(resolved) == ["apps/worker@stable"]
    assert resolved.values["targets[0].release-unit"].basis is Basis.PROFILE


@pytest.mark.requirement("AI-3")
@pytest.mark.requirement("AI-6")
def test_units_and_streams_that_nothing_names_are_asked() -> None:
    question = asked(resolve("fix: x", rules=NO_RULES))["targets"]
    assert (question.reason, question.accepts) == (
        Reason.NO_EVIDENCE,
        ("apps/gateway", "apps/gateway@stable", "apps/gateway@lts", "apps/worker"),
    )
    question = asked(resolve("fix(apps/gateway): x", rules=NO_RULES))["targets[0].stream"]
    assert (question.reason, question.accepts) == (Reason.NO_EVIDENCE, ("stable", "lts"))


@pytest.mark.requirement("AI-3")
def test_a_unit_in_whose_folder_a_change_lies_is_suggested_and_not_taken() -> None:
    resolved = resolve(commit(1, "Mend the queue", "apps/worker/queue.py", "README.md"), rules=NO_RULES)
    assert targets(resolved) == []
    assert [one.value for one in asked(resolved)["targets"].suggestions] == [("apps/worker",)]
    assert asked(resolve("Mend the queue", rules=NO_RULES))["targets"].suggestions == ()


@pytest.mark.requirement("AI-5")
@pytest.mark.requirement("IC-6.6c")
@pytest.mark.parametrize(
    "trailer",
    [
        "Affects: apps/none",
        "Target-Impact: apps/none=patch",
        "Target-Impact: apps/worker@edge=patch",
        "Target-Migration: apps/worker",
    ],
)
def test_a_unit_or_stream_that_the_profile_lacks_is_reported_not_dropped(trailer: str) -> None:
    message = f"fix(apps/worker): x\n\n{trailer}"
    resolved = resolve(message)
    assert contradictions(resolved) == [("unknown-affected-unit", "targets")]
    assert "targets" in asked(resolved)
    assert contradictions(resolve(message, answers={"targets": ["apps/worker"]})) == []


@pytest.mark.requirement("IC-4.3")
def test_an_internal_commit_adds_no_target_beside_others() -> None:
    resolved = resolve("fix(apps/worker): x", "chore(apps/gateway): tidy")
    assert targets(resolved) == ["apps/worker@stable"]
    assert resolved.coverage == {"C1": "decision", "C2": "internal: impact none"}


def test_an_internal_commit_alone_is_the_decision() -> None:
    assert targets(resolve("chore(apps/worker): tidy")) == ["apps/worker@stable"]


def test_a_commit_that_links_the_decision_is_not_internal() -> None:
    resolved = resolve("fix(apps/worker): x\n\nChangeset: a-b", "chore(apps/gateway): tidy\n\nChangeset: a-b")
    assert targets(resolved) == ["apps/gateway@stable", "apps/worker@stable"]


ANSWERED: list[tuple[str, Mapping[str, AnswerValue], list[str]]] = [
    ("fix: x", {"targets": ["apps/worker", "apps/gateway@lts"]}, ["apps/gateway@lts", "apps/worker@stable"]),
    ("fix: x", {"targets": ["apps/gateway@lts", "apps/gateway@stable"]}, ["apps/gateway@lts", "apps/gateway@stable"]),
    ("fix: x", {"targets": "apps/worker"}, ["apps/worker@stable"]),
    ("fix: x", {"targets[0].release-unit": "apps/worker"}, ["apps/worker@stable"]),
    ("fix: x", {"targets[0].release-unit": "apps/gateway", "targets[0].stream": "lts"}, ["apps/gateway@lts"]),
    ("fix(apps/gateway): x", {"targets[0].stream": "lts"}, ["apps/gateway@lts"]),
    ("fix(apps/worker): x", {"targets": ["apps/worker", "apps/gateway"]}, ["apps/gateway@?", "apps/worker@stable"]),
]


@pytest.mark.parametrize(("message", "answers", "expected"), ANSWERED)
def test_a_person_picks_units_and_streams(message: str, answers: dict[str, AnswerValue], expected: list[str]) -> None:
    resolved = resolve(message, answers=answers, rules=NO_RULES)
    assert targets(resolved) == expected
    assert contradictions(resolved) == []


REFUSED: list[tuple[str, Mapping[str, AnswerValue], tuple[str, str]]] = [
    ("fix: x", {"targets": ["apps/none"]}, ("answer-not-accepted", "targets")),
    ("fix: x", {"targets": []}, ("answer-not-accepted", "targets")),
    ("fix: x", {"targets": ["apps/worker@lts"]}, ("answer-not-accepted", "targets")),
    ("fix: x", {"targets": ["apps/worker", "apps/worker"]}, ("answer-not-accepted", "targets")),
    ("fix: x", {"targets": ["apps/gateway", "apps/gateway@lts"]}, ("answer-not-accepted", "targets")),
    ("fix: x", {"targets": {"apps/worker": "stable"}}, ("answer-not-accepted", "targets")),
    ("fix(apps/worker): x", {"targets": ["apps/gateway"]}, ("answer-conflict", "targets")),
    ("fix(apps/worker): x", {"targets[0].release-unit": "apps/gateway"}, ("answer-conflict", "targets[0].release-unit")),
    ("fix(apps/gateway): x", {"targets[0].stream": "edge"}, ("answer-not-accepted", "targets[0].stream")),
    (
        "fix: x\n\nTarget-Impact: apps/gateway@lts=patch",
        {"targets[0].stream": "stable"},
        ("answer-conflict", "targets[0].stream"),
    ),
]


@pytest.mark.requirement("IC-7.2")
@pytest.mark.requirement("IC-6.6c")
@pytest.mark.parametrize(("message", "answers", "expected"), REFUSED)
def test_an_answer_outside_the_profile_or_against_a_commit_settles_nothing(
    message: str, answers: dict[str, AnswerValue], expected: tuple[str, str]
) -> None:
    resolved = resolve(message, answers=answers, rules=NO_RULES)
    assert contradictions(resolved) == [expected]
    assert expected[1] in asked(resolved)


def test_an_answer_beats_a_path_rule_and_a_stream_rule() -> None:
    changed = commit(1, "fix: x", "apps/worker/a.py")
    assert targets(resolve(changed, answers={"targets": ["apps/gateway@lts"]})) == ["apps/gateway@lts"]


def test_a_stream_rule_outside_the_profile_is_not_taken() -> None:
    assert targets(resolve("fix(apps/gateway): x", rules=Rules(streams={"apps/gateway": "edge"}))) == ["apps/gateway@?"]
