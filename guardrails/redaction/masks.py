"""Masks in names and messages: what they look like, where one may be needed, and how masked names stay different (evidraft).

Nothing heavy is loaded here: most texts need no engine to be told that they hold nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

MASKS: Final = re.compile(r"\[(secret|term|host|pattern|person|email|withheld)\]")
"""What stands in the place of something that must not be said; its group is the kind."""
_LONG_WORD: Final = re.compile(r"\w{16,}")
_OBJECT: Final = re.compile(r"\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b")
"""An object name or a digest, which is no secret."""
_CREDENTIAL: Final = re.compile(
    r"://[^\s/]{1,200}@|(?i:pass|pwd|secret|token|key)\w{0,20}[\"']?\s{0,2}[:=]|(?i:bearer)\s|-----BEGIN|%[0-9A-Fa-f]{2}"
)
"""What may go with a secret in short words: addresses with a password, names that say so, keys, escapes."""


def may_hold_secret(text: str) -> bool:
    """Whether there is a word in a text that is long enough for a secret, or something that goes with one."""
    words = _LONG_WORD.findall(_OBJECT.sub("", text))
    return any(any(map(str.isdigit, word)) for word in words) or _CREDENTIAL.search(text) is not None


def told_apart(shown: Mapping[str, str]) -> dict[str, str]:
    """What each name that a mask changed is told as, of `shown`, which has all names with their masks.

    Names that only what was masked tells apart are numbered in the order of `shown`: `v1-[secret]`, `v1-[secret]-2`. They stay
    apart without their brackets, too.
    """
    taken = {told for name, told in shown.items() if told == name}
    numbers: dict[str, int] = {}
    apart: dict[str, str] = {}
    for name, told in shown.items():
        if told != name:
            apart[name] = _free(told, taken, numbers)
            taken.add(unmasked(apart[name]))
    return apart


def unmasked(text: str) -> str:
    """`text` with each mask as the bare word of its kind, for places that hold no brackets."""
    return MASKS.sub(r"\1", text)


def _free(told: str, taken: Collection[str], numbers: dict[str, int]) -> str:
    while True:
        number = numbers[told] = numbers.get(told, 0) + 1
        name = told if number == 1 else f"{told}-{number}"
        if name not in taken and unmasked(name) not in taken:
            return name
