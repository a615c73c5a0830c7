"""The index of a run: every release with what became of it, what is told twice, where its pages are (evidraft).

It is made of finished releases alone, so that the same ends give the same index, in whatever order they came.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agent.batch import pages
from agent.batch.release import EXIT_CODES, WORDS, Finished, Release, Status, worst
from agent.render import escaping, inlines
from agent.render.changes import text
from agent.render.harmless import Target
from guardrails.grounding.releases.accounts import keys
from guardrails.grounding.releases.twice import Twice

VERSION: Final = "1.0.0"
COVERAGE: Final = "coverage.md"
ENVELOPE: Final = "envelope.json"
RECORD: Final = "record.json"
SHEET: Final = "needs-input.yaml"

_MOST: Final = 5
"""How many findings or fields of one release the page names; the JSON has them all."""
_PAGES: Final = {
    pages.NOTES: "notes",
    pages.TEXT: "text",
    pages.BODY: "release body",
    pages.CHANGELOG: "changelog",
    pages.ENTRIES: "entries",
    ENVELOPE: "envelope",
    RECORD: "record",
    COVERAGE: "coverage",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One release of a run, as planned (None where no plan could be made of it) and as it ended; `files` are in its folder."""

    planned: Release | None
    finished: Finished
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """All rows in the order of the plan, what several of them tell, releases that are not done, what planning left aside."""

    rows: tuple[Row, ...]
    twice: tuple[Twice, ...] = ()
    pending: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def statuses(self) -> list[Status]:
        """How the releases ended that did."""
        return [row.finished.status for row in self.rows]


def document(run: Run) -> dict[str, object]:
    """The index as JSON types."""
    state = Status.FAILED if run.pending else worst(run.statuses)
    return {
        "evidraft-index": VERSION,
        "status": state.value,
        "exit-code": EXIT_CODES[state],
        "counts": {status.value: run.statuses.count(status) for status in Status},
        "releases": list(map(_release, run.rows)),
        "not-done": list(run.pending),
        "left-aside": list(run.notes),
        "told-twice": [
            {
                "releases": list(one.pages),
                "commits": list(one.commits),
                "requests": list(one.requests),
                "changesets": list(one.changesets),
                "shared": one.shared,
            }
            for one in run.twice
        ],
    }


def page(run: Run) -> str:
    """The index as markdown, ending in one line break."""
    told = ("# Release notes", f"{counted(run.statuses, len(run.pending))}.", *_table(run.rows), *_sections(run))
    return "\n\n".join(told) + "\n"


def counted(statuses: Sequence[Status], pending: int = 0) -> str:
    """How many releases there are, and how they ended: `3 releases: 2 drafted, 1 failed`."""
    ends = {**{WORDS[status]: statuses.count(status) for status in Status}, "not done": pending}
    told = ", ".join(f"{count} {word}" for word, count in ends.items() if count)
    total = sum(ends.values())
    return f"{total} {'release' if total == 1 else 'releases'}{f': {told}' if told else ''}"


def _release(row: Row) -> dict[str, object]:
    finished, planned = row.finished, row.planned
    return {
        "name": finished.name,
        "status": finished.status.value,
        "repository": planned.repository if planned else "",
        "range": planned.spec if planned else "",
        "base": planned.base if planned else "",
        "head": planned.head if planned else "",
        "unit": planned.unit if planned else "",
        "tags": list(planned.tags) if planned else [],
        "date": planned.date if planned else "",
        "items": len(finished.titles),
        "commits": _told_of(finished.commits),
        "requests": _told_of(finished.requests),
        "files": list(row.files),
        "open": [text(one, "field") for one in finished.unresolved],
        "findings": [dict(one) for one in finished.findings],
        "failure": finished.failure,
    }


def _told_of(accounts: Mapping[str, str]) -> dict[str, int]:
    return {"told": sum(bool(keys(account)) for account in accounts.values()), "in-range": len(accounts)}


