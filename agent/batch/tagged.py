"""Tags made into releases: each version since the one before it, or the question since which (evidraft, cases 46 to 50)."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Final

from agent.batch import tags
from agent.batch.lineage import Lineage
from agent.batch.preceding import Base, Family
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
    """A repository with its tags and their history, read once."""

    repository: Repository
    lineage: Lineage
    families: tuple[Family, ...]
    others: Mapping[str, str]
    bases: Bases

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
        every = (Place(family, number) for family in self.families for number in range(len(family.points)))
        found = tuple(place for place in every if any(fnmatchcase(tag.name, pattern) for tag in place.point.tags))
        if not found:
            raise self._none(pattern)
        return found

    def aside(self, pattern: str) -> Iterator[str]:
        """A line for the tags that a glob names and that are no releases, for each reason why."""
        by_reason: dict[str, list[str]] = {}
        for name, why in self.others.items():
            if fnmatchcase(name, pattern):
                by_reason.setdefault(why, []).append(name)
        for why, names in by_reason.items():
            shown = [name for name in names[:_MOST] if versions.is_plain(name)]
            more = [f"{len(names) - len(shown)} more"] if len(names) > len(shown) else []
            yield f"no release: {', '.join((*shown, *more))} ({why})"

    def release(self, place: Place, answers: Mapping[str, AnswerValue]) -> Release:
        """The release of one version; `answers` may hold the fields that are asked here.

        Raises:
            RepositoryFailure: a person's answer names no commit.
        """
        if (chosen := _chosen(place.point, answers.get(HEAD))) is None:
            return replace(_release(place.point), head="", questions=(question_document(_which_head(place.point)),))
        if (said := answers.get(BASE)) is not None:
            return self._since(chosen, *self._resolved(str(said)))
        head = chosen.tags[0]
        found = place.family.base(place.number, head.oid, self.bases)
        if isinstance(found, Base):
            return self._since(chosen, found.commit, found.tag.spec if found.tag is not None else "")
        if self.lineage.is_cut("", head.oid):
            return self._cut_off(chosen)
        return replace(_release(chosen), questions=(question_document(self._which_base(head, found)),))

    def _resolved(self, said: str) -> tuple[str, str]:
        """The commit that a person's answer means, and how it is written; the name of a tag means the tag."""
        if said == NOTHING:
            return "", ""
        tags_ = (tag for family in self.families for point in family.points for tag in point.tags)
        spec = next((tag.spec for tag in tags_ if tag.name == said), said)
        return self.repository.resolve(spec), spec

    def _since(self, point: Point, base: str, spec: str) -> Release:
        """The release since a base, unless a shallow clone cuts off a part of what is new in it."""
        made, lineage = _release(point), self.lineage
        if base and base not in lineage.bits:
            lineage = Lineage.of(self.repository, (base, made.head))
        if lineage.is_cut(base, made.head):
            return self._cut_off(point)
        count, previous = lineage.between(base, made.head), spec.removeprefix("tags/")
        return replace(made, base=base, spec=f"{spec}..{made.spec}" if base else made.spec, previous=previous, commits=count)

    def _cut_off(self, point: Point) -> Release:
        return replace(_release(point), questions=(question_document(cut_off(self.repository, point.name)),))

    def _none(self, pattern: str) -> RepositoryFailure:
        """Why a glob names no release."""
        if (aside := next(self.aside(pattern), None)) is not None:
            return RepositoryFailure(f"names {aside}", where=pattern, cure="give a range: BASE..HEAD")
        names = [tag.name for family in self.families for point in family.points for tag in point.tags]
        near = difflib.get_close_matches(pattern, names, n=3)
        cure = f"did you mean {' or '.join(near)}?" if near else self.repository.fetching("--tags")
        return RepositoryFailure("no tag is called so", where=pattern, cure=cure)

    def _which_base(self, head: Tag, candidates: Sequence[Base]) -> Unresolved:
        """The question since which version a release is told. What each candidate is stands in it."""
        names = [(one.tag.name if one.tag is not None else NOTHING, one) for one in candidates]
        told = "; ".join(f"{name}: {one.what}, {_commits(self.lineage.between(one.commit, head.oid))}" for name, one in names)
        return Unresolved(
            field=BASE,
            reason=Reason.AMBIGUOUS,
            question=f"Which version does {head.name} follow? Versions and history do not agree. {told}. {_FOR_ALL}",
            accepts=("<revision>", NOTHING),
            suggestions=tuple(Suggestion(name, ()) for name, _ in names),
        )


def cut_off(repository: Repository, name: str) -> Unresolved:
    """The question that a shallow clone leaves: it is answered by fetching, and planning again."""
    cure = repository.fetching("HEAD")
    said = f"The history before {name} is cut off in this shallow repository, so nothing tells what is new in it; {cure}."
    return Unresolved(field=BASE, reason=Reason.NO_EVIDENCE, question=said, accepts=("<revision>", NOTHING))


def _commits(count: int) -> str:
    return "1 commit" if count == 1 else f"{count} commits"


def _which_head(point: Point) -> Unresolved:
    told = "; ".join(f"{tag.name}: {tag.oid[:12]} of {tag.date}" for tag in point.tags)
    names = tuple(tag.name for tag in point.tags)
    return Unresolved(
        field=HEAD,
        reason=Reason.AMBIGUOUS,
        question=f"Which commit is the release? Tags of one version lead to different commits. {told}.",
        accepts=names,
        suggestions=tuple(Suggestion(name, ()) for name in names),
    )


def _chosen(point: Point, answer: AnswerValue | None) -> Point | None:
    """The version as one commit; None where its names lead to several, and nobody said which."""
    if len(point.commits) == 1:
        return point
    named = [tag.oid for tag in point.tags if answer in {tag.name, tag.oid}]
    return point.at(named[0]) if named else None


def _release(point: Point) -> Release:
    """A version as far as its tags tell it."""
    head = point.tags[0]
    names = tuple(tag.name for tag in point.tags)
    return Release(
        name=head.name, place="", base="", head=head.oid, spec=head.spec, title=head.name, tags=names, date=head.date
    )
