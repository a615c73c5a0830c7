"""A document as JSON that people read, too (evidraft design 2)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from guardrails.indented_json import indented
from guardrails.redaction.neutralise import neutralise

_PIECE: Final = 1 << 16
"""Characters of a piece, about: more are there at once only where one text in a document has more."""


def json_text(document: object) -> str:
    """A document as indented JSON, ending in a line break; characters that nobody sees are escaped, so that all are seen."""
    return "".join(json_pieces(document))


def json_pieces(document: object) -> Iterator[str]:
    """The same piece by piece: a whole record of a long range is large."""
    held, size = list[str](), 0
    for token in indented(document):
        held.append(token)
        size += len(token)
        if size >= _PIECE:
            yield _seen(held)
            held, size = [], 0
    yield _seen([*held, "\n"])


def _seen(tokens: list[str]) -> str:
    """A piece of whole tokens: what is hidden in a text may need the character before it, never one of another token."""
    return neutralise("".join(tokens), by=_escaped)


class Listed(list[object]):
    """A list for `json_text` whose entries are made while it is written: all of them at once may be large."""

    def __init__(self, entries: Callable[[], Iterator[object]]) -> None:
        """What `entries` gives, each time anew; there is at least one."""
        super().__init__((None,))
        self._entries = entries

    def __iter__(self) -> Iterator[object]:
        return self._entries()


class Named(dict[str, object]):
    """A mapping for `json_text` whose values are made while it is written, as those of `Listed`."""

    def __init__(self, entries: Callable[[], Iterator[tuple[str, object]]]) -> None:
        """What `entries` gives, each time anew; there is at least one."""
        super().__init__({"": None})
        self._entries = entries

    def items(self) -> Any:
        """Names and values."""
        return self._entries()


def _escaped(text: str) -> str:
    return json.dumps(text)[1:-1]
