"""Reports in the Common Test Report Format, which runners of many languages write (Change Contracts: evidence)."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from guardrails import strict_json
from guardrails.contracts.test_reports.report import Outcome, Places, Report, ReportFault, Run

_TOLERANT: Final = ConfigDict(extra="ignore", strict=True, hide_input_in_errors=True, frozen=True)
_OUTCOMES: Final = {
    "passed": Outcome.PASSED,
    "failed": Outcome.FAILED,
    "skipped": Outcome.SKIPPED,
    "pending": Outcome.SKIPPED,
    "other": Outcome.INCONCLUSIVE,
}
Count = Annotated[int, Field(ge=0)]


class _Test(BaseModel):
    model_config = _TOLERANT

    name: Annotated[str, Field(min_length=1)]
    status: Literal["passed", "failed", "skipped", "pending", "other"]
    suite: str | list[str] | None = None
    file: Annotated[str | None, Field(alias="filePath")] = None
    retries: Count | None = None
    attempts: Annotated[list[Any] | None, Field(alias="retryAttempts")] = None
    flaky: bool | None = None


class _Summary(BaseModel):
    model_config = _TOLERANT

    tests: Count
    passed: Count
    failed: Count
    skipped: Count
    pending: Count
    other: Count
    start: Annotated[float, Field(ge=0, le=253_402_300_799_000)]


class _Results(BaseModel):
    model_config = _TOLERANT

    summary: _Summary
    tests: list[_Test]


class _Written(BaseModel):
    model_config = _TOLERANT

    format: Annotated[Literal["CTRF"], Field(alias="reportFormat")] = "CTRF"
    results: _Results


def read(data: bytes, places: Places) -> Report:
    """What a CTRF report tells. It succeeded where nothing failed and nothing ended otherwise.

    Raises:
        ReportFault: it is none, its counters contradict its records, or a test names no file or one that lies elsewhere.
    """
    try:
        results = _Written.model_validate(strict_json.read(data)).results
    except strict_json.JsonFault as fault:
        raise ReportFault(str(fault)) from None
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise ReportFault(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    summary = results.summary
    met = Counter(test.status for test in results.tests)
    told = {name: getattr(summary, name) for name in _OUTCOMES}
    if met != Counter(told) or met.total() != summary.tests:
        raise ReportFault("the counters of the report are not those of its tests; it may be cut off")
    runs = tuple(_run(test, places) for test in results.tests)
    return Report(runs, not summary.failed and not summary.other, datetime.fromtimestamp(summary.start / 1000, UTC))


def _run(test: _Test, places: Places) -> Run:
    is_retried = bool(test.retries or test.attempts or test.flaky) and test.status != "failed"
    outcome = Outcome.INCONCLUSIVE if is_retried else _OUTCOMES[test.status]
    # Writers of Go guess files by names alone, so that the package decides.
    of_go = places.of_go(test.suite if isinstance(test.suite, list) else [test.suite or ""], test.name)
    if of_go is not None:
        return Run(of_go, test.name, test.name, outcome)
    if not test.file:
        raise ReportFault(f"{test.name[:200]}: got no filePath, so nobody can tell which file it is of")
    scenario, title = _names(test, test.file)
    return Run(places.of(test.file), scenario, title, outcome)


def _names(test: _Test, file: str) -> tuple[str, str]:
    """The full name of a test and its own; pytest writes both in one, behind the file."""
    if test.name.startswith(f"{file}::"):
        scenario = test.name.removeprefix(f"{file}::")
        named, bracket, values = scenario.partition("[")
        return scenario, named.rpartition("::")[2] + bracket + values
    suites = test.suite.split(" > ") if isinstance(test.suite, str) else test.suite or []
    before = " ".join(suite for suite in suites if suite and suite != file)
    is_whole = not before or test.name.startswith(f"{before} ")
    return (test.name if is_whole else f"{before} {test.name}"), test.name.removeprefix(f"{before} ")
