"""Guidance stands in a trailer, comes from a person, or is worded from text that holds it; below major it is null."""

from __future__ import annotations

import pytest

from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import AnswerValue, DocumentKind
from tests.guardrails.resolving.building import NO_RULES, asked, contradictions, document, resolve

PATH = "targets[0].migration"
IMPACT = "targets[0].impact"
MAJOR = "fix(apps/worker): x\n\nWhy it is so.\n\nImpact: major"
PATCH = "fix(apps/worker): x\n\nWhy it is so.\n\nImpact: patch"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (f"{MAJOR}\nMigration: raise the limit\n  to ten", "raise the limit to ten"),
        (f"{MAJOR}\nMigration: all\nTarget-Migration: apps/worker=this unit", "this unit"),
        (f"{MAJOR}\nTarget-Migration: apps/worker=unit\nTarget-Migration: apps/worker@stable=stream", "stream"),
        (f"{PATCH}\nMigration: optional steps", "optional steps"),
    ],
)
def test_guidance_of_a_trailer_is_taken_word_for_word(message: str, text: str) -> None:
    prose = resolve(message).prose[PATH]
    assert (prose.text, prose.basis, prose.evidence) == (text, Basis.TRAILER, ("C1",))


def test_below_major_silence_means_null() -> None:
    settled = resolve(PATCH).values[PATH]
    assert (settled.value, settled.basis) == (None, Basis.EVIDENCE)


@pytest.mark.requirement("AI-3")
@pytest.mark.requirement("AI-6")
def test_a_major_target_without_guidance_is_asked() -> None:
    assert asked(resolve(MAJOR))[PATH].reason is Reason.NO_EVIDENCE


def test_a_drafter_may_word_guidance_only_from_text_that_speaks_of_it() -> None:
    spoken = MAJOR.replace("Why it is so.", "BREAKING CHANGE: drop the old frames")
    guide = document(1, DocumentKind.PULL_REQUEST, body="## Upgrading\n\nRun it twice.", key="#1")
    requests = {request.field: request.sources for request in resolve(spoken, MAJOR, documents=(guide,)).requests}
    assert requests[PATH] == ("C1", "P1")


def test_while_the_impact_is_open_guidance_is_asked_with_it_and_null_is_taken() -> None:
    resolved = resolve("security(apps/worker): x", rules=NO_RULES)
    assert IMPACT in asked(resolved)
    assert "null" in asked(resolved)[PATH].accepts[0]
    answered = resolve("security(apps/worker): x", answers={IMPACT: "patch"}, rules=NO_RULES)
    assert answered.values[PATH].value is None


@pytest.mark.requirement("IC-7.2")
@pytest.mark.requirement("AI-5")
def test_commits_with_different_guidance_contradict() -> None:
    resolved = resolve(f"{MAJOR}\nMigration: one", f"{MAJOR}\nMigration: one", f"{MAJOR}\nMigration: two", MAJOR)
    assert contradictions(resolved) == [("migration-conflict", PATH)]
    assert asked(resolved)[PATH].evidence == ("C1", "C2", "C3")
    assert PATH not in resolved.prose


def test_white_space_makes_no_contradiction() -> None:
    assert contradictions(resolve(f"{MAJOR}\nMigration: one  step", f"{MAJOR}\nMigration: one\n step")) == []


@pytest.mark.parametrize(
    ("messages", "answer", "text"),
    [
        ([MAJOR], "do this", "do this"),
        ([f"{MAJOR}\nMigration: one", f"{MAJOR}\nMigration: two"], "two", "two"),
        ([f"{MAJOR}\nMigration: one"], "one", "one"),
        ([PATCH], "optional", "optional"),
    ],
)
def test_an_answer_gives_guidance_or_settles_between_sides(messages: list[str], answer: str, text: str) -> None:
    resolved = resolve(*messages, answers={PATH: answer})
    assert (resolved.prose[PATH].text, resolved.prose[PATH].basis) == (text, Basis.ANSWER)
    assert contradictions(resolved) == []


def test_an_answered_null_is_kept_below_major() -> None:
    assert resolve(PATCH, answers={PATH: None}).values[PATH].basis is Basis.ANSWER


@pytest.mark.requirement("IC-7.2")
@pytest.mark.parametrize(
    ("message", "answer", "code"),
    [
        (MAJOR, None, "answer-not-accepted"),
        (MAJOR, " ", "answer-not-accepted"),
        (PATCH, ["a"], "answer-not-accepted"),
        (f"{MAJOR}\nMigration: one", "two", "answer-conflict"),
        (f"{PATCH}\nMigration: one", None, "answer-conflict"),
    ],
)
def test_an_answer_does_not_beat_a_trailer_or_leave_major_without(message: str, answer: AnswerValue, code: str) -> None:
    resolved = resolve(message, answers={PATH: answer})
    assert contradictions(resolved) == [(code, PATH)]
    assert PATH not in resolved.prose
    assert PATH not in resolved.values
