"""Describe operations of real histories, and hold every envelope against checks of their own that know git only.

    python -m evals.describing [REPO …] [--operations 24] [--seed 1] [--exports DIR] [--webhooks DIR] [--json FILE] [--verbose]

Each operation is described twice, as one digest and as items, by the drafter without a model: as it is, and with a person's
answers to what stayed open. `--exports` holds requests as `gh pr view --json` gives them, in files OWNER+NAME-N.json;
`--webhooks` a forge's own example events, which are described without a repository. Exit 1 when any check fails.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent.cli import main as evidraft
from evals.covering import uncovered
from evals.drafting import Run, run, settle
from evals.naming import identifiers, new_words, not_found
from evals.operations import Operation, operations, webhooks
from evals.placing import count, wrong_refs
from evals.requests import repository_name
from evals.ruling import broken
from evals.selecting import called
from evals.shown import Shown

SHAPES = ("single", "itemized")
_SAID = {
    "title": "What a person calls this change",
    "short_md": "What a person says of this change",
    "medium_md": "What a person says of this change to those who use the product.",
    "detail_md": "A person says of this change what there is to say.",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One operation in one shape, what came of it, and what the checks found in both its drafts."""

    repository: str
    kind: str
    operation: str
    shape: str
    status: str
    settled: str
    seconds: float
    asked: tuple[str, ...]
    """Field and reason of each question, without the key of its item."""
    refs: int
    identifiers: int
    commits: int
    faults: Mapping[str, tuple[str, ...]]
    """What is wrong, by the check that found it."""
    refused: tuple[str, ...]
    """Codes that still stand against the draft after all answers."""
    fault: str
    first: dict[str, Any]
    last: dict[str, Any]

    @property
    def is_settled(self) -> bool:
        """Whether a draft came of it in the end, or rightly none."""
        return self.settled == "DRAFTED" or self.status == "NOTHING"

    @property
    def changes(self) -> int:
        """How many changes it has."""
        return 1 if self.shape == "single" else len(self.last.get("record", {}).get("items", ()))


def said(question: Mapping[str, Any]) -> tuple[str, object]:
    """What a person answers: the first suggestion, else something plain that is true of any change."""
    field = str(question["field"])
    suggested = question.get("suggestions", [])
    if suggested:
        return field, suggested[0]["value"]
    return field, _SAID.get(field.rpartition(".")[2], question.get("accepts", [None])[0])


def measure(repository: Path | None, operation: Operation, shape: str, folder: Path) -> Row:
    """Describe one operation in one shape, settle it, and check all that came out."""
    answers, receipt = folder / "answers.json", folder / "receipt.json"
    answers.unlink(missing_ok=True)
    receipt.unlink(missing_ok=True)
    command = _command(repository, operation, shape, folder)
    first = run(evidraft, command)
    last = settle(first, lambda file: run(evidraft, [*command, "--answers", file]), answers, said)
    shown = Shown(repository, operation)
    words = answers.read_text("utf-8") if answers.exists() else ""
    return Row(
        repository=called(repository) if repository is not None else "(payloads alone)",
        kind=operation.kind,
        operation=operation.label,
        shape=shape,
        status=first.status,
        settled=last.status,
        seconds=round(first.seconds, 2),
        asked=tuple(_asked(question) for question in first.document.get("unresolved", [])),
        refs=count(last.record),
        identifiers=sum(1 for _ in identifiers(last.record)),
        commits=len(shown.parents),
        faults=_faults((first, last), shown, words, receipt),
        refused=tuple(f"{found['code']} {found['where']}" for found in last.document.get("findings", [])),
        fault=first.fault or last.fault,
        first=first.document,
        last=last.document,
    )


def _command(repository: Path | None, operation: Operation, shape: str, folder: Path) -> list[str]:
    payload, config, nowhere = folder / "payload.json", folder / "evidraft.toml", folder / "nowhere"
    nowhere.mkdir(exist_ok=True)
    config.write_text(f'repository = "{repository_name(repository)}"\n' if repository is not None else "", "utf-8")
    has_git = repository is not None and operation.head
    where = [
        "--repo",
        str(repository if has_git else nowhere),
        "--config",
        str(config),
        "--record",
        str(folder / "receipt.json"),
    ]
    if operation.payload is not None:
        payload.write_text(operation.payload, "utf-8")
        where += ["--payload", str(payload)]
    asked = [operation.operand] if operation.operand else []
    return ["describe", *asked, *where, "--shape", shape, "--format", "json", "--no-interactive"]


def _asked(question: Mapping[str, Any]) -> str:
    field = str(question["field"])
    return f"{field.rpartition('].')[2].removeprefix('change.')}:{question['reason']}"


