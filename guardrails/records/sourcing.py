"""What commit messages give for a changelog, by impact, and what of them must not be told (Intent Changesets 6.9, 7, 12).

It is a help for writing, no record: a ledger comes of decisions. A commit whose decision is not public is not told, and none
whose decision is not known: nobody can say that it may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from guardrails.findings import Finding
from guardrails.records import commit_rules
from guardrails.records.commit import Message, effective_impact, selected
from guardrails.records.decisions import Decision
from guardrails.records.disclosure import State
from guardrails.records.fields import IMPACTS
from guardrails.records.linking import UNKNOWN_CHANGESET, LinkFinding, Said
from guardrails.records.profile import Profile

_WITHHELD: Final = "not told: the commit links a decision that is not public, or not known"


@dataclass(frozen=True, slots=True)
class Told:
    """One commit that may be told, and the greatest impact that it has anywhere; None where it states none."""

    oid: str
    message: Message = field(repr=False)
    impact: str | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """The commits that may be told, oldest first; what stands in place of others; those that are no Intent Commits messages.

    `withheld` counts the commits that neither are told nor have a placeholder.
    """

    told: tuple[Told, ...]
    placeholders: tuple[str, ...] = field(repr=False)
    malformed: tuple[str, ...]
    withheld: int
    findings: tuple[LinkFinding, ...]


def draw(commits: Iterable[Said], decisions: Mapping[str, Decision], profile: Profile | None) -> Drawn:
    """Part the commits of a range. Every fault of a message and every unknown link is among the findings."""
    told: list[Told] = []
    placeholders: dict[str, None] = {}
    malformed: list[str] = []
    found: list[LinkFinding] = []
    withheld = 0
    for said in commits:
        if not isinstance(said.message, Message):
            malformed.append(said.oid)
            found += (LinkFinding(said.oid, finding) for finding in said.message)
            continue
        linked = [decisions.get(name) for name in said.links]
        is_public = all(decision is not None and decision.is_public for decision in linked)
        found += _faults(said, said.message, decisions, profile, is_public=is_public)
        if is_public:
            told.append(Told(said.oid, said.message, greatest_impact(said.message, profile)))
            continue
        kept = _placeholders(linked)
        placeholders |= dict.fromkeys(kept)
        withheld += not kept
    return Drawn(tuple(told), tuple(placeholders), tuple(malformed), withheld, tuple(found))


def greatest_impact(message: Message, profile: Profile | None) -> str | None:
    """The greatest of a commit's overall and target impacts: a major change of one target is not told among minor ones."""
    said = {effective_impact(message, profile), *(one.value for one in selected(message, "Target-Impact") if one)}
    return max((impact for impact in said if impact in IMPACTS), key=IMPACTS.index, default=None)


def _faults(
    said: Said, message: Message, decisions: Mapping[str, Decision], profile: Profile | None, *, is_public: bool
) -> Iterable[LinkFinding]:
    for finding in commit_rules.validate(message, profile):
        yield LinkFinding(said.oid, finding if is_public else _closed(finding))
    for name in said.links:
        if name not in decisions:
            yield LinkFinding(
                said.oid, UNKNOWN_CHANGESET.at("Changeset", f"{name} is not known, so this commit is not told"), name
            )


def _closed(finding: Finding) -> Finding:
    return replace(finding, message=_WITHHELD)


def _placeholders(linked: Iterable[Decision | None]) -> tuple[str, ...]:
    """What stands in the place of a commit: one text a redacted decision, and nothing where another one is embargoed."""
    kept: list[str] = []
    for decision in linked:
        for disclosure in decision.disclosures if decision is not None else ():
            if disclosure.state == State.REDACTED and disclosure.placeholder:
                kept.append(disclosure.placeholder)
            elif not disclosure.is_public:
                return ()
        if decision is None:
            return ()
    return tuple(kept)
