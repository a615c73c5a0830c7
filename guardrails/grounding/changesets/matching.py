"""Targets of someone else's draft, matched by unit and stream in any order (Intent Changesets 6.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from guardrails.drafts.changeset import target_field
from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import FieldValue, Sourced
from guardrails.findings import Code, Finding
from guardrails.resolving.resolved import Resolved

TARGET_MISSING = Code(
    name="target-missing",
    summary="The draft has no target for a release unit and stream that the evidence names.",
    cure="Add the target, or correct the evidence that names it.",
    section="Intent Changesets 6.6",
)


def places(draft: Draft, resolved: Resolved) -> Mapping[int, int]:
    """For each target of the draft the place that the same target has in `resolved`; other targets stand behind those."""
    known = _targets(resolved.values)
    ours = {pair: place for place, pair in reversed(known.items())}
    units = {unit: place for place, (unit, _) in reversed(known.items())}
    behind = 1 + max(known, default=-1)
    found: dict[int, int] = {}
    for index, (unit, stream) in _targets(draft.values).items():
        place = ours.get((unit, stream), units.get(unit))
        if place is None or place in found.values():
            place, behind = behind, behind + 1
        found[index] = place
    return found


def renumbered(draft: Draft, to: Mapping[int, int]) -> Draft:
    """The draft with its targets at other places."""
    return replace(
        draft,
        values={_at(path, to): value for path, value in draft.values.items()},
        prose={_at(path, to): text for path, text in draft.prose.items()},
    )


def told(findings: tuple[Finding, ...], of: Mapping[int, int]) -> tuple[Finding, ...]:
    """The findings at the places that the draft itself has, the inverse of `renumbered`."""
    back = {place: index for index, place in of.items()}
    return tuple(replace(finding, where=_at(finding.where, back)) for finding in findings)


def missing(draft: Draft, resolved: Resolved) -> tuple[Finding, ...]:
    """Targets that the evidence has and the renumbered draft has not."""
    have = _targets(draft.values)
    return tuple(
        TARGET_MISSING.at(
            "targets", f"got no target for {unit}", evidence=resolved.values[f"targets[{place}].release-unit"].evidence
        )
        for place, (unit, _) in _targets(resolved.values).items()
        if place not in have
    )


def _targets(values: Mapping[str, Sourced[FieldValue]]) -> dict[int, tuple[FieldValue, FieldValue]]:
    """Unit and stream of each target, by its place."""
    found = {
        place[0]: value.value for path, value in values.items() if (place := target_field(path)) and place[1] == "release-unit"
    }
    streams = {index: values.get(f"targets[{index}].stream") for index in found}
    return {index: (found[index], stream.value if (stream := streams[index]) else None) for index in sorted(found)}


def _at(path: str, to: Mapping[int, int]) -> str:
    target = target_field(path)
    return f"targets[{to.get(target[0], target[0])}].{target[1]}" if target else path
