"""The JSON reports of Vitest and Jest, which have one shape (Change Contracts: evidence)."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from guardrails import strict_json
from guardrails.contracts.test_reports.report import Outcome, Places, Report, ReportFault, Run

_TOLERANT: Final = ConfigDict(extra="ignore", strict=True, hide_input_in_errors=True, frozen=True)
_PASSED_OVER: Final = frozenset(("pending", "skipped", "disabled"))
Count = Annotated[int, Field(ge=0)]


class _Assertion(BaseModel):
    model_config = _TOLERANT

    full_name: Annotated[str, Field(alias="fullName", min_length=1)]
    title: str | None = None
    status: Literal["passed", "failed", "pending", "skipped", "todo", "disabled"]
    retries: Annotated[Count | None, Field(alias="retryCount")] = None
    invocations: Count | None = None
    failures: Annotated[list[str] | None, Field(alias="failureMessages")] = None

    @property
    def outcome(self) -> Outcome:
        """A test that passed after it had failed is no proof that it passes."""
        if self.retries or (self.invocations or 0) > 1 or (self.status == "passed" and self.failures):
            return Outcome.FAILED if self.status == "failed" else Outcome.INCONCLUSIVE
        return Outcome(self.status) if self.status in {"passed", "failed"} else Outcome.SKIPPED


class _Suite(BaseModel):
    model_config = _TOLERANT

    name: str
    status: Literal["passed", "failed", "pending", "skipped", "todo", "focused"]
    tests: Annotated[list[_Assertion], Field(alias="assertionResults")]


class _Written(BaseModel):
    model_config = _TOLERANT

    success: bool
    started: Annotated[float, Field(alias="startTime", ge=0, le=253_402_300_799_000)]
    total: Annotated[Count, Field(alias="numTotalTests")]
    passed: Annotated[Count, Field(alias="numPassedTests")]
    failed: Annotated[Count, Field(alias="numFailedTests")]
    pending: Annotated[Count, Field(alias="numPendingTests")]
    todo: Annotated[Count, Field(alias="numTodoTests")] = 0
    failed_suites: Annotated[Count, Field(alias="numFailedTestSuites")]
    broken_suites: Annotated[Count, Field(alias="numRuntimeErrorTestSuites")] = 0
    was_interrupted: Annotated[bool, Field(alias="wasInterrupted")] = False
    suites: Annotated[list[_Suite], Field(alias="testResults")]


def read(data: bytes, places: Places) -> Report:
    """What a report of Vitest (`--reporter=json`) or Jest (`--json`) tells.

    Raises:
        ReportFault: it is none, its counters contradict its records, or a file lies elsewhere.
    """
    try:
        written = _Written.model_validate(strict_json.read(data))
    except strict_json.JsonFault as fault:
        raise ReportFault(str(fault)) from None
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise ReportFault(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    _require_agreement(written)
    runs = tuple(
        Run(places.of(suite.name), test.full_name, test.title or "", test.outcome)
        for suite in written.suites
        for test in suite.tests
    )
    return Report(runs, written.success, datetime.fromtimestamp(written.started / 1000, UTC))


def _require_agreement(written: _Written) -> None:
    met = Counter("pending" if test.status in _PASSED_OVER else test.status for suite in written.suites for test in suite.tests)
    told = Counter(passed=written.passed, failed=written.failed, pending=written.pending, todo=written.todo)
    if met != told or met.total() != written.total:
        raise ReportFault("the counters of the report are not those of its tests; it may be cut off")
    has_failed = any(suite.status == "failed" for suite in written.suites) or written.failed_suites or written.broken_suites
    if written.success and (has_failed or written.failed or written.was_interrupted):
        raise ReportFault("the report says that the run succeeded, and tells what failed")
