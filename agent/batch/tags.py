"""The tags of a repository as the versions that they name (evidraft: release notes in batch)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from agent.sources.git import Repository
from guardrails import versions
from guardrails.versions import Named, Version

_FIELDS: Final = ("refname", "objecttype", "objectname", "*objecttype", "*objectname", "creatordate:short")
_FORMAT: Final = "%00".join(f"%({name})" for name in _FIELDS)
_TAGS: Final = "refs/tags/"


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag and what it leads to at last: the kind and the name of that object. `date` is its day, or else the commit's.

    `spec` is the name under which git knows it for sure: a branch can be called the same.
    """

    name: str
    kind: str
    oid: str
    date: str
    spec: str


@dataclass(frozen=True, slots=True)
class Point:
    """One version and the tags that name it, the usual spelling first; they may lead to several commits."""

    version: Version
    tags: tuple[Tag, ...]

    @property
    def name(self) -> str:
        """What the version is called."""
        return self.tags[0].name

    @property
    def commits(self) -> tuple[str, ...]:
        """The commits that are called so."""
        return tuple(dict.fromkeys(tag.oid for tag in self.tags))

    def at(self, commit: str) -> Point:
        """The same as far as its names lead to `commit`."""
        return replace(self, tags=tuple(tag for tag in self.tags if tag.oid == commit))


@dataclass(frozen=True, slots=True)
class Tags:
    """All tags of a repository: versions by family, each in order; and why the others are no releases, by name."""

    families: Mapping[str, tuple[Point, ...]]
    others: Mapping[str, str]

    @classmethod
    def of(cls, tags: Iterable[Tag]) -> Tags:
        """Sort tags by what their names tell. Whatever is no release by itself is told among the others."""
        others: dict[str, str] = {}
        named: dict[str, list[tuple[Named, Tag]]] = {}
        for tag in tags:
            found = versions.read(tag.name)
            if tag.kind != "commit":
                others[tag.name] = f"leads to a {tag.kind}, not to a commit"
            elif found is None:
                others[tag.name] = "tells no version"
            else:
                named.setdefault(found.family, []).append((found, tag))
        for members in named.values():
            others |= _moving(members)
        families = {
            family: tuple(_points([member for member in members if member[1].name not in others]))
            for family, members in sorted(named.items())
        }
        return cls(families, others)

    def commits(self) -> Iterator[str]:
        """Every commit that is a version."""
        return (tag.oid for points in self.families.values() for point in points for tag in point.tags)


def read(repository: Repository) -> tuple[Tag, ...]:
    """Every tag, in the order of names.

    Raises:
        RepositoryFailure: git failed, as it does where the object of a tag is missing.
    """
    asked = ("for-each-ref", f"--format={_FORMAT}", "refs/tags", "refs/heads", "refs/remotes")
    lines = repository.git.tell(*asked).decode("utf-8", "backslashreplace").splitlines()
    told = [tuple(line.split("\0")) for line in lines]
    shared = {fields[0].split("/", 2)[2] for fields in told if not fields[0].startswith(_TAGS)}
    return tuple(_tag(repository, fields, shared) for fields in told if fields[0].startswith(_TAGS))


def _tag(repository: Repository, fields: tuple[str, ...], shared: set[str]) -> Tag:
    """A tag can name another tag, of which older git follows the first step only."""
    ref, kind, oid, led_kind, led, date = fields
    if led_kind == "tag":
        led = repository.git.tell("rev-parse", "--verify", "--end-of-options", f"{led}^{{}}").decode().strip()
        led_kind = repository.git.tell("cat-file", "-t", led).decode().strip()
    name = ref.removeprefix(_TAGS)
    return Tag(name, led_kind or kind, led or oid, date, f"tags/{name}" if name in shared else name)


def _moving(members: Iterable[tuple[Named, Tag]]) -> dict[str, str]:
    """Names such as `v4` that stand beside `v4.2.1` on one commit, and will stand beside the next one."""
    beside: dict[str, list[tuple[Named, Tag]]] = {}
    for member in members:
        beside.setdefault(member[1].oid, []).append(member)
    return {
        short.name: f"moves with the releases and is now at {long.name}"
        for group in beside.values()
        for short, _ in group
        for long, _ in group
        if long.version != short.version and long.version.is_final and long.version.is_within(short.version)
    }


def _points(members: list[tuple[Named, Tag]]) -> Iterator[Point]:
    usual = Counter(found.before for found, _ in members)
    members.sort(
        key=lambda member: (member[0].version, -usual[member[0].before], -len(member[0].version.numbers), member[0].name)
    )
    for version, same in groupby(members, key=lambda member: member[0].version):
        yield Point(version, tuple(tag for _, tag in same))
