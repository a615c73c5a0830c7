"""What verifying says: a result for each obligation, and one verdict over all of them (Change Contracts: results)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from guardrails.code_facts.model import Fact
from guardrails.findings import Code


class Status(StrEnum):
    """How an obligation stands."""

    PASS = "PASS"  # noqa: S105 - a verdict
    INCOMPLETE = "INCOMPLETE"
    """Something that was promised is not there."""
    DRIFT = "DRIFT"
    """Something is there that was not agreed."""
    UNKNOWN = "UNKNOWN"
    """Nobody can tell: what would show it was not read, or was not given."""


class Clause(StrEnum):
    """What kind of obligation a result is about, in the order of results."""

    INTENT = "intent"
    SCOPE = "scope"
    BUDGET = "budget"
    DEPENDENCIES = "dependencies"
    REQUIRES = "requires"
    FORBIDS = "forbids"
    PRESERVES = "preserves"
    EVIDENCE = "evidence"
    CLAIM = "claim"


UNDECIDED: Final = Code(
    name="undecided",
    summary="Nobody can tell whether an obligation is kept: what would show it was not read, or was not given.",
    cure="Read the result's message: it says what is missing.",
    section="Change Contracts, results",
)
EVIDENCE_MISSING: Final = Code(
    name="evidence-missing",
    summary="A test that should show something is not there, did not run, or did not pass.",
    cure="Write the test, or run it and hand over the report that says that it passed.",
    section="Change Contracts, evidence",
)
PRESERVE_VIOLATED: Final = Code(
    name="preserve-violated",
    summary="Something that was to stay as it is was changed or taken away.",
    cure="Take the change back, or have another contract approved.",
    section="Change Contracts, fact clauses",
)

WARNING: Final = "warning: "
"""Begins a detail that a person should read though the obligation is kept."""
_COMBINED: Final = (Status.INCOMPLETE, Status.DRIFT, Status.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Ran:
    """The run of a test that a result rests on."""

    artifact: str
    """The digest of the report that tells of it."""
    file: str
    scenario: str
    status: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """How one test that is named stands, what a person reads about it, the run that it rests on, and the files it is in."""

    status: Status
    message: str
    ran: Ran | None = None
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """How one obligation stands: `finding` is the code of what is wrong, "" where nothing is; `paths` is what it is about.

    `tests` are those that it names, in the order of the contract; `drifted` are those of its facts that are wrong, where they
    are now or else were, None where all are.
    """

    id: str
    clause: Clause
    status: Status
    message: str
    finding: str = ""
    details: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = field(default=(), repr=False)
    tests: tuple[Shown, ...] = field(default=(), repr=False)
    paths: tuple[str, ...] = ()
    drifted: tuple[Fact, ...] | None = field(default=None, repr=False)

    @property
    def ran(self) -> Ran | None:
        """The first run of a test that it rests on."""
        return next((test.ran for test in self.tests if test.ran is not None), None)


def verdict(results: Iterable[Result]) -> str:
    """The statuses that are not PASS, joined in their fixed order; PASS where there is none."""
    return combined(result.status for result in results)


def exit_code(results: Iterable[Result]) -> int:
    """2 where something is UNKNOWN, else 1 where something is not PASS, else 0."""
    return leaving(result.status for result in results)


def combined(statuses: Iterable[Status]) -> str:
    """The verdict over some statuses."""
    met = set(statuses)
    return " + ".join(status.value for status in _COMBINED if status in met) or Status.PASS.value


def leaving(statuses: Iterable[Status]) -> int:
    """The exit code over some statuses."""
    met = {*statuses} - {Status.PASS}
    return 2 if Status.UNKNOWN in met else int(bool(met))
