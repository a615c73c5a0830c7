"""What a run would draft, shown before anything is drafted: `evidraft release-notes --dry-run`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.batch.drafting import failed
from agent.batch.estimating import Estimate, estimate
from agent.batch.planning import Plan
from agent.batch.release import EXIT_CODES, Conditions, Finished, Release, Status
from agent.errors import Failure, ProviderFailure
from agent.model.client import Model
from guardrails.redaction.secrets import SecretEngine


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan with what its calls may cost at most, by the names of the releases; what cannot be read is in `unreadable`."""

    plan: Plan
    drafter: str
    estimates: dict[str, Estimate]
    unreadable: tuple[Finished, ...] = ()
    unpriced: str = ""
    """Why nothing tells what the calls may cost, "" where it is told."""

    @property
    def failures(self) -> tuple[Finished, ...]:
        """All that cannot be drafted."""
        return (*self.plan.failures, *self.unreadable)

    @property
    def exit_code(self) -> int:
        """That of what is known already: something failed, is asked, or nothing is in the way."""
        is_open = any(release.questions for release in self.plan.releases)
        state = Status.FAILED if self.failures else Status.NEEDS_INPUT if is_open else Status.DRAFTED
        return EXIT_CODES[state]

    def lines(self) -> Iterator[str]:
        """For a person: each release, what is in the way, and what it comes to."""
        releases = self.plan.releases
        widths = [max((len(cell) for cell in cells), default=0) for cells in zip(*map(_cells, releases), strict=True)]
        for release in releases:
            told = "  ".join(cell.ljust(width) for cell, width in zip(_cells(release), widths, strict=True))
            yield f"{told}  {self._told(release)}".rstrip()
        yield from (f"failed: {one.failure}" for one in self.failures)
        yield from (f"note: {note}" for note in self.plan.notes)
        count, commits = len(releases), sum(release.commits for release in releases)
        told = f"no estimate: {self.unpriced}" if self.unpriced else _said(self.total)
        yield f"{count} {'release' if count == 1 else 'releases'}, {commits} commits; {self.drafter}: {told}"

    def document(self) -> dict[str, object]:
        """As JSON types."""
        return {
            "status": "PLANNED",
            "task": "release-notes",
            "drafter": self.drafter,
            "releases": [_document(release, self.estimates.get(release.name)) for release in self.plan.releases],
            "failures": {one.name: one.failure for one in self.failures},
            "notes": list(self.plan.notes),
            "at-most": None if self.unpriced else _numbers(self.total),
        }

    @property
    def total(self) -> Estimate:
        """All calls that the run begins with."""
        return sum(self.estimates.values(), Estimate())

    def _told(self, release: Release) -> str:
        if release.questions:
            return f"asks: {'; '.join(map(_asked, release.questions))}"
        known = self.estimates.get(release.name)
        return _said(known) if known is not None and known.calls else ""


async def planned(plan: Plan, conditions: Conditions, model: Model, engine: SecretEngine, *, in_batch: bool = False) -> Planned:
    """Put together what each release would be asked with, and count it. A server of one's own is asked for its room alone."""
    estimates: dict[str, Estimate] = {}
    unreadable: list[Finished] = []
    try:
        for release in plan.releases:
            try:
                estimates[release.name] = await estimate(release, conditions, model, engine, in_batch=in_batch)
            except ProviderFailure as failure:
                return without_estimates(plan, model.name, str(failure))
            except Failure as failure:
                unreadable.append(failed(release, failure))
    finally:
        await model.close()
    return Planned(plan, model.name, estimates, tuple(unreadable))


def without_estimates(plan: Plan, drafter: str, unpriced: str = "") -> Planned:
    """The plan of a drafter that costs nothing, or of one that cannot be asked what it reads at once, and why."""
    return Planned(plan, drafter, {}, unpriced=unpriced)


def _asked(question: Mapping[str, object]) -> str:
    """An open field with what may be meant."""
    suggestions = question.get("suggestions")
    words = [str(one.get("value")) for one in suggestions if isinstance(one, Mapping)] if isinstance(suggestions, list) else []
    field = str(question.get("field"))
    return f"{field} ({' or '.join(words)})" if words else field


def _cells(release: Release) -> Sequence[str]:
    commits = "" if release.questions else f"{release.commits} {'commit' if release.commits == 1 else 'commits'}"
    return release.name, release.spec, commits


def _said(told: Estimate) -> str:
    if not told.calls:
        return "no calls"
    price = "at an unknown price" if told.dollars is None else f"${told.dollars:.4f}"
    calls = f"{told.calls:,} {'call' if told.calls == 1 else 'calls'}"
    return f"{calls}, at most {told.input_tokens:,} tokens in, {told.output_tokens:,} out, {price}"


def _numbers(told: Estimate) -> dict[str, object]:
    return {
        "calls": told.calls,
        "input-tokens": told.input_tokens,
        "output-tokens": told.output_tokens,
        "dollars": None if told.dollars is None else f"{told.dollars:f}",
    }


def _document(release: Release, known: Estimate | None) -> dict[str, object]:
    return {
        "name": release.name,
        "repository": release.repository,
        "range": release.spec,
        "base": release.base,
        "head": release.head,
        "unit": release.unit,
        "tags": list(release.tags),
        "date": release.date,
        "commits": release.commits,
        "unresolved": [dict(question) for question in release.questions],
        "at-most": None if known is None else _numbers(known),
    }
