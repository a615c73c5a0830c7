"""What GitHub says of a pull request or a push: webhooks and event files, REST answers, `gh pr view --json` (Describe Changes:
degraded output).

One reader for all of them: a request, with as much of its files, commits, reviews, comments and issues as stand beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agent.errors import InputFailure
from agent.sources import fields, forge_commits, forge_patches, shapes
from agent.sources.fields import Item
from agent.sources.payload_push import repository_name
from agent.sources.shapes import Facts
from agent.sources.told import Reading, Telling, Thread
from guardrails.evidence.diff import Patch
from guardrails.evidence.model import DocumentKind, Operation, OperationType
from guardrails.records.closing import qualified, tied

_PLACE: Final = re.compile(r"https?://[^/\s]{1,253}/([\w.-]{1,100}/[\w.-]{1,100})/(?:pull|issues)/\d{1,10}(?!\d)")


def pull_request(item: Item, reading: Reading) -> Telling:
    """A mapping that holds a REST `pull_request`: a webhook, or one of ours with `files`, `commits`, `reviews`, … beside it."""
    where = f"{reading.where}: pull_request"
    pull = fields.mapping(item, "pull_request", reading.where)
    base, head = fields.mapping(pull, "base", where), fields.mapping(pull, "head", where)
    own, fork = (repository_name(fields.mapping(side, "repo", where), where) for side in (base, head))
    if fork and own and fork != own:
        reading.notes.add("from-fork", fork, "the head of this request lies in a fork; its commits may not be in this clone")
    merge_base = fields.object_name(item, "merge_base", reading.where)
    return _telling(
        shapes.github_rest(pull, where),
        item,
        reading,
        repository=own or repository_name(fields.mapping(item, "repository", reading.where), reading.where),
        ends=(merge_base or fields.object_name(base, "sha", where), fields.object_name(head, "sha", where)),
        since_fork=merge_base is None,
        branch=fields.text(head, "ref", where),
        target=fields.text(base, "ref", where),
        told=(fields.count(pull, "changed_files"), fields.count(pull, "commits")),
        ties=_ties(base, where),
    )


def _ties(base: Item, where: str) -> bool:
    """Whether GitHub heeds closing words: only in a request to the default branch, as far as that is told."""
    default = fields.text(fields.mapping(base, "repo", where), "default_branch", where)
    return not default or fields.text(base, "ref", where) in {"", default}


def through_issue(item: Item, reading: Reading) -> Telling:
    """A comment's event, which tells a request as the issue that GitHub keeps it in: without its commits."""
    issue = fields.mapping(item, "issue", reading.where)
    repository = repository_name(fields.mapping(item, "repository", reading.where), reading.where)
    facts = shapes.github_rest(issue, f"{reading.where}: issue")
    return _telling(facts, item, reading, repository=repository)


def bare(item: Item, reading: Reading) -> Telling:
    """What the REST interface answers for one pull request."""
    return pull_request({"pull_request": item}, reading)


def cli(item: Item, reading: Reading) -> Telling:
    """What `gh pr view --json` prints, with any of its keys beside number, title and one of url and body."""
    if not item.get("url") and "body" not in item:
        raise InputFailure("got neither url nor body", where=reading.where, cure="gh pr view --json number,title,url,body,…")
    assumed: Item = {} if item.get("url") else dict.fromkeys(shapes.REQUEST_KEYS)
    ends = tuple(fields.object_name(item, key, reading.where) for key in ("baseRefOid", "headRefOid"))
    return _telling(
        shapes.github_cli({**assumed, **item}, reading.where),
        item,
        reading,
        ends=(ends[0], ends[1]),
        branch=fields.text(item, "headRefName", reading.where),
        target=fields.text(item, "baseRefName", reading.where),
        told=(fields.count(item, "changedFiles"), 0),
    )


