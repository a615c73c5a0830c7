"""Tags made into releases: each version since the one before it, or the question since which (evidraft, cases 46 to 50)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Final

from agent.batch import tags
from agent.batch.lineage import Lineage
from agent.batch.preceding import Base, Family, Found
from agent.batch.release import PLANNED, Release
from agent.batch.tags import Point, Tag, Tags
from agent.batch.wish import Bases
from agent.errors import RepositoryFailure
from agent.render.outcomes import question_document
from agent.sources.git import Repository
from guardrails import versions
from guardrails.drafts.questions import Reason, Suggestion, Unresolved
from guardrails.evidence.model import AnswerValue

BASE, HEAD = PLANNED
_FOR_ALL: Final = "To decide that for all releases of a run at once: --bases version, or --bases ancestry."
_MOST: Final = 20
"""How many tags a line names."""
NOTHING: Final = "nothing"
"""The answer that takes everything up to a release."""


@dataclass(frozen=True, slots=True)
class Place:
    """A version by its place in its family."""

    family: Family
    number: int

    @property
    def point(self) -> Point:
        """The version there."""
        return self.family.points[self.number]


@dataclass(frozen=True, slots=True)
class Tagged:
    """A repository with its tags and their history, read once. `masks` are how tags are told whose names must not be."""

    repository: Repository
    lineage: Lineage
    families: tuple[Family, ...]
    others: Mapping[str, str]
    bases: Bases
    masks: Mapping[str, str] = field(default_factory=dict, repr=False)
    _found: dict[tuple[str, str], Found] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, repository: Repository, bases: Bases) -> Tagged:
        """Read the tags of a repository.

        Raises:
            RepositoryFailure: git failed, or an object is missing.
        """
        told = Tags.of(tags.read(repository))
        lineage = Lineage.of(repository, told.commits())
        families = tuple(Family.of(points, lineage) for points in told.families.values())
        return cls(repository, lineage, families, told.others, bases)

    def fitting(self, pattern: str) -> tuple[Place, ...]:
        """The versions that a glob names.

        Raises:
            RepositoryFailure: it names none; with tags of similar names, or how to get what is cut off.
        """
        found = tuple(self._fitting(pattern))
        if not found:
            raise self._none(pattern)
        return found

    def names(self) -> Iterator[str]:
        """The name of every tag, as git has it."""
        yield from (tag.name for tag in self._tags())
        yield from self.others

    def bases_of(self, patterns: Iterable[str]) -> Iterator[str]:
        """Every commit that a version which a glob names may be told since, whatever a person answers."""
        for place in self._fitting(*patterns):
            for head in place.point.commits:
                found = self._base(place, head)
                yield from (one.commit for one in ((found,) if isinstance(found, Base) else found) if one.commit)

    def shown(self, name: str) -> str:
        """What a tag is called wherever it is told."""
        return self.masks.get(name, name)

    def _base(self, place: Place, head: str) -> Found:
        """What a version made of `head` follows; it is asked for twice, and looked for once."""
        key = (place.point.name, head)
        if key not in self._found:
            self._found[key] = place.family.base(place.number, head, self.bases)
        return self._found[key]

    def _fitting(self, *patterns: str) -> Iterator[Place]:
        every = (Place(family, number) for family in self.families for number in range(len(family.points)))
        return (place for place in every if any(fnmatchcase(tag.name, one) for tag in place.point.tags for one in patterns))

    def _tags(self) -> Iterator[Tag]:
        return (tag for family in self.families for point in family.points for tag in point.tags)

    def aside(self, pattern: str) -> Iterator[str]:
        """A line for the tags that a glob names and that are no releases, for each reason why."""
        by_reason: dict[str, list[str]] = {}
        for name, why in self.others.items():
            if fnmatchcase(name, pattern):
                by_reason.setdefault(why, []).append(name)
        for why, names in by_reason.items():
            shown = [self.shown(name) for name in names[:_MOST] if versions.is_plain(name)]
            more = [f"{len(names) - len(shown)} more"] if len(names) > len(shown) else []
            yield f"no release: {', '.join((*shown, *more))} ({why})"

    def release(self, place: Place, answers: Mapping[str, AnswerValue]) -> Release:
        """The release of one version; `answers` may hold the fields that are asked here.

        Raises:
            RepositoryFailure: a person's answer names no commit.
        """
        if (chosen := self._chosen(place.point, answers.get(HEAD))) is None:
            return replace(self._release(place.point), head="", questions=(question_document(self._which_head(place.point)),))
        if (said := answers.get(BASE)) is not None:
            return self._since(chosen, *self._resolved(str(said)))
        head = chosen.tags[0]
        found = self._base(place, head.oid)
        if isinstance(found, Base):
            return self._since(chosen, found.commit, self._spec(found.tag) if found.tag is not None else "")
        if self.lineage.is_cut("", head.oid):
            return self._cut_off(chosen)
        return replace(self._release(chosen), questions=(question_document(self._which_base(head, found)),))

    def _resolved(self, said: str) -> tuple[str, str]:
        """The commit that a person's answer means, and how it is told; the name of a tag means the tag."""
        if said == NOTHING:
            return "", ""
        tag = next((tag for tag in self._tags() if said in {tag.name, self.shown(tag.name)}), None)
        return self.repository.resolve(said if tag is None else tag.spec), said if tag is None else self._spec(tag)

    def _since(self, point: Point, base: str, spec: str) -> Release:
        """The release since a base, unless a shallow clone cuts off a part of what is new in it."""
        made, lineage = self._release(point), self.lineage
        if base and base not in lineage.bits:
            lineage = Lineage.of(self.repository, (base, made.head))
        if lineage.is_cut(base, made.head):
            return self._cut_off(point)
        count, previous = lineage.between(base, made.head), spec.removeprefix("tags/")
        operand = (f"{base}..{made.head}" if base else made.head) if self.masks else ""
        told = f"{spec}..{made.spec}" if base else made.spec
        return replace(made, base=base, spec=told, operand=operand, previous=previous, commits=count)

    def _cut_off(self, point: Point) -> Release:
        made = self._release(point)
        return replace(made, questions=(question_document(cut_off(self.repository, made.title)),))

    def _release(self, point: Point) -> Release:
        """A version as far as its tags tell it."""
        head = point.tags[0]
        name, names = self.shown(head.name), tuple(self.shown(tag.name) for tag in point.tags)
        return Release(
            name=name, place="", base="", head=head.oid, spec=self._spec(head), title=name, tags=names, date=head.date
        )

    def _spec(self, tag: Tag) -> str:
        """The name under which git knows a tag for sure, as it is told."""
        return f"{tag.spec.removesuffix(tag.name)}{self.shown(tag.name)}"

    def _chosen(self, point: Point, answer: AnswerValue | None) -> Point | None:
        """The version as one commit; None where its names lead to several, and nobody said which."""
        if len(point.commits) == 1:
            return point
        named = [tag.oid for tag in point.tags if answer in {tag.name, self.shown(tag.name), tag.oid}]
        return point.at(named[0]) if named else None

    def _none(self, pattern: str) -> RepositoryFailure:
        """Why a glob names no release."""
        if (aside := next(self.aside(pattern), None)) is not None:
            return RepositoryFailure(f"names {aside}", where=pattern, cure="give a range: BASE..HEAD")
        near = list(map(self.shown, difflib.get_close_matches(pattern, [tag.name for tag in self._tags()], n=3)))
        cure = f"did you mean {' or '.join(near)}?" if near else self.repository.fetching("--tags")
        return RepositoryFailure("no tag is called so", where=pattern, cure=cure)

    def _which_base(self, head: Tag, candidates: Sequence[Base]) -> Unresolved:
        """The question since which version a release is told. What each candidate is stands in it."""
        own = self.shown(head.name)
        names = [(self.shown(one.tag.name) if one.tag is not None else NOTHING, one) for one in candidates]
        told = "; ".join(f"{name}: {one.what}, {_commits(self.lineage.between(one.commit, head.oid))}" for name, one in names)
        return Unresolved(
            field=BASE,
            reason=Reason.AMBIGUOUS,
            question=f"Which version does {own} follow? Versions and history do not agree. {told}. {_FOR_ALL}",
            accepts=("<revision>", NOTHING),
            suggestions=tuple(Suggestion(name, ()) for name, _ in names),
        )

    def _which_head(self, point: Point) -> Unresolved:
        names = tuple(self.shown(tag.name) for tag in point.tags)
        told = "; ".join(f"{name}: {tag.oid[:12]} of {tag.date}" for name, tag in zip(names, point.tags, strict=True))
        return Unresolved(
            field=HEAD,
            reason=Reason.AMBIGUOUS,
            question=f"Which commit is the release? Tags of one version lead to different commits. {told}.",
            accepts=names,
            suggestions=tuple(Suggestion(name, ()) for name in names),
        )


def cut_off(repository: Repository, name: str) -> Unresolved:
    """The question that a shallow clone leaves: it is answered by fetching, and planning again."""
    cure = repository.fetching("HEAD")
    said = f"The history before {name} is cut off in this shallow repository, so nothing tells what is new in it; {cure}."
    return Unresolved(field=BASE, reason=Reason.NO_EVIDENCE, question=said, accepts=("<revision>", NOTHING))


def _commits(count: int) -> str:
    return "1 commit" if count == 1 else f"{count} commits"
