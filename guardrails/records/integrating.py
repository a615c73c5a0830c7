"""A pull-request record against what it integrates: its revisions, and the decisions that it links (Intent Pull Requests 1.0.0;
Intent Changesets 7).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from guardrails.findings import Code, Finding
from guardrails.records.decisions import Decision
from guardrails.records.fields import Faults
from guardrails.records.linking import IMPACT_CONFLICT, MIGRATION_CONFLICT, UNKNOWN_CHANGESET
from guardrails.records.pull_request import PullRequest
from guardrails.strict_yaml import Path


def _code(name: str, summary: str, cure: str) -> Code:
    return Code(name=name, summary=summary, cure=cure, section="Intent Pull Requests 1.0.0")


STALE_PULL_REQUEST = _code(
    "stale-pull-request",
    "The record is about another state of the request than its head.",
    "Look at the record again, and name the present head as its evidence revision.",
)
PULL_REQUEST_ID_IN_USE = _code(
    "pull-request-id-in-use",
    "The id belongs to another pull-request record, or to one that was deleted.",
    "Choose an id that no request of the project ever had.",
)
BASE_REVISION = _code(
    "base-revision",
    "The base revision is no commit of the repository, or the evidence does not descend from it.",
    "Name the commit that the request began at.",
)
TARGET_NOT_IN_REQUEST = _code(
    "target-not-in-request",
    "A changeset that the request links has a target that the request does not name.",
    "Add the target to the request, or correct the changeset.",
)


@dataclass(frozen=True, slots=True)
class Revisions:
    """What git tells: the head of the request, and how its base stands to it."""

    head: str
    is_base_there: bool
    is_base_ancestor: bool


def verify(record: PullRequest, revisions: Revisions, decisions: Mapping[str, Decision]) -> tuple[Finding, ...]:
    """How a valid record disagrees with its revisions, or with the decisions that it links out of all `decisions`."""
    faults = Faults(record.document)
    if record.evidence_revision != revisions.head:
        faults.note(STALE_PULL_REQUEST, ("evidence-revision",), f"the head of the request is {revisions.head}")
    if not revisions.is_base_there:
        faults.note(BASE_REVISION, ("base-revision",), "there is no such commit in the repository")
    elif not revisions.is_base_ancestor:
        faults.note(BASE_REVISION, ("base-revision",), "the head of the request does not descend from it")
    for place, name in enumerate(record.changesets):
        if name not in decisions:
            message = "it is neither pending, archived nor in a ledger"
            faults.note(UNKNOWN_CHANGESET, ("provenance", "changesets", place), message)
    linked = (decisions[name] for name in dict.fromkeys(record.changesets) if name in decisions)
    return (*faults.findings, *(finding for decision in linked for finding in disagreements(record, decision)))


def disagreements(record: PullRequest, decision: Decision) -> tuple[Finding, ...]:
    """How a request contradicts a decision that it links: each target of the decision has its equal in the request.

    Guidance is compared where the impact is major. Where either is not public, nothing but the decision's id is told.
    """
    faults = Faults(record.document)
    is_told = record.disclosure.is_public and decision.is_public
    named = {(target.release_unit, target.stream): place for place, target in enumerate(record.targets)}
    for side in decision.sides:
        wanted = side.target
        place = _place(named, wanted.release_unit, wanted.stream)
        if place is None:
            what = f"the target {wanted.release_unit}@{wanted.stream}" if is_told else "a target"
            faults.note(TARGET_NOT_IN_REQUEST, ("targets",), f"changeset {decision.id} has {what}, the request has not")
            continue
        said = record.targets[place]
        path: Path = ("targets", place)
        if said.impact != wanted.impact:
            words = f"{said.impact} and {wanted.impact}" if is_told else "different impacts"
            faults.note(IMPACT_CONFLICT, (*path, "impact"), f"the request and changeset {decision.id} say {words}")
        elif said.impact == "major" and (said.migration or "").split() != (wanted.migration or "").split():
            message = f"the request and changeset {decision.id} give different guidance"
            faults.note(MIGRATION_CONFLICT, (*path, "migration"), message)
    return tuple(faults.findings)


def _place(named: dict[tuple[str, str], int], unit: str, stream: str | None) -> int | None:
    """The target of this unit and stream; a decision without a stream is of any."""
    if stream is not None:
        return named.get((unit, stream))
    return next((place for (name, _), place in named.items() if name == unit), None)
