"""The share of one release unit in a selection: what touches it, and where the rest went (Intent Changesets 6.6, 7).

A commit touches the units of its scope, its `Affects` and `Target-*` trailers, and of the paths that it changes, by the profile
and the reviewed rules. One that touches several is told for each, with the files of that unit and those that no rule maps. If a
commit says nothing of it, a revert and a fixup touch what they are about, and a merge what it brought in. What is of no unit at
all is told of none, and that is said: to take it for somebody's would be a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from guardrails.drafts.envelope_form import EnvelopeForm
from guardrails.drafts.questions import SELECTION, Reason, Unresolved
from guardrails.evidence.model import Bundle, Commit, FileChange
from guardrails.records.commit import units as meant
from guardrails.records.plain_commit import read_any
from guardrails.records.profile import Profile
from guardrails.redaction.merges import brought_in
from guardrails.resolving.coverage import MERGE
from guardrails.resolving.grouping.clusters import Sign
from guardrails.resolving.grouping.grouping import Group, Grouping
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules
from guardrails.resolving.sheet import unique
from guardrails.resolving.trailers import View, changed_units, view

OF_NO_UNIT: Final = "of no release unit"
_QUOTING: Final = re.compile(r"(?:(?:fixup|squash|amend)! (?P<mended>.+)|(?:Revert|Reapply) \"(?P<undone>.+)\")")
_DEEPEST: Final = 20
"""How many subjects one may quote inside each other."""
_SHORTEST: Final = 7
"""Of a name of a commit in a message."""


@dataclass(frozen=True, slots=True)
class Share:
    """The changes of one unit. `unsure` are the ids of commits that may be of it, since no rule and no scope tells its own."""

    grouping: Grouping
    unsure: tuple[str, ...] = ()


def name_of(unit: str) -> str:
    """The release unit in "U" or "U@stream"."""
    return unit.partition("@")[0]


def share(grouping: Grouping, bundle: Bundle, unit: str, profile: Profile, rules: Rules) -> Share:
    """What of all changes is the unit's ("U" or "U@stream"). Pure and linear.

    Coverage tells of every commit its items, or the units that it went to, or that it is of none.
    """
    name = name_of(unit)
    touched = _touched(bundle, profile, rules)
    own = _Own(
        name,
        touched,
        {commit.id: commit.files for commit in bundle.commits},
        {file.id: file for file in bundle.net or ()},
        profile,
        rules,
    )
    bare = {commit.id for commit in bundle.commits if not commit.files and commit.diff_known}
    kept = [narrowed for group in grouping.groups if (narrowed := own.of(group, bare)) is not None]
    groups = tuple(_whole_parts(kept))
    told: dict[str, list[str]] = {}
    for group in groups:
        for item in group.commits:
            told.setdefault(item, []).append(group.key)
    keys = {group.key for group in grouping.groups}
    reasons = {item: account for item, account in grouping.coverage.items() if keys.isdisjoint(account.split(", "))}
    coverage = {
        item: ", ".join(told.get(item, ())) or _elsewhere(touched[item], name, reasons.get(item)) for item in grouping.coverage
    }
    is_known = name in rules.units.values() or any(scope.release_unit == name for scope in profile.scopes.values())
    unsure = () if is_known else tuple(item for item, account in coverage.items() if account == OF_NO_UNIT)
    return Share(Grouping(groups, coverage), unsure)


def unmapped(unit: str, own: Share) -> Resolved:
    """The question where it is unsure which commits are a unit's: profile and rules answer it, no field of the record does."""
    name = name_of(unit)
    question = f"Which commits are of {name}? No scope of the profile and no rule for paths names it, and some name no unit."
    accepts = (f"<scopes of {name} in the profile, or its paths in the rules, reviewed at the base>",)
    asked = Unresolved(SELECTION, Reason.NO_EVIDENCE, question, accepts, evidence=own.unsure)
    return Resolved({}, {}, (), (asked,), (), own.grouping.coverage, EnvelopeForm())