def _telling(
    facts: Facts,
    item: Item,
    reading: Reading,
    *,
    repository: str = "",
    ends: tuple[str | None, str | None] = (None, None),
    since_fork: bool = True,
    branch: str = "",
    target: str = "",
    told: tuple[int, int] = (0, 0),
    ties: bool = True,
) -> Telling:
    """A request with what stands beside it; `told` is how many files and commits the forge counts.

    `ties` is whether the closing words of its body tie an issue to it.
    """
    place = _PLACE.match(facts.url)
    repository = repository or (place[1] if place else "")
    listed = fields.mappings(item, "files", reading.where)
    patches = _patches(listed, told[0], reading)
    commits = forge_commits.read(fields.mappings(item, "commits", reading.where), f"{reading.where}: commits")
    reading.note_fewer("commits", len(commits), told[1] if commits else 0)
    issues = tuple(_issues(item, repository, reading))
    words = tied(facts.body, repository) if ties else ()
    keys = (*words, *_closing(item, repository, reading), *(issue.key for issue in issues))
    request = facts._replace(kind=DocumentKind.PULL_REQUEST, closes=tuple(dict.fromkeys(keys)))
    return Telling(
        Operation(OperationType.PULL_REQUEST, request.key.removeprefix("#"), repository, branch),
        *ends,
        since_fork=since_fork,
        target=target,
        request=request,
        issues=issues,
        threads=tuple(_threads(item, reading.where)),
        commits=commits,
        patches=patches,
    )


def _patches(listed: tuple[Item, ...], total: int, reading: Reading) -> tuple[Patch, ...] | None:
    if not listed:
        return None
    patches = forge_patches.of_github(listed, reading) if all("filename" in file for file in listed) else None
    if patches is None:
        reading.note_names(len(listed))
    else:
        reading.note_fewer("files", len(listed), total)
    return patches


def _issues(item: Item, repository: str, reading: Reading) -> Iterator[Facts]:
    """The issues that are handed over beside a request, as those that the forge ties to it."""
    for number, issue in enumerate(fields.mappings(item, "issues", reading.where)):
        facts = shapes.facts(issue, f"{reading.where}: issues[{number}]")
        place = _PLACE.match(facts.url)
        yield facts._replace(key=qualified(facts.key.removeprefix("#"), place[1] if place else "", repository))


def _closing(item: Item, repository: str, reading: Reading) -> Iterator[str]:
    """The keys of the issues that `gh` lists as closed by the request."""
    for issue in fields.mappings(item, "closingIssuesReferences", reading.where):
        place = _PLACE.match(fields.text(issue, "url", reading.where))
        yield qualified(fields.number(issue, "number", reading.where), place[1] if place else "", repository)


def _threads(item: Item, where: str) -> Iterator[Thread]:
    """Reviews with a text, threads of review comments, comments: what an event holds alone, or a list holds many of."""
    deleted = item.get("action") == "deleted"
    alone = [found for key in ("review", "comment") if not deleted and (found := fields.mapping(item, key, where))]
    reviews = [review for review in fields.mappings(item, "reviews", where) if review.get("state") != "PENDING"]
    for said in (*alone, *reviews):
        yield _thread([said], where)
    told = fields.mapping(item, "thread", where)
    for group in _grouped((*fields.mappings(item, "review_comments", where), *fields.mappings(told, "comments", where))):
        yield _thread(group, where)
    for said in fields.mappings(item, "comments", where):
        if said.get("isMinimized") is not True:
            yield _thread([said], where)


def _grouped(comments: tuple[Item, ...]) -> Iterator[list[Item]]:
    """Comments by the one that each replies to, in the order of the first of each."""
    groups: dict[object, list[Item]] = {}
    for number, comment in enumerate(comments):
        root = comment.get("in_reply_to_id") or comment.get("id")
        groups.setdefault(root if isinstance(root, int) else f"#{number}", []).append(comment)
    yield from groups.values()


def _thread(comments: list[Item], where: str) -> Thread:
    first = comments[0]
    url = fields.text(first, "html_url", where) or fields.text(first, "url", where)
    author = fields.named(first.get("user") or first.get("author"), "login")
    bodies = tuple(fields.text(comment, "body", where) for comment in comments)
    return Thread(url, fields.text(first, "path", where), bodies, author)
