"""Draft with a model over real histories: how often its replies are none, what it invents, and what of that passes the gate.

    python -m evals.modelled REPO [REPO …] [--model SPEC] [--wire anthropic] [--shapes SHAPE …] [--drafts 100] [--seed 1]
                             [--repairs 1] [--longest 480] [--rows FILE] [--verbose]

`--model` is a drafter as the command line takes it; without one the local model is started (`scripts/local-model install`).
Small commits and ranges are drafted as changesets and as envelopes of both shapes. Before the gate every name and id of every
reply is looked for in what git prints; after it the same is done to what the product hands out, with its references and form.
Exit 1 when anything that was handed out is not there. `--rows` keeps each draft with its replies, one a line.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from itertools import islice, zip_longest
from pathlib import Path

from agent.model.client import Model
from agent.replies.opening import Options, opened
from evals import local_model
from evals.believing import Listening
from evals.modelled_rows import Row, Wanted, measure, table
from evals.operations import Operation
from evals.selecting import git, selections

SHAPES = ("changeset", "single", "itemized")
_DRAWN = 400
"""Selections to choose the small ones from."""
_LARGEST = 1_500
"""Characters of messages and patches: what a small model reads at once."""
_SECONDS = 600.0
"""For one answer: the machine may have other work."""


def wanted(repositories: Sequence[Path], shapes: Sequence[str], drafts: int, seed: int) -> Iterator[Wanted]:
    """What is drafted, the same for the same seed: of each repository in turn, so that a run that is stopped tells of all."""
    in_turn = zip_longest(*(_of_one(repository, shapes, seed) for repository in repositories))
    return islice((one for turn in in_turn for one in turn if one is not None), drafts)


def _of_one(repository: Path, shapes: Sequence[str], seed: int) -> Iterator[Wanted]:
    for selection in selections(repository, _DRAWN, seed):
        base, _, head = selection.commits.rpartition("..")
        if base and 0 < len(git(repository, "log", "-p", "-m", selection.commits)) <= _LARGEST:
            operation = Operation(selection.kind, selection.operand, base, head)
            fitting = shapes if selection.kind == "range" else [shape for shape in shapes if shape != "itemized"]
            yield from (Wanted(repository, operation, shape) for shape in fitting)


async def rows(found: Iterator[Wanted], model: Listening, repairs: int) -> AsyncIterator[Row]:
    """Each draft, one after another."""
    try:
        for one in found:
            yield await measure(one, model, repairs)
    finally:
        await model.close()


def drafter(chosen: argparse.Namespace, stack: ExitStack) -> Model:
    """The drafter that is measured; the local one is served until `stack` ends."""
    if chosen.model is not None:
        return opened(chosen.model, Options(cache=False), environ=os.environ)
    return stack.enter_context(local_model.serving()).client(chosen.wire, timeout=_SECONDS)


async def measured(chosen: argparse.Namespace) -> list[Row]:
    """All rows, told as they come."""
    found: list[Row] = []
    with ExitStack() as stack:
        stack.enter_context(local_model.brief(chosen.longest))
        model = Listening(drafter(chosen, stack), is_small=chosen.model is None)
        async for row in rows(wanted(chosen.repositories, chosen.shapes, chosen.drafts, chosen.seed), model, chosen.repairs):
            found.append(row)
            _tell(row, chosen)
    return found


def _tell(row: Row, chosen: argparse.Namespace) -> None:
    """Keep it at once: a run takes hours with a slow drafter, and may be stopped."""
    if chosen.rows is not None:
        with chosen.rows.open("a", encoding="utf-8") as file:
            print(json.dumps(asdict(row), ensure_ascii=False), file=file)
    if chosen.verbose:
        print(row.repository, row.operand, row.shape, row.status, row.seconds, row.passed, flush=True)


def main() -> int:
    """Measure, print the table, and say by the exit code whether all is well."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("repositories", nargs="+", type=Path)
    options.add_argument("--model")
    options.add_argument("--wire", choices=(local_model.OPENAI, local_model.ANTHROPIC), default=local_model.OPENAI)
    options.add_argument("--shapes", nargs="+", choices=SHAPES, default=SHAPES)
    options.add_argument("--drafts", type=int, default=100)
    options.add_argument("--longest", type=int, default=local_model.LONGEST)
    options.add_argument("--repairs", type=int, default=1)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--rows", type=Path)
    options.add_argument("--verbose", action="store_true")
    chosen = options.parse_args()
    found = asyncio.run(measured(chosen))
    print("\n".join(table(found)))
    return int(any(row.passed for row in found))


if __name__ == "__main__":
    sys.exit(main())