def _elsewhere(touched: tuple[str, ...], name: str, reason: str | None) -> str:
    """Why a commit is in no item of the unit."""
    if touched and name not in touched:
        return f"of another release unit: {', '.join(touched)}"
    return reason or (MERGE if touched else OF_NO_UNIT)


@dataclass(frozen=True, slots=True)
class _Own:
    """What is one unit's: commits that touch it, and what they did to files that its paths map to it or that none maps."""

    name: str
    touched: Mapping[str, tuple[str, ...]]
    changed: Mapping[str, tuple[FileChange, ...]] = field(repr=False)
    """The files of each commit, by its id."""
    net: Mapping[str, FileChange] = field(repr=False)
    """The files of the net change, by their id."""
    profile: Profile
    rules: Rules

    def of(self, group: Group, bare: set[str]) -> Group | None:
        """The unit's part of a change; None where it has none. A merge alone is no part."""
        commits = tuple(item for item in group.commits if self.name in self.touched[item])
        if bare.issuperset(commits):
            return None
        files = {file.id: file for item in commits for file in self.changed[item]}
        paths = {path for file in files.values() for path in _paths(file)}
        return replace(group, commits=commits, files=tuple(item for item in group.files if self._has(item, files, paths)))

    def _has(self, item: str, files: Mapping[str, FileChange], paths: set[str]) -> bool:
        """Whether a file is of the unit. One of the net change that no path maps is it where the unit's commits changed it."""
        file = files.get(item) or self.net.get(item)
        if file is None:
            return False
        units = changed_units((file,), self.profile, self.rules)
        return self.name in units or (not units and (item in files or not paths.isdisjoint(_paths(file))))


def _paths(file: FileChange) -> tuple[str, ...]:
    return (file.path, file.old_path or file.path)


def _whole_parts(groups: Iterable[Group]) -> Iterable[Group]:
    """The parts of a split commit that have files left; all of them where none has."""
    found = tuple(groups)
    with_files = {item for group in found if group.why == Sign.SPLIT and group.files for item in group.commits}
    return (group for group in found if group.why != Sign.SPLIT or group.files or with_files.isdisjoint(group.commits))


def _touched(bundle: Bundle, profile: Profile, rules: Rules) -> Mapping[str, tuple[str, ...]]:
    """The units of every commit by its id, oldest first: what it quotes, undoes or brought in stands before it."""
    brought = brought_in(bundle.commits)
    known: dict[str, tuple[str, ...]] = {}
    by_start: dict[str, list[str]] = {}
    for commit in (*bundle.referenced, *bundle.commits):
        one = view(commit, profile, rules)
        undone = (oid for name in one.said.reverts for oid in by_start.get(name[:_SHORTEST].lower(), ()) if _begins(name, oid))
        tied = (known.get(oid, ()) for oid in (*undone, *brought.get(commit.oid, ())))
        known[commit.oid] = _alone(one, profile) or unique(unit for units in tied for unit in units)
        by_start.setdefault(commit.oid[:_SHORTEST], []).append(commit.oid)
    return {commit.id: known[commit.oid] for commit in bundle.commits}


def _begins(name: str, oid: str) -> bool:
    return oid.startswith(name.lower())


def _alone(one: View, profile: Profile) -> tuple[str, ...]:
    """The units that a commit touches by what it says and changes itself, else by the subject that it quotes."""
    return one.units or meant(read_any(_quoted(one.commit)).message, profile)


def _quoted(commit: Commit) -> str:
    """The innermost subject that a revert or a fixup quotes; "" for any other commit."""
    subject = commit.subject
    for _ in range(_DEEPEST):
        match = _QUOTING.fullmatch(subject)
        if match is None:
            break
        subject = match["mended"] or match["undone"]
    return subject if subject != commit.subject else ""
