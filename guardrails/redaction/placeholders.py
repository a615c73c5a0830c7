"""Typed placeholders: fixed in form, numbered in the order of first sight, the same for the same value within a bundle.

They tell neither the length nor a hash of what they stand for (Intent Changesets 11.7).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_WORD = r"[a-z]{0,14}[0-9]{0,3}[a-z]{0,3}"
_KIND: Final = re.compile(rf"{_WORD}(?:-{_WORD}){{0,7}}")
PLACEHOLDER: Final = re.compile(
    rf"\[(?:(?P<rule>(?:secret:{_WORD}(?:-{_WORD}){{0,7}}|term|host|person|pattern|email)):(?P<number>[0-9]{{1,6}})|withheld)\]"
    rf"|<(?:(?P<bare>(?:secret-{_WORD}(?:-{_WORD}){{0,7}}|term|host|person|pattern|email))-(?P<count>[0-9]{{1,6}})|withheld)>"
)
"""Both forms of a placeholder. Its words are too short to hide a secret in something that only looks like one."""


def rule_name(rule: str) -> str:
    """`rule` in a form that placeholders can name; engines' odd kinds become `secret:other`."""
    prefix, _, kind = rule.partition(":")
    return rule if not kind or _KIND.fullmatch(kind) else f"{prefix}:other"


def bare(placeholder: str) -> str:
    """The form for file paths and YAML records, where brackets and colons have a meaning of their own."""
    return f"<{placeholder[1:-1].replace(':', '-')}>"


class Numbers:
    """Gives each value its placeholder."""

    def __init__(self) -> None:
        """Nothing seen yet."""
        self._given: dict[tuple[str, str], str] = {}
        self._last: dict[str, int] = {}

    def __copy__(self) -> Numbers:
        other = Numbers()
        other._given, other._last = dict(self._given), dict(self._last)
        return other

    def pass_over(self, texts: Iterable[str]) -> None:
        """Begin behind the numbers of placeholders that the texts hold already, so that redacting twice confuses nothing."""
        for text in texts:
            for match in PLACEHOLDER.finditer(text) if "[" in text or "<" in text else ():
                name, number = match["rule"] or match["bare"], match["number"] or match["count"]
                if name:
                    kind = name.replace(":", "-")
                    self._last[kind] = max(self._last.get(kind, 0), int(number))

    def placeholder(self, rule: str, value: str) -> str:
        """The placeholder of `value`; a secret keeps the first kind that it was found as."""
        if rule == "withheld":
            return "[withheld]"
        key = (rule.partition(":")[0], value)
        if key not in self._given:
            kind = rule.replace(":", "-")
            self._last[kind] = self._last.get(kind, 0) + 1
            self._given[key] = f"[{rule}:{self._last[kind]}]"
        return self._given[key]
