"""Requests as their forge tells them: made from merged ones in git, read from exports, and a forge's own example events."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.selecting import called, git

_MERGE = re.compile(r"Merge pull request #(\d+) from ([\w.-]+)/\S+")
_SQUASH = re.compile(r"(.+) \(#(\d+)\)")
_FORM = "%H%x00%P%x00%s%x00%b%x01"
NEWEST = 1500


@dataclass(frozen=True, slots=True)
class Request:
    """One merged request: its ends, as git is asked for them, and what its forge tells (JSON)."""

    base: str
    head: str
    payload: str


def repository_name(repository: Path) -> str:
    """The name at its forge, as the folder of a mirror gives it: owner+name."""
    owner, found, name = called(repository).partition("+")
    return f"{owner}/{name}" if found else f"example/{owner}"


def merged(repository: Path) -> Iterator[Request]:
    """The newest merged requests, in the form of `gh pr view --json`: title and body are what git kept of them."""
    place = f"https://github.com/{repository_name(repository)}/pull"
    out = git(repository, "log", "--first-parent", f"-{NEWEST}", f"--format={_FORM}", "HEAD")
    for entry in out.split("\x01"):
        oid, *rest = entry.strip("\n").split("\x00")
        if len(rest) == 3:
            yield from _of_commit(place, oid, *rest)


def _of_commit(place: str, oid: str, parents: str, subject: str, body: str) -> Iterator[Request]:
    base, _, head = parents.partition(" ")
    if head and (match := _MERGE.fullmatch(subject)) is not None:
        title, _, rest = body.strip().partition("\n")
        if title:
            told = {"number": int(match[1]), "title": title, "body": rest.strip(), "author": {"login": match[2]}}
            yield _request(place, base, head, told)
    elif base and not head and (match := _SQUASH.fullmatch(subject)) is not None:
        yield _request(place, base, oid, {"number": int(match[2]), "title": match[1], "body": body.strip()})


def _request(place: str, base: str, head: str, told: dict[str, Any]) -> Request:
    ends = {"url": f"{place}/{told['number']}", "baseRefOid": base, "headRefOid": head}
    return Request(base, head, json.dumps({**told, **ends, "state": "MERGED", "labels": []}))


def exported(file: Path) -> Request:
    """A request that its forge exported, in a file of `gh pr view --json`."""
    payload = file.read_text("utf-8")
    told = json.loads(payload)
    return Request(told["baseRefOid"], told["headRefOid"], payload)


def examples(folder: Path) -> Iterator[str]:
    """The events about a request among example webhooks: lists of {name, examples} in files of any folder. Each once."""
    found: dict[str, None] = {}
    for file in sorted(folder.rglob("index.json")):
        entries = json.loads(file.read_text("utf-8"))
        events = (event for entry in entries if isinstance(entry, dict) for event in entry.get("examples", ()))
        found |= dict.fromkeys(json.dumps(event, sort_keys=True) for event in events if "pull_request" in event)
    yield from found


def number(payload: str) -> str:
    """How a request is cited: #12."""
    told = json.loads(payload)
    return f"#{told.get('pull_request', told)['number']}"


def texts(payload: str) -> str:
    """All that a payload says, a text a line."""
    return "\n".join(_leaves(json.loads(payload)))


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _leaves(item)
    elif value is not None:
        yield str(value)
