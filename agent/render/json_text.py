"""A document as JSON that people read, too (evidraft design 2)."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from guardrails.redaction.neutralise import neutralise

_PIECE: Final = 1 << 16
"""Characters of a piece, about: more are there at once only where one text in a document has more."""


def json_text(document: object) -> str:
    """A document as indented JSON, ending in a line break; characters that nobody sees are escaped, so that all are seen."""
    return "".join(json_pieces(document))


def json_pieces(document: object) -> Iterator[str]:
    """The same, piece by piece: a list of all tokens, which `dumps` makes, takes several times as much as the text."""
    piece = io.StringIO()
    for token in json.JSONEncoder(ensure_ascii=False, indent=2).iterencode(document):
        if piece.tell() >= _PIECE:
            yield _seen(piece)
            piece = io.StringIO()
        piece.write(token)
    piece.write("\n")
    yield _seen(piece)


def _seen(piece: io.StringIO) -> str:
    """A piece of whole tokens: what is hidden in a text may need the character before it, never one of another token."""
    return neutralise(piece.getvalue(), by=_escaped)


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
