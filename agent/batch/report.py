"""How a run ended, for whoever started it: what became of the releases, what that cost, what is left to do (evidraft)."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from agent.batch.index import SHEET, counted
from agent.batch.release import EXIT_CODES, Finished, Release, Status, worst
from agent.errors import Failure

MOST: Final = 20
"""How many releases of one kind are named; the index has them all."""


@dataclass(frozen=True, slots=True)
class Report:
    """The end of a run. `finished` are all ends, those of planning too; `undone` have none, because of `end`.

    `out` is the folder of the outputs as the command line names it, `kept` files there that somebody had changed, `command` the
    command line.
    """

    finished: Sequence[Finished]
    out: str
    command: Sequence[str]
    undone: Sequence[Release] = ()
    end: Failure | None = None
    kept: Sequence[str] = ()

    @property
    def exit_code(self) -> int:
        """That of the worst end; a release without an end is as bad as one that failed."""
        return EXIT_CODES[Status.FAILED if self.undone or self.end else worst([one.status for one in self.finished])]

    @property
    def resume(self) -> str:
        """The command that goes on from here, "" where nothing is left to do but to answer."""
        is_left = self.undone or self.end or any(one.status is Status.FAILED for one in self.finished)
        return again(self.command) if is_left else ""

    @property
    def answer(self) -> str:
        """The command that takes the answers of the sheet; "" where nothing is asked."""
        is_open = any(one.unresolved for one in self.finished)
        return again(self.command, self._path(SHEET)) if is_open else ""

    def lines(self) -> Iterator[str]:
        """The report as lines for a person."""
        yield f"{counted([one.status for one in self.finished], len(self.undone))}: see {self._path('index.md')}"
        yield from self._named(Status.FAILED, [_failed(one) for one in self.finished if one.status is Status.FAILED])
        yield from self._named(Status.REJECTED, [_rejected(one) for one in self.finished if one.status is Status.REJECTED])
        if spent := spending(self.finished):
            yield f"spent for these releases: {spent}"
        yield from (f"kept, for somebody had changed it: {name}" for name in self.kept)
        if self.end:
            yield f"ended early: {self.end}"
        if self.answer:
            count = sum(len(one.unresolved) for one in self.finished)
            yield f"{count} open {'field' if count == 1 else 'fields'}: answer in {self._path(SHEET)}, then: {self.answer}"
        if self.resume:
            yield f"to go on: {self.resume}"

    def document(self) -> dict[str, object]:
        """The report as JSON types."""
        statuses = [one.status for one in self.finished]
        return {
            "status": (Status.FAILED if self.undone or self.end else worst(statuses)).value,
            "task": "release-notes",
            "exit-code": self.exit_code,
            "out": self.out,
            "counts": {status.value: statuses.count(status) for status in Status},
            "not-done": [one.name for one in self.undone],
            "failures": {one.name: one.failure for one in self.finished if one.status is Status.FAILED},
            "rejected": [one.name for one in self.finished if one.status is Status.REJECTED],
            "open": {
                one.name: [str(asked.get("field")) for asked in one.unresolved] for one in self.finished if one.unresolved
            },
            "spent": usage(self.finished),
            "kept": list(self.kept),
            "ended-early": str(self.end) if self.end else None,
            "answer-with": self.answer or None,
            "resume": self.resume or None,
        }

    def _path(self, name: str) -> str:
        return f"{self.out.rstrip('/')}/{name}"

    def _named(self, status: Status, told: Sequence[str]) -> Iterator[str]:
        yield from told[:MOST]
        if told[MOST:]:
            yield f"and {len(told) - MOST} more {status.value.lower()}"


def again(command: Sequence[str], answers: str = "") -> str:
    """The command line that goes on with a run, with the answers in a file in the place of those that it has."""
    words: list[str] = []
    rest = iter(command)
    for word in rest:
        name, _, value = word.partition("=")
        if name == "--answers" and answers:
            if not value:
                next(rest, None)
        elif word not in {"--resume", "--fresh"}:
            words.append(word)
    return shlex.join([*words, *(("--answers", answers) if answers else ()), "--resume"])


def usage(finished: Sequence[Finished]) -> dict[str, object]:
    """What all releases cost; null where one of them does not say."""
    names = ("input-tokens", "output-tokens")
    return {**{name: _sum(name, finished) for name in names}, "dollars": _dollars(finished)}


def spending(finished: Sequence[Finished]) -> str:
    """The same for a person; "" where nobody counted tokens."""
    told = usage(finished)
    tokens = [told[name] for name in ("input-tokens", "output-tokens")]
    if not all(isinstance(count, int) for count in tokens):
        return ""
    dollars = told["dollars"]
    price = "at an unknown price" if dollars is None else f"${Decimal(str(dollars)):.4f}"
    return f"{tokens[0]:,} tokens in, {tokens[1]:,} out, {price}"


def _sum(name: str, finished: Sequence[Finished]) -> int | None:
    counts = [count for one in finished if isinstance(count := one.usage.get(name), int)]
    return sum(counts) if counts else None


def _dollars(finished: Sequence[Finished]) -> str | None:
    prices = [one.usage.get("dollars") for one in finished if one.usage]
    return None if None in prices else f"{sum((Decimal(str(price)) for price in prices), Decimal()):f}"


def _failed(finished: Finished) -> str:
    line = finished.failure
    return f"failed: {line if line.startswith(finished.name) else f'{finished.name}: {line}'}"


def _rejected(finished: Finished) -> str:
    codes = dict.fromkeys(str(one.get("code")) for one in finished.findings)
    return f"rejected: {finished.name}: {', '.join(codes)} (evidraft explain CODE)"
