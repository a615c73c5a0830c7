"""Issues, pull requests and decisions out of files that a person hands over as evidence (Intent Changesets 6.7, 11.1).

Known are what `gh issue view --json` and `gh pr view --json` print, GitHub's and GitLab's REST answers, mappings with our own
words (`kind`, `key`, `url`, `title`, `body`, `labels`, `author`), lists of all these, and Markdown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from agent.errors import InputFailure
from agent.sources import inputs, markdown
from guardrails.digests import sha256
from guardrails.evidence.model import Document, DocumentKind

MAX_DOCUMENTS: Final = 1_000
_FROM_ONE: Final[Mapping[str, int]] = MappingProxyType(dict.fromkeys(DocumentKind, 1))

_Item: TypeAlias = Mapping[str, Any]


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
        facts = _facts(item, where)
        letter = facts.kind.value
        documents.append(Document(f"{letter}{next(numbers[letter])}", f"file:{where}", digest, *facts))
    return tuple(documents)


class _Facts(NamedTuple):
    """What one shape says, in the words and the order of `Document`."""

    kind: DocumentKind
    key: str
    url: str
    title: str
    body: str
    labels: tuple[str, ...]
    author: str


def _items(data: bytes, name: str) -> Iterator[tuple[str, _Item]]:
    """Each mapping that the file holds, and where it stands."""
    value = _value(data, name)
    if isinstance(value, dict):
        yield name, value
        return
    if not isinstance(value, list) or not value:
        raise _unknown_shape(name)
    if len(value) > MAX_DOCUMENTS:
        raise InputFailure(f"got {len(value)} documents, at most {MAX_DOCUMENTS} are read", where=name)
    for position, item in enumerate(value, 1):
        where = f"{name}#{position}"
        if not isinstance(item, dict):
            raise _unknown_shape(where)
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


def _facts(item: _Item, where: str) -> _Facts:
    for shape in _SHAPES:
        if all(mark in item for mark in shape.marks):
            return shape.read(item, where)
    raise _unknown_shape(where)


def _plain(item: _Item, where: str) -> _Facts:
    word = _text(item, "kind", where)
    if word not in _KINDS:
        raise InputFailure(f"got kind {word[:40]!r}, expected one of {', '.join(_KINDS)}", where=where)
    url = _text(item, "url", where)
    return _Facts(_KINDS[word], _text(item, "key", where), url, *_content(item, "body", "author", where))


def _gitlab(item: _Item, where: str) -> _Facts:
    url = _text(item, "web_url", where)
    is_request = "source_branch" in item or "/merge_requests/" in url
    kind, sign = (DocumentKind.PULL_REQUEST, "!") if is_request else (DocumentKind.ISSUE, "#")
    return _Facts(kind, f"{sign}{_number(item, 'iid', where)}", url, *_content(item, "description", "author", where))


def _github_rest(item: _Item, where: str) -> _Facts:
    url = _text(item, "html_url", where)
    is_request = "/pull/" in url or "pull_request" in item
    kind = DocumentKind.PULL_REQUEST if is_request else DocumentKind.ISSUE
    return _Facts(kind, f"#{_number(item, 'number', where)}", url, *_content(item, "body", "user", where))


def _github_cli(item: _Item, where: str) -> _Facts:
    url = _text(item, "url", where)
    if "/pull/" in url or not _PULL_REQUEST_KEYS.isdisjoint(item):
        kind = DocumentKind.PULL_REQUEST
    elif "/issues/" in url:
        kind = DocumentKind.ISSUE
    else:
        raise InputFailure("this may be an issue or a pull request", where=where, cure="export it with its `url` as well")
    return _Facts(kind, f"#{_number(item, 'number', where)}", url, *_content(item, "body", "author", where))


def _content(item: _Item, body: str, author: str, where: str) -> tuple[str, str, tuple[str, ...], str]:
    """Title, body, labels and author; only the title is required."""
    title = _text(item, "title", where).strip()
    if not title:
        raise InputFailure("got no title", where=where, cure="export it with its `title` as well")
    return title, _text(item, body, where), _labels(item, where), _named(item.get(author), ("login", "username", "name"))


def _text(item: _Item, key: str, where: str) -> str:
    value = item.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InputFailure(f"got {type(value).__name__} under {key!r}, expected text", where=where)
    return value


def _number(item: _Item, key: str, where: str) -> int:
    value = item[key]
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InputFailure(f"got no number under {key!r}", where=where)
    return value


def _labels(item: _Item, where: str) -> tuple[str, ...]:
    value = item.get("labels") or []
    if not isinstance(value, list):
        raise InputFailure("got no list under 'labels'", where=where)
    return tuple(label for entry in value if (label := _named(entry, ("name",))))


def _named(value: object, keys: tuple[str, ...]) -> str:
    """A name that stands as text or under one of `keys` of a mapping; "" when there is none."""
    candidates = [value.get(key) for key in keys] if isinstance(value, dict) else [value]
    return next((name for name in candidates if isinstance(name, str) and name), "")


def _unknown_shape(where: str) -> InputFailure:
    return InputFailure(
        "this is no issue, pull request or decision of a known shape",
        where=where,
        cure=f"known are Markdown, and JSON or YAML of {', '.join(shape.name for shape in _SHAPES)}, alone or in a list",
    )


@dataclass(frozen=True, slots=True)
class _Shape:
    """One known shape: the keys that mark it, and how it is read."""

    name: str
    marks: tuple[str, ...]
    read: Callable[[_Item, str], _Facts]


_SHAPES: Final = (
    _Shape("our own words (kind, title, key, url, body, labels, author)", ("kind", "title"), _plain),
    _Shape("GitLab's REST interface (iid, title, web_url)", ("iid", "title"), _gitlab),
    _Shape("GitHub's REST interface (number, title, html_url)", ("number", "title", "html_url"), _github_rest),
    _Shape("`gh issue view --json` or `gh pr view --json` (number, title, url, body)", ("number", "title"), _github_cli),
)
_KINDS: Final = {kind.word: kind for kind in DocumentKind}
_PULL_REQUEST_KEYS: Final = frozenset({"baseRefName", "headRefName", "headRefOid", "isDraft", "mergeCommit", "mergedAt"})
