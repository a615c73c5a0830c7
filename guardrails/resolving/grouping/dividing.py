"""One commit may advance several reviewed decisions: each is a change of its own (Intent Changesets 7; Describe Changes).

A decision is independently understandable, so commits that link two of them are told in two items, whatever else ties them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from guardrails.evidence.model import Bundle, FileChange
from guardrails.resolving.grouping.clusters import Sign
from guardrails.resolving.grouping.grouping import Group, Grouping


def divided(grouping: Grouping, bundle: Bundle, links: Mapping[str, Collection[str]]) -> Grouping:
    """Divide every change that advances several decisions. `links` has the known decisions of each commit's id, in order."""
    groups = tuple(part for group in grouping.groups for part in _parts(group, bundle, links))
    if len(groups) == len(grouping.groups):
        return grouping
    told: dict[str, list[str]] = {}
    for group in groups:
        for item in group.commits:
            told.setdefault(item, []).append(group.key)
    return Grouping(groups, {item: ", ".join(told.get(item, ())) or account for item, account in grouping.coverage.items()})


def _parts(group: Group, bundle: Bundle, links: Mapping[str, Collection[str]]) -> Iterator[Group]:
    """The change as it is, or one part for each of its decisions; what links none goes with the first."""
    found = tuple(dict.fromkeys(name for item in group.commits for name in links.get(item, ())))
    if len(found) < 2 or group.why == Sign.SPLIT:
        yield group
        return
    wanted = frozenset(group.commits)
    changed = {commit.id: commit.files for commit in bundle.commits if commit.id in wanted}
    net = {file.id: file for file in bundle.net or ()}
    for number, name in enumerate(found, 1):
        own = tuple(item for item in group.commits if name in links.get(item, ()) or (number == 1 and not links.get(item)))
        files = {file.id for item in own for file in changed.get(item, ())}
        paths = {path for item in own for file in changed.get(item, ()) for path in _paths(file)}
        kept = tuple(item for item in group.files if item in files or (item in net and not paths.isdisjoint(_paths(net[item]))))
        key = group.key if number == 1 else f"{group.key}.{number}"
        yield replace(group, key=key, commits=own, files=kept, why=Sign.TRAILER, decision=name)


def _paths(file: FileChange) -> tuple[str, ...]:
    return (file.path, file.old_path or file.path)