def _faults(runs: Sequence[Run], shown: Shown, words: str, receipt: Path) -> dict[str, tuple[str, ...]]:
    last = runs[-1]
    told = json.loads(receipt.read_text("utf-8")) if receipt.exists() and last.status in {"DRAFTED", "NEEDS_INPUT"} else None
    found = {
        "refs": tuple(fault for one in runs for fault in wrong_refs(one.record, shown)),
        "identifiers": tuple(fault for one in runs for fault in not_found(one.record, shown, words)),
        "words": tuple(fault for one in runs for fault in new_words(one.record, shown, words)),
        "form": tuple(fault for one in runs for fault in broken(one.record, shown)),
        "coverage": uncovered(told, last.document, shown) if told is not None else (),
    }
    return {name: tuple(dict.fromkeys(faults)) for name, faults in found.items() if faults}


def table(rows: Sequence[Row]) -> Iterator[str]:
    """One line a repository, what is asked how often by kind of operation, and the details of what went wrong."""
    yield (
        "| repository | operations | drafted/asks/nothing/refused/fault | settled | refs | wrong | identifiers | not found"
        " | commits | uncovered | other faults | slowest s |"
    )
    yield "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    names = dict.fromkeys(row.repository for row in rows)
    yield from (_line(name, [row for row in rows if row.repository == name]) for name in names)
    yield _line("all", rows)
    yield ""
    yield "| kind of operation | shape | operations | without a question | changes | asked |"
    yield "| --- | --- | ---: | ---: | ---: | --- |"
    for kind, shape in dict.fromkeys((row.kind, row.shape) for row in rows):
        own = [row for row in rows if (row.kind, row.shape) == (kind, shape)]
        asked = ", ".join(f"{field} {times}" for field, times in Counter(one for row in own for one in row.asked).most_common())
        right = sum(row.status == "DRAFTED" for row in own)
        yield f"| {kind} | {shape} | {len(own)} | {right} | {sum(row.changes for row in own)} | {asked} |"
    yield from (line for row in rows for line in failed(row))


def _line(name: str, rows: Sequence[Row]) -> str:
    first = Counter(row.status for row in rows)
    outcomes = "/".join(str(first[word]) for word in ("DRAFTED", "NEEDS_INPUT", "NOTHING", "REJECTED", "FAULT"))
    wrong = Counter(check for row in rows for check, faults in row.faults.items() for _ in faults)
    cells = (
        name,
        len({(row.kind, row.operation) for row in rows}),
        outcomes,
        f"{sum(row.is_settled for row in rows)} of {len(rows)}",
        sum(row.refs for row in rows),
        wrong["refs"],
        sum(row.identifiers for row in rows),
        wrong["identifiers"] + wrong["words"],
        sum(row.commits for row in rows),
        wrong["coverage"],
        wrong["form"],
        max(row.seconds for row in rows),
    )
    return f"| {' | '.join(map(str, cells))} |"


def failed(row: Row) -> Iterator[str]:
    """What went wrong with one row, a line each."""
    at = f"{row.repository} {row.kind} {row.operation} {row.shape}"
    if not row.is_settled:
        yield f"{at}: not settled: {row.settled} {row.refused} {row.fault}"
    yield from (f"{at}: {check}: {fault}" for check, faults in row.faults.items() for fault in faults)


def rows(chosen: argparse.Namespace, folder: Path) -> Iterator[Row]:
    """Every operation in both shapes."""
    for repository in chosen.repositories:
        exports = sorted(chosen.exports.glob(f"{called(repository)}-*.json")) if chosen.exports else []
        for operation in operations(repository, chosen.operations, chosen.seed, tuple(exports)):
            yield from (measure(repository, operation, shape, folder) for shape in SHAPES)
    for operation in webhooks(chosen.webhooks) if chosen.webhooks else ():
        yield from (measure(None, operation, shape, folder) for shape in SHAPES)


def main() -> int:
    """Measure, print the table, and say by the exit code whether all is well."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("repositories", nargs="*", type=Path)
    options.add_argument("--operations", type=int, default=24)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--exports", type=Path)
    options.add_argument("--webhooks", type=Path)
    options.add_argument("--json", type=Path)
    options.add_argument("--verbose", action="store_true")
    chosen = options.parse_args()
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for row in rows(chosen, Path(folder)):
            found.append(row)
            if chosen.verbose:
                told = (
                    row.repository,
                    row.kind,
                    row.operation[:40],
                    row.shape,
                    row.status,
                    row.settled,
                    row.seconds,
                    row.faults,
                )
                print(*told, flush=True)
    print("\n".join(table(found)))
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(row) for row in found], indent=1, ensure_ascii=False), "utf-8")
    return int(any(True for row in found for _ in failed(row)))


if __name__ == "__main__":
    sys.exit(main())
