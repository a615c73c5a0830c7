"""Follow-ups: a commit without a result of its own joins the change that it goes along with (Describe Changes: items).

Two commits that each state a result stay two changes, whatever they touch, unless they state the same of one path. Any other is
read for signs, the surest first: one change added every telling line that it removes; it comes right after the change that last
touched all its telling paths, and tells mere activity; its tests or documents are named for a file of one change, or repeat its
telling words. Requests of their own and steps of a release follow nothing.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final

from guardrails.evidence.model import Change
from guardrails.evidence.roles import Role, role
from guardrails.resolving.grouping.clusters import Clusters, Sign
from guardrails.resolving.grouping.members import TELLING, Member, is_telling
from guardrails.wording.words import folded, stems

_FIXUP: Final = re.compile(r"(?:(?:fixup|squash|amend)! ?)+(.+)")
_EVERYDAY: Final = stems("add fix remove update support use make allow improve change handle new test tests doc docs document")
_RARE: Final = 8
"""A word that more changes than this have in common tells nothing."""
_TELLING_LETTERS: Final = 8
"""How many letters and digits a line has that is hardly written twice by chance."""
_AFFIX: Final = re.compile(r"^tests?[_-]|[_.-](?:tests?|spec|e2e)$")
_COMPANIONS: Final = frozenset((Role.TESTS, Role.DOCUMENTATION))


def join_fixups(members: Sequence[Member], clusters: Clusters) -> None:
    """Join each `fixup!`, `squash!` and `amend!` with the last earlier commit that it names, by subject or object name."""
    by_subject: dict[str, int] = {}
    for member in members:
        subject = member.commit.subject.strip()
        match = _FIXUP.fullmatch(subject)
        named = by_subject.get(match[1].strip()) if match else None
        if named is not None and clusters.agree(named, member.place, Sign.FIXUP):
            clusters.join(named, member.place, Sign.FIXUP)
        by_subject |= dict.fromkeys((subject, member.commit.oid, member.commit.oid[:7]), member.place)
        if match:
            by_subject[match[1].strip()] = member.place


def join_follow_ups(members: Sequence[Member], clusters: Clusters) -> None:
    """Join what goes along with an earlier change; `members` are those that are left, in order."""
    seen = _Seen(clusters)
    stating = {clusters.root(member.place) for member in members if member.states}
    for member in members:
        if member.is_release:
            continue
        target = seen.same(member) if clusters.root(member.place) in stating else seen.followed(member, stating)
        if target is not None and clusters.agree(target, member.place, Sign.PATHS):
            is_led = {clusters.root(target), clusters.root(member.place)} & stating
            clusters.join(target, member.place, Sign.PATHS)
            stating |= {clusters.root(member.place)} if is_led else frozenset()
        seen.note(member)


class _Seen:
    """What earlier commits added, touched, named and said; by place."""

    def __init__(self, clusters: Clusters) -> None:
        self._clusters = clusters
        self._lines: dict[tuple[str, str], int] = {}
        self._touched: dict[str, int] = {}
        self._names: dict[str, int] = {}
        self._words: dict[str, list[int]] = {}
        self._said: dict[str, Member] = {}
        self._latest: int | None = None

    def note(self, member: Member) -> None:
        """Remember a commit."""
        self._lines |= dict.fromkeys(_lines(member, "+"), member.place)
        self._touched |= dict.fromkeys(member.paths, member.place)
        if not member.states:
            return
        self._latest = member.place
        self._said[folded(member.said.message.description)] = member
        self._names |= {_stem(path): member.place for path in member.paths if role(path) is Role.SOURCE}
        for word in stems(member.said.message.description) - _EVERYDAY:
            self._words.setdefault(word, []).append(member.place)

    def same(self, member: Member) -> int | None:
        """An earlier commit that states the same of a path that this one touches too."""
        earlier = self._said.get(folded(member.said.message.description))
        return earlier.place if earlier is not None and earlier.paths & member.paths else None

    def followed(self, member: Member, stating: Container[int]) -> int | None:
        """The one change that a commit goes along with, None where no sign tells it.

        What has a number of its own is a change of its own; what tells more than activity goes along with a result only.
        """
        if member.request or member.said.citations:
            return None
        signs = (self._by_lines, *(() if member.tells else (self._by_paths,)), self._by_names, self._by_words)
        root = next((root for sign in signs if (root := sign(member)) is not None), None)
        return None if member.tells and root not in stating else root

    def _one(self, places: Iterable[int | None]) -> int | None:
        """The change that all of some places are in."""
        roots = {None if place is None else self._clusters.root(place) for place in places}
        return roots.pop() if len(roots) == 1 else None

    def _by_lines(self, member: Member) -> int | None:
        return self._one(map(self._lines.get, _lines(member, "-")))

    def _by_paths(self, member: Member) -> int | None:
        old = [file for file in member.commit.files if is_telling(file.path) and file.change is not Change.ADDED]
        root = self._one(self._touched.get(file.old_path or file.path) for file in old)
        return root if self._latest is not None and root == self._clusters.root(self._latest) else None

    def _by_names(self, member: Member) -> int | None:
        return self._one(self._names.get(_stem(path)) for path in _companions(member))

    def _by_words(self, member: Member) -> int | None:
        shared: dict[int, int] = {}
        for word in stems(member.said.message.description) - _EVERYDAY if _companions(member) else ():
            places = self._words.get(word, [])
            for root in {self._clusters.root(place) for place in places} if len(places) <= _RARE else ():
                shared[root] = shared.get(root, 0) + 1
        best = max(shared.values(), default=0)
        fitting = [root for root, count in shared.items() if count == best]
        return fitting[0] if best > 1 and len(fitting) == 1 else None


def _lines(member: Member, sign: str) -> Iterator[tuple[str, str]]:
    """The telling lines that a commit added or removed, with their paths."""
    for file in member.commit.files:
        for hunk in file.hunks if role(file.path) in TELLING else ():
            path = file.path if sign == "+" else file.old_path or file.path
            lines = (line[1:].strip() for line in (hunk.text or "").split("\n") if line.startswith(sign))
            yield from ((path, line) for line in lines if sum(map(str.isalnum, line)) >= _TELLING_LETTERS)


def _companions(member: Member) -> tuple[str, ...]:
    """The tests and documents that a commit touches, where it touches nothing else but what every change does."""
    paths = tuple(path for path in member.paths if is_telling(path))
    return paths if all(role(path) in _COMPANIONS for path in paths) else ()


def _stem(path: str) -> str:
    """The name of a file without what marks it as a test, and without its suffixes."""
    return _AFFIX.sub("", path.rpartition("/")[2].casefold().partition(".")[0])
