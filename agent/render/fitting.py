"""A page that fits where it goes: whole parts are left out from the end on, and that is said (evidraft)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Final

from agent.render.marks import Marks

REQUEST_BODY: Final = 65_536
"""How long GitHub lets the body of a pull request or a comment be."""
RELEASE_BODY: Final = 125_000
"""How long GitHub lets a release page be."""


def size(text: str) -> int:
    """The length of a text as the strictest forge counts it: in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def fitting(page: Callable[[int], str], cuts: int, most: int | None) -> str:
    """`page(cut)` with the smallest cut from none to `cuts` that is no longer than `most`; the shortest one if none is.

    Each cut has to leave out what the one before it does, and more.
    """
    if most is None:
        return page(0)
    return page(bisect_left(range(cuts), True, key=lambda cut: size(page(cut)) <= most))


def left_out(marks: Marks, what: str, whole: str = "") -> str:
    """The line that says what a page leaves out; `whole` is the name of the file that has all of it."""
    there = f" All of it is in {marks.code(whole)}." if whole else ""
    return marks.aside(f"Left out to keep within the length that is allowed here: {what}.{there}")
