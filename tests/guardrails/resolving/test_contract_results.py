"""What a change contract says against a change is asked in every kind of draft until a person tells or accepts it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import pytest

from guardrails.drafts.page import Heading
from guardrails.drafts.questions import Reason
from guardrails.evidence.model import AnswerValue, ContractResult, Operation, OperationType
from guardrails.findings import Severity
from guardrails.resolving import contracts
from guardrails.resolving.envelopes.assembling import assemble
from guardrails.resolving.envelopes.describing import describe
from guardrails.resolving.pull_requests import resolve as requesting
from guardrails.resolving.resolved import Resolved
from tests.guardrails.resolving.building import (
    NO_RULES,
    PROFILE,
    RULES,
    WHOLE,
    asked,
    contradictions,
    evidence,
    resolve,
)
from tests.guardrails.resolving.changes import edited
from tests.verifications import CONTRACT, drifting, verdict

pytestmark = pytest.mark.requirement("CC-16")
FOUND: Final = (verdict("DRIFT"), drifting())
PLACE: Final = contracts.path(drifting())
RANGE: Final = Operation(OperationType.RANGE, "main..HEAD", "acme/widgets")
Answers = Mapping[str, AnswerValue]
LOOSE: Final = WHOLE.replace("Changeset: resume-settlement-jobs\n", "")
Made = Callable[..., Resolved]


def of_changeset(answers: Answers, *found: ContractResult) -> Resolved:
    return resolve(WHOLE, answers=answers, contracts=found or FOUND)


def of_envelope(answers: Answers, *found: ContractResult) -> Resolved:
    said = {"shape": "single", **answers}
    shown = evidence(
        edited(1, "fix: Count from two", {"a.py": "-A = 1\n+A = 2"}), answers=said, operation=RANGE, contracts=found or FOUND
    )
    return describe(shown, None, NO_RULES)


def of_request(answers: Answers, *found: ContractResult) -> Resolved:
    return requesting.resolve(evidence(LOOSE, answers=answers, contracts=found or FOUND), PROFILE, RULES)


KINDS: Final = (of_changeset, of_envelope, of_request)


@pytest.mark.parametrize("made", KINDS)
def test_what_is_not_kept_is_asked(made: Made) -> None:
    resolved = made({})
    question = asked(resolved)[PLACE]
    assert question.reason is Reason.CONTRADICTION
    assert question.evidence == ("V2",)
    assert question.accepts[0] == "accepted"
    assert contradictions(resolved) == [("contract-drift", PLACE)]
    assert "added other.txt" in resolved.contradictions[0].message


@pytest.mark.parametrize("made", KINDS)
@pytest.mark.parametrize("said", ["accepted", "The file is taken out with the next change."])
def test_an_answer_settles_it_and_the_reviewer_is_told(made: Made, said: str) -> None:
    resolved = made({PLACE: said})
    assert PLACE not in asked(resolved)
    assert contradictions(resolved) == []
    warned = [finding for finding in resolved.warnings if finding.code == "contract-drift"]
    assert [(one.where, one.severity) for one in warned] == [(PLACE, Severity.WARNING)]
    assert warned[0].evidence[0] == "V2"


@pytest.mark.parametrize("made", KINDS)
@pytest.mark.parametrize(
    ("body", "accepts"),
    [
        ("not allowed: 1 of 2\n- added other.txt", ["accepted", "<words that tell it>"]),
        (
            "not allowed: 2 of 2\n- added other.txt\n- added b.txt",
            ["accepted", "<words that tell it>", "<a list of these, one for each item>"],
        ),
    ],
)
def test_a_list_is_asked_for_where_several_items_stand_open(made: Made, body: str, accepts: list[str]) -> None:
    found = drifting(body)
    assert list(asked(made({}, verdict("DRIFT"), found))[contracts.path(found)].accepts) == accepts


@pytest.mark.parametrize("made", KINDS)
@pytest.mark.parametrize(
    ("said", "told"),
    [
        (["accepted", "accepted"], None),
        (["accepted", "The other is taken out."], ["The other is taken out."]),
        (["One is  moved.", "The other is taken out.", "One is moved."], ["One is moved.", "The other is taken out."]),
    ],
)
def test_a_list_answers_several_items_at_once(made: Made, said: list[AnswerValue], told: list[str] | None) -> None:
    resolved = made({PLACE: said})
    assert PLACE not in asked(resolved)
    assert contradictions(resolved) == []
    assert [finding.code for finding in resolved.warnings if finding.where == PLACE] == ["contract-drift"]
    prose = resolved.prose.get(PLACE)
    assert (None if prose is None else [one.text for one in prose.sentences]) == told


@pytest.mark.parametrize("made", KINDS)
@pytest.mark.parametrize("said", ["", [], True, None, {"a": 1}, ["accepted", ""], [["accepted"]], ["accepted", True]])
def test_what_is_no_word_settles_nothing(made: Made, said: AnswerValue) -> None:
    resolved = made({PLACE: said})
    assert ("answer-not-accepted", PLACE) in contradictions(resolved)


@pytest.mark.parametrize("made", KINDS)
def test_an_answer_to_another_result_counts_for_nothing(made: Made) -> None:
    other = replace(drifting(), body="changed paths that are not allowed: 2 of 2")
    resolved = made({PLACE: "accepted"}, verdict("DRIFT"), other)
    assert contracts.path(other) in asked(resolved)
    assert ("unknown-answer-field", PLACE) in contradictions(resolved)


@pytest.mark.parametrize("made", KINDS)
def test_what_is_kept_asks_nothing(made: Made) -> None:
    resolved = made({}, verdict("PASS"))
    assert not any(field.startswith("contract") for field in asked(resolved))
    assert not any(code.startswith("contract") for code, _ in contradictions(resolved))


def test_each_status_has_a_code_of_its_own() -> None:
    found = [
        replace(drifting(number=number), status=(status,), title=status)
        for number, status in enumerate(("INCOMPLETE", "UNKNOWN"), 2)
    ]
    said = {code for code, _ in contradictions(of_changeset({}, verdict("INCOMPLETE", "UNKNOWN"), *found))}
    assert said == {"contract-incomplete", "contract-unknown"}


def test_a_verdict_is_asked_where_none_of_its_results_may_be_told() -> None:
    alone = verdict("DRIFT", "UNKNOWN")
    assert contradictions(of_changeset({}, alone)) == [
        ("contract-drift", contracts.path(alone)),
        ("contract-unknown", contracts.path(alone)),
    ]


def test_a_record_names_the_contract_that_it_was_verified_against() -> None:
    assert of_changeset({}, verdict("PASS")).values["provenance.contracts"].value == (CONTRACT,)
    assert of_changeset({}, verdict("PASS")).values["provenance.contracts"].evidence == ("V1",)


def test_a_contract_is_not_what_a_change_comes_from() -> None:
    loose = WHOLE.replace("Refs: DEVELOP-219\n", "")
    assert "provenance" in asked(resolve(loose, contracts=(verdict("PASS"),)))
    assert "provenance" in asked(resolve(loose))


def test_the_page_of_the_whole_may_rest_on_what_was_verified_and_no_other_text_does() -> None:
    sources = {request.field: request.sources for request in of_envelope({}, verdict("PASS")).requests}
    assert [field for field, items in sources.items() if "V1" in items] == ["change.detail_md"]


def test_words_that_tell_it_stand_on_the_page_as_what_stays_open() -> None:
    said = "The file is taken out with the next change."
    page = "## What changed\n\nCounting starts at two."
    shown = evidence(
        edited(1, "fix: Count from two", {"a.py": "-A = 1\n+A = 2"}),
        answers={"shape": "single", PLACE: said, "change.detail_md": page},
        operation=RANGE,
        contracts=FOUND,
    )
    draft = assemble(shown, describe(shown, None, NO_RULES), None)
    told = draft.prose["change.detail_md"]
    assert told.text == f"{page}\n\n{said}"
    assert (told.sentences[-1].heading, told.sentences[-1].evidence) == (Heading.OPEN, ("A2", "V2"))


def test_every_item_that_is_told_is_a_sentence_of_what_stays_open() -> None:
    said: list[AnswerValue] = ["One file is moved.", "The other is taken out."]
    page = "## What changed\n\nCounting starts at two."
    shown = evidence(
        edited(1, "fix: Count from two", {"a.py": "-A = 1\n+A = 2"}),
        answers={"shape": "single", PLACE: said, "change.detail_md": page},
        operation=RANGE,
        contracts=FOUND,
    )
    told = assemble(shown, describe(shown, None, NO_RULES), None).prose["change.detail_md"]
    assert told.text == f"{page}\n\n{said[0]}\n\n{said[1]}"
    assert [(one.heading, one.text) for one in told.sentences[-2:]] == [(Heading.OPEN, text) for text in said]
