"""What a verdict rests on and leaves to a person is told with it (Change Contracts: results)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest

from guardrails.contracts.assessment import LIMITS, Assessment, Reason, assess
from guardrails.contracts.evaluate import Compared, Contracts, evaluate
from guardrails.contracts.evidence_envelope import Envelope
from guardrails.contracts.results import Status
from guardrails.contracts.schema import Contract
from tests.guardrails.contracts.test_evaluate import contract, side

pytestmark = pytest.mark.requirement("CC-16")
BEFORE: Final = {"src/a.py": "a = 1\n", "tests/test_a.py": "def test_a(): pass\n", "db/1.sql": "x\n", "requirements.txt": "a\n"}
AFTER: Final = {**BEFORE, "src/a.py": "a = 2\n"}
SCOPE: Final = "scope: { allow: ['**'] }\n"


def assessed(
    more: str,
    after: dict[str, str] | None = None,
    *,
    approved: bool = True,
    runs: tuple[dict[str, Any], ...] = (),
    intent: str = "",
) -> Assessment:
    agreed = replace(contract(more), intent=intent)
    compared = Compared.of(side(BEFORE), side(AFTER if after is None else after))
    contracts = Contracts(agreed, agreed if approved else None)
    envelope = envelope_of(agreed, compared, runs) if runs else None
    return assess(contracts, compared, evaluate(contracts, compared, envelope=envelope).results)


def envelope_of(agreed: Contract, compared: Compared, runs: tuple[dict[str, Any], ...]) -> Envelope:
    return Envelope.model_validate(
        {
            "schema": "0.1",
            "subject": compared.head.digest,
            "contractDigest": agreed.digest,
            "runner": {"name": "vitest", "version": "4"},
            **dict.fromkeys(("preparedAt", "startedAt", "capturedAt"), "2026-12-01T12:00:00Z"),
            "artifactDigest": f"sha256:{'0' * 64}",
            "success": True,
            "tests": runs,
        }
    )


RAN: Final = {"file": "tests/test_a.py", "scenario": "test_a", "status": "passed"}
CLAUSE: Final = "evidence: [{{ id: r, stage: {}, method: {}, scenario: test_a }}]\n"
CLAIM: Final = "claims: [{{ id: r, text: It adds up., {} }}]\n"


@pytest.mark.parametrize(
    ("more", "name", "basis", "sources"),
    [
        ("", "$intent", "policy", ["contract", "approved-contract"]),
        ("", "$scope", "policy", ["inventory"]),
        ("", "$dependencies", "policy", ["inventory", "file-text"]),
        ("preserves: [{ id: r, match: { kind: file, path: 'db/*' } }]\n", "r", "policy", ["inventory"]),
        ("preserves: [{ id: r, match: { kind: symbol, name: a } }]\n", "r", "static-structure", ["static-facts"]),
        ("requires: [{ id: r, match: { kind: symbol, name: a } }]\n", "r", "static-structure", ["static-facts"]),
        ("forbids: [{ id: r, match: { kind: symbol, name: b } }]\n", "r", "static-structure", ["static-facts"]),
        (CLAUSE.format("test", "definition"), "r", "test-definition", ["static-facts"]),
        (CLAUSE.format("test", "execution"), "r", "test-execution", ["test-report"]),
        (CLAUSE.format("runtime", "execution"), "r", "unsupported", []),
        (CLAUSE.format("design", "definition"), "r", "unsupported", []),
        (CLAIM.format("files: ['src/**']"), "r", "claim", ["inventory"]),
        (CLAIM.format("evidence: [{ kind: test, name: test_a }]"), "r", "claim", ["test-report"]),
        (CLAIM.format("evidence: [{ kind: test, name: test_b }]"), "r", "claim", ["static-facts"]),
        (CLAIM.format("evidence: [{ kind: manual, note: n }]"), "r", "claim", ["note"]),
    ],
)
def test_every_check_says_what_it_is_held_against(more: str, name: str, basis: str, sources: list[str]) -> None:
    told = assessed(SCOPE + more, runs=(RAN,))
    (check,) = [one for one in told.checks if one.id == name]
    assert (check.basis, list(check.sources)) == (basis, sources)


@pytest.mark.parametrize(
    ("budget", "sources"), [("files: 1", ["inventory"]), ("files: 1, lines: 9", ["inventory", "file-text"])]
)
def test_lines_are_read_for_a_budget_of_lines_alone(budget: str, sources: list[str]) -> None:
    told = assessed(f"scope: {{ allow: ['**'], budget: {{ {budget} }} }}\n")
    assert [list(one.sources) for one in told.checks if one.id == "$budget"] == [sources]


def test_without_an_approved_contract_none_was_read() -> None:
    told = assessed(SCOPE, approved=False)
    assert list(told.checks[0].sources) == ["contract"]
    assert told.unresolved == (("$intent", "no approved contract was given"),)


def test_there_is_a_check_for_every_result_and_a_reason_for_every_unknown_one() -> None:
    told = assessed(SCOPE + CLAUSE.format("runtime", "execution") + CLAIM.format("files: ['no/**']").replace("r,", "c,"))
    assert [(one.id, one.status) for one in told.checks] == [
        ("$intent", Status.PASS),
        ("$scope", Status.PASS),
        ("$dependencies", Status.PASS),
        ("r", Status.UNKNOWN),
        ("c", Status.INCOMPLETE),
    ]
    assert [name for name, _ in told.unresolved] == ["r"]


def test_every_run_that_a_check_rests_on_is_told() -> None:
    items = "evidence: [{ kind: test, name: test_a }, { kind: test, name: test_b }]"
    told = assessed(SCOPE + CLAIM.format(items), runs=(RAN, {**RAN, "scenario": "test_b", "status": "skipped"}))
    assert [(ran.scenario, ran.status) for ran in told.checks[-1].ran] == [("test_a", "passed"), ("test_b", "skipped")]


CHANGED_TEST: Final = {**AFTER, "tests/test_a.py": "def test_a(): return\n", "tests/other.py": "def test_x(): pass\n"}


@pytest.mark.parametrize(
    ("more", "runs"),
    [
        (CLAUSE.format("test", "definition"), ()),
        (CLAUSE.format("test", "execution"), (RAN,)),
        (CLAUSE.format("test", "execution").replace("test_a }", "gone, file: tests/test_a.py }"), ()),
        (CLAIM.format("evidence: [{ kind: test, name: test_a }]"), ()),
        (CLAIM.format("evidence: [{ kind: test, name: test_a }]"), (RAN,)),
        (CLAIM.format("evidence: [{ kind: test, name: gone, file: tests/test_a.py }]"), ()),
    ],
)
def test_a_test_that_the_change_touches_is_named(more: str, runs: tuple[dict[str, Any], ...]) -> None:
    told = assessed(SCOPE + more, CHANGED_TEST, runs=runs)
    assert told.changed_scenarios == ("tests/test_a.py",)
    assert [one.what for one in told.manual if one.reason is Reason.CHANGED_SCENARIO] == ["tests/test_a.py"]
    assert assessed(SCOPE + more, runs=runs).changed_scenarios == ()


def test_what_nobody_but_a_person_can_judge_is_left_to_one_in_the_order_of_the_contract() -> None:
    items = "evidence: [{ kind: manual, note: Looked. }, { kind: test, name: test_a }]"
    told = assessed("scope: { allow: ['**'] }\n" + CLAIM.format(items), {**AFTER, "requirements.txt": "a\n"})
    assert [(one.id, one.reason, one.what) for one in told.manual] == [
        ("r", Reason.CLAIM, "It adds up."),
        ("r", Reason.MANUAL, "Looked."),
        ("r", Reason.NOT_EXECUTED, "'test_a' is defined in tests/test_a.py, which does not show that it was executed"),
    ]


def test_a_run_is_only_as_good_as_who_attests_it() -> None:
    told = assessed(SCOPE + CLAUSE.format("test", "execution"), runs=(RAN,))
    assert [(one.reason, one.what) for one in told.manual] == [
        (Reason.SELF_ATTESTED, "'test_a' was executed in tests/test_a.py and passed")
    ]


def test_an_intent_is_left_to_a_person() -> None:
    told = assessed(SCOPE, intent="Add one.")
    assert [(one.id, one.reason, one.what) for one in told.manual] == [("$intent", Reason.INTENT, "Add one.")]


def test_what_a_dependency_stands_for_is_left_to_a_person() -> None:
    manifest = '{"dependencies": {"a": "npm:b@1"}}'
    told = assessed("scope: { allow: ['**'] }\ndependencies: { allow: [a] }\n", {**AFTER, "package.json": manifest})
    assert [(one.id, one.reason) for one in told.manual] == [("$dependencies", Reason.WARNING)]


def test_nothing_is_left_where_nothing_was_claimed() -> None:
    told = assessed(SCOPE)
    assert (told.unresolved, told.changed_scenarios, told.manual) == ((), (), ())


def test_no_verdict_says_that_a_change_is_right() -> None:
    assert set(LIMITS) == {"verdictScope", "meaning", "intentInterpretation", "testAdequacy", "behavioralCompleteness"}
    assert (LIMITS["testAdequacy"], LIMITS["behavioralCompleteness"]) == ("not-assessed", "not-assessed")
