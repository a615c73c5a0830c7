"""What commit messages give for a changelog, by impact, and what of them must not be told (Intent Changesets 6.9, 7, 12).

It is a help for writing, no record: a ledger comes of decisions. A commit whose decision is not public is not told, and none
whose decision is not known: nobody can say that it may be. What reverts such a commit often repeats it, and is not told either.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from guardrails.findings import Finding
from guardrails.records import commit_rules
from guardrails.records.commit import Message, effective_impact, selected
from guardrails.records.decisions import Decision
from guardrails.records.disclosure import State
from guardrails.records.fields import IMPACTS, is_id
from guardrails.records.linking import UNKNOWN_CHANGESET, LinkFinding, Said
from guardrails.records.plain_commit import read_any
from guardrails.records.profile import Profile

_SHORTEST: Final = 7
"""How many digits of a name tell it, at least."""
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


def withheld(commits: Iterable[tuple[str, str]], decisions: Mapping[str, Decision]) -> tuple[frozenset[str], bool]:
    """The names of the commits that may not be told, of object names and messages of any layout, oldest first.

    And whether one reverts a commit that is not among them, of which nothing is known therefore.
    """
    hidden: dict[str, list[str]] = {}
    seen: dict[str, list[str]] = {}
    reaches_out = False
    for oid, text in commits:
        said = read_any(text)
        names = [name.lower() for name in said.reverts]
        links = said.message.values("Changeset")
        if not _may_be_told(links, decisions) or any(_names(name, hidden) for name in names):
            hidden.setdefault(oid[:_SHORTEST], []).append(oid)
        reaches_out = reaches_out or not all(_names(name, seen) for name in names)
        seen.setdefault(oid[:_SHORTEST], []).append(oid)
    return frozenset(oid for oids in hidden.values() for oid in oids), reaches_out


def draw(
    commits: Iterable[Said], decisions: Mapping[str, Decision], profile: Profile | None, hidden: Collection[str] = ()
) -> Drawn:
    """Part the commits of a range, of which `hidden` may not be told, nor those whose own links are not public.

    Every fault of a message and every unknown link is among the findings.
    """
    told: list[Told] = []
    placeholders: dict[str, None] = {}
    malformed: list[str] = []
    found: list[LinkFinding] = []
    count = 0
    for said in commits:
        if not isinstance(said.message, Message):
            malformed.append(said.oid)
            found += (LinkFinding(said.oid, finding) for finding in said.message)
            continue
        is_public = said.oid not in hidden and _may_be_told(said.links, decisions)
        found += _faults(said, said.message, decisions, profile, is_public=is_public)
        if is_public:
            told.append(Told(said.oid, said.message, greatest_impact(said.message, profile)))
            continue
        kept = _placeholders(decisions.get(name) for name in said.links)
        placeholders |= dict.fromkeys(kept)
        count += not kept
    return Drawn(tuple(told), tuple(placeholders), tuple(malformed), count, tuple(found))


def _may_be_told(links: Iterable[str], decisions: Mapping[str, Decision]) -> bool:
    return all(name in decisions and decisions[name].is_public for name in links if is_id(name))


def _names(name: str, oids: Mapping[str, list[str]]) -> bool:
    """Whether a name, which may be cut, is that of a commit."""
    return any(oid.startswith(name) for oid in oids.get(name[:_SHORTEST], ()))


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
