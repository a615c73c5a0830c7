"""What GitLab says of a merge request or a push: webhooks, and REST answers with what stands beside them (Describe Changes:
degraded output).

What project members say among themselves, in internal notes, and what GitLab itself notes down is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agent.errors import InputFailure
from agent.sources import fields, forge_commits, forge_patches, shapes
from agent.sources.fields import Item
from agent.sources.payload_push import push, repository_name
from agent.sources.shapes import Facts
from agent.sources.told import Reading, Telling, Thread
from guardrails.evidence.diff import Patch
from guardrails.evidence.model import DocumentKind, Operation, OperationType
from guardrails.records.closing import qualified

_COUNTED: Final = re.compile(r"(\d{1,9})(\+?)", re.ASCII)
"""How many files a request changes; with a plus where GitLab stopped counting."""
_PLACE: Final = re.compile(
    r"https?://[^/\s]{1,253}/([\w./-]{1,500}?)(?:/-)?/(?:merge_requests|issues|work_items)/\d{1,10}(?!\d)"
)


def webhook(item: Item, reading: Reading) -> Telling:
    """An event that GitLab sends; its `object_kind` says of what.

    Raises:
        InputFailure: it is an event that describes no change.
    """
    kind = fields.text(item, "object_kind", reading.where)
    if kind in {"push", "tag_push"}:
        return push(item, reading)
    if kind == "merge_request":
        attributes = fields.mapping(item, "object_attributes", reading.where)
        return _of_webhook(item, attributes, (), reading)
    note = fields.mapping(item, "object_attributes", reading.where)
    if kind == "note" and item.get("merge_request") is not None:
        author = fields.named(item.get("user"), "username")
        said = {**note, "body": note.get("note", note.get("description")), "author": author}
        return _of_webhook(item, fields.mapping(item, "merge_request", reading.where), (said,), reading)
    raise InputFailure(
        f"an event of kind {kind[:40]!r} describes no change",
        where=reading.where,
        cure="known are merge_request, note on a merge request, push and tag_push",
    )


def merge_request(item: Item, reading: Reading) -> Telling:
    """A mapping of ours: a REST `merge_request` with `diffs`, `commits`, `discussions` and `issues` beside it."""
    return _telling(fields.mapping(item, "merge_request", reading.where), item, reading)


def bare(item: Item, reading: Reading) -> Telling:
    """What the REST interface answers for one merge request, with its `changes` or without."""
    return _telling(item, {"diffs": item.get("changes")}, reading)


def _of_webhook(item: Item, attributes: Item, notes: tuple[Item, ...], reading: Reading) -> Telling:
    """The attributes of a webhook as the REST interface would tell them; its user acted, and is the author only by number."""
    user = fields.mapping(item, "user", reading.where)
    last, project = (fields.mapping(attributes, key, reading.where) for key in ("last_commit", "target"))
    project = project or fields.mapping(item, "project", reading.where)
    is_author = user.get("id") is not None and user.get("id") == attributes.get("author_id")
    home = fields.text(project, "web_url", reading.where)
    told = {
        **attributes,
        "url": attributes.get("url") or (home and f"{home}/-/merge_requests/{attributes.get('iid')}"),
        "labels": attributes.get("labels") or item.get("labels"),
        "author": user if is_author else None,
        "sha": last.get("id"),
        "project": repository_name(project, reading.where, "path_with_namespace"),
    }
    return _telling(told, {"notes": list(notes)}, reading)


def _telling(request: Item, item: Item, reading: Reading) -> Telling:
    where = f"{reading.where}: merge_request"
    facts = shapes.gitlab({"source_branch": "", **request}, where)
    diff_refs = fields.mapping(request, "diff_refs", where)
    base = fields.object_name(diff_refs, "base_sha", where)
    head = fields.object_name(diff_refs, "head_sha", where) or fields.object_name(request, "sha", where)
    source, target = request.get("source_project_id"), request.get("target_project_id")
    if source and target and source != target:
        reading.notes.add("from-fork", "", "the head of this request lies in a fork; its commits may not be in this clone")
    project = _project(request, facts.url, where)
    # GitLab lists the commits of a request from the newest to the oldest.
    commits = forge_commits.read(fields.mappings(item, "commits", reading.where), f"{reading.where}: commits")[::-1]
    issues = tuple(_issues(item, project, reading))
    return Telling(
        Operation(
            OperationType.PULL_REQUEST, facts.key.removeprefix("!"), project, fields.text(request, "source_branch", where)
        ),
        base,
        head,
        since_fork=False,
        target=fields.text(request, "target_branch", where),
        request=facts._replace(kind=DocumentKind.PULL_REQUEST, closes=tuple(dict.fromkeys(issue.key for issue in issues))),
        issues=issues,
        threads=tuple(_threads(item, facts.url, reading)),
        commits=commits,
        patches=_patches(item, request, reading),
    )


def _project(request: Item, url: str, where: str) -> str:
    """The project that a request belongs to, by the words of a webhook, a reference, or its address."""
    full = fields.text(fields.mapping(request, "references", where), "full", where).rpartition("!")[0]
    place = _PLACE.match(url)
    said = fields.text(request, "project", where) or full or (place[1] if place else "")
    return repository_name({"name": said}, where, "name")


def _patches(item: Item, request: Item, reading: Reading) -> tuple[Patch, ...] | None:
    key = "diffs" if item.get("diffs") is not None else "changes"
    listed = fields.mappings(item, key, reading.where)
    if not listed:
        return None
    counted = _COUNTED.fullmatch(fields.named(request.get("changes_count")))
    total = int(counted[1]) + bool(counted[2]) if counted else 0
    reading.note_fewer("files", len(listed), max(total, len(listed) + (request.get("overflow") is True)))
    return forge_patches.of_gitlab(listed, reading)


def _issues(item: Item, project: str, reading: Reading) -> Iterator[Facts]:
    """The issues that GitLab says the request closes."""
    for number, issue in enumerate(fields.mappings(item, "issues", reading.where)):
        facts = shapes.facts(issue, f"{reading.where}: issues[{number}]")
        place = _PLACE.match(facts.url)
        is_number = facts.key.startswith("#")
        key = qualified(facts.key.removeprefix("#"), place[1] if place else "", project) if is_number else facts.key
        yield facts._replace(key=key)


def _threads(item: Item, url: str, reading: Reading) -> Iterator[Thread]:
    """Discussions of a list, and notes of a list or an event, each on its own."""
    discussions = [
        fields.mappings(told, "notes", reading.where) for told in fields.mappings(item, "discussions", reading.where)
    ]
    alone = [(note,) for note in fields.mappings(item, "notes", reading.where)]
    internal = 0
    for notes in (*discussions, *alone):
        said = [note for note in notes if note.get("system") is not True]
        shown = [note for note in said if not any(note.get(key) is True for key in ("internal", "confidential"))]
        internal += len(said) - len(shown)
        if shown:
            yield _thread(shown, url, reading.where)
    if internal:
        reading.notes.add("internal-left-out", "", f"internal notes left out, for not everybody may read them: {internal}")


def _thread(notes: list[Item], request: str, where: str) -> Thread:
    first = notes[0]
    number, position = fields.count(first, "id"), fields.mapping(first, "position", where)
    url = fields.text(first, "url", where) or (f"{request}#note_{number}" if request and number else "")
    place = fields.text(position, "new_path", where) or fields.text(position, "old_path", where)
    bodies = tuple(fields.text(note, "body", where) for note in notes)
    return Thread(url, place, bodies, fields.named(first.get("author"), "username"))
