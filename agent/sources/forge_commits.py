"""Commits as forges list them: GitHub's and GitLab's REST interfaces, `gh pr view --json`, and the pushes of both
(Intent Changesets 11.1).

A push names a commit's author but neither its committer nor its parents; what is not told stays empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from agent.errors import InputFailure
from agent.sources import fields
from agent.sources.fields import Item
from guardrails.evidence.commits import RawCommit

_CUT: Final = "…"
"""GitHub ends a headline with it that it has cut, and begins the body with it."""


def read(items: Iterable[Item], where: str) -> tuple[RawCommit, ...]:
    """The commits of a list, in its order.

    Raises:
        InputFailure: one has no known shape, or something of another type stands in it.
    """
    return tuple(_commit(item, f"{where}[{place}]") for place, item in enumerate(items))


def _commit(item: Item, where: str) -> RawCommit:
    for shape in _SHAPES:
        if all(mark in item for mark in shape.marks):
            return shape.read(item, where)
    raise InputFailure("this is no commit of a known shape", where=where, cure="hand over what the forge wrote")


def _github_rest(item: Item, where: str) -> RawCommit:
    commit = fields.mapping(item, "commit", where)
    parents = [_name(parent, "sha", where) for parent in fields.mappings(item, "parents", where)]
    author, committer = (fields.mapping(commit, who, where) for who in ("author", "committer"))
    return _raw(
        (_name(item, "sha", where), *parents),
        _person(author, "name", "email", where),
        _person(committer, "name", "email", where),
        (fields.text(author, "date", where), fields.text(committer, "date", where)),
        fields.text(commit, "message", where),
    )


def _github_cli(item: Item, where: str) -> RawCommit:
    head, body = fields.text(item, "messageHeadline", where), fields.text(item, "messageBody", where)
    if head.endswith(_CUT) and body.startswith(_CUT):
        message = head.removesuffix(_CUT) + body.removeprefix(_CUT)
    else:
        message = f"{head}\n\n{body}" if body else head
    author = next(iter(fields.mappings(item, "authors", where)), {})
    dates = fields.text(item, "authoredDate", where), fields.text(item, "committedDate", where)
    return _raw((_name(item, "oid", where),), _person(author, "name", "email", where), _NOBODY, dates, message)


def _gitlab_rest(item: Item, where: str) -> RawCommit:
    parents = item.get("parent_ids") or []
    if not isinstance(parents, list):
        raise InputFailure("got no list under 'parent_ids'", where=where)
    return _raw(
        (_name(item, "id", where), *(_name({"id": parent}, "id", where) for parent in parents)),
        _person(item, "author_name", "author_email", where),
        _person(item, "committer_name", "committer_email", where),
        (fields.text(item, "authored_date", where), fields.text(item, "committed_date", where)),
        fields.text(item, "message", where),
    )


def _pushed(item: Item, where: str) -> RawCommit:
    author, committer = (fields.mapping(item, who, where) for who in ("author", "committer"))
    date = fields.text(item, "timestamp", where)
    return _raw(
        (_name(item, "id", where),),
        _person(author, "name", "email", where),
        _person(committer, "name", "email", where),
        (date, date),
        fields.text(item, "message", where),
    )


_NOBODY: Final = (b"", b"")


def _raw(
    names: tuple[str, ...], author: tuple[bytes, bytes], committer: tuple[bytes, bytes], dates: tuple[str, str], message: str
) -> RawCommit:
    return RawCommit(names[0], names[1:], author, dates[0], committer, dates[1], "", message.encode())


def _name(item: Item, key: str, where: str) -> str:
    name = fields.object_name(item, key, where)
    if name is None:
        raise InputFailure(f"got no object name under {key!r}", where=where, cure="hand over what the forge wrote")
    return name


def _person(item: Item, name: str, address: str, where: str) -> tuple[bytes, bytes]:
    return fields.text(item, name, where).encode(), fields.text(item, address, where).encode()


class _Shape(NamedTuple):
    """The keys that mark one shape, and how it is read."""

    marks: tuple[str, ...]
    read: Callable[[Item, str], RawCommit]


_SHAPES: Final = (
    _Shape(("sha", "commit"), _github_rest),
    _Shape(("oid", "messageHeadline"), _github_cli),
    _Shape(("id", "author_name"), _gitlab_rest),
    _Shape(("id", "message"), _pushed),
)
