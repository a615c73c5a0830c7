"""Linking: what commit messages say against the decisions they link, with no side taken (Intent Changesets 7, 7.1, 13.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from guardrails.findings import Code, Finding
from guardrails.records import commit, commit_rules
from guardrails.records.changeset import Changeset
from guardrails.records.commit import Message, impact_for, migration_for, selected, units
from guardrails.records.decisions import Decision, Side, of_changeset
from guardrails.records.fields import IMPACTS, is_id
from guardrails.records.profile import Profile


def _code(name: str, summary: str, cure: str) -> Code:
    return Code(name=name, summary=summary, cure=cure, section="Intent Changesets 7")


UNKNOWN_CHANGESET = _code(
    "unknown-changeset",
    "A Changeset trailer names a decision that is neither pending, archived nor in a ledger.",
    "Correct the id, or add the changeset.",
)
UNRESOLVED_RELEASE_UNIT = _code(
    "unresolved-release-unit",
    "A commit that links a changeset resolves to no release unit.",
    "Give the commit a scope of the profile, or Affects trailers.",
)
RELEASE_UNIT_CONFLICT = _code(
    "release-unit-conflict",
    "A commit touches a release unit that the decision has no target for.",
    "Add the target, or correct the commit.",
)
STREAM_CONFLICT = _code(
    "stream-conflict",
    "A commit singles out a stream of a release unit that the decision has no target for.",
    "Add the target, or correct the commit's Target trailers.",
)
IMPACT_CONFLICT = _code(
    "impact-conflict",
    "Sources ask for different impacts on one target.",
    "Decide which impact holds and correct the other side.",
)
MIGRATION_CONFLICT = _code(
    "migration-conflict",
    "Sources give different migration guidance for one target.",
    "Decide which guidance holds and correct the other side.",
)


@dataclass(frozen=True, slots=True)
class Said:
    """A commit as history tells it: its full object name, and its message or why that is none."""

    oid: str
    message: Message | tuple[Finding, ...] = field(repr=False)

    @staticmethod
    def of(oid: str, text: str) -> Said:
        """Read the message of a commit."""
        return Said(oid, commit.read(text))

    @property
    def links(self) -> tuple[str, ...]:
        """The ids that its Changeset trailers name, each once; what has not the form of an id is none."""
        named = self.message.values("Changeset") if isinstance(self.message, Message) else ()
        return tuple(dict.fromkeys(value for value in named if is_id(value)))


@dataclass(frozen=True, slots=True)
class LinkFinding:
    """A finding about one commit. `path` is the file on the other side, which `finding.where` and `.line` are in.

    Without one the fault is of the message alone. `changeset` is the linked id that it is about, if it is about one.
    """

    oid: str
    finding: Finding
    changeset: str | None = None
    path: str = ""


def validate_links(commits: Iterable[Said], decisions: Mapping[str, Decision], profile: Profile) -> Iterator[LinkFinding]:
    """The Link Validator: every fault of each message and of its links, in the order of commits, messages and targets.

    A commit that must link a decision and links none is a fault of its message: nothing is guessed (sections 4 and 7).
    """
    for said in commits:
        yield from _faults(said, profile)
        linked = {name: decisions.get(name) for name in said.links}
        for name, decision in linked.items():
            if decision is None:
                finding = UNKNOWN_CHANGESET.at("Changeset", f"{name} is neither pending, archived nor in a ledger")
                yield LinkFinding(said.oid, finding, name)
            else:
                yield from _against(said, decision, profile, filter(None, linked.values()))


def links_of(
    commits: Iterable[Said],
    changeset: Changeset,
    profile: Profile,
    path: str = "",
    decisions: Mapping[str, Decision] | None = None,
) -> tuple[tuple[str, ...], tuple[LinkFinding, ...]]:
    """The object names of the commits that link `changeset` and hold, and why the others that link it do not.

    One holds whose message is valid and contradicts nothing. `path` is where the changeset stands. `decisions` are those that
    the same commits may link as well: what such a commit touches may be a target of any of them.
    """
    decision, known = of_changeset(changeset, path), decisions or {}
    if changeset.id in known:
        decision = replace(decision, disclosures=(*decision.disclosures, *known[changeset.id].disclosures))
    oids: list[str] = []
    found: list[LinkFinding] = []
    for said in commits:
        if changeset.id in said.links:
            linked = (known[name] for name in said.links if name in known)
            against = (*_faults(said, profile), *_against(said, decision, profile, linked))
            found += against
            oids += () if against else (said.oid,)
    return tuple(oids), tuple(found)


def by_id(commits: Iterable[Said]) -> dict[str, list[Said]]:
    """The commits that link each id, in their order: so that many decisions need not look at every commit."""
    linking: dict[str, list[Said]] = {}
    for said in commits:
        for name in said.links:
            linking.setdefault(name, []).append(said)
    return linking


def conflicts(
    message: Message, changeset: Changeset, profile: Profile, linked: Iterable[Changeset] = ()
) -> tuple[Finding, ...]:
    """How a commit contradicts the decision it links; `where` is the field of the changeset that is in doubt.

    `linked` are all changesets that the commit links. Targets that it does not touch, and a commit that is silent about a
    target, are no conflict. What a record says that is not public is not quoted.
    """
    found = _conflicts(message, of_changeset(changeset), profile, tuple(map(of_changeset, linked)))
    return tuple(finding for _, finding in found)


def _faults(said: Said, profile: Profile) -> Iterator[LinkFinding]:
    found = commit_rules.validate(said.message, profile) if isinstance(said.message, Message) else said.message
    yield from (LinkFinding(said.oid, finding) for finding in found)


def _against(said: Said, decision: Decision, profile: Profile, linked: Iterable[Decision]) -> Iterator[LinkFinding]:
    if isinstance(said.message, Message):
        for path, finding in _conflicts(said.message, decision, profile, tuple(linked)):
            yield LinkFinding(said.oid, finding, decision.id, path)


def _conflicts(
    message: Message, decision: Decision, profile: Profile, linked: tuple[Decision, ...]
) -> Iterator[tuple[str, Finding]]:
    """Each contradiction, with the file of the decision's side. A commit may advance several decisions: what it touches has
    to be a target of one that it links, and each of these has to be touched.
    """
    touched = units(message, profile)
    place = decision.place
    if not touched:
        yield place.path, place.at(UNRESOLVED_RELEASE_UNIT, "the commit resolves to no release unit of the profile")
    together = (decision, *linked) if not decision.units.isdisjoint(touched) else (decision,)
    for unit in touched:
        if not any(unit in one.units for one in together):
            told = f"the commit touches {unit}, the changeset has no target for it"
            yield place.path, place.at(RELEASE_UNIT_CONFLICT, told)
    for selector in _strange_streams(message, decision, profile, together):
        yield place.path, place.at(STREAM_CONFLICT, f"the commit singles out {selector}, the changeset has no target for it")
    for side in decision.sides:
        if side.target.release_unit in touched:
            found = _target_conflicts(message, side, profile, is_public=decision.is_public)
            yield from ((side.place.path, finding) for finding in found)


def _strange_streams(message: Message, decision: Decision, profile: Profile, together: tuple[Decision, ...]) -> Iterator[str]:
    """The `unit@stream` that a commit gives an impact or guidance: of a unit of `decision`, and no target of any decision.

    Units that the commit does not touch, and streams that no profile has, are faults of its message.
    """
    impacts = (one for one in selected(message, "Target-Impact") if one is not None and one.value != "none")
    guidance = (one for one in selected(message, "Target-Migration") if one is not None)
    named = {one.selector: (one.unit, one.stream) for one in (*impacts, *guidance) if one.stream is not None}
    if not named:
        return
    own = {side.target.release_unit for side in decision.sides}.intersection(units(message, profile))
    targets = {(side.target.release_unit, side.target.stream) for one in together for side in one.sides}
    for selector, (unit, stream) in named.items():
        is_known = unit in own and stream in profile.streams_of(unit)
        if is_known and targets.isdisjoint({(unit, stream), (unit, None)}):
            yield selector


def _target_conflicts(message: Message, side: Side, profile: Profile, *, is_public: bool) -> Iterator[Finding]:
    target = side.target
    impact = impact_for(message, profile, target.release_unit, target.stream)
    if impact in IMPACTS and impact != target.impact:
        other = f"the changeset {target.impact}" if is_public else "the changeset, which is not public, another"
        yield side.place.at(IMPACT_CONFLICT, f"the commit says {impact}, {other}", "impact")
    guidance = migration_for(message, target.release_unit, target.stream)
    if guidance is not None and guidance.split() != (target.migration or "").split():
        yield side.place.at(MIGRATION_CONFLICT, "the commit and the changeset give different guidance", "migration")
