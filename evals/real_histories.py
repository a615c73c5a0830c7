"""Draft over real histories and hold every outcome against checks of its own.

    python -m evals.real_histories REPO [REPO …] [--ranges 24] [--seed 1] [--mutants 6] [--json FILE] [--verbose]

Each selection is drafted twice with a plain profile and a page of rules: as it is, and with a person's answers to what stayed
open. Every identifier of every draft is looked for in what git prints. Then the gate is measured alone, by `evidraft verify`:
the honest draft and its rewordings must hold, and mutants with one invented fact each must not. Exit 1 when any of that fails.
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

from evals.drafting import PLAIN, draft, of_a_decision, settle
from evals.gating import HOLDS, Gate, judge, teller
from evals.grepping import new_words, not_found
from evals.selecting import Selection, called, printed, selections


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
    gate: Gate
    draft: dict[str, Any]
    questions: tuple[dict[str, Any], ...]


def measure(repository: Path, selection: Selection, count: int, seed: int, folder: Path) -> Row:
    """Draft one selection, settle it, and try the gate on it."""
    answers = folder / "answers.json"
    answers.unlink(missing_ok=True)
    first = draft(repository, selection.operand)
    settled = settle(first, lambda said: draft(repository, selection.operand, "--answers", said), answers, of_a_decision)
    shown = printed(repository, selection)
    given = (PLAIN / "profile.yaml", PLAIN / "evidraft.toml", answers)
    gate = Gate()
    if settled.status == "DRAFTED":
        told = teller(repository, selection.operand, answers, folder / "draft.yaml")
        gate = judge(settled.record, told, shown, f"{seed} {selection.operand}", count)
    return Row(
        repository=called(repository),
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
        gate=gate,
        draft=first.record,
        questions=tuple(first.document.get("unresolved", [])),
    )


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
    tried, missed = sum(len(row.gate.mutants) for row in rows), sum(len(row.gate.missed) for row in rows)
    honest = [told for row in rows for told in row.gate.honest.values()]
    held = honest.count(HOLDS)
    yield f"gate: {tried - missed} of {tried} mutants caught; {held} of {len(honest)} honest drafts hold"
    kinds = Counter(kind for row in rows for kind in row.gate.mutants)
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
    yield from (f"{at}: honest draft refused: {kind}: {told}" for kind, told in row.gate.honest.items() if told != HOLDS)
    yield from (f"{at}: mutant missed: {missed}" for missed in row.gate.missed)


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
