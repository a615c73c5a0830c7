"""No draft says that a contract was kept, or that tests passed, without a verification that says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.drafts.changeset import CHANGESET
from guardrails.drafts.draft import Draft
from guardrails.drafts.page import Heading
from guardrails.drafts.reply import FieldReply, ProseReply, SentenceReply
from guardrails.drafts.sourced import Basis, Prose, Sentence
from guardrails.evidence.model import ContractResult, Operation, OperationType
from guardrails.findings import blocking
from guardrails.grounding import kept
from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes.postvalidator import postvalidate
from guardrails.resolving.envelopes.assembling import assemble
from guardrails.resolving.envelopes.describing import describe
from tests.guardrails.resolving.building import NO_RULES, evidence
from tests.guardrails.resolving.changes import edited
from tests.verifications import drifting, verdict

pytestmark = pytest.mark.requirement("CC-16")
PASSING, RUN, DRIFT = verdict("PASS"), verdict("PASS", has_run=True), verdict("DRIFT")
MESSAGE = "fix: count from two\n\nAll tests passed on Linux. The change contract is kept.\n"
KEPT = (
    "The change contract is kept",
    "The approved contract was met",
    "The change keeps to its contract",
    "It meets the approved contract",
    "The change was verified against the contract",
)
PASSED = (
    "All tests passed",
    "The test suite passes",
    "Every check passed",
    "The tests for counting passed",
    "42 tests succeeded",
)


def found(text: str, *results: ContractResult, cites: str = "V1", basis: Basis = Basis.SYNTHESIS) -> list[str]:
    shown = evidence(MESSAGE, contracts=results)
    draft = Draft(CHANGESET, {}, {"summary": Prose((Sentence(text, tuple(filter(None, (cites,)))),), basis)})
    return [finding.code for finding in kept.check(draft, Citable.of(shown, None))]


@pytest.mark.parametrize("text", KEPT)
def test_only_a_cited_verdict_says_that_a_contract_is_kept(text: str) -> None:
    assert found(text, PASSING) == []
    assert found(text, PASSING, cites="C1") == ["contract-unsupported"]
    assert found(text, cites="C1") == ["contract-unsupported"]
    assert found(text, DRIFT) == ["contract-unsupported"]
    assert found(text, DRIFT, drifting(), cites="V2") == ["contract-unsupported"]


@pytest.mark.parametrize("text", PASSED)
def test_only_a_run_that_was_verified_says_that_tests_passed(text: str) -> None:
    assert found(text, RUN) == []
    assert found(text, PASSING) == ["contract-unsupported"]
    assert found(text, RUN, cites="C1") == ["contract-unsupported"]
    assert found(text, cites="C1") == ["contract-unsupported"]


def test_a_result_that_is_no_verdict_says_neither() -> None:
    part = replace(drifting(), status=("PASS",))
    assert found(KEPT[0], DRIFT, part, cites="V2") == ["contract-unsupported"]


def test_what_people_wrote_of_tests_may_be_repeated_word_for_word() -> None:
    assert found("All tests passed on Linux", cites="C1") == []


@pytest.mark.parametrize("basis", [Basis.ANSWER, Basis.EVIDENCE])
def test_what_people_say_themselves_is_theirs(basis: Basis) -> None:
    assert found("The change contract is kept", cites="C1", basis=basis) == []


@pytest.mark.parametrize("text", [*KEPT, *PASSED])
def test_what_is_handed_in_is_held_against_all_that_was_shown(text: str) -> None:
    assert found(text, RUN, cites="", basis=Basis.GIVEN) == []
    assert found(text, cites="", basis=Basis.GIVEN) == ["contract-unsupported"]


@pytest.mark.parametrize(
    "text",
    [
        "Counting starts at two",
        "A contract can be verified on the command line",
        "The smart contract holds the deposit",
        "Tests cover counting",
        "`all tests passed` is printed",
        "The contract of the interface is described",
    ],
)
def test_other_sentences_need_none(text: str) -> None:
    assert found(text, cites="C1") == []


@pytest.mark.parametrize(("result", "codes"), [(RUN, set()), (DRIFT, {"contract-unsupported"})])
def test_a_page_cites_a_verdict_as_its_evidence(result: ContractResult, codes: set[str]) -> None:
    operation = Operation(OperationType.RANGE, "main..HEAD", "acme/widgets")
    made = edited(1, "fix: Count from two", {"a.py": "-A = 1\n+A = 2"})
    shown = evidence(made, answers={"shape": "single"}, operation=operation, contracts=(result,))
    resolved = describe(shown, None, NO_RULES)
    texts = {"title": "Count from two", "short_md": "Count from two", "medium_md": "Count from two."}
    fields = [
        FieldReply(field=f"change.{name}", sentences=(SentenceReply(text=text, evidence=("C1",)),))
        for name, text in texts.items()
    ]
    page = (
        SentenceReply(text="`A` is 2.", evidence=("H100",), heading=Heading.CHANGED),
        SentenceReply(text="The change contract is kept, and its tests passed.", evidence=("V1",), heading=Heading.TESTS),
    )
    fields.append(FieldReply(field="change.detail_md", sentences=page))
    draft = assemble(shown, resolved, ProseReply(fields=tuple(fields)))
    findings = postvalidate(draft, Citable.of(shown, None), resolved, shown.guard)
    assert {finding.code for finding in blocking(findings)} == codes
