"""One YAML document to plain Python values, strictly: no duplicate keys, merge keys or custom tags; anchors and aliases only
where a caller lets them in, and then within bounds (Intent Changesets 5 and 12, Change Contracts).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from guardrails.strict_yaml import plain_style
from guardrails.strict_yaml.decoding import decode
from guardrails.strict_yaml.faults import Bounds
from guardrails.strict_yaml.places import Path, Place

_BOUNDS: Final = Bounds()


@dataclass(frozen=True, slots=True)
class Document:
    """One document: the exact bytes, and the value they say."""

    data: bytes = field(repr=False)
    value: Any = field(repr=False)
    is_plain: bool = field(default=False, repr=False, compare=False)
    """Whether it is in plain style, in which lines are told without the parser."""
    _seen: dict[Path, int] = field(default_factory=dict, init=False, repr=False, compare=False)
    _lines: dict[Path, int] = field(default_factory=dict, init=False, repr=False, compare=False)
    _places: dict[Path, Place] = field(default_factory=dict, init=False, repr=False, compare=False)

    def line(self, path: Path) -> int | None:
        """The 1-based line of the value at `path`, or of the nearest value around it that is there."""
        if path in self._seen:
            return self._seen[path]
        if not self._lines:
            if self.is_plain and not self._seen and self._look(path):
                return self._seen[path]
            self._lines.update(self._found())
        while path not in self._lines and path:
            path = path[:-1]
        return self._lines.get(path)

    def is_blank(self, path: Path) -> bool:
        """Whether nothing is written at `path`, not even the word null."""
        self._place()
        return path not in self._places or self._places[path].start == self._places[path].end

    def _look(self, path: Path) -> bool:
        """Find one line from the top on, with those above it: most records have one finding, and it is near the top."""
        for found, line in self._found():
            self._seen[found] = line
            if found == path:
                return True
        return False

    def _found(self) -> Iterator[tuple[Path, int]]:
        if self.is_plain:
            yield from plain_style.lines(self._text())
        else:
            self._place()
            yield from ((path, place.line) for path, place in self._places.items())

    def _place(self) -> None:
        if not self._places:
            from guardrails.strict_yaml.walking import places  # noqa: PLC0415 - parsers take their time to load

            self._places.update(places(self._text()))

    def _text(self) -> str:
        return decode(self.data, Bounds(bytes=len(self.data)))


def read(data: bytes, bounds: Bounds = _BOUNDS, *, pure: bool = False) -> Document:
    """Read exactly one document. `pure` leaves the C parser aside.

    Raises:
        YamlFault: the bytes are not one strict YAML 1.2 document within `bounds`.
    """
    text = decode(data, bounds)
    value = plain_style.compose(text) if bounds is _BOUNDS and not pure else plain_style.UNKNOWN
    if value is not plain_style.UNKNOWN:
        return Document(data, value, is_plain=True)
    from guardrails.strict_yaml.composing import compose  # noqa: PLC0415 - parsers take their time to load

    return Document(data, compose(text, bounds, pure=pure))
