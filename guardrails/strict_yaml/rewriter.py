"""Editing a document in place: every byte outside the edited values stays, so unknown fields, comments and order do too
(Intent Changesets 5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from guardrails.strict_yaml.faults import YAML_REWRITE, Bounds, YamlFault
from guardrails.strict_yaml.parsing import decode, encoding_of
from guardrails.strict_yaml.places import Path, Place, places
from guardrails.strict_yaml.reader import read
from guardrails.strict_yaml.writer import entries, flow, write


def rewrite(data: bytes, edits: Mapping[Path, Any]) -> bytes:
    """`data` with the value at each path of `edits` set; a new key, or the position one past a list's end, appends.

    Raises:
        YamlFault: `data` is no strict document, a path leads nowhere, or the result would say anything else than intended.
    """
    intended = read(data).value
    mark, encoding = encoding_of(data)
    text = decode(data, Bounds())
    for path, value in edits.items():
        try:
            plain = read(write({"": value})).value[""]
            _set(intended, path, plain)
            text = _Edit(text, places(text), path).to(plain)
        except (LookupError, TypeError, ValueError) as error:
            raise YamlFault(YAML_REWRITE.at("", f"got {type(error).__name__} while editing")) from None
    result = mark + text.encode(encoding)
    if repr(read(result).value) != repr(intended):
        raise YamlFault(YAML_REWRITE.at("", "got a document that says something else than intended"))
    return result


def _set(tree: Any, path: Path, value: Any) -> None:
    *around, last = path
    for step in around:
        tree = tree[step]
    if isinstance(tree, list) and last == len(tree):
        tree.append(value)
    else:
        tree[last] = value


@dataclass(frozen=True, slots=True)
class _Edit:
    """One edit of one text."""

    text: str
    places: Mapping[Path, Place]
    path: Path

    def to(self, value: Any) -> str:
        """The text after the edit."""
        around = self.places[self.path[:-1]]
        if self.path in self.places:
            return self._replace(self.places[self.path], around, value)
        whole = [value] if around.is_list else {self.path[-1]: value}
        if not around.is_flow:
            return self._append(around, entries(whole, " " * around.column))
        if not around.size and len(self.path) > 1:
            return _Edit(self.text, self.places, self.path[:-1]).to(whole)
        return self._spliced(around.end - 1, around.end - 1, (", " if around.size else "") + flow(whole)[1:-1])

    def _replace(self, old: Place, around: Place, value: Any) -> str:
        if around.is_flow:
            return self._spliced(old.start, old.end, flow(value), after=":")
        indent = " " * around.column
        lead, whole = ("-", [value]) if around.is_list else ("key:", {"key": value})
        first, *rest = entries(whole, indent)
        first = first.removeprefix(indent + lead)
        start = self.text.rindex("-", 0, old.start) if old.key_end is None else self.text.index(":", old.key_end)
        if not rest and "\n" not in self.text[start : old.start]:
            return self._spliced(old.start, old.end, first.strip(" "), after=":-")
        return self._spliced(start + 1, old.end, self._newline().join((first, *rest)))

    def _append(self, around: Place, lines: list[str]) -> str:
        """The lines below the last line of a block collection."""
        end = self.text.find("\n", around.end) + 1 or len(self.text)
        head = self.text[:end]
        if not head.endswith("\n"):
            head += self._newline()
        return head + "".join(line + self._newline() for line in lines) + self.text[end:]

    def _spliced(self, start: int, end: int, new: str, *, after: str = "") -> str:
        """`new` between `start` and `end`, kept apart by a space from a mark that stands right before it."""
        gap = " " if self.text[start - 1] in after else ""
        return f"{self.text[:start]}{gap}{new}{self.text[end:]}"

    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"
