"""What a run leaves behind: one folder of pages, documents and an index (evidraft).

Everything is made of the plan and of what became of each release. Nothing tells when or where the run was, or how often it was
begun.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from agent.batch import answers, folder, index
from agent.batch.coverage_page import coverage_page
from agent.batch.folder import Text
from agent.batch.index import COVERAGE, ENVELOPE, RECORD, SHEET, Row, Run
from agent.batch.pages import BODY, CHANGELOG, ENTRIES, NOTES, TEXT
from agent.batch.planning import Plan
from agent.batch.release import Finished, Status
from agent.batch.sharing import pages_of, told_twice
from agent.batch.sheet import sheet
from agent.errors import InputFailure
from agent.render.json_text import json_text
from guardrails.grounding.releases.twice import Twice

INDEX: Final = "index.md"
INDEX_JSON: Final = "index.json"
_ORDER: Final = (NOTES, TEXT, BODY, CHANGELOG, ENTRIES, ENVELOPE, RECORD, COVERAGE)


def prepare(out: Path, plan: Plan) -> None:
    """Make the folder `out`, and see to it, before anything is drafted, that all releases of a plan can be written there.

    Raises:
        StoreFailure: two files would stand in one place, a link stands in the way, or the disk refused.
        InputFailure: the list of files in the folder is none that a run wrote.
    """
    own = (f"{release.name}/{name}" for release in plan.releases for name in _ORDER)
    folder.prepare(out, (INDEX, INDEX_JSON, SHEET, *own))


def write(out: Path, plan: Plan, finished: Sequence[Finished]) -> tuple[str, ...]:
    """Let the folder `out` hold what a run came to. Returns the files there that a person had changed: they stay as `.kept`.

    A release that has no end yet is told as not done. Pages of earlier runs that do not belong any longer go.

    Raises:
        StoreFailure: two files would stand in one place, a link stands in the way, or the disk refused.
        InputFailure: the list of files in the folder is none that a run wrote.
    """
    told = files(plan, finished)
    return folder.bring(out, told, is_taken_over=lambda path, data: path == SHEET and _holds(told[SHEET].encode(), data))


def files(plan: Plan, finished: Sequence[Finished]) -> dict[str, Text]:
    """Every file of the folder, by path with forward slashes."""
    planned = {release.name: release for release in plan.releases}
    ended = {one.name: one for one in finished}
    twice = told_twice(planned, (ended[name] for name in planned if name in ended))
    told: dict[str, Text] = {}
    rows: list[Row] = []
    for one in (*(ended[name] for name in planned if name in ended), *plan.failures):
        own = dict(sorted(_files_of(one, twice), key=lambda pair: _place(pair[0])))
        told |= {f"{one.name}/{name}": text for name, text in own.items()}
        rows.append(Row(planned.get(one.name), one, tuple(own)))
    run = Run(tuple(rows), twice, tuple(name for name in planned if name not in ended), plan.notes)
    asked = sheet(plan.releases, finished)
    return {
        INDEX: index.page(run),
        INDEX_JSON: json_text(index.document(run)),
        **({SHEET: asked} if asked else {}),
        **told,
    }


def _holds(sheet_: bytes, filled: bytes) -> bool:
    """Whether a sheet has all answers that a person had written into the one before it."""
    try:
        before = answers.parse(SHEET, filled).by_release
    except InputFailure:
        return False
    now = answers.parse(SHEET, sheet_).by_release
    return bool(before) and all({**now.get(name, {}), **own} == now.get(name) for name, own in before.items())


def _files_of(finished: Finished, twice: Sequence[Twice]) -> Iterator[tuple[str, Text]]:
    """What the folder of a release holds: only a draft has pages, for what is no draft could be published by mistake."""
    if finished.status is Status.DRAFTED:
        yield from pages_of(finished, twice).items()
        if finished.envelope:
            yield ENVELOPE, finished.envelope
    if finished.record:
        yield RECORD, finished.record
    if finished.commits or finished.requests:
        yield COVERAGE, coverage_page(finished)


def _place(name: str) -> int:
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)
