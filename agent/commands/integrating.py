"""The work of `evidraft pull-request`: placing a record under an id of its own, and holding one against its repository
(Intent Pull Requests 1.0.0; Intent Changesets 7).
"""

from __future__ import annotations

from pathlib import Path

from agent.commands import printing
from agent.commands.checking import load_profile, read_operand
from agent.commands.recognising import PULL_REQUEST
from agent.commands.writing import directory, place, taken
from agent.errors import RepositoryFailure
from agent.render import outcomes
from agent.sources.git import Repository
from agent.sources.linked import known_decisions
from guardrails.findings import Finding, blocking
from guardrails.records import integrating, pull_request, pull_request_rules
from guardrails.records.integrating import Revisions
from guardrails.records.profile import Profile
from guardrails.records.pull_request import PullRequest


def create_record(file: str, repo: Path, profile: Path | None, *, as_json: bool) -> int:
    """Place a valid record as `<directory>/<id>.yaml`; returns the exit code.

    Raises:
        Failure: something cannot be read or written, or the profile has no place for such records.
    """
    name, data = read_operand(file)
    repository = Repository.open(repo)
    active = load_profile(profile, repository)
    directory(active, PULL_REQUEST)
    record, found = _checked(data, active)
    if record is not None and not found:
        used = taken(repository, active, PULL_REQUEST, record.id)
        if used is None:
            placed = place(repository, active, PULL_REQUEST, record.id, data)
            return printing.emit_created(placed, record.id, as_json=as_json)
        found = (used,)
    printing.emit_findings(found, name=name, as_json=as_json, valid="")
    return 1


def verify_record(file: str, repo: Path, profile: Path | None, head: str, *, as_json: bool) -> int:
    """Judge a record by itself, by the profile, and against revisions and decisions; returns the exit code.

    Raises:
        Failure: something cannot be read, the head is no commit, or a shallow clone hides the base.
    """
    name, data = read_operand(file)
    repository = Repository.open(repo)
    active = load_profile(profile, repository)
    record, found = _checked(data, active)
    if record is not None and not found:
        decisions = known_decisions(repository, active)
        found = integrating.verify(record, _revisions(repository, head, record.base_revision), decisions)
    if as_json:
        printing.emit_result(_document(name, record, found))
    else:
        printing.emit_findings(found, name=name, as_json=False, valid=f"{name}: the record holds")
    return 1 if found else 0


def _checked(data: bytes, profile: Profile) -> tuple[PullRequest | None, tuple[Finding, ...]]:
    """The record, and all that blocks it."""
    record = pull_request.read(data)
    if isinstance(record, PullRequest):
        return record, blocking(pull_request_rules.validate(record, profile))
    return None, record


def _revisions(repository: Repository, head: str, base: str) -> Revisions:
    """What git tells; where a shallow clone ends before the base, nothing can be told.

    Raises:
        RepositoryFailure: the head is no commit, or the history ends too early.
    """
    tip = repository.resolve(head)
    is_there = bool(base) and repository.commit(base) == base
    is_ancestor = is_there and repository.is_ancestor(base, tip)
    if not is_ancestor and repository.is_shallow:
        raise RepositoryFailure(
            "the base is not in the history of this shallow clone", where=base, cure=repository.fetching(base)
        )
    return Revisions(tip, is_there, is_ancestor)


def _document(name: str, record: PullRequest | None, found: tuple[Finding, ...]) -> dict[str, object]:
    """The result as JSON types, with the keys that other tools of the suite have."""
    about = (
        {"id": record.id, "base_revision": record.base_revision, "evidence_revision": record.evidence_revision}
        if record is not None
        else {}
    )
    findings = [outcomes.finding(one) for one in found]
    return {"file": name, **about, "verified": not found, "findings": findings}
