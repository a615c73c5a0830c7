r"""Secrets in disguise: escaped, in hexadecimal, or broken over lines, undone for scanning only (Intent Changesets 11.7).

Each disguise is a function from a text to its undone lines with the way back, or None when it does not occur. Base64 is
undone by the engine. Not covered: other encodings of binary data, compression, and parts in different texts.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator
from typing import Final

from guardrails.redaction.folding import Folded

_ESCAPE: Final = re.compile(
    r"[%=](?P<byte>[0-9A-Fa-f]{2})|\\x(?P<x>[0-9A-Fa-f]{2})|\\u(?P<u>[0-9A-Fa-f]{4})|\\u\{(?P<long>[0-9A-Fa-f]{1,6})\}"
    r"|&#(?P<decimal>[0-9]{1,7});|&#[xX](?P<entity>[0-9A-Fa-f]{1,6});"
)
_HEX: Final = re.compile(r"(?<![0-9A-Za-z])[0-9A-Fa-f]{24,}+(?![0-9A-Za-z])")
_BREAK: Final = re.compile(r"\n[+\- ]?[ \t#*/>|]{0,60}[+.&|(]{0,2}[ \t]{0,8}(?P<quote>[\"'`]?)(?P<tail>[A-Za-z0-9_\-]{4,})")
_BEFORE: Final = re.compile(r"(?<=[A-Za-z0-9_\-])(?P<quote>[\"'`]?)[ \t]{0,8}[+.&|\\,)]{0,2}[ \t]{0,8}\r?\Z")
_DIGITS: Final = frozenset(string.digits)
_LETTERS: Final = frozenset(string.ascii_letters)
_NEAR: Final = 200
_FEWEST_ESCAPES: Final = 3


def unescaped(text: str) -> Folded | None:
    """The lines with several percent, backslash, entity or quoted-printable escapes, undone."""
    pieces: list[tuple[str, int, int]] = []
    done = 0
    if "%" in text or "\\" in text or "&#" in text or "=" in text:
        for start, stop in _lines_of(_ESCAPE, text, at_least=_FEWEST_ESCAPES):
            done = start
            for escape in _ESCAPE.finditer(text, start, stop):
                code = int(escape[escape.lastgroup or 0], 10 if escape.lastgroup == "decimal" else 16)
                if 0x20 <= code < 0x7F:
                    pieces += [(text[done : escape.start()], done, 1), (chr(code), escape.start(), len(escape[0]))]
                    done = escape.end()
            pieces += [(text[done:stop], done, 1), ("\n", stop, 1)]
    return Folded.of(pieces) if pieces else None


def unhexed(text: str) -> Folded | None:
    """Runs of hexadecimal digits that spell visible ASCII, one a line."""
    pieces: list[tuple[str, int, int]] = []
    for run in _HEX.finditer(text):
        if len(run[0]) % 2:
            continue
        spelt = bytes.fromhex(run[0])
        if all(0x20 <= byte < 0x7F for byte in spelt):
            pieces += [(spelt.decode("ascii"), run.start(), 2), ("\n", run.end(), 1)]
    return Folded.of(pieces) if pieces else None


def rejoined(text: str) -> Folded | None:
    """Words at line ends joined to the first ones of the next lines, where both stand in quotes or the second has digits."""
    pieces: list[tuple[str, int, int]] = []
    done = -1
    for after in _BREAK.finditer(text):
        is_random = _is_random(after["tail"])
        if not (after["quote"] or is_random):
            continue
        line = text.rfind("\n", max(0, after.start() - _NEAR), after.start()) + 1
        start = max(line, after.start() - _NEAR)
        before = _BEFORE.search(text[max(start, after.start() - 24) : after.start()])
        if before is None or not ((before["quote"] and after["quote"]) or is_random):
            continue
        end = after.start() - (len(before.string) - before.start())
        if not start <= done <= end:
            pieces.append(("\n", start, 1))
            done = start
        pieces += [(text[done:end], done, 1), (after["tail"][:_NEAR], after.start("tail"), 1)]
        done = after.start("tail") + min(len(after["tail"]), _NEAR)
    return Folded.of(pieces) if pieces else None


def _is_random(word: str) -> bool:
    return len(word) >= 6 and not _DIGITS.isdisjoint(word) and not _LETTERS.isdisjoint(word)


DISGUISES: Final[tuple[Callable[[str], Folded | None], ...]] = (unescaped, unhexed)


def _lines_of(pattern: re.Pattern[str], text: str, *, at_least: int) -> Iterator[tuple[int, int]]:
    """The lines that hold `pattern` at least so often."""
    start, stop, count, told = 0, -1, 0, -1
    for match in pattern.finditer(text):
        if match.start() > stop:
            start = text.rfind("\n", 0, match.start()) + 1 if stop < 0 else text.rfind("\n", stop, match.start()) + 1
            stop = text.find("\n", match.end())
            stop = len(text) if stop < 0 else stop
            count = 0
        count += 1
        if count == at_least and told != start:
            told = start
            yield start, stop
