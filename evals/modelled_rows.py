"""One draft by a model, with all that the checks say of it, and the table over many."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from agent.collecting.gathering import gather
from agent.collecting.request import Request
from agent.engines import secret_engine
from agent.errors import Failure
from agent.pipeline import Outcome, Pace, Terms, draft
from agent.receipt import manifest
from agent.tasks import CHANGESET, ENVELOPE
from evals import naming
from evals.believing import Asked, Listening
from evals.drafting import PLAIN
from evals.grepping import not_found
from evals.operations import Operation
from evals.placing import wrong_refs
from evals.requests import repository_name
from evals.ruling import broken
from evals.selecting import called
from evals.shown import Shown
from guardrails.drafts.sourced import Basis
from guardrails.findings import blocking
from guardrails.grounding.verdict import Accepted, NeedsInput, drafted

_GIVEN: Final = (PLAIN / "profile.yaml", PLAIN / "evidraft.toml")


@dataclass(frozen=True, slots=True)
class Wanted:
    """One draft to make: of which operation, and as a `changeset` or an envelope of which shape."""

    repository: Path
    operation: Operation
    shape: str


@dataclass(frozen=True, slots=True)
class Row:
    """One draft: what the drafter said, and what the product made of it."""

    repository: str
    operand: str
    shape: str
    status: str
    """DRAFTED, NEEDS_INPUT, REJECTED, NOT_ASKED (nothing was left for a drafter), or FAULT."""
    seconds: float
    calls: int
    repairs: int
    tokens: tuple[int, int]
    """Read and written."""
    faults: tuple[str, ...]
    """Per call that is no reply, why."""
    invented: tuple[tuple[str, str], ...]
    """Kind and text of what replies invented."""
    refused: tuple[str, ...]
    """The codes by which the gate refused what they said."""
    written: Mapping[str, str]
    """The texts of the drafter that the product hands out, by field."""
    passed: tuple[str, ...]
    """What is wrong with that, by the checks that know git only."""
    said: tuple[str, ...]
    fault: str = ""


@cache
def _engine() -> Any:
    return secret_engine()


async def measure(wanted: Wanted, model: Listening, repairs: int) -> Row:
    """Make one draft, and hold both the replies and the outcome against git."""
    start = time.perf_counter()
    model.asked.clear()
    try:
        outcome: Outcome | str = await _outcome(wanted, model, repairs)
    except Failure as failure:
        outcome = str(failure)
    return _row(wanted, outcome, tuple(model.asked), time.perf_counter() - start)


async def _outcome(wanted: Wanted, model: Listening, repairs: int) -> Outcome:
    is_envelope = wanted.shape != "changeset"
    settings: dict[str, Any] = (
        {"describes": True, "needs_profile": False, "shape": wanted.shape, "config": None}
        if is_envelope
        else {"profile": _GIVEN[0], "config": _GIVEN[1]}
    )
    environ = {"EVIDRAFT_REPOSITORY": repository_name(wanted.repository)} if is_envelope else {}
    request = Request(wanted.repository, wanted.operation.operand, environ=environ, **settings)
    gathered = gather(request)
    task = ENVELOPE if is_envelope else CHANGESET
    return await draft(task, gathered.evidence, Terms.of(gathered, _engine()), model, Pace(repairs=repairs))


def _row(wanted: Wanted, ended: Outcome | str, asked: Sequence[Asked], seconds: float) -> Row:
    """`ended` is the outcome, or the failure in words."""
    outcome = ended if isinstance(ended, Outcome) else None
    attempts = outcome.attempts if outcome is not None else ()
    ids = frozenset(item["id"] for item in manifest(outcome.evidence.bundle)) if outcome is not None else frozenset()
    shown = Shown(wanted.repository, wanted.operation)
    known = "\n".join((shown.printed, *(path.read_text("utf-8") for path in _GIVEN)))
    usage = [one.reply.usage for one in asked]
    return Row(
        repository=called(wanted.repository),
        operand=str(wanted.operation.operand),
        shape=wanted.shape,
        status=_status(outcome),
        seconds=round(seconds, 2),
        calls=len(asked),
        repairs=len(attempts) - len({attempt.part for attempt in attempts}),
        tokens=(sum(one.input_tokens or 0 for one in usage), sum(one.output_tokens or 0 for one in usage)),
        faults=tuple(one.fault for one in asked if one.fault),
        invented=tuple(pair for one in asked for pair in one.invented(known, ids)) if outcome is not None else (),
        refused=tuple(found.code for attempt in attempts for found in blocking(attempt.findings)),
        written=_written(outcome),
        passed=_passed(wanted, outcome, shown),
        said=tuple(one.reply.text for one in asked),
        fault=ended if isinstance(ended, str) else "",
    )


def _status(outcome: Outcome | None) -> str:
    if outcome is None:
        return "FAULT"
    if not outcome.attempts:
        return "NOT_ASKED"
    return {Accepted: "DRAFTED", NeedsInput: "NEEDS_INPUT"}.get(type(outcome.verdict), "REJECTED")


def _written(outcome: Outcome | None) -> dict[str, str]:
    draft_ = drafted(outcome.verdict) if outcome is not None else None
    prose = draft_.prose if draft_ is not None else {}
    return {path: one.text for path, one in prose.items() if one.basis is Basis.SYNTHESIS}


def _passed(wanted: Wanted, outcome: Outcome | None, shown: Shown) -> tuple[str, ...]:
    draft_ = drafted(outcome.verdict) if outcome is not None else None
    if draft_ is None:
        return ()
    record = draft_.record()
    if wanted.shape == "changeset":
        return not_found(record, shown.printed, _GIVEN)
    return (*naming.not_found(record, shown, ""), *wrong_refs(record, shown), *broken(record, shown))


def table(rows: Sequence[Row]) -> Iterator[str]:
    """One line a repository and one for all, what was invented and refused by kind, and each fault that passed."""
    yield (
        "| repository | drafts | drafted/asks/refused/not asked/fault | calls | repairs | valid % | invented per 100 drafts"
        " before the gate | after | texts handed out | s a draft | tokens read/written a draft |"
    )
    yield "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
    names = dict.fromkeys(row.repository for row in rows)
    yield from (_line(name, [row for row in rows if row.repository == name]) for name in names)
    yield _line("all", rows)
    yield ""
    yield from (_line(shape, [row for row in rows if row.shape == shape]) for shape in dict.fromkeys(row.shape for row in rows))
    yield ""
    yield f"no reply: {_counted(fault for row in rows for fault in row.faults)}"
    yield f"invented: {_counted(kind for row in rows for kind, _ in row.invented)}"
    yield f"refused by the gate: {_counted(code for row in rows for code in row.refused)}"
    yield from (
        f"{row.repository} {row.operand} {row.shape}: {fault}" for row in rows for fault in (*row.passed, row.fault) if fault
    )


def _counted(words: Iterator[str]) -> str:
    return ", ".join(f"{word} {times}" for word, times in Counter(words).most_common()) or "nothing"


def _line(name: str, rows: Sequence[Row]) -> str:
    told = Counter(row.status for row in rows)
    calls = sum(row.calls for row in rows)
    cells = (
        name,
        len(rows),
        "/".join(str(told[word]) for word in ("DRAFTED", "NEEDS_INPUT", "REJECTED", "NOT_ASKED", "FAULT")),
        calls,
        sum(row.repairs for row in rows),
        round(100 * (1 - sum(len(row.faults) for row in rows) / calls)) if calls else "",
        round(100 * sum(len(row.invented) for row in rows) / len(rows)),
        sum(len(row.passed) for row in rows),
        sum(len(row.written) for row in rows),
        round(sum(row.seconds for row in rows) / len(rows), 1),
        "/".join(str(round(sum(row.tokens[side] for row in rows) / len(rows))) for side in (0, 1)),
    )
    return f"| {' | '.join(map(str, cells))} |"
