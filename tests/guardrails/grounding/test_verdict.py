"""The verdict: nothing passes by default, and what cannot be cured by asking is rejected."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.drafts.changeset import CHANGESET
from guardrails.drafts.draft import Draft, without
from guardrails.drafts.questions import Reason, Unresolved
from guardrails.drafts.sourced import Basis, Prose, Sentence
from guardrails.drafts.unusable import UNUSABLE
from guardrails.findings import Code
from guardrails.grounding.changesets.postvalidator import postvalidate
from guardrails.grounding.contradictions import (
    BREAKING_WITHOUT_MAJOR,
    IMPACT_CONTRADICTS_COMMIT,
    UNIT_CONTRADICTS_COMMIT,
)
from guardrails.grounding.coverage import CITES_EXCLUDED_COMMIT, COMMIT_NOT_SELECTED, COMMIT_UNACCOUNTED
from guardrails.grounding.identifiers import UNSUPPORTED_ISSUE_KEY
from guardrails.grounding.leaks import LEAK
from guardrails.grounding.overlap import CLAIM_WEAK
from guardrails.grounding.statements import CITED_TWICE
from guardrails.grounding.verdict import Accepted, NeedsInput, Rejected, decide
from guardrails.resolving.resolved import ProseRequest
from tests.guardrails.grounding.grounded import Judged, cases, judged
from tests.guardrails.grounding.test_decisions import DRAFTED, codes, with_value

EMPTY = Draft(CHANGESET, {}, {})
QUESTION = Unresolved("id", Reason.NO_EVIDENCE, "Which?")


def test_a_clean_draft_with_nothing_open_is_accepted_with_its_warnings() -> None:
    warning = CLAIM_WEAK.at("summary", "few words")
    assert decide(DRAFTED.draft, DRAFTED.resolved, (warning,)) == Accepted(DRAFTED.draft, (warning,))


@pytest.mark.requirement("UC-06")
def test_an_open_field_is_needs_input_however_clean_the_draft_is() -> None:
    verdict = decide(DRAFTED.draft, replace(DRAFTED.resolved, unresolved=(QUESTION,)), ())
    assert verdict == NeedsInput((QUESTION,), (), DRAFTED.draft, ())


@pytest.mark.requirement("UC-06")
def test_a_fault_in_a_drafters_text_takes_the_text_out_and_asks_for_it() -> None:
    finding = UNSUPPORTED_ISSUE_KEY.at("summary", "got DEVELOP-9", evidence=("C1",))
    verdict = decide(DRAFTED.draft, DRAFTED.resolved, (finding,))
    assert isinstance(verdict, NeedsInput)
    assert "summary" not in verdict.partial.prose
    assert "rationale" in verdict.partial.prose
    (question,) = verdict.unresolved
    assert (question.field, question.reason, question.evidence) == ("summary", Reason.UNSUPPORTED_CLAIM, ("C1",))
    assert "unsupported-issue-key" in question.question


@pytest.mark.requirement("AI-6")
@pytest.mark.parametrize(("sources", "named"), [(("C1", "P1", "F1", "H1"), ("C1", "P1")), (("F1", "H1"), ("F1", "H1"))])
def test_a_text_that_the_drafter_left_open_is_asked_with_the_words_that_may_carry_it(
    sources: tuple[str, ...], named: tuple[str, ...]
) -> None:
    requests = (ProseRequest("summary", sources, "What?"),)
    verdict = decide(replace(DRAFTED.draft, prose={}), replace(DRAFTED.resolved, requests=requests), ())
    assert isinstance(verdict, NeedsInput)
    assert verdict.unresolved == (Unresolved("summary", Reason.NO_EVIDENCE, "What?", ("<text>",), (), named),)
    assert verdict.findings == ()


def test_a_field_that_is_already_asked_is_asked_once() -> None:
    asked = replace(DRAFTED.resolved, unresolved=(Unresolved("summary", Reason.NO_EVIDENCE, "What?"),))
    verdict = decide(DRAFTED.draft, asked, (UNSUPPORTED_ISSUE_KEY.at("summary", "got DEVELOP-9"),))
    assert isinstance(verdict, NeedsInput)
    assert [question.question for question in verdict.unresolved] == ["What?"]


@pytest.mark.parametrize("finding", [COMMIT_UNACCOUNTED.at("", "C1"), LEAK.at("id", "rule")])
def test_what_an_answer_cannot_cure_is_rejected(finding: object) -> None:
    assert isinstance(decide(DRAFTED.draft, DRAFTED.resolved, (finding,)), Rejected)  # type: ignore[arg-type]


@pytest.mark.parametrize("code", UNUSABLE, ids=lambda code: code.name)
def test_a_field_for_which_there_was_no_usable_answer_is_put_to_a_person(code: Code) -> None:
    """Of `reply-shape`, `reply-empty`, `reply-cut-off`, `reply-refused`, `reply-filtered`, `reply-tool-call`: never a guess."""
    silent = replace(DRAFTED.draft, prose={})
    requests = (ProseRequest("summary", ("C1",), "What?"),)
    verdict = decide(silent, replace(DRAFTED.resolved, requests=requests), (code.at("summary", "got none"),))
    assert isinstance(verdict, NeedsInput)
    assert [(question.field, question.reason) for question in verdict.unresolved] == [("summary", Reason.NO_ANSWER)]


def test_a_fault_in_a_text_that_somebody_hands_in_is_rejected() -> None:
    text = Prose((Sentence("See DEVELOP-9", ("C1",)),), Basis.GIVEN)
    assert isinstance(DRAFTED.told({"summary": text}).verdict, Rejected)


def test_a_draft_of_which_nothing_is_left_is_rejected() -> None:
    text = Prose((Sentence("See DEVELOP-9", ("C1",)),), Basis.SYNTHESIS)
    finding = UNSUPPORTED_ISSUE_KEY.at("summary", "got DEVELOP-9")
    assert isinstance(decide(replace(EMPTY, prose={"summary": text}), DRAFTED.resolved, (finding,)), Rejected)


def contradicting(path: str, value: str) -> Judged:
    return with_value(DRAFTED, path, value, Basis.EVIDENCE, "C1")


@pytest.mark.requirement("AI-5")
def test_contradictions_between_commits_and_draft_are_told_for_a_person() -> None:
    assert (IMPACT_CONTRADICTS_COMMIT.name, "targets[0].impact") in codes(contradicting("targets[0].impact", "minor"))
    message = "feat(apps/worker): x\n\nImpact: patch\nAffects: apps/gateway\nChangeset: a-b\nRefs: DEVELOP-1"
    case = judged({"commits": [{"message": message}]})
    values = {path: value for path, value in case.draft.values.items() if not path.startswith("targets[")}
    one = replace(
        case,
        draft=replace(
            case.draft, values={**values, "targets[0].release-unit": DRAFTED.draft.values["targets[0].release-unit"]}
        ),
    )
    assert (UNIT_CONTRADICTS_COMMIT.name, "targets") in codes(one)
    breaking = Prose((Sentence("It is a breaking change for settlement jobs", ("C1",)),), Basis.SYNTHESIS)
    verdict = DRAFTED.told({"summary": breaking}).verdict
    assert isinstance(verdict, NeedsInput)
    assert [finding.code for finding in verdict.contradictions] == [BREAKING_WITHOUT_MAJOR.name]
    assert verdict.unresolved[0].reason is Reason.CONTRADICTION


@pytest.mark.requirement("AI-5")
@pytest.mark.parametrize(
    ("told", "is_claim"),
    [
        ("This introduces a breaking change for settlement jobs", True),
        ("The new frames are backwards incompatible", True),
        ("The guide lists all known breaking changes of settlement jobs", False),
        ("Documents the breaking change of settlement jobs", False),
        ("Documents breaking changes, and is a breaking change itself", True),
    ],
)
def test_a_sentence_about_breaking_changes_calls_nothing_breaking(told: str, is_claim: bool) -> None:
    summary = Prose((Sentence(told, ("C1",)),), Basis.SYNTHESIS)
    found = {finding.code for finding in DRAFTED.told({"summary": summary}).findings}
    assert (BREAKING_WITHOUT_MAJOR.name in found) is is_claim


@pytest.mark.parametrize(
    ("trailers", "answers"),
    [
        ("Impact: minor\nTarget-Impact: apps/worker=patch", {}),
        ("Impact: patch\nAffects: apps/gateway", {"targets": ["apps/worker"]}),
        ("Impact: none", {"targets[0].impact": "patch"}),
    ],
)
def test_what_a_trailer_or_an_answer_settles_is_no_contradiction(trailers: str, answers: dict[str, object]) -> None:
    message = f"fix(apps/worker): x\n\n{trailers}\nChangeset: a-b\nRefs: DEVELOP-1"
    case = judged({"commits": [{"message": message}], "answers": answers})
    told = {IMPACT_CONTRADICTS_COMMIT.name, UNIT_CONTRADICTS_COMMIT.name}
    assert told.isdisjoint(finding.code for finding in case.findings)


@pytest.mark.requirement("AI-5")
def test_contradictions_that_resolving_found_reach_the_verdict() -> None:
    messages = [f"fix(apps/worker): x\n\nImpact: {impact}\nChangeset: a-b\nRefs: DEVELOP-1" for impact in ("patch", "minor")]
    case = judged({"commits": [{"message": message} for message in messages]})
    assert isinstance(case.verdict, NeedsInput)
    assert set(case.resolved.contradictions) <= set(case.verdict.contradictions)
    assert case.resolved.contradictions


def test_every_selected_commit_is_accounted_for_and_none_besides() -> None:
    gone = replace(DRAFTED, draft=replace(DRAFTED.draft, coverage={"C2": "decision"}))
    assert {(COMMIT_UNACCOUNTED.name, ""), (COMMIT_NOT_SELECTED.name, "")} <= codes(gone)
    left_out = replace(DRAFTED, draft=replace(DRAFTED.draft, coverage={"C1": "reverted by C2"}))
    assert (CITES_EXCLUDED_COMMIT.name, "summary") in codes(left_out)


def test_citing_the_same_item_twice_is_told() -> None:
    text = Prose((Sentence("Interrupted settlement jobs are resumed", ("C1", "C1")),), Basis.SYNTHESIS)
    assert (CITED_TWICE.name, "summary") in codes(DRAFTED.told({"summary": text}))


def test_the_verdict_of_every_honest_case_is_the_same_twice() -> None:
    for case in cases("drafts.yaml"):
        assert judged(case).verdict == judged(case).verdict


@pytest.mark.requirement("AI-6")
def test_a_text_that_a_drafter_leaves_open_is_a_plain_question_and_no_finding() -> None:
    request = ProseRequest("rationale", ("C1",), "Why was this change made?")
    draft = without(DRAFTED.draft, ["rationale"])
    resolved = replace(DRAFTED.resolved, requests=(request,), prose={})
    verdict = decide(draft, resolved, postvalidate(draft, DRAFTED.citable, resolved, DRAFTED.evidence.guard))
    assert isinstance(verdict, NeedsInput)
    assert verdict.unresolved == (
        Unresolved("rationale", Reason.NO_EVIDENCE, "Why was this change made?", accepts=("<text>",), evidence=("C1",)),
    )
    assert not verdict.findings


@pytest.mark.requirement("UC-06")
def test_nothing_to_describe_is_needs_input_and_asks_for_no_field() -> None:
    nothing = judged({"commits": []})
    assert isinstance(nothing.verdict, NeedsInput)
    assert [question.reason for question in nothing.verdict.unresolved] == [Reason.NOTHING_TO_DESCRIBE]
    assert not nothing.verdict.findings
