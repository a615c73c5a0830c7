"""Reports in the XML of JUnit, which most runners can write (Change Contracts: evidence).

The parser is the one of Python, with every document type refused: entities, which make small files large, cannot be declared.
Depth and number are bounded.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from xml.parsers import expat

from guardrails.contracts.test_reports.report import Outcome, Places, Report, ReportFault, Run

_MAX_DEPTH: Final = 64
_MAX_TESTS: Final = 200_000
_FAILED: Final = frozenset(("failure", "error"))
_RETRIED: Final = frozenset(("flakyFailure", "flakyError", "rerunFailure", "rerunError", "rerun"))
_NOT_RUN: Final = frozenset(("notrun", "disabled", "skipped", "suppressed"))


@dataclass(slots=True)
class _Suite:
    attributes: dict[str, str]
    started: str
    tests: int = 0
    failed: int = 0


@dataclass(slots=True)
class _Case:
    attributes: dict[str, str]
    suites: tuple[_Suite, ...]
    depth: int
    within: set[str] = field(default_factory=set)

    def told(self, name: str) -> str:
        """An attribute of the test, or of the nearest suite that has it."""
        owners = (self.attributes, *(suite.attributes for suite in reversed(self.suites)))
        return next((owner[name] for owner in owners if owner.get(name)), "")


def read(data: bytes, places: Places) -> Report:
    """What a JUnit report tells. It succeeded where nothing failed.

    A test is of the file that it names, of the one that defines it in a package of Go or a crate of Rust, or of the one that
    its class lies in.

    Raises:
        ReportFault: it is none, holds a document type, is cut off, has no times, or leaves open which file a test is of.
    """
    reader = _Reader()
    try:
        reader.parser.Parse(data, True)
    except expat.ExpatError as error:
        raise ReportFault(f"line {error.lineno}: this is no XML: {expat.errors.messages[error.code]}") from None
    except (LookupError, ValueError) as error:
        raise error if isinstance(error, ReportFault) else ReportFault("its encoding is not known") from None
    runs = tuple(_run(case, places) for case in reader.cases)
    return Report(runs, all(run.outcome is not Outcome.FAILED for run in runs), _started(reader.cases))


class _Reader:
    """Collects tests, and holds the counters of suites against them."""

    def __init__(self) -> None:
        self.parser: Final = expat.ParserCreate()
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.cases: Final[list[_Case]] = []
        self._suites: Final[list[_Suite]] = []
        self._case: _Case | None = None
        self._depth = 0

    def _doctype(self, *_: object) -> None:
        raise ReportFault("this holds a document type, which no report needs")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ReportFault(f"this is nested deeper than {_MAX_DEPTH} levels")
        if self._depth == 1 and name not in {"testsuites", "testsuite"}:
            raise ReportFault("this is no JUnit report: it does not begin with test suites")
        if self._case is not None:
            if self._depth == self._case.depth + 1:
                self._case.within.add(name)
        elif name == "testcase":
            self._case = _Case(attributes, tuple(self._suites), self._depth)
        elif name in {"testsuites", "testsuite"}:
            before = self._suites[-1].started if self._suites else ""
            self._suites.append(_Suite(attributes, attributes.get("timestamp") or before))

    def _end(self, name: str) -> None:
        if self._case is not None and self._depth == self._case.depth:
            has_failed = _outcome(self._case) is Outcome.FAILED
            for suite in self._case.suites:
                suite.tests += 1
                suite.failed += has_failed
            self.cases.append(self._case)
            self._case = None
            if len(self.cases) > _MAX_TESTS:
                raise ReportFault(f"this holds more than {_MAX_TESTS} tests")
        elif self._case is None and name in {"testsuites", "testsuite"}:
            _require_agreement(self._suites.pop())
        self._depth -= 1


def _require_agreement(suite: _Suite) -> None:
    """A suite must hold what it counts; failures of setting up and taking down may stand beside the test that they are of."""
    tests, failures, errors = (suite.attributes.get(name, "") for name in ("tests", "failures", "errors"))
    if tests.isdecimal() and len(tests) < 10 and int(tests) > suite.tests:
        raise ReportFault(f"a suite counts {tests} tests and holds {suite.tests}; the report may be cut off")
    if not suite.failed and any(number.strip("0") for number in (failures, errors)):
        raise ReportFault("a suite counts failures and tells none")


def _outcome(case: _Case) -> Outcome:
    said = {case.attributes.get("status", ""), case.attributes.get("result", "")}
    if case.within & _FAILED or said & {"failed", "error"}:
        return Outcome.FAILED
    if case.within & _RETRIED:
        return Outcome.INCONCLUSIVE
    return Outcome.SKIPPED if "skipped" in case.within or said & _NOT_RUN else Outcome.PASSED


def _run(case: _Case, places: Places) -> Run:
    name = case.attributes.get("name", "")
    if not name:
        raise ReportFault("a test has no name")
    dotted = case.told("classname")
    named = [suite.attributes.get("name", "") for suite in case.suites]
    file = case.told("file") or next((told for told in (dotted, *named) if told in places.paths), "")
    of_go = None if file else places.of_go([dotted, *reversed(named)], name)
    if of_go is not None:
        return Run(of_go, name, name, _outcome(case))
    of_rust = None if file else places.of_rust([dotted, *reversed(named)], name)
    if of_rust is not None:
        path, is_certain = of_rust
        told = _outcome(case)
        return Run(
            path, name, name.rpartition("::")[2], told if is_certain or told is not Outcome.PASSED else Outcome.INCONCLUSIVE
        )
    path = places.of(file) if file else places.of_class(dotted)
    return Run(path, "::".join((*_classes(path, dotted), name)), name, _outcome(case))


def _classes(path: str, dotted: str) -> list[str]:
    """The classes that a test stands in, where its dotted name begins with that of its module."""
    module = posixpath.splitext(path)[0].split("/")
    parts = dotted.split(".")
    for length in range(min(len(parts), len(module)), 0, -1):
        if parts[:length] == module[-length:]:
            return parts[length:]
    return []


def _started(cases: list[_Case]) -> datetime:
    """When the first suite began."""
    told = {case.suites[-1].started for case in cases if case.suites}
    try:
        return min(datetime.fromisoformat(text) for text in told)
    except (ValueError, TypeError):
        raise ReportFault("got suites without a `timestamp`, so nobody can tell when they ran") from None
