"""Draft over real histories and hold every outcome against checks of its own.

    python -m evals.real_histories REPO [REPO …] [--ranges 24] [--seed 1] [--mutants 6] [--json FILE] [--verbose]

Each selection is drafted twice with a plain profile and a page of rules: as it is, and with a person's answers to what stayed
open. Every identifier of every draft is looked for in what git prints. Then the gate is measured alone, by `evidraft verify`:
the honest draft must hold, and mutants with one invented fact each must not. Exit 1 when any of that fails.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evals.drafting import PLAIN, Run, draft, settle, verify
from evals.grepping import as_text, new_words, not_found
from evals.mutating import mutants
from evals.selecting import Selection, printed, selections


@dataclass(frozen=True, slots=True)
class Row:
    """One selection and what came of it."""

    repository: str
    kind: str
    operand: str
    status: str
    settled: str
    seconds: float
    open_fields: tuple[str, ...]
    not_found: tuple[str, ...]
    new_words: tuple[str, ...]
    fault: str
    refused: tuple[str, ...]
    """Codes that still stand against the draft after all answers."""
    honest: str
    """What `verify` says of the honest draft."""
    mutants: tuple[str, ...]
    missed: tuple[str, ...]
    draft: dict[str, Any]
    questions: tuple[dict[str, Any], ...]


def measure(repository: Path, selection: Selection, count: int, seed: int, folder: Path) -> Row:
    """Draft one selection, settle it, and try the gate on it."""
    answers, record = folder / "answers.json", folder / "draft.yaml"
    answers.unlink(missing_ok=True)
    first = draft(repository, selection.operand)
    settled = settle(repository, selection.operand, first, answers)
    shown = printed(repository, selection)
    given = (PLAIN / "profile.yaml", PLAIN / "evidraft.toml", answers)
    said = ("--answers", str(answers)) if answers.exists() else ()
    honest, tried, missed = "", [], []
    if settled.status == "DRAFTED":
        record.write_text(as_text(settled.record), "utf-8")
        honest = _told(verify(repository, selection.operand, record, *said))
        for kind, mutant in mutants(settled.record, shown, f"{seed} {selection.operand}", count):
            record.write_text(as_text(mutant), "utf-8")
            tried.append(kind)
            if verify(repository, selection.operand, record, *said).code not in {1, 3}:
                missed.append(f"{kind}: {mutant['summary']} / {mutant['rationale']}")
    return Row(
        repository=_name(repository),
        kind=selection.kind,
        operand=selection.operand,
        status=first.status,
        settled=settled.status,
        seconds=round(first.seconds, 2),
        open_fields=tuple(f"{question['field']}:{question['reason']}" for question in first.document.get("unresolved", [])),
        not_found=(*not_found(first.record, shown, given), *not_found(settled.record, shown, given)),
        new_words=new_words(first.record, shown),
        fault=first.fault or settled.fault,
        refused=tuple(finding["code"] for finding in settled.document.get("findings", [])),
        honest=honest,
        mutants=tuple(tried),
        missed=tuple(missed),
        draft=first.record,
        questions=tuple(first.document.get("unresolved", [])),
    )


def _told(run: Run) -> str:
    against = [finding["code"] for finding in run.document.get("findings", []) if finding["severity"] != "warning"]
    return " ".join((run.status if run.code else "HOLDS", *against))


def _name(repository: Path) -> str:
    return repository.resolve().parent.name if repository.name in {"repo", ".git"} else repository.name


def table(rows: Sequence[Row]) -> Iterator[str]:
    """One line a repository, and the details of what went wrong."""
    yield "| repository | selections | drafted/asks/nothing/refused/fault | settled | open fields | not found | slowest s |"
    yield "| --- | ---: | --- | ---: | --- | ---: | ---: |"
    for name in dict.fromkeys(row.repository for row in rows):
        own = [row for row in rows if row.repository == name]
        first = Counter(row.status for row in own)
        outcomes = "/".join(str(first[word]) for word in ("DRAFTED", "NEEDS_INPUT", "NOTHING", "REJECTED", "FAULT"))
        fields = Counter(field.split(":", 1)[0] for row in own for field in row.open_fields)
        asked = ", ".join(f"{field} {count}" for field, count in fields.most_common())
        right = sum(map(_is_settled, own))
        missing = sum(len(row.not_found) for row in own)
        yield f"| {name} | {len(own)} | {outcomes} | {right} | {asked} | {missing} | {max(row.seconds for row in own)} |"
    tried, missed = sum(len(row.mutants) for row in rows), sum(len(row.missed) for row in rows)
    honest = [row.honest for row in rows if row.honest]
    held = sum(word.startswith("HOLDS") for word in honest)
    yield f"gate: {tried - missed} of {tried} mutants caught; {held} of {len(honest)} honest drafts hold"
    kinds = Counter(kind for row in rows for kind in row.mutants)
    yield f"mutants: {', '.join(f'{kind} {count}' for kind, count in sorted(kinds.items()))}"
    yield from (line for row in rows for line in _faults(row))


def _is_settled(row: Row) -> bool:
    return row.settled == "DRAFTED" or row.status == "NOTHING"


def _faults(row: Row) -> Iterator[str]:
    at = f"{row.repository} {row.kind} {row.operand}"
    if not _is_settled(row):
        yield f"{at}: not settled: {row.settled} {row.refused} {row.fault}"
    if row.not_found or row.new_words:
        yield f"{at}: not found: {row.not_found} {row.new_words}"
    if row.honest and not row.honest.startswith("HOLDS"):
        yield f"{at}: honest draft refused: {row.honest}"
    yield from (f"{at}: mutant missed: {missed}" for missed in row.missed)


def main() -> int:
    """Measure, print the table, and say by the exit code whether all is well."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("repositories", nargs="+", type=Path)
    options.add_argument("--ranges", type=int, default=24)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--mutants", type=int, default=6)
    options.add_argument("--json", type=Path)
    options.add_argument("--verbose", action="store_true")
    chosen = options.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for repository in chosen.repositories:
            for selection in selections(repository, chosen.ranges, chosen.seed):
                row = measure(repository, selection, chosen.mutants, chosen.seed, Path(folder))
                rows.append(row)
                if chosen.verbose:
                    print(
                        f"{row.repository} {row.kind} {row.operand[:40]} {row.status} {row.settled} {row.seconds}", flush=True
                    )
    print("\n".join(table(rows)))
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(row) for row in rows], indent=1, ensure_ascii=False), "utf-8")
    return int(any(True for row in rows for _ in _faults(row)))


if __name__ == "__main__":
    sys.exit(main())
