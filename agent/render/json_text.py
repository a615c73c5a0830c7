"""A document as JSON that people read, too (evidraft design 2)."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from typing import Any

from guardrails.redaction.neutralise import neutralise


def json_text(document: object) -> str:
    """A document as indented JSON, ending in a line break; characters that nobody sees are escaped, so that all are seen."""
    text = io.StringIO()
    # A list of all pieces, which `dumps` makes, would take several times as much as the text.
    text.writelines(json.JSONEncoder(ensure_ascii=False, indent=2).iterencode(document))
    text.write("\n")
    return neutralise(text.getvalue(), by=_escaped)


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
