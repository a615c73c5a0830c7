"""The independent check of references: each path, range, sha and note, and each place that a page names, against git."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evals.patches import Patch, has, lines
from evals.shown import Envelope, Shown

_GAP = "lines removed here"
_PLACES = re.compile(r"^[-*] (`+[^`]+`+(?:(?:, | and )`+[^`]+`+)*) — ", re.MULTILINE)
_SPAN = re.compile(r"`+ ?([^`]+?) ?`+")


def changes(envelope: Envelope) -> tuple[dict[str, Any], ...]:
    """The change objects of an envelope, be it whole or partial."""
    single = [envelope["change"]] if "change" in envelope else []
    return (*single, *envelope.get("items", ()))


def wrong_refs(envelope: Envelope, shown: Shown) -> tuple[str, ...]:
    """What is wrong with the references of an envelope, each with the place."""
    refs = [ref for change in changes(envelope) for ref in change.get("refs") or ()]
    faults = [f"{_place(ref)} at {ref.get('sha')}: {fault}" for ref in refs for fault in _faults(ref, shown)]
    return (*faults, *(fault for change in changes(envelope) for fault in _unnamed(change)))


def count(envelope: Envelope) -> int:
    """How many references an envelope has."""
    return sum(len(change.get("refs") or ()) for change in changes(envelope))


def _place(ref: dict[str, str]) -> str:
    return f"{ref['path']}:{ref['range']}" if "range" in ref else ref["path"]


def _faults(ref: dict[str, str], shown: Shown) -> Iterator[str]:
    if shown.repository is None:
        yield "a reference where there is no repository"
        return
    sha, note = ref.get("sha", ""), ref.get("note", "")
    is_removed = note == "removed"
    found = [told[ref["path"]] for told in (shown.patches_from if is_removed else shown.patches_to)(sha) if ref["path"] in told]
    if not sha:
        yield "without sha"
    elif not has(shown.repository, sha, ref["path"]):
        yield "no such path at this commit"
    elif not found:
        yield "not changed by the operation"
    else:
        yield from _said(ref, shown.repository, found)
        yield from _line_faults(ref, shown.repository, found) if "range" in ref else ()


def _said(ref: dict[str, str], repository: Path, found: list[Patch]) -> Iterator[str]:
    """Whether what the note says is so, and whether a range was left out where there are lines."""
    note = ref.get("note")
    words = {word for patch in found for word in patch.words}
    is_empty = note == "empty file" and not lines(repository, ref["sha"], ref["path"])
    if note not in {None, _GAP, *words} and not is_empty:
        yield f"the note says {note}, git says {sorted(words)}"
    if (note == "removed") != any("removed" in patch.words for patch in found):
        yield "removed, or not"
    if note == _GAP and "range" not in ref:
        yield "a gap without lines"


def _line_faults(ref: dict[str, str], repository: Path, found: list[Patch]) -> Iterator[str]:
    ends = _ends(ref["range"])
    if not 1 <= ends[0] <= ends[1] <= lines(repository, ref["sha"], ref["path"]):
        yield "no such lines at this commit"
    is_right = Patch.is_removed if ref.get("note") == "removed" else Patch.is_changed
    if not any(all(is_right(patch, end) for end in ends) for patch in found):
        yield "its first or last line did not change"


def _unnamed(change: dict[str, Any]) -> Iterator[str]:
    """Places that a page names before a claim and no reference has, and references that the page does not name."""
    if change.get("detail_md") is None or "refs" not in change:
        return
    named = {place for line in _PLACES.findall(change["detail_md"]) for place in _SPAN.findall(line)}
    refs = change["refs"]
    yield from (
        f"the page names {place}, which is no reference" for place in named if not any(_is_in(place, ref) for ref in refs)
    )
    unnamed = (_place(ref) for ref in refs if not any(_is_in(place, ref) for place in named))
    yield from (f"{place} is a reference that the page does not name" for place in unnamed)


def _is_in(place: str, ref: dict[str, str]) -> bool:
    """Whether a place is a reference or a part of one: references that touch are one, and ranges say more than their path."""
    if place in {_place(ref), ref["path"]}:
        return True
    path, _, span = place.rpartition(":")
    if path != ref["path"] or "range" not in ref or not re.fullmatch(r"\d+(-\d+)?", span):
        return False
    first, last = _ends(span)
    start, end = _ends(ref["range"])
    return start <= first and last <= end


def _ends(span: str) -> tuple[int, int]:
    first, _, last = span.partition("-")
    return int(first), int(last or first)
