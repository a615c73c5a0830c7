"""What is described and where it is read: a selection in git, what a forge tells of a request, or both (Describe Changes).

A forge's word for the ends of a request is data: git is asked for them, and where it has not got them the output is degraded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urlsplit

from agent.collecting.request import Request
from agent.errors import RepositoryFailure, UsageFailure
from agent.forges import fetching
from agent.forges.places import ForgeRequest
from agent.settings import Settings
from agent.sources import events, inputs, payload, remotes
from agent.sources.git import Repository
from agent.sources.history import Collected, collect
from agent.sources.remotes import Remote
from agent.sources.told import Told
from guardrails.evidence.model import Note, Operation, OperationType, Selection, SelectionKind

_ABOUT_FILES: Final = frozenset({"forge-names-only", "forge-patch-missing"})
"""Notes on what a forge left out of a diff that git has."""
_SIDES: Final = ("...", "..")
_BRANCH: Final = re.compile(r"\w[\w./-]{0,200}", re.ASCII)
"""A branch that a forge tells, and that may stand in a command that a person pastes."""


@dataclass(frozen=True, slots=True)
class Found:
    """A selection that was read. `repository` is None where git had no part in it, `told` where no forge had.

    `clone` is the one around, whether or not git had a part in it, and `origin` where it came from; `fetching` is the command
    that gets what it lacks, "" where nothing is lacking or nothing tells it.
    """

    repository: Repository | None
    collected: Collected
    told: Told | None = field(default=None, repr=False)
    clone: Repository | None = None
    origin: Remote | None = None
    fetching: str = ""


def find(request: Request) -> Found:
    """Read what the request names: from git where it has the commits, else what the forge tells.

    Raises:
        Failure: something cannot be read or used; says what, where and what to do.
    """
    told = _told(request)
    if told is None:
        repository = Repository.open(request.repository)
        collected = _collected(repository, request, request.operand)
        return Found(repository, collected, clone=repository, origin=remotes.origin(repository))
    clone = origin = None
    try:
        clone = Repository.open(request.repository)
        origin = remotes.origin(clone)
        read = _by_git(clone, request, told)
    except RepositoryFailure as failure:
        if request.operand is not None:
            raise
        read = failure.what
    if isinstance(read, Collected):
        return Found(clone, read, told, clone, origin)
    fetching_ = _fetching(told, is_shallow=clone is not None and clone.is_shallow)
    cure = f"; to read the diff: {fetching_}" if fetching_ else ""
    code = "degraded" if told.files is None else "told-by-forge"
    note = Note(code, told.operation.id, f"only what the forge tells was read: {read}{cure}")
    collected = Collected(_selection(told), told.commits, net=told.files, notes=(note, *told.notes))
    return Found(None, collected, told, clone, origin, fetching_)


def _by_git(repository: Repository, request: Request, told: Told) -> Collected | str:
    """What a forge names as git has it, or why git has not got it.

    Raises:
        RepositoryFailure: a commit of it is unknown here.
    """
    operand = request.operand or told.operand or _since_target(repository, told)
    if operand is None:
        return "the forge does not tell both ends of the change"
    collected = _collected(repository, request, operand)
    is_cut_off = any(note.code == "shallow" for note in collected.notes) and not collected.commits
    if is_cut_off and request.operand is None:
        return "the history of the change is cut off in this shallow repository"
    said = tuple(note for note in told.notes if note.code not in _ABOUT_FILES)
    return replace(collected, notes=(*collected.notes, *said))


def operation(found: Found, settings: Settings, unit: str = "") -> Operation:
    """The operation that an envelope names; its repository is the reviewed or told one, else the remote's, else "" (asked).

    `unit` is the one release unit that is described, "" for all that was selected.
    """
    name = settings.repository or (found.told.operation.repository if found.told else "") or _path(home(found))
    if found.told is not None:
        return replace(found.told.operation, repository=name, unit=unit)
    selection = found.collected.selection
    if selection.kind is SelectionKind.COMMIT and selection.head is not None:
        return Operation(OperationType.COMMIT, selection.head, name, unit=unit)
    return Operation(OperationType.RANGE, _completed(selection.spec), name, unit=unit)


def _told(request: Request) -> Told | None:
    """What a payload, the event of a CI run or a forge tells; None where none of them was named."""
    if (request.payload is not None) + request.event + (request.pull_request is not None) > 1:
        raise UsageFailure("several sources for one operation", where="--payload, --event, --pr", cure="name one of them")
    if request.payload is not None:
        return payload.read(inputs.read(request.payload), request.payload)
    if request.pull_request is not None:
        return _fetched(request, request.pull_request)
    return events.read(request.environ) if request.event else None


def _fetched(request: Request, number: int) -> Told:
    """A request as its forge tells it; commits and files are asked for only where git has not got them."""
    repository = Repository.open(request.repository)
    remote = remotes.origin(repository)
    if remote is None:
        raise UsageFailure(
            "nothing says which forge is meant",
            where="--pr",
            cure="run it in a clone whose remote is called origin, or give --payload FILE",
        )
    wanted, name = ForgeRequest(remote.host, remote.path, number), f"--pr {number}"
    fetched = fetching.fetch(wanted, request.environ, repository.has)
    return payload.told(fetched, name)


def _since_target(repository: Repository, told: Told) -> str | None:
    """A request since it left the branch that it is made to, where its forge tells that branch and no commit of it."""
    trunk = f"refs/remotes/origin/{told.target}"
    known = (
        told.target
        and told.head
        and repository.git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", trunk).code == 0
    )
    return f"{trunk}...{told.head}" if known else None


def _collected(repository: Repository, request: Request, operand: str | None) -> Collected:
    collected = collect(
        repository,
        operand,
        staged=request.staged,
        work_tree=request.work_tree,
        net=request.describes,
        generated=request.reads_all,
        from_root=request.from_root,
    )
    told = request.said or collected.selection.spec
    return replace(collected, selection=replace(collected.selection, spec=told))


def _selection(told: Told) -> Selection:
    return Selection(SelectionKind.RANGE, told.operand or told.operation.id, told.before, told.head)


def _fetching(told: Told, *, is_shallow: bool) -> str:
    """The command that gets both ends of a request; "" where nothing tells it."""
    number = told.operation.id
    if told.operation.type is not OperationType.PULL_REQUEST or not number.isdecimal():
        return ""
    ref = f"merge-requests/{number}/head" if _is_gitlab(told) else f"pull/{number}/head"
    target = [told.target] if _BRANCH.fullmatch(told.target) else []
    return " ".join(["git fetch", *(["--unshallow"] if is_shallow else []), "origin", *target, ref])


def _is_gitlab(told: Told) -> bool:
    return any(document.key.startswith("!") for document in told.documents[:1])


def home(found: Found) -> Remote | None:
    """The host and the repository that the operation lies in, as the forge's own addresses or the clone's remote tell them."""
    addresses = [document.url for document in (found.told.documents[:1] if found.told is not None else ())]
    host = next((urlsplit(address).netloc for address in addresses if address), "")
    if host and found.told is not None and found.told.operation.repository:
        return Remote(host.lower(), found.told.operation.repository)
    return found.origin


def own(found: Found, settings: Settings, environ: Mapping[str, str]) -> frozenset[str]:
    """The repositories, as owner/name, that the person or the CI run around says are theirs: no payload can add one."""
    said = (settings.repository, environ.get("GITHUB_REPOSITORY"), environ.get("CI_PROJECT_PATH"), _path(found.origin))
    return frozenset(name.casefold() for name in said if name)


def _path(remote: Remote | None) -> str:
    return remote.path if remote is not None else ""


def _completed(spec: str) -> str:
    """A range with both its sides named: one that is not written is HEAD."""
    for dots in _SIDES:
        left, found, right = spec.partition(dots)
        if found:
            return f"{left or 'HEAD'}{dots}{right or 'HEAD'}"
    return spec