def _table(rows: Sequence[Row]) -> Iterator[str]:
    if rows:
        lines = ("| Release | Range | State | Items | Commits told | Requests told | Files |", f"|{' --- |' * 7}")
        yield "\n".join((*lines, *map(_line, rows)))


def _line(row: Row) -> str:
    finished = row.finished
    cells = (
        inlines.text(finished.name, Target()),
        escaping.code(row.planned.spec) if row.planned else "",
        WORDS[finished.status],
        str(len(finished.titles) or ""),
        _share(finished.commits),
        _share(finished.requests),
        ", ".join(_led(_PAGES.get(name, name), f"{finished.name}/{name}") for name in row.files),
    )
    return f"| {' | '.join(map(escaping.cell, cells))} |"


def _share(accounts: Mapping[str, str]) -> str:
    told = _told_of(accounts)
    return f"{told['told']} of {told['in-range']}" if accounts else ""


def _led(word: str, path: str) -> str:
    return f"[{word}]({escaping.address(path)})"


def _sections(run: Run) -> Iterator[str]:
    """What a person has to look at, each kind of it under its heading."""
    rows = run.rows
    found = {
        f"In need of input: answer in [{SHEET}]({SHEET})": [_open(row.finished) for row in rows if row.finished.unresolved],
        "Rejected": [_findings(row.finished) for row in rows if row.finished.status is Status.REJECTED],
        "Failed": [f"- {_failure(row.finished)}" for row in rows if row.finished.status is Status.FAILED],
        "To be looked at": [
            _findings(row.finished) for row in rows if row.finished.findings and row.finished.status is not Status.REJECTED
        ],
        "Told in more than one release": list(map(_twice_line, run.twice)),
        f"Without {pages.ENTRIES}": list(_without_entries(rows)),
        "Not done": [f"- {inlines.text(name, Target())}" for name in run.pending],
        "Left aside": [f"- {inlines.text(note, Target())}" for note in run.notes],
    }
    for heading, lines in found.items():
        if lines:
            yield f"## {heading}"
            yield "\n".join(lines)


def _name(finished: Finished) -> str:
    return inlines.text(finished.name, Target())


def _failure(finished: Finished) -> str:
    line = finished.failure
    return inlines.text(line if line.startswith(finished.name) else f"{finished.name}: {line}", Target())


def _open(finished: Finished) -> str:
    fields = [escaping.code(text(one, "field")) for one in finished.unresolved]
    return f"- {_name(finished)}: {_some(fields, ', ')}"


def _findings(finished: Finished) -> str:
    told = [
        f"{escaping.code(text(one, 'code'))} {inlines.text(text(one, 'message'), Target())}"
        + (f" ({escaping.code(text(one, 'where'))})" if text(one, "where") else "")
        for one in finished.findings
    ]
    return f"- {_name(finished)}: {_some(told, '; ')}"


def _some(told: Sequence[str], between: str) -> str:
    more = f" and {len(told) - _MOST} more" if len(told) > _MOST else ""
    return f"{between.join(told[:_MOST])}{more}"


def _twice_line(one: Twice) -> str:
    what = [
        *(escaping.code(name[:10]) for name in one.commits),
        *(escaping.code(name) for name in (*one.requests, *one.changesets)),
    ]
    names = ", ".join(inlines.text(name, Target()) for name in one.pages)
    return f"- {names}: {_some(what, ', ')}{', which these release units share' if one.shared else ''}"


def _without_entries(rows: Sequence[Row]) -> Iterator[str]:
    """Releases under a profile without entries of its changelog: no type, impact or audience is made up."""
    for row in rows:
        lacks = row.finished.status is Status.DRAFTED and pages.ENTRIES not in row.finished.pages
        if lacks and row.finished.profile:
            yield (
                f"- {_name(row.finished)}: not every change has a reviewed decision that gives its type, impact and audiences"
            )
