"""What a report of tests tells, whoever wrote it (Change Contracts: evidence)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Final

from guardrails.code_facts.languages import language
from guardrails.contracts.test_reports.go_tests import GoTests
from guardrails.contracts.test_reports.rust_tests import RustTests
from guardrails.paths import normal

_MAX_PARTS: Final = 64


class ReportFault(ValueError):
    """Why a report is refused; quotes names of files and tests at most."""


class Outcome(StrEnum):
    """How a scenario ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    INCONCLUSIVE = "inconclusive"
    """It passed, but not at once, or nobody can tell."""


@dataclass(frozen=True, slots=True)
class Run:
    """One scenario that ran, or was passed over: its file below the root, its full name, its own title."""

    file: str
    scenario: str
    title: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Report:
    """All of them, whether the run as a whole succeeded, and when it began; a time without a zone is as the report has it."""

    runs: tuple[Run, ...] = field(repr=False)
    success: bool
    started: datetime


@dataclass(frozen=True)
class Places:
    """Where files of a report lie: the root of the project, the paths that its inventory has, and the texts of it."""

    root: str
    paths: frozenset[str] = field(repr=False)
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)

    def of(self, name: str) -> str:
        """The path below the root of a file that a report names, absolute or from the root.

        Raises:
            ReportFault: it lies elsewhere.
        """
        inner = name.removeprefix(f"{self.root.rstrip('/')}/") if name.startswith("/") else name
        path = None if inner.startswith("/") or ".." in inner.split("/") else normal(posixpath.normpath(inner))
        if path is None:
            raise ReportFault(f"{name[:200]}: this lies outside the project")
        return path

    def of_go(self, packages: Iterable[str], name: str) -> str | None:
        """The file of a test of Go, by its name and whatever may be the path of its package; None where none of that is one.

        Raises:
            ReportFault: the package is here, and not one of its files alone defines the test.
        """
        for package in packages:
            found = self._go.files(package, name)
            if found is not None:
                if len(found) != 1:
                    many = f"{len(found)} files define" if found else "no file of the package that can be read defines"
                    raise ReportFault(f"{package[:200]}: {many} {name[:200]}")
                return found[0]
        return None

    def of_rust(self, crates: Iterable[str], name: str) -> tuple[str, bool] | None:
        """The file of a test of Rust, by its path of modules and whatever may be its crate; None where none of that is one.

        Beside it whether that is certain: where a macro makes the test it is told of the root of its crate.
        """
        for crate in crates:
            found, root = self._rust.files(crate, name), self._rust.root(crate)
            if root is not None and found is not None and (found or "::" in f"{crate}{name}"):
                return (found[0], True) if len(found) == 1 else (root, False)
        return None

    def of_class(self, name: str) -> str:
        """The one source file that a dotted name of a class or module lies in: the one that most of the name is of.

        Raises:
            ReportFault: no file fits, or several fit as well.
        """
        parts = name.split(".")[:_MAX_PARTS]
        lengths = range(len(parts), 0, -1)
        found = next((fitting for length in lengths if (fitting := self._by_ending.get("/".join(parts[:length])))), [])
        if len(found) != 1:
            many = f"{len(found)} files fit, as {found[0]} and {found[1]}" if found else "no file fits"
            raise ReportFault(f"{name[:200]}: {many}; let the report name files: pytest -o junit_family=xunit1")
        return found[0]

    @cached_property
    def _go(self) -> GoTests:
        return GoTests(self.texts)

    @cached_property
    def _rust(self) -> RustTests:
        return RustTests(self.texts)

    @cached_property
    def _by_ending(self) -> Mapping[str, list[str]]:
        """Source files by every way to name them from some folder above, without what their names end in."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.paths):
            if language(path) is not None:
                steps = posixpath.splitext(path)[0].split("/")
                for start in range(max(0, len(steps) - _MAX_PARTS), len(steps)):
                    found.setdefault("/".join(steps[start:]), []).append(path)
        return found
