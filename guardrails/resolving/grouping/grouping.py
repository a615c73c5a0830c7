"""Which changes the selected commits make: an item is a change, not a commit (Describe Changes: itemized shape).

Signs in the order of their strength; a weaker one never joins what a stronger one tells apart:

    trailer             the same `Changeset`
    pull-request        one request brought them in: by a merge, or by the number that a forge wrote
    fixup               `fixup!`, `squash!`, `amend!` with what they mend
    revert              a revert with what it takes back in part; what it takes back whole is gone with it
    issue               the same issue cited as cured, or pointed at where another commit cures it
    dependency-update   dependencies brought to versions, all of them
    paths               a commit without a result of its own, with the change whose paths it touches
    split               one commit that says itself that it does several things, divided by its files

What cancels out, merges that change nothing and empty commits are in no change; coverage says why. To tell two changes as one
is worse than to tell one as two: where signs are weak, commits stay apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from guardrails.evidence.model import Bundle
from guardrails.resolving.coverage import MERGE
from guardrails.resolving.grouping.clusters import Clusters, Sign
from guardrails.resolving.grouping.dependency_updates import is_update
from guardrails.resolving.grouping.joining import joined
from guardrails.resolving.grouping.members import Member, members
from guardrails.resolving.grouping.merging import brought_in
from guardrails.resolving.grouping.remaining import Remaining, Touched, remaining
from guardrails.resolving.grouping.reverting import Reverted, is_revert, reverted
from guardrails.resolving.grouping.splitting import parts
from guardrails.resolving.rules import Rules
from guardrails.resolving.sheet import unique

EMPTY: Final = "changes nothing"
UNDONE: Final = "nothing of it remains between base and head"


@dataclass(frozen=True, slots=True)
class Group:
    """One change: the commits that make it, what tells it, and by which sign they belong together.

    `key` begins the object name of its first commit; `commits` are ids, oldest first; `files` are the ids of the file changes
    that tell it; `documents` those of the requests and issues that it cites. `reverts` are the ids or object names of the
    commits outside the selection that it takes back. `statement` holds a split commit's own words for this part, else "";
    `decision` the one that it is of several reviewed decisions that its commits link, else "".
    """

    key: str
    commits: tuple[str, ...]
    files: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    why: str = Sign.SINGLE
    reverts: tuple[str, ...] = ()
    statement: str = ""
    decision: str = ""


@dataclass(frozen=True, slots=True)
class Grouping:
    """All changes of a selection in the order of their first commits, and where each commit went.

    `coverage` holds for every commit's id the keys of its changes ("9f2c1ab, 77aa001"), or the reason why it is in none.
    """

    groups: tuple[Group, ...]
    coverage: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Change:
    """One change before it is told: its members, and the files (of a part of a split commit, the part's) that they touched."""

    key: str
    members: tuple[Member, ...]
    why: str
    own: Touched
    statement: str = ""


def group(bundle: Bundle, rules: Rules) -> Grouping:
    """Group the selected commits. Pure, deterministic and linear; never raises on what a repository holds."""
    found = members(bundle, rules)
    brought, at_head = brought_in(found), remaining(bundle)
    undone = reverted(found, brought, at_head, bundle.referenced)
    clusters = joined(found, brought, undone)
    out = dict(undone.gone)
    kept: list[tuple[Member, ...]] = []
    for places in clusters.all():
        cluster = tuple(found[place] for place in places if place not in out)
        reasons = _reasons(cluster, at_head)
        out |= reasons
        kept += [cluster] if cluster and not reasons else []
    keys = _keys(bundle)
    changes = tuple(change for cluster in kept for change in _changes(cluster, clusters, keys))
    told = at_head.telling([change.own for change in changes])
    groups = tuple(_group(*pair, undone, bundle, is_all=len(changes) == 1) for pair in zip(changes, told, strict=True))
    return Grouping(groups, _coverage(found, groups, out))


def whole(bundle: Bundle) -> Group:
    """Everything that is selected as one change, without what cancelled out; the files of the net change where it is known."""
    one = together(group(bundle, Rules()).groups, bundle)
    own = unique((*one.files, *(file.id for file in bundle.uncommitted)))
    files = own if bundle.net is None else tuple(file.id for file in bundle.net)
    return replace(one, files=files, documents=tuple(document.id for document in bundle.documents))


def together(groups: Sequence[Group], bundle: Bundle) -> Group:
    """Several changes as one, its commits in the order of the selection."""
    one = groups[0] if len(groups) == 1 else Group(groups[0].key if groups else "", ())
    commits = {item for each in groups for item in each.commits}
    return replace(
        one,
        commits=tuple(commit.id for commit in bundle.commits if commit.id in commits),
        files=unique(item for each in groups for item in each.files),
        documents=unique(item for each in groups for item in each.documents),
        reverts=unique(item for each in groups for item in each.reverts),
    )


def _reasons(cluster: Sequence[Member], at_head: Remaining) -> dict[int, str]:
    """Why none of these commits is in a change; nothing where they make one."""
    if all(member.is_bare for member in cluster):
        return {member.place: MERGE if member.is_merge else EMPTY for member in cluster}
    files = [(member.commit, file) for member in cluster for file in member.commit.files]
    is_known = all(member.commit.diff_known for member in cluster if not member.is_bare)
    is_undone = is_known and all(at_head.is_undone(commit, file) for commit, file in files)
    return {member.place: UNDONE for member in cluster} if is_undone else {}


def _changes(cluster: tuple[Member, ...], clusters: Clusters, keys: Mapping[str, str]) -> Iterator[_Change]:
    """The change of a cluster, or the parts of its one commit."""
    outer = [member for member in cluster if not member.is_bare]
    key, why = keys[outer[0].commit.oid], clusters.sign(outer[0].place)
    split = parts(outer[0].commit, outer[0].said) if len(outer) == 1 else ()
    for number, part in enumerate(split, 1):
        own = tuple((outer[0].commit, file) for file in outer[0].commit.files if file.id in part.files)
        yield _Change(key if number == 1 else f"{key}.{number}", cluster, Sign.SPLIT, own, part.statement)
    if not split:
        own = tuple((member.commit, file) for member in cluster for file in member.commit.files)
        told = ((Sign.REVERT, is_revert), (Sign.DEPENDENCY_UPDATE, lambda member: is_update(member.commit)))
        yield _Change(key, cluster, next((sign for sign, holds in told if all(map(holds, outer))), why), own)


def _group(change: _Change, files: tuple[str, ...], undone: Reverted, bundle: Bundle, *, is_all: bool) -> Group:
    """A change as it is handed on. The only one there is has all files of the net change, and all documents."""
    cited = {key.casefold() for member in change.members for key in (*member.requests, *member.fixes, *member.refers)}
    documents = (one.id for one in bundle.documents if is_all or {one.key.casefold(), one.url.casefold()} & cited)
    return Group(
        key=change.key,
        commits=tuple(member.id for member in change.members),
        files=tuple(file.id for file in bundle.net) if is_all and bundle.net is not None else files,
        documents=tuple(documents),
        why=change.why,
        reverts=unique(name for member in change.members for name in undone.outside.get(member.place, ())),
        statement=change.statement,
    )


def _keys(bundle: Bundle) -> dict[str, str]:
    """The beginning of each commit's object name, seven digits or as many as tell it from all others of the run."""
    names = sorted({commit.oid for commit in bundle.commits})
    shared = [_shared(one, other) for one, other in pairwise(names)]
    lengths = zip((0, *shared), (*shared, 0), strict=True)
    return {name: name[: max(7, 1 + max(length))] for name, length in zip(names, lengths, strict=False)}


def _shared(one: str, other: str) -> int:
    return next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _coverage(found: Sequence[Member], groups: Sequence[Group], out: Mapping[int, str]) -> dict[str, str]:
    told: dict[str, list[str]] = {}
    for each in groups:
        for item in each.commits:
            told.setdefault(item, []).append(each.key)
    return {member.id: ", ".join(told.get(member.id, ())) or out[member.place] for member in found}
