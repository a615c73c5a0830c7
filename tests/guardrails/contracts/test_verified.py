"""What a verification said is read back strictly, and believed only where it does not contradict itself (results)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from guardrails.contracts import verified
from guardrails.contracts.results import Status
from tests.verifications import BASE, CONTRACT, HEAD, Value, passing, verification

pytestmark = pytest.mark.requirement("CC-16")


def test_what_was_said_is_read() -> None:
    told = verified.read(verification(("$scope", "DRIFT", "out-of-scope"), ("done", "PASS", ""), details=["added x"]))
    assert (told.contract, told.base, told.head, told.status) == (CONTRACT, BASE, HEAD, "DRIFT")
    scope, done = told.obligations
    assert (scope.id, scope.status, scope.finding, scope.details) == ("$scope", Status.DRIFT, "out-of-scope", ("added x",))
    assert (done.status, done.finding, done.ran) == (Status.PASS, "", False)


def test_sides_that_were_folders_have_no_commit() -> None:
    told = verified.read({**passing(), "base": f"sha256:{'a' * 64}"})
    assert (told.base, told.head) == ("", HEAD)


@pytest.mark.parametrize(
    ("status", "is_run"), [("passed", True), ("failed", False), ("skipped", False), ("inconclusive", False), (None, False)]
)
def test_only_a_test_that_passed_was_run(status: str | None, *, is_run: bool) -> None:
    value = passing()
    if status is not None:
        value["results"][0]["evidence"] = {"status": status}
    assert [one.ran for one in verified.read(value).obligations] == [is_run]


def changed(**fields: Any) -> Callable[[], Value]:
    return lambda: {**passing(), **fields}


def in_result(**fields: Any) -> Callable[[], Value]:
    def made() -> Value:
        value = passing()
        value["results"][0] |= fields
        return value

    return made


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (lambda: {"schema": "0.1", "status": "ERROR", "message": "hunter2", "exitCode": 2}, "ended in ERROR"),
        (lambda: {"status": "ERROR", "exitCode": 2, "error": {"what": "hunter2"}}, "ended in ERROR"),
        (changed(schema="0.1"), "expected 0.2 or 0.3"),
        (changed(schema=0.3), "expected 0.2 or 0.3"),
        (changed(hunter2=1), "unknown key"),
        (changed(contractDigest="sha256:hunter2"), "contractDigest"),
        (changed(base="git:hunter2"), "malformed at base"),
        (changed(head=f"git:{'g' * 40}:sha256:{'0' * 64}"), "malformed at head"),
        (changed(status="DRIFT"), "contradicts itself"),
        (changed(exitCode=1), "contradicts itself"),
        (changed(exitCode="0"), "exitCode"),
        (changed(results=[]), "malformed at results"),
        (changed(results=[1]), "malformed at results.0"),
        (changed(findings=[{}]), "its findings are not"),
        (changed(findings=[{"id": "hunter2:out-of-scope"}]), "its findings are not"),
        (changed(findings=["hunter2"]), "malformed at findings"),
        (in_result(status="FINE"), "malformed at results.0.status"),
        (in_result(clause="hunter2"), "malformed at results.0.clause"),
        (in_result(finding="out-of-scope"), "a result that is not PASS has a finding"),
        (in_result(hunter2=True), "malformed at results.0"),
        (in_result(message="x" * 100_001), "malformed at results.0.message"),
    ],
)
def test_what_cannot_be_believed_is_refused_without_quoting_it(value: Callable[[], Value], said: str) -> None:
    told = value()
    assert verified.is_verification(told)
    with pytest.raises(verified.NotVerified, match=said.replace("(", r"\(")) as refused:
        verified.read(told)
    assert "hunter2" not in str(refused.value)


def test_a_verdict_is_that_of_its_results() -> None:
    value = verification(("a", "DRIFT", "preserve-violated"), ("b", "UNKNOWN", "undecided"))
    assert verified.read(value).status == "DRIFT + UNKNOWN"
    with pytest.raises(verified.NotVerified):
        verified.read({**value, "status": "DRIFT"})


@pytest.mark.parametrize("value", [{}, {"title": "x"}, [], None, "PASS", {"status": "ERROR"}, {"results": [], "exitCode": 0}])
def test_anything_else_is_none(value: object) -> None:
    assert not verified.is_verification(value)
