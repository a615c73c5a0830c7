"""Issues, pull requests and decisions in each shape that is known, one reader a shape (Intent Changesets 6.7, 11.1).

Known are what `gh issue view --json` and `gh pr view --json` print, GitHub's and GitLab's REST answers and webhooks, and
mappings with our own words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from agent.errors import InputFailure
from agent.render import own_section
from agent.sources import fields
from agent.sources.fields import Item
from guardrails.evidence.model import DocumentKind


class Facts(NamedTuple):
    """What one shape says, in the words and the order of `Document`."""

    kind: DocumentKind
    key: str
    url: str
    title: str
    body: str
    labels: tuple[str, ...] = ()
    author: str = ""
    closes: tuple[str, ...] = ()


def facts(item: Item, where: str) -> Facts:
    """What the one shape that fits says.

    Raises:
        InputFailure: no shape fits, or something of another type stands in it.
    """
    for shape in _SHAPES:
        if all(mark in item for mark in shape.marks):
            return shape.read(item, where)
    raise unknown(where)


def unknown(where: str) -> InputFailure:
    """What is said of something that has none of the shapes."""
    return InputFailure(
        "this is no issue, pull request or decision of a known shape",
        where=where,
        cure=f"known are Markdown, and JSON or YAML of {', '.join(shape.name for shape in _SHAPES)}, alone or in a list",
    )


def plain(item: Item, where: str) -> Facts:
    """A mapping with our own words."""
    word = fields.text(item, "kind", where)
    if word not in _KINDS:
        raise InputFailure(f"got kind {word[:40]!r}, expected one of {', '.join(_KINDS)}", where=where)
    key, url = fields.text(item, "key", where), fields.text(item, "url", where)
    return Facts(_KINDS[word], key, url, *_content(item, "body", "author", where))


def gitlab(item: Item, where: str) -> Facts:
    """An issue or a merge request of GitLab's REST interface, or the attributes of one in a webhook."""
    url = fields.text(item, "web_url", where) or fields.text(item, "url", where)
    is_request = "source_branch" in item or "/merge_requests/" in url
    kind, sign = (DocumentKind.PULL_REQUEST, "!") if is_request else (DocumentKind.ISSUE, "#")
    return Facts(kind, f"{sign}{fields.number(item, 'iid', where)}", url, *_content(item, "description", "author", where))


def github_rest(item: Item, where: str) -> Facts:
    """An issue or a pull request of GitHub's REST interface or its webhooks."""
    url = fields.text(item, "html_url", where)
    is_request = "/pull/" in url or "pull_request" in item
    kind = DocumentKind.PULL_REQUEST if is_request else DocumentKind.ISSUE
    return Facts(kind, f"#{fields.number(item, 'number', where)}", url, *_content(item, "body", "user", where))


def github_cli(item: Item, where: str) -> Facts:
    """What GitHub's own command line prints as JSON."""
    url = fields.text(item, "url", where)
    if "/pull/" in url or not REQUEST_KEYS.isdisjoint(item):
        kind = DocumentKind.PULL_REQUEST
    elif "/issues/" in url:
        kind = DocumentKind.ISSUE
    else:
        raise InputFailure("this may be an issue or a pull request", where=where, cure="export it with its `url` as well")
    return Facts(kind, f"#{fields.number(item, 'number', where)}", url, *_content(item, "body", "author", where))


def _content(item: Item, body: str, author: str, where: str) -> tuple[str, str, tuple[str, ...], str]:
    """Title, body without what is ours, labels and author; only the title is required."""
    title = fields.text(item, "title", where).strip()
    if not title:
        raise InputFailure("got no title", where=where, cure="export it with its `title` as well")
    who = fields.named(item.get(author), "login", "username", "name")
    return title, own_section.without(fields.text(item, body, where)), _labels(item, where), who


def _labels(item: Item, where: str) -> tuple[str, ...]:
    value = item.get("labels") or []
    if not isinstance(value, list):
        raise InputFailure("got no list under 'labels'", where=where)
    return tuple(label for entry in value if (label := fields.named(entry, "name", "title")))


@dataclass(frozen=True, slots=True)
class _Shape:
    """One known shape: the keys that mark it, and how it is read."""

    name: str
    marks: tuple[str, ...]
    read: Callable[[Item, str], Facts]


_SHAPES: Final = (
    _Shape("our own words (kind, title, key, url, body, labels, author)", ("kind", "title"), plain),
    _Shape("GitLab's REST interface (iid, title, web_url)", ("iid", "title"), gitlab),
    _Shape("GitHub's REST interface (number, title, html_url)", ("number", "title", "html_url"), github_rest),
    _Shape("`gh issue view --json` or `gh pr view --json` (number, title, url, body)", ("number", "title"), github_cli),
)
_KINDS: Final = {kind.word: kind for kind in DocumentKind if kind is not DocumentKind.REVIEW}
REQUEST_KEYS: Final = frozenset({"baseRefName", "headRefName", "headRefOid", "isDraft", "mergeCommit", "mergedAt"})
"""What only a pull request has among the words of GitHub's command line."""
