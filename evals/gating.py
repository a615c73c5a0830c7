"""The gate by itself, `evidraft verify`: honest drafts and their rewordings must hold, mutants must not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evals.drafting import Run, verify
from evals.grepping import as_text
from evals.mutating import mutants
from evals.rewording import rewordings

HOLDS = "HOLDS"


@dataclass(frozen=True, slots=True)
class Gate:
    """What the gate said: of honest drafts by kind, of each mutant tried, and the texts of mutants that it let through."""

    honest: dict[str, str] = field(default_factory=dict)
    mutants: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()


def judge(record: dict[str, Any], told: Callable[[dict[str, Any]], str], printed: str, seed: str, count: int) -> Gate:
    """Put a draft, its rewordings and up to `count` mutants to the gate; `told` says what the gate says of a record."""
    honest = {kind: told(reworded) for kind, reworded in (("as drafted", record), *rewordings(record))}
    tried = tuple(mutants(record, printed, seed, count))
    passed = ((kind, mutant) for kind, mutant in tried if told(mutant) == HOLDS)
    missed = tuple(f"{kind}: {mutant['summary']} / {mutant['rationale']}" for kind, mutant in passed)
    return Gate(honest, tuple(kind for kind, _ in tried), missed)


def teller(repository: Path, operand: str, answers: Path, file: Path) -> Callable[[dict[str, Any]], str]:
    """A gate for records against one selection with a person's answers; `file` is written over and over."""
    said = ("--answers", str(answers)) if answers.exists() else ()

    def told(record: dict[str, Any]) -> str:
        file.write_text(as_text(record), "utf-8")
        return _told(verify(repository, operand, file, *said))

    return told


def _told(run: Run) -> str:
    against = [finding["code"] for finding in run.document.get("findings", []) if finding["severity"] != "warning"]
    return " ".join((run.status, *against)) if run.code else HOLDS
