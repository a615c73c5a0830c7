"""Suggestions of a drafter: words of a closed vocabulary that rest on what was shown, put to a person and decided by none."""

from __future__ import annotations

import pytest

from guardrails.drafts.questions import Reason, Suggestion, Unresolved
from guardrails.drafts.reply import SuggestionReply
from guardrails.grounding.suggesting import SUGGESTION_DROPPED, Hint, sift, suggested, suggestible
from guardrails.resolving.resolved import Resolved

IMPACT, AUDIENCES = "targets[0].impact", "targets[0].audiences"
ACCEPTS = {IMPACT: ("major", "minor", "patch", "none"), AUDIENCES: ("operators", "developers")}
SHOWN = ("C1", "H1")


def question(field: str, accepts: tuple[str, ...], reason: Reason = Reason.NO_EVIDENCE, *hints: Suggestion) -> Unresolved:
    return Unresolved(field, reason, "Which?", accepts, hints)


def resolved(*questions: Unresolved) -> Resolved:
    return Resolved({}, {}, (), questions, (), {})


@pytest.mark.requirement("AI-3")
def test_only_open_decisions_with_a_closed_vocabulary_are_open_to_suggestions() -> None:
    words = ("a", "b")
    questions = (
        *(question(field, accepts) for field, accepts in ACCEPTS.items()),
        *(question(field, words) for field in ("id", "shape", "range", "disclosure.state", "disclosure.policy")),
        *(
            question("targets[1].type", words, reason)
            for reason in (Reason.POLICY, Reason.WITHHELD, Reason.NOTHING_TO_DESCRIBE)
        ),
        question("rationale", ("<text>",)),
        question("targets[0].migration", ("null", "<text>")),
        question("provenance", ()),
        question("targets", tuple(f"unit-{number}" for number in range(251))),
    )
    assert suggestible(resolved(*questions)) == {"": ACCEPTS}
    assert suggestible(resolved()) == {}


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(
    ("field", "value", "evidence", "counts"),
    [
        (IMPACT, "major", ("C1",), True),
        (AUDIENCES, ("operators", "developers"), ("C1", "H1"), True),
        (IMPACT, "enormous", ("C1",), False),
        (AUDIENCES, ("operators", "everybody"), ("C1",), False),
        (IMPACT, "major", ("H9",), False),
        (IMPACT, "major", ("C1", "H9"), False),
        ("disclosure.state", "public", ("C1",), False),
        ("id", "other", ("C1",), False),
    ],
)
def test_a_suggestion_counts_where_field_words_and_evidence_are_what_was_shown(
    field: str, value: str | tuple[str, ...], evidence: tuple[str, ...], counts: bool
) -> None:
    hints, dropped = sift((SuggestionReply(field=field, value=value, evidence=evidence),), ACCEPTS, SHOWN)
    assert hints == ((Hint(field, value, evidence),) if counts else ())
    assert [finding.code for finding in dropped] == ([] if counts else [SUGGESTION_DROPPED.name])
    assert all(finding.where in {*ACCEPTS, ""} for finding in dropped), "a field of its own is the drafter's word"


def test_the_same_fault_is_told_once() -> None:
    said = tuple(SuggestionReply(field=f"f{number}", value="x", evidence=("C1",)) for number in range(50))
    assert len(sift(said, ACCEPTS, SHOWN)[1]) == 1


@pytest.mark.requirement("AI-6")
def test_it_stands_behind_what_the_evidence_suggests_and_is_never_the_leading_one() -> None:
    asked = resolved(question(IMPACT, ACCEPTS[IMPACT], Reason.AMBIGUOUS, Suggestion("minor", ("C1",))), question(AUDIENCES, ()))
    hints = (
        *(Hint(IMPACT, word, ("H1",)) for word in ("major", "minor", "major", "patch", "none", "x")),
        Hint("other", "y", ("C1",)),
    )
    impact, audiences = suggested(asked, hints, "openai:x").unresolved
    assert [(one.value, one.by) for one in impact.suggestions] == [
        ("minor", ""),
        ("major", "openai:x"),
        ("patch", "openai:x"),
        ("none", "openai:x"),
    ]
    assert impact.leading == Suggestion("minor", ("C1",))
    assert audiences.suggestions == ()
    (alone,) = suggested(resolved(question(IMPACT, ACCEPTS[IMPACT])), hints, "openai:x").unresolved
    assert alone.leading is None
