"""The signs that join commits, one after the other from the strongest to the weakest (Describe Changes: itemized shape)."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Sequence

from guardrails.resolving.grouping.clusters import Clusters, Sign
from guardrails.resolving.grouping.dependency_updates import is_update
from guardrails.resolving.grouping.following import join_fixups, join_follow_ups
from guardrails.resolving.grouping.members import Member
from guardrails.resolving.grouping.merging import Brought
from guardrails.resolving.grouping.reverting import Reverted


def joined(members: Sequence[Member], brought: Brought, undone: Reverted) -> Clusters:
    """All commits in clusters. What is gone, and what changes nothing by itself, joins nothing; a request's merge joins it."""
    clusters = Clusters(members)
    left = [member for member in members if member.place not in undone.gone and not member.is_bare]
    _join_equal(left, clusters, Sign.TRAILER, lambda member: member.changesets)
    _join_requests(left, brought, clusters)
    join_fixups(left, clusters)
    for target, revert in undone.kept:
        clusters.join(target, revert, Sign.REVERT)
    working = [member for member in left if not member.is_release]
    _join_equal(working, clusters, Sign.ISSUE, lambda member: member.fixes)
    _join_referring(working, clusters)
    _join_updates(left, clusters)
    join_follow_ups(left, clusters)
    return clusters


def _join_equal(members: Iterable[Member], clusters: Clusters, sign: Sign, said: Callable[[Member], Hashable]) -> None:
    """Join those that say the same, where they say anything."""
    found: dict[Hashable, list[int]] = {}
    for member in members:
        if value := said(member):
            found.setdefault(value, []).append(member.place)
    for places in found.values():
        clusters.join_all(places, sign)


def _join_requests(left: Sequence[Member], brought: Brought, clusters: Clusters) -> None:
    """Join what each request's merge brought in, with the merge, whose words tell the request; then what has one number."""
    present: Container[int] = {member.place for member in left}
    for merge, places in brought.changes.items():
        own = [place for place in places if place in present]
        if own:
            clusters.join_all((*own, merge), Sign.PULL_REQUEST)
    _join_equal(left, clusters, Sign.PULL_REQUEST, lambda member: member.request)


def _join_referring(members: Sequence[Member], clusters: Clusters) -> None:
    """Join what only points at an issue with the change that cures it; what states no result, with the last that points too."""
    cures = {issue: member.place for member in members for issue in member.fixes if len(member.fixes) == 1}
    points: dict[str, int] = {}
    for member in members:
        led = [cures.get(issue, None if member.states else points.get(issue)) for issue in member.refers]
        targets = {clusters.root(place) for place in led if place is not None}
        if not member.fixes and len(targets) == 1 and clusters.agree(target := targets.pop(), member.place, Sign.ISSUE):
            clusters.join(target, member.place, Sign.ISSUE)
        points |= dict.fromkeys(member.refers if member.states else (), member.place)


def _join_updates(members: Sequence[Member], clusters: Clusters) -> None:
    """Join the changes that only bring dependencies to versions."""
    others = {clusters.root(member.place) for member in members if not is_update(member.commit)}
    clusters.join_all((member.place for member in members if clusters.root(member.place) not in others), Sign.DEPENDENCY_UPDATE)
