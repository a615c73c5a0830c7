"""Linking: what a commit message says against the decision it links, with no side taken (Intent Changesets 7, 7.1)."""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.findings import Code, Finding
from guardrails.records.changeset import Changeset, Target
from guardrails.records.commit import Message, impact_for, migration_for, units
from guardrails.records.profile import Profile


def _code(name: str, summary: str, cure: str) -> Code:
    return Code(name=name, summary=summary, cure=cure, section="Intent Changesets 7")


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


def conflicts(message: Message, changeset: Changeset, profile: Profile) -> tuple[Finding, ...]:
    """How a commit contradicts the decision it links; `where` is the field of the changeset that is in doubt.

    Targets that the commit does not touch, and a commit that is silent about a target, are no conflict.
    """
    touched = units(message, profile)
    if not touched:
        return (UNRESOLVED_RELEASE_UNIT.at("targets", "the commit resolves to no release unit of the profile"),)
    return tuple(_conflicts(message, changeset, profile, touched))


def _conflicts(message: Message, changeset: Changeset, profile: Profile, touched: tuple[str, ...]) -> Iterator[Finding]:
    targeted = {target.release_unit for target in changeset.targets}
    for unit in touched:
        if unit not in targeted:
            yield RELEASE_UNIT_CONFLICT.at("targets", f"the commit touches {unit}, the changeset has no target for it")
    for place, target in enumerate(changeset.targets):
        if target.release_unit in touched:
            yield from _target_conflicts(message, target, profile, f"targets[{place}]")


def _target_conflicts(message: Message, target: Target, profile: Profile, where: str) -> Iterator[Finding]:
    impact = impact_for(message, profile, target.release_unit, target.stream)
    if impact is not None and impact != target.impact:
        yield IMPACT_CONFLICT.at(f"{where}.impact", f"the commit says {impact}, the changeset {target.impact}")
    guidance = migration_for(message, target.release_unit, target.stream)
    if guidance is not None and guidance.split() != (target.migration or "").split():
        yield MIGRATION_CONFLICT.at(f"{where}.migration", "the commit and the changeset give different guidance")
