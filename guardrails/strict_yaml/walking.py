"""Walking through a text for the place of each of its values (Intent Changesets 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from ruamel.yaml.events import AliasEvent, MappingEndEvent, MappingStartEvent, ScalarEvent, SequenceEndEvent, SequenceStartEvent

from guardrails.strict_yaml.core_schema import resolve
from guardrails.strict_yaml.parsing import Events
from guardrails.strict_yaml.places import Path, Place


@dataclass(slots=True)
class _Open:
    """A collection that has not ended, and in a mapping the key whose value comes next; none is known between two entries."""

    path: Path
    place: Place
    key: Any = None
    key_line: int = 0
    key_end: int | None = None


def places(text: str) -> dict[Path, Place]:
    """Every value of `text`, a document that `read` has let through."""
    return dict(_walk(Events(text), text))


_STARTS: Final = (ScalarEvent, AliasEvent, MappingStartEvent, SequenceStartEvent)
_ENDS: Final = (MappingEndEvent, SequenceEndEvent)


def _walk(events: Events, text: str) -> Iterator[tuple[Path, Place]]:
    open_: list[_Open] = []
    for event in events:
        kind = type(event)
        if kind in _ENDS:
            closed = open_.pop().place
            if closed.is_flow:
                closed.end = event.end_mark.index
            if open_:
                open_[-1].place.end = closed.end
        if kind not in _STARTS:
            continue
        around = open_[-1] if open_ else None
        if around and not around.place.is_list and around.key_end is None:
            around.key = None if kind is AliasEvent else _key(event, events.original(event.value))
            around.key_line, around.key_end = event.start_mark.line + 1, event.end_mark.index
            continue
        path, place = _enter(event, around, text)
        if kind in (MappingStartEvent, SequenceStartEvent):
            place.is_flow, place.is_list = bool(event.flow_style), kind is SequenceStartEvent
            open_.append(_Open(path, place))
        yield path, place


def _key(event: Any, written: str) -> Any:
    return resolve(written) if event.implicit[0] else written


def _enter(event: Any, around: _Open | None, text: str) -> tuple[Path, Place]:
    """The path and place of the value that begins with `event`."""
    start, end = event.start_mark, event.end_mark.index
    while end > start.index and text[end - 1] in "\r\n":
        end -= 1
    if around is None:
        return (), Place(start.line + 1, start.index, end, start.column, None)
    step = around.place.size if around.place.is_list else around.key
    line = start.line + 1 if around.place.is_list else around.key_line
    place = Place(line, start.index, end, start.column, around.key_end)
    around.place.size += 1
    around.place.end = end
    around.key_end = None
    return (*around.path, step), place
