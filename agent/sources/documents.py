"""Issues, pull requests and decisions out of files that a person hands over as evidence (Intent Changesets 6.7, 11.1).

Known are Markdown, and JSON or YAML of the shapes in `agent.sources.shapes`, one or a list of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, Final

from agent.errors import InputFailure
from agent.sources import inputs, markdown, shapes
from agent.sources.fields import Item
from guardrails.digests import sha256
from guardrails.evidence.model import Document, DocumentKind

MAX_DOCUMENTS: Final = 1_000
_FROM_ONE: Final[Mapping[str, int]] = MappingProxyType(dict.fromkeys(DocumentKind, 1))


def read(data: bytes, name: str, start: Mapping[str, int] = _FROM_ONE) -> tuple[Document, ...]:
    """The documents in one file; `name` is how the person called it, `start` the first free number of each id letter.

    Each has the digest of the file's exact bytes. Comments and reviews in exports are left out: they decide nothing.

    Raises:
        InputFailure: the file is empty, too large, malformed, or of no known shape.
    """
    if len(data) > inputs.MAX_BYTES:
        raise InputFailure(f"this is larger than {inputs.MAX_BYTES} bytes", where=name)
    if not data.strip():
        raise InputFailure("this is empty", where=name, cure="hand over an issue, a pull request or a decision")
    numbers = {letter: count(first) for letter, first in start.items()}
    digest = sha256(data)
    documents = []
    for where, item in _items(data, name):
        facts = shapes.facts(item, where)
        letter = facts.kind.value
        documents.append(Document(f"{letter}{next(numbers[letter])}", f"file:{where}", digest, *facts))
    return tuple(documents)


def _items(data: bytes, name: str) -> Iterator[tuple[str, Item]]:
    """Each mapping that the file holds, and where it stands."""
    value = _value(data, name)
    if isinstance(value, dict):
        yield name, value
        return
    if not isinstance(value, list) or not value:
        raise shapes.unknown(name)
    if len(value) > MAX_DOCUMENTS:
        raise InputFailure(f"got {len(value)} documents, at most {MAX_DOCUMENTS} are read", where=name)
    for position, item in enumerate(value, 1):
        where = f"{name}#{position}"
        if not isinstance(item, dict):
            raise shapes.unknown(where)
        yield where, item


def _value(data: bytes, name: str) -> Any:
    """The file's content by its suffix; without a telling one, JSON by its first character and else Markdown."""
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in {".yaml", ".yml"}:
        return inputs.parse_yaml(data, name)
    is_markdown = suffix in {".md", ".markdown", ".txt"}
    if suffix == ".json" or (not is_markdown and data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in {b"{", b"["}):
        return inputs.parse_json(data, name)
    return markdown.read(data, name)
