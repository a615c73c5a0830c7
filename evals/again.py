"""Hold replies that a model once gave against today's gate: no model is asked, so that a new rule is judged within a minute.

    python -m evals.again ROWS [ROWS …] --repositories REPO [REPO …]

ROWS are what `evals.modelled --rows` keeps. Each draft is walked again with the replies that it had, and the same table is
printed; exit 1 when anything is handed out that git does not show.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.model.client import Model, Prompt, Reply
from evals.believing import Listening
from evals.modelled_rows import Row, Wanted, measure, table
from evals.operations import Operation
from evals.selecting import called
from guardrails.drafts import unusable

_FAULTS = {code.name: code for code in unusable.UNUSABLE}


class Remembered(Model):
    """A drafter that says again what it said, in the same order; what was cut off or empty is so again."""

    name = "remembered"

    def __init__(self, row: Mapping[str, Any]) -> None:
        """Say what `row` kept."""
        faults = iter(row["faults"])
        self._said = iter([(text, None if text else _FAULTS.get(next(faults, ""))) for text in row["said"]])

    async def draft(self, prompt: Prompt) -> Reply:  # noqa: ARG002 - it says the same to any
        """The next one; without words where there was none."""
        text, fault = next(self._said, ("", unusable.REPLY_EMPTY))
        return Reply(text, fault=fault)


def wanted(row: Mapping[str, Any], places: Mapping[str, Path]) -> Wanted:
    """The draft that a row is of."""
    operand = str(row["operand"])
    base, dots, head = operand.partition("..")
    operation = Operation("range", operand, base, head) if dots else Operation("commit", operand, f"{operand}^1", operand)
    return Wanted(places[row["repository"]], operation, row["shape"])


def again(kept: Sequence[Mapping[str, Any]], places: Mapping[str, Path]) -> Iterator[Row]:
    """Each draft that a model was asked for, walked again."""
    for row in kept:
        if row["said"] and row["repository"] in places:
            yield asyncio.run(measure(wanted(row, places), Listening(Remembered(row)), 0))


def main() -> int:
    """Walk, print the table, and say by the exit code whether all is well."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("rows", nargs="+", type=Path)
    options.add_argument("--repositories", nargs="+", type=Path, required=True)
    chosen = options.parse_args()
    places = {called(place): place for place in chosen.repositories}
    kept = [json.loads(line) for file in chosen.rows for line in file.read_text("utf-8").splitlines()]
    found = list(again(kept, places))
    print("\n".join(table(found)))
    print("handed out:", *(f"{name}: {text}" for row in found for name, text in row.written.items()), sep="\n  ")
    return int(any(row.passed for row in found))


if __name__ == "__main__":
    sys.exit(main())
