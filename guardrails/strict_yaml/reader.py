"""One YAML document to plain Python values, strictly: no duplicate keys, merge keys or custom tags; anchors and aliases only
where a caller lets them in, and then within bounds (Intent Changesets 5 and 12, Change Contracts).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from guardrails.findings import Code
from guardrails.strict_yaml import plain_style
from guardrails.strict_yaml.core_schema import MAPPING_TAGS, SEQUENCE_TAGS, Scalar, resolve, resolve_tagged
from guardrails.strict_yaml.faults import (
    YAML_ALIAS,
    YAML_ANCHOR,
    YAML_BOUND,
    YAML_DUPLICATE_KEY,
    YAML_KEY,
    YAML_MERGE_KEY,
    YAML_NO_DOCUMENT,
    YAML_SEVERAL_DOCUMENTS,
    YAML_TAG,
    Bounds,
    YamlFault,
)
from guardrails.strict_yaml.parsing import Events, decode
from guardrails.strict_yaml.places import Path, Place, places

_BOUNDS: Final = Bounds()
_NO_KEY: Final[Any] = object()
_BAD_TAG: Final = "got a tag that is outside the Core Schema or does not fit its value"


@dataclass(frozen=True, slots=True)
class _Anchored:
    """A value with a name: how many keys and values it holds, and how often each other one is repeated in it."""

    value: Any
    nodes: int
    repeated: Counter[str]


@dataclass(frozen=True, slots=True)
class _Named:
    """A collection with a name that has not ended: how deep it is, and what was counted when it began."""

    anchor: str
    depth: int
    nodes: int
    repeated: Counter[str]


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
    return Document(data, _Composer(Events(text, pure=pure), bounds).compose())


class _Composer:
    """Builds values out of events; `open` holds the collections that have not ended, innermost last."""

    def __init__(self, events: Events, bounds: Bounds) -> None:
        self.events: Final = events
        self.bounds: Final = bounds
        self.open: Final[list[dict[Any, Any] | list[Any]]] = []
        self.keys: Final[list[Any]] = []
        self.anchors: Final[dict[str, _Anchored]] = {}
        self.named: Final[list[_Named]] = []
        self.repeated: Counter[str] = Counter()
        self.nodes = 0
        self.root: Any = _NO_KEY
        self.documents = 0

    def compose(self) -> Any:
        handlers: dict[type, Callable[[Any], None]] = {
            ScalarEvent: self.scalar,
            MappingStartEvent: self.begin_mapping,
            SequenceStartEvent: self.begin_sequence,
            MappingEndEvent: self.end,
            SequenceEndEvent: self.end,
            AliasEvent: self.alias,
            DocumentStartEvent: self.document,
        }
        for event in self.events:
            if handler := handlers.get(type(event)):
                handler(event)
        if not self.documents:
            raise YamlFault(YAML_NO_DOCUMENT.at("", "got no document, expected one"))
        return self.root

    def refuse(self, code: Code, event: Any, message: str) -> YamlFault:
        return YamlFault(code.at("", message, line=event.start_mark.line + 1))

    def document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            raise self.refuse(YAML_SEVERAL_DOCUMENTS, event, "got a second document, expected one")

    def alias(self, event: Any) -> None:
        """Repeat what has this name, unless that is too often or too much; what has not ended yet has no name."""
        if not self.bounds.aliases:
            raise self.refuse(YAML_ALIAS, event, "got an alias, expected the value itself")
        anchored = self.anchors.get(event.anchor)
        if anchored is None:
            raise self.refuse(YAML_ALIAS, event, "got an alias of a value that is not there before it")
        self.repeated.update({event.anchor: 1})
        self.repeated.update(anchored.repeated)
        if max(self.repeated[name] for name in (event.anchor, *anchored.repeated)) > self.bounds.aliases:
            raise self.refuse(YAML_ALIAS, event, f"got a value more than {self.bounds.aliases} times by alias")
        if self.wants_key() and isinstance(anchored.value, dict | list):
            raise self.refuse(YAML_KEY, event, "got a list or mapping as key, expected a text")
        self.count(event, anchored.nodes)
        self.place(event, anchored.value)

    def scalar(self, event: Any) -> None:
        self.count(event)
        text: str = event.value
        if len(text) > self.bounds.scalar:
            raise self.refuse(YAML_BOUND, event, f"got a text of {len(text)} characters, expected at most {self.bounds.scalar}")
        value = self.meant(event, self.events.original(text))
        self.place(event, value)
        if event.anchor is not None:
            self.anchors[event.anchor] = _Anchored(value, 1, Counter())

    def meant(self, event: Any, text: str) -> Scalar:
        if event.tag is not None:
            return self.tagged(event, text)
        if not event.implicit[0]:
            return text
        if text == "<<" and self.wants_key():
            raise self.refuse(YAML_MERGE_KEY, event, "got a merge key")
        return resolve(text)

    def tagged(self, event: Any, value: str) -> Scalar:
        try:
            return resolve_tagged(event.tag, value)
        except ValueError:
            raise self.refuse(YAML_TAG, event, _BAD_TAG) from None

    def begin_mapping(self, event: Any) -> None:
        self.begin(event, {}, MAPPING_TAGS)

    def begin_sequence(self, event: Any) -> None:
        self.begin(event, [], SEQUENCE_TAGS)

    def begin(self, event: Any, collection: dict[Any, Any] | list[Any], tags: frozenset[str | None]) -> None:
        self.count(event)
        if event.tag not in tags:
            raise self.refuse(YAML_TAG, event, _BAD_TAG)
        if self.wants_key():
            raise self.refuse(YAML_KEY, event, "got a list or mapping as key, expected a text")
        if len(self.open) >= self.bounds.depth:
            raise self.refuse(YAML_BOUND, event, f"got more than {self.bounds.depth} levels of nesting")
        self.place(event, collection)
        self.open.append(collection)
        self.keys.append(_NO_KEY)
        if event.anchor is not None:
            self.named.append(_Named(event.anchor, len(self.open), self.nodes, self.repeated.copy()))

    def end(self, _: Any) -> None:
        if self.named and self.named[-1].depth == len(self.open):
            one = self.named.pop()
            inside = self.repeated - one.repeated
            self.anchors[one.anchor] = _Anchored(self.open[-1], self.nodes - one.nodes + 1, inside)
        self.open.pop()
        self.keys.pop()

    def count(self, event: Any, nodes: int = 1) -> None:
        self.nodes += nodes
        if self.nodes > self.bounds.nodes:
            raise self.refuse(YAML_BOUND, event, f"got more than {self.bounds.nodes} keys and values")
        if event.anchor is not None and not self.bounds.aliases:
            raise self.refuse(YAML_ANCHOR, event, "got an anchor")

    def wants_key(self) -> bool:
        return bool(self.open) and self.keys[-1] is _NO_KEY and isinstance(self.open[-1], dict)

    def place(self, event: Any, value: Any) -> None:
        """Put a value where it belongs: the root, a list, a mapping's next key, or that key's value."""
        if not self.open:
            self.root = value
            return
        collection = self.open[-1]
        if isinstance(collection, list):
            collection.append(value)
        elif self.keys[-1] is _NO_KEY:
            if value in collection:
                raise self.refuse(YAML_DUPLICATE_KEY, event, f"got the key {str(value)[:60]!r} twice")
            self.keys[-1] = value
            collection[value] = None
        else:
            collection[self.keys[-1]] = value
            self.keys[-1] = _NO_KEY
        if len(collection) > self.bounds.items:
            raise self.refuse(YAML_BOUND, event, f"got more than {self.bounds.items} items in one list or mapping")
