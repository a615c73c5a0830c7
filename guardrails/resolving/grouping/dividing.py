"""A reviewed decision is one change: one item, whatever commits advance it (Intent Changesets 7; Describe Changes).

A decision is independently understandable, so a commit that links two of them is told in two items; and all commits that link
one are told in one, although one of them links another, too, or says that it does several things.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from guardrails.evidence.model import Bundle, Commit, FileChange
from guardrails.resolving.grouping.clusters import Sign
from guardrails.resolving.grouping.grouping import Group, Grouping
from guardrails.resolving.sheet import unique


def divided(grouping: Grouping, bundle: Bundle, links: Mapping[str, Collection[str]]) -> Grouping:
    """The changes, those of decisions anew where one is not one item. `links` has the known decisions of each commit's id.

    What links no decision goes with the first one of the change that it was in.
    """
    linked = [
        _Linked(group, unique(name for item in group.commits for name in links.get(item, ()))) for group in grouping.groups
    ]
    by_name: dict[str, list[_Linked]] = {}
    for one in linked:
        for name in one.decisions:
            by_name.setdefault(name, []).append(one)
    if all(len(one.decisions) < 2 for one in linked) and all(len(found) == 1 for found in by_name.values()):
        return grouping
    owned = _Owned({commit.id: commit for commit in bundle.commits}, {file.id: file for file in bundle.net or ()}, links)
    groups = tuple(part for one in linked for part in _parts(one, by_name, owned))
    told: dict[str, list[str]] = {}
    for group in groups:
        for item in group.commits:
            told.setdefault(item, []).append(group.key)
    return Grouping(groups, {item: ", ".join(told.get(item, ())) or account for item, account in grouping.coverage.items()})


@dataclass(frozen=True, slots=True)
class _Linked:
    """A change, and the decisions that its commits link."""

    group: Group
    decisions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Owned:
    """The commits by id, the files of the net change by id, and what each commit links."""

    commits: Mapping[str, Commit]
    net: Mapping[str, FileChange]
    links: Mapping[str, Collection[str]]

    def of(self, group: Group, name: str, *, is_first: bool) -> tuple[list[str], list[str]]:
        """The commits of a change that link a decision, and the files that they touched; the rest goes with its first."""
        commits = [item for item in group.commits if name in (linked := self.links.get(item, ())) or (is_first and not linked)]
        owners = self._owners(group)
        own = set(commits)
        return commits, [item for item in group.files if own & owners[item] or (is_first and not owners[item])]

    def _owners(self, group: Group) -> Mapping[str, set[str]]:
        """The commits of a change that touched each of its files; of the net change by its paths."""
        by_path: dict[str, set[str]] = {}
        owners: dict[str, set[str]] = {item: set() for item in group.files}
        for item in group.commits:
            for file in self.commits[item].files:
                owners.setdefault(file.id, set()).add(item)
                for path in _paths(file):
                    by_path.setdefault(path, set()).add(item)
        for item in filter(self.net.__contains__, group.files):
            owners[item] |= {commit for path in _paths(self.net[item]) for commit in by_path.get(path, ())}
        return owners


def _parts(one: _Linked, by_name: Mapping[str, list[_Linked]], owned: _Owned) -> Iterator[Group]:
    """A change as it is, or one for each decision that no earlier change has; each takes in what later ones have of it."""
    if not one.decisions or (len(one.decisions) == 1 and len(by_name[one.decisions[0]]) == 1):
        yield one.group
        return
    for number, name in enumerate((name for name in one.decisions if by_name[name][0] is one), 1):
        found = by_name[name]
        own = [owned.of(each.group, name, is_first=each.decisions[0] == name) for each in found]
        commits = {item for items, _ in own for item in items}
        yield replace(
            one.group,
            key=one.group.key if number == 1 else f"{one.group.key}.{number}",
            commits=tuple(filter(commits.__contains__, owned.commits)),
            files=unique(item for _, files in own for item in files),
            documents=unique(item for each in found for item in each.group.documents),
            reverts=unique(item for each in found for item in each.group.reverts),
            why=Sign.TRAILER,
            statement="",
            decision=name,
        )


def _paths(file: FileChange) -> tuple[str, ...]:
    return (file.path, file.old_path or file.path)
