"""Reports of tests, by who writes them (Change Contracts: evidence)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from guardrails.contracts.test_reports import ctrf, junit, suites
from guardrails.contracts.test_reports.report import Outcome, Places, Report, ReportFault, Run

__all__ = ["READERS", "Outcome", "Places", "Report", "ReportFault", "Run"]

READERS: Final[Mapping[str, Callable[[bytes, Places], Report]]] = {
    "vitest": suites.read,
    "jest": suites.read,
    "junit": junit.read,
    "ctrf": ctrf.read,
}
