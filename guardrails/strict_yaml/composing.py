"""Parser events to plain Python values, each of which is let in or told by its line (Intent Changesets 5 and 12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
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
from guardrails.strict_yaml.parsing import Events

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


def compose(text: str, bounds: Bounds, *, pure: bool) -> Any:
    """The value of exactly one document; `pure` leaves the C parser aside.

    Raises:
        YamlFault: the text is not one strict YAML 1.2 document within `bounds`.
    """
    return _Composer(Events(text, pure=pure), bounds).compose()


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
