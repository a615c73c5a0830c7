"""Repository paths and globs: below the root after normalising, matched in linear time (Intent Changesets 12; change contracts,
intent and scope).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

_UNSAFE: Final = re.compile(r"[\x00-\x1f\x7f\\]")
_DRIVE: Final = re.compile(r"[A-Za-z]:")


def normal(path: str) -> str | None:
    """`path` without empty and `.` segments; None unless it is relative, POSIX, and names something below the root.

    `..` is refused even where it would stay below: after a symbolic link it need not.
    """
    if path.startswith("/") or _UNSAFE.search(path):
        return None
    segments = [segment for segment in path.split("/") if segment not in ("", ".")]
    if not segments or ".." in segments or segments[0].startswith("~") or _DRIVE.match(segments[0]):
        return None
    return "/".join(segments)


def join(folder: str, relative: str) -> str | None:
    """`relative` seen from `folder`, as a normal path; None where that is outside the root."""
    steps = folder.split("/") if folder else []
    for step in relative.split("/"):
        if step == "..":
            if not steps:
                return None
            steps.pop()
        elif step not in ("", "."):
            steps.append(step)
    return "/".join(steps)


def is_below(path: str, folder: str) -> bool:
    """Whether the normal `path` stands in `folder` (also normal) or deeper; no folder is below itself."""
    return path.startswith(f"{folder}/")


def is_glob(pattern: str) -> bool:
    """Whether `pattern` is a canonical glob: a normal path whose segments hold `*` and `?`, or are `**` as a whole."""
    return normal(pattern) == pattern and all(segment == "**" or "**" not in segment for segment in pattern.split("/"))


def matches(pattern: str, path: str) -> bool:
    """Whether the whole normal `path` fits the glob `pattern`. `**` stands for any number of segments, none included."""
    return _fits(_segments(pattern), path.split("/"), "**", _fits_segment)


@lru_cache(maxsize=1024)
def _segments(pattern: str) -> tuple[str, ...]:
    """The segments of a pattern; neighbouring `**` say the same as one."""
    segments = pattern.split("/")
    return tuple(here for before, here in zip(("", *segments), segments, strict=False) if not before == here == "**")


def _fits(pattern: Sequence[str], path: Sequence[str], wildcard: str, fits_one: Callable[[str, str], bool]) -> bool:
    """Wildcard matching with one point of return: only the last wildcard is ever widened, so the work is at most a product."""
    at = here = 0
    wide = back = -1
    while at < len(path):
        if here < len(pattern) and pattern[here] == wildcard:
            wide, back = here, at
            here += 1
        elif here < len(pattern) and fits_one(pattern[here], path[at]):
            here, at = here + 1, at + 1
        elif wide >= 0:
            back += 1
            here, at = wide + 1, back
        else:
            return False
    return all(piece == wildcard for piece in pattern[here:])


def _fits_segment(pattern: str, segment: str) -> bool:
    """The same within one segment: `*` any text, `?` one character."""
    return _fits(pattern, segment, "*", lambda mark, character: mark in ("?", character))
