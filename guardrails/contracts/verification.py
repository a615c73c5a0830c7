"""Everything that one verification says, for whoever prints it (Change Contracts: results)."""

from __future__ import annotations

from dataclasses import dataclass, field

from guardrails.contracts.evaluate import Compared, Contracts, Evaluation
from guardrails.contracts.results import Result, Status, exit_code, verdict


@dataclass(frozen=True, slots=True)
class Origin:
    """Where both sides come from: `directories`, or by `exact` or `pr` the full object names of commits."""

    mode: str
    requested_base: str = ""
    base: str = ""
    head: str = ""


@dataclass(frozen=True, slots=True)
class Verification:
    """The contracts, the sides, and the results, with the version of what made them and the name of the contract's file."""

    version: str
    name: str
    contracts: Contracts
    origin: Origin
    compared: Compared
    evaluation: Evaluation = field(repr=False)

    @property
    def results(self) -> tuple[Result, ...]:
        """One for each obligation, in order."""
        return self.evaluation.results

    @property
    def failing(self) -> tuple[Result, ...]:
        """The results that are not PASS."""
        return tuple(result for result in self.results if result.status is not Status.PASS)

    @property
    def status(self) -> str:
        """The verdict over all results."""
        return verdict(self.results)

    @property
    def exit_code(self) -> int:
        """How the command ends."""
        return exit_code(self.results)
