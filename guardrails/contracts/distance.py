"""How many lines a change adds and removes: exact up to a limit, and quick for any text (Change Contracts: budget)."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import mul, or_, sub
from typing import Final

EXACT: Final = 10_000
"""So many edits of one file are counted exactly; above, lines are compared without regard to their order."""
_PAIRS: Final = 16
"""Up to so many pairs of equal lines for each line there is, it is quickest to go through all of them."""
_PART: Final = 65_536
_ROWS: Final = 4_096
"""After so many lines, at most, a band is moved on."""
_FEW: Final = 24
_BANDS: Final = (100, 1_000)
"""How many edits are looked for first: most changes are small, and a narrow band is quick."""


def changed(before: str, after: str) -> int:
    """How many lines are to be removed and added, at least, to make one text out of another; they end at line feeds alone.

    Above `EXACT` it is the number of lines that only one side has, each counted as often as it is there, which can be lower.
    """
    before, after = _ended(before), _ended(after)
    start = before.rfind("\n", 0, _alike(before, after)) + 1
    before, after = before[start:], after[start:]
    shared = _alike(before[::-1], after[::-1])
    end = before.find("\n", len(before) - shared) + 1 if shared else 0
    cut = len(before) - end if end else 0
    numbers: dict[str, int] = {}
    one, other = (_numbered(text[: len(text) - cut], numbers) for text in (before, after))
    return _apart(one, other, len(numbers))


def distance(before: Sequence[str], after: Sequence[str]) -> int:
    """The same of lines that were parted before."""
    numbers: dict[str, int] = {}
    one, other = (array("I", [numbers.setdefault(line, len(numbers)) for line in lines]) for lines in (before, after))
    return _apart(one, other, len(numbers))


def _ended(text: str) -> str:
    """The last line may end in a line feed or not."""
    return text if not text or text.endswith("\n") else f"{text}\n"


def _alike(one: str, other: str) -> int:
    """How many characters both begin with."""
    low, high = 0, min(len(one), len(other))
    step = 1
    while low < high and one[low : low + step] == other[low : low + step]:
        low += step
        step = min(2 * step, _PART)
    high = min(high, low + step)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return min(low, high)


def _numbered(text: str, numbers: dict[str, int]) -> array[int]:
    """The lines of a text, each by its number; parts are gone through one after the other, for the sake of room."""
    found = array("I")
    start = 0
    while start < len(text):
        end = text.find("\n", min(start + _PART, len(text) - 1))
        found.extend([numbers.setdefault(line, len(numbers)) for line in text[start:end].split("\n")])
        start = end + 1
    return found


def _apart(before: array[int], after: array[int], kinds: int) -> int:
    left, right = _counted(before, kinds), _counted(after, kinds)
    unlike: int = sum(map(abs, map(sub, left, right)))
    if unlike > EXACT:
        return unlike
    shared_before = array("I", filter(right.__getitem__, before))
    shared_after = array("I", filter(left.__getitem__, after))
    alone = len(before) - len(shared_before) + len(after) - len(shared_after)
    total = len(shared_before) + len(shared_after)
    if sum(map(mul, left, right)) <= _PAIRS * total:
        exact = alone + total - 2 * _longest_by_pairs(shared_before, shared_after, kinds)
        return exact if exact <= EXACT else unlike
    most = EXACT - alone
    for band in (*(band for band in _BANDS if band < most), most):
        apart = total - 2 * _longest_common(shared_before, shared_after, band)
        if apart <= band:
            return alone + apart
    return unlike


def _counted(lines: array[int], kinds: int) -> array[int]:
    found = array("I", [0]) * kinds
    for line in lines:
        found[line] += 1
    return found


def _longest_by_pairs(one: array[int], other: array[int], kinds: int) -> int:
    """How long the longest common subsequence is, by the pairs of places with equal lines: quick where these are few.

    `ends` tells where in `one` a common subsequence of each length ends at the earliest.
    """
    last = array("i", [-1]) * kinds
    before = array("i")
    for place, line in enumerate(one):
        before.append(last[line])
        last[line] = place
    ends: list[int] = []
    for line in other:
        place = last[line]
        while place >= 0:
            length = bisect_left(ends, place)
            ends[length : length + 1] = [place]
            place = before[place]
    return len(ends)


def _longest_common(one: Sequence[int], other: Sequence[int], most: int) -> int:
    """How long the longest common subsequence is; too small a number where more than `most` edits are needed.

    A bit for each line of `one` says whether the length stays the same there; a whole row of the table is one addition. Only a
    band around the diagonal is gone through: what lies outside needs more edits. Bits that the band leaves behind are counted.
    """
    if abs(len(one) - len(other)) > most:
        return 0
    places: defaultdict[int, array[int]] = defaultdict(lambda: array("I"))
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


def _rows(bits: int, rows: Sequence[int], masks: Mapping[int, int]) -> int:
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
