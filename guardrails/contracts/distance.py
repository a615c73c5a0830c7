"""How many lines a change adds and removes: exact up to a limit, and quick for any text (Change Contracts: budget)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Final

EXACT: Final = 10_000
"""So many edits of one file are counted exactly; above, lines are compared without regard to their order."""
_ROWS: Final = 4_096
"""After so many lines, at most, a band is moved on."""
_FEW: Final = 24
_BANDS: Final = (100, 1_000)
"""How many edits are looked for first: most changes are small, and a narrow band is quick."""


def lines(text: str) -> list[str]:
    """The lines of a text, parted at line feeds; the last one may end in one or not."""
    found = text.split("\n")
    if not found[-1]:
        found.pop()
    return found


def distance(before: Sequence[str], after: Sequence[str]) -> int:
    """How many lines are to be removed and added, at least, to make `after` out of `before`.

    Above `EXACT` it is the number of lines that only one side has, each counted as often as it is there, which can be lower.
    """
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    before, after = before[start : len(before) - end], after[start : len(after) - end]
    left, right = Counter(before), Counter(after)
    unlike = (left - right).total() + (right - left).total()
    if unlike > EXACT:
        return unlike
    shared_before = [line for line in before if line in right]
    shared_after = [line for line in after if line in left]
    alone = len(before) - len(shared_before) + len(after) - len(shared_after)
    most = EXACT - alone
    for band in (*(band for band in _BANDS if band < most), most):
        apart = len(shared_before) + len(shared_after) - 2 * _longest_common(shared_before, shared_after, band)
        if apart <= band:
            return alone + apart
    return unlike


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines both begin with."""
    for position, (here, there) in enumerate(zip(one, other, strict=False)):
        if here != there:
            return position
    return min(len(one), len(other))


def _longest_common(one: Sequence[str], other: Sequence[str], most: int) -> int:
    """How long the longest common subsequence is; too small a number where more than `most` edits are needed.

    A bit for each line of `one` says whether the length stays the same there; a whole row of the table is one addition. Only a
    band around the diagonal is gone through: what lies outside needs more edits. Bits that the band leaves behind are counted.
    """
    if abs(len(one) - len(other)) > most:
        return 0
    places = defaultdict[str, list[int]](list)
    for place, line in enumerate(one):
        places[line].append(place)
    bits = left_behind = low = high = 0
    step = min(_ROWS, 4 * most + 1)
    for row in range(0, len(other), step):
        rows = other[row : row + step]
        start, end = max(low, min(row - most, high)), min(len(one), row + len(rows) + most)
        left_behind += start - low - (bits & _ones(start - low)).bit_count()
        bits = bits >> (start - low) | _ones(end - high) << (high - start)
        low, high = start, end
        masks = {line: _mask(places[line], low, high) for line in set(rows)}
        bits = _rows(bits, rows, masks) & _ones(high - low)
    return left_behind + (high - low) - bits.bit_count()


def _ones(number: int) -> int:
    return (1 << number) - 1


def _rows(bits: int, rows: Sequence[str], masks: Mapping[str, int]) -> int:
    """Go through some lines; what is carried out of the band at its end is still there."""
    for line in rows:
        met = bits & masks[line]
        bits = (bits + met) | (bits - met)
    return bits


def _mask(places: Sequence[int], low: int, high: int) -> int:
    """The places from `low` to before `high` as bits."""
    chosen = places[bisect_left(places, low) : bisect_left(places, high)]
    if len(chosen) < _FEW:
        return reduce(or_, (1 << (place - low) for place in chosen), 0)
    written = bytearray((high - low + 7) // 8)
    for place in chosen:
        written[(place - low) >> 3] |= 1 << ((place - low) & 7)
    return int.from_bytes(written, "little")
