"""What a forge says of a push, or of a group in a merge queue: a range by its ends (Describe Changes: operation)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from agent.errors import InputFailure
from agent.sources import fields, forge_commits
from agent.sources.fields import Item
from agent.sources.told import Reading, Telling
from guardrails.evidence.model import Operation, OperationType

_REPOSITORY: Final = re.compile(r"[\w.-]{1,255}(?:/[\w.-]{1,255}){1,20}")


def push(item: Item, reading: Reading) -> Telling:
    """A push, as GitHub and GitLab tell it: what came between `before` and `after`.

    Raises:
        InputFailure: it deleted a branch or a tag, or something in it is not what it should be.
    """
    repository, project = (fields.mapping(item, key, reading.where) for key in ("repository", "project"))
    name = repository_name(project, reading.where, "path_with_namespace") or repository_name(repository, reading.where)
    base, head = (fields.object_name(item, key, reading.where) for key in ("before", "after"))
    listed = fields.mappings(item, "commits", reading.where)
    commits = forge_commits.read(listed, f"{reading.where}: commits")
    reading.note_fewer("commits", len(commits), fields.count(item, "total_commits_count"))
    names = (commit.get(key) for commit in listed for key in ("added", "modified", "removed"))
    reading.note_names(sum(len(paths) for paths in names if isinstance(paths, list)))
    operation = _operation(base, head, name, reading.where)
    operation = replace(operation, branch=fields.text(item, "ref", reading.where))
    return Telling(operation, base, head, commits=commits)


def merge_group(item: Item, reading: Reading) -> Telling:
    """What a group of GitHub's merge queue would bring in.

    Raises:
        InputFailure: something in it is not what it should be.
    """
    group = fields.mapping(item, "merge_group", reading.where)
    name = repository_name(fields.mapping(item, "repository", reading.where), reading.where)
    base, head = (fields.object_name(group, key, reading.where) for key in ("base_sha", "head_sha"))
    return Telling(_operation(base, head, name, reading.where), base, head)


def _operation(base: str | None, head: str | None, repository: str, where: str) -> Operation:
    if head is None:
        raise InputFailure("this deleted a branch or a tag", where=where, cure="there is nothing to describe")
    return Operation(OperationType.RANGE, f"{base}..{head}" if base else head, repository)


def repository_name(repository: Item, where: str, key: str = "full_name") -> str:
    """The "owner/name" of a repository, in as many parts as it has; "" for none.

    Raises:
        InputFailure: something else stands there.
    """
    name = fields.text(repository, key, where)
    if name and not _REPOSITORY.fullmatch(name):
        raise InputFailure(f"got no owner and name under {key!r}", where=where, cure="hand over what the forge wrote")
    return name
