"""Editing a document in place: every byte outside the edited values stays, so unknown fields, comments and order do too
(Intent Changesets 5).

Edits that do not lean on each other are made in one round, so that the document is gone through once for very many of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from guardrails.strict_yaml.decoding import decode, encoding_of
from guardrails.strict_yaml.faults import YAML_REWRITE, Bounds, YamlFault
from guardrails.strict_yaml.places import Path, Place
from guardrails.strict_yaml.reader import read
from guardrails.strict_yaml.writer import entries, flow


def rewrite(data: bytes, edits: Mapping[Path, Any]) -> bytes:
    """`data` with the value at each path of `edits` set; a new key, or the position one past a list's end, appends.

    Raises:
        YamlFault: `data` is no strict document, a path leads nowhere, or the result would say anything else than intended.
    """
    intended = read(data).value
    mark, encoding = encoding_of(data)
    text = decode(data, Bounds())
    newline = "\r\n" if "\r\n" in text else "\n"
    try:
        waiting = [(path, _plain(value)) for path, value in edits.items()]
        for path, value in edits.items():
            _set(intended, path, _plain(value))
        while waiting:
            from guardrails.strict_yaml.walking import places  # noqa: PLC0415 - parsers take their time to load

            one = _Round(text, places(text), newline)
            waiting = one.take(waiting)
            text = one.done()
        result = mark + text.encode(encoding)
    except (LookupError, TypeError, ValueError) as error:
        raise YamlFault(YAML_REWRITE.at("", f"got {type(error).__name__} while editing")) from None
    if repr(read(result).value) != repr(intended):
        raise YamlFault(YAML_REWRITE.at("", "got a document that says something else than intended"))
    return result


def _plain(value: Any) -> Any:
    """The value as `read` would give it back: mappings, lists and texts of any kind become plain ones."""
    if isinstance(value, Mapping):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, str):
        return str(value)
    return [_plain(item) for item in value] if isinstance(value, Sequence) and not isinstance(value, bytes) else value


def _set(tree: Any, path: Path, value: Any) -> None:
    *around, last = path
    for step in around:
        tree = tree[step]
    if isinstance(tree, list) and last == len(tree):
        tree.append(value)
    else:
        tree[last] = value


class _Splice(NamedTuple):
    """New text in the place of what stands between `start` and `end`; `depth` is negative, so that of two that begin alike the
    deeper comes first. `is_lines` when it has to begin a line.
    """

    start: int
    end: int
    depth: int
    new: str
    is_lines: bool = False


@dataclass(slots=True)
class _Round:
    """Edits of one text that all go by the places of that text."""

    text: str
    places: Mapping[Path, Place]
    newline: str
    _replaced: dict[Path, _Splice] = field(default_factory=dict)
    _added: dict[Path, dict[Any, Any]] = field(default_factory=dict)
    _around: set[Path] = field(default_factory=set)

    def take(self, waiting: list[tuple[Path, Any]]) -> list[tuple[Path, Any]]:
        """Take edits in their order up to the first that leans on an earlier one; that and the rest wait for another round."""
        for number, (path, value) in enumerate(waiting):
            is_inside = any(path[:length] in self._replaced for length in range(1, len(path) + 1))
            is_inside = is_inside or path[-1] in self._added.get(path[:-1], ()) or (number > 0 and path[:-1] not in self.places)
            if is_inside or path in self._around:
                return waiting[number:]
            self._around.update(path[:length] for length in range(1, len(path)))
            if path in self.places:
                self._replaced[path] = self._replacing(path, value)
            else:
                self._added.setdefault(path[:-1], {})[path[-1]] = value
        return []

    def done(self) -> str:
        """The text after the edits."""
        pieces: list[str] = []
        at = 0
        for splice in sorted((*self._replaced.values(), *(self._adding(*added) for added in self._added.items()))):
            pieces.append(self.text[at : splice.start])
            last = next((piece[-1] for piece in reversed(pieces) if piece), "\n")
            pieces += (self.newline if splice.is_lines and last != "\n" else "", splice.new)
            at = splice.end
        return "".join((*pieces, self.text[at:]))

    def _adding(self, path: Path, new: Mapping[Any, Any]) -> _Splice:
        """New values at the end of the collection at `path`."""
        around = self.places[path]
        whole = list(new.values()) if around.is_list else new
        if not around.is_flow:
            end = self.text.find("\n", around.end) + 1 or len(self.text)
            lines = entries(whole, " " * around.column)
            return _Splice(end, end, -len(path), "".join(line + self.newline for line in lines), is_lines=True)
        if not around.size and path:
            return self._replacing(path, whole)
        return _Splice(around.end - 1, around.end - 1, -len(path), (", " if around.size else "") + flow(whole)[1:-1])

    def _replacing(self, path: Path, value: Any) -> _Splice:
        """Another value at `path`; of one that takes several lines, the remark behind the old one stays on the first."""
        old, around = self.places[path], self.places[path[:-1]]
        if around.is_flow:
            return self._spliced(path, old.start, flow(value), after=":")
        indent = " " * around.column
        lead, whole = ("-", [value]) if around.is_list else ("key:", {"key": value})
        first, *rest = entries(whole, indent)
        first = first.removeprefix(indent + lead)
        start = self.text.rindex("-", 0, old.start) if old.key_end is None else self.text.index(":", old.key_end)
        if not rest and "\n" not in self.text[start : old.start]:
            return self._spliced(path, old.start, first.strip(" "), after=":-")
        line_end = self.text.find("\n", old.end)
        remark = self.text[old.end : line_end if line_end >= 0 else None].removesuffix("\r")
        return _Splice(start + 1, old.end + len(remark), -len(path), self.newline.join((first + remark, *rest)))

    def _spliced(self, path: Path, start: int, new: str, *, after: str = "") -> _Splice:
        """`new` from `start` to the end of what is at `path`, kept apart by a space from a mark that stands right before it."""
        gap = " " if self.text[start - 1] in after else ""
        return _Splice(start, self.places[path].end, -len(path), gap + new)
