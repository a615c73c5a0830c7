r"""Makes visible what hides: control, bidi, zero-width, tag and other ignorable characters (Intent Changesets 11).

Each becomes `\u{202e}`-like text. Kept are tab, line feed, a carriage return before a line feed, and the joiners that
writing needs: ZWJ, ZWNJ and the emoji selector right after a symbol, ZWJ and ZWNJ right after a letter or mark of a script
without case.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from guardrails.redaction.folding import CONTROLS, HIDDEN, is_plain

_HIDING: Final = f"{CONTROLS}{HIDDEN}\ud800-\udfff"
_RUN: Final = re.compile(f"[{_HIDING}\r](?:(?<!\r)[{_HIDING}]*|(?<=\r)(?!\n))")
"""A run of them, or a carriage return alone; what a run can begin with stands first, where the engine looks for it quickly."""
_ZWNJ, _ZWJ, _EMOJI = "\u200c", "\u200d", "\ufe0f"
_AFTER: Final = {
    "So": {_ZWJ, _ZWNJ, _EMOJI, _EMOJI + _ZWJ},
    "Sm": {_EMOJI, _EMOJI + _ZWJ},
    "Sk": {_ZWJ},  # skin tones
    "Lo": {_ZWJ, _ZWNJ},
    "Mn": {_ZWJ, _ZWNJ},
    "Mc": {_ZWJ, _ZWNJ},
}


def by_code_points(text: str) -> str:
    r"""`\u{202e}` for each character."""
    return "".join(f"\\u{{{ord(character):04x}}}" for character in text)


def neutralise(text: str, by: Callable[[str], str] = by_code_points) -> str:
    """`text` with every run of hidden characters shown `by` another text. Idempotent; lines keep their numbers."""
    return _RUN.sub(lambda match: match[0] if _needed(match) else by(match[0]), text)


def hidden(text: str) -> list[tuple[int, int]]:
    """The ranges of `text` that `neutralise` would change."""
    if is_plain(text) and "\r" not in text:
        return []
    return [match.span() for match in _RUN.finditer(text) if not _needed(match)]


def _needed(match: re.Match[str]) -> bool:
    start = match.start()
    before = match.string[start - 1 : start]
    if not before or before.isascii():
        return False
    return match[0] in _AFTER.get(unicodedata.category(before), ())
