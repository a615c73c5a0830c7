"""Decisions rest on evidence, profile, rules or answers, and say what was resolved (Intent Changesets 6, 11.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from guardrails.drafts.changeset import target_field
from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis, FieldValue, Prose, Sourced, texts
from guardrails.findings import Code, Finding, Severity
from guardrails.grounding.citable import Citable
from guardrails.grounding.items import flat
from guardrails.grounding.statements import check_ids
from guardrails.records.profile import Profile
from guardrails.resolving.resolved import Resolved

DECISION_SYNTHESISED = Code(
    name="decision-synthesised",
    summary="A decision comes from a drafter instead of evidence, profile, rules or an answer.",
    cure="Answer the field, or leave it to the evidence; drafters write prose only.",
    section="Intent Changesets 11.3",
)
DECISION_WITHOUT_EVIDENCE = Code(
    name="decision-without-evidence",
    summary="A decision is said to rest on evidence but names none.",
    cure="Name the items that decide the field.",
    section="Intent Changesets 11.4",
)
DECISION_CONFLICT = Code(
    name="decision-conflict",
    summary="A decision differs from what evidence, profile and answers decide.",
    cure="Correct the draft, or correct the evidence that says otherwise.",
    section="Intent Changesets 11.5",
)
DECISION_UNCONFIRMED = Code(
    name="decision-unconfirmed",
    summary="A given decision may be right, but nothing in the evidence decides it.",
    cure="Confirm the value with an answer.",
    section="Intent Changesets 11.3",
    severity=Severity.NEEDS_INPUT,
)
DECISION_OUTSIDE_PROFILE = Code(
    name="decision-outside-profile",
    summary="A decision uses a word that the profile does not declare.",
    cure="Use a word of the profile, or change the profile first.",
    section="Intent Changesets 6.6",
)
FIELD_MISSING = Code(
    name="field-missing",
    summary="A required field has no value and nobody was asked for it.",
    cure="Answer the field.",
    section="Intent Changesets 6.1",
    severity=Severity.NEEDS_INPUT,
)

_RESTS_ON_ITEMS: Final = frozenset({Basis.TRAILER, Basis.EVIDENCE, Basis.ANSWER})
REQUIRED: Final = ("id", "source-repository", "summary", "rationale", "targets", "provenance", "disclosure.state")
REQUIRED_OF_TARGET: Final = ("release-unit", "type", "impact", "audiences", "migration")


def check(
    draft: Draft,
    citable: Citable,
    resolved: Resolved,
    required: tuple[str, ...] = REQUIRED,
    of_target: tuple[str, ...] = REQUIRED_OF_TARGET,
) -> tuple[Finding, ...]:
    """Hold each decision against its basis, the profile's words, and what resolving decided; `required` must be there."""
    return (
        *(finding for path, value in draft.values.items() for finding in check_value(path, value, draft, citable, resolved)),
        *(finding for path, text in draft.prose.items() for finding in _text(path, text, resolved)),
        *_missing(draft, resolved, required, of_target),
    )


def check_value(
    path: str, decision: Sourced[FieldValue], draft: Draft, citable: Citable, resolved: Resolved
) -> Iterator[Finding]:
    """Hold one decision of a draft of any kind."""
    if decision.basis is Basis.SYNTHESIS:
        yield DECISION_SYNTHESISED.at(
            path, "got a value that a drafter made, expected one from evidence, profile, rule or answer"
        )
    elif decision.basis in _RESTS_ON_ITEMS and not decision.evidence:
        yield DECISION_WITHOUT_EVIDENCE.at(path, f"got basis {decision.basis} and no evidence id")
    elif decision.evidence:
        yield from check_ids(path, decision.evidence, citable)
    if citable.profile is not None:
        yield from _outside(path, decision.value, draft, citable.profile)
    yield from _against(path, decision, resolved)


def _against(path: str, decision: Sourced[FieldValue], resolved: Resolved) -> Iterator[Finding]:
    """A value equals what was resolved; where nothing was, only a given one may wait for a person. Null asserts nothing."""
    if path in resolved.values:
        known = resolved.values[path]
        if _comparable(known.value) != _comparable(decision.value):
            message = f"got {_shown(decision.value)}, expected {_shown(known.value)} ({known.basis})"
            yield DECISION_CONFLICT.at(path, message, evidence=known.evidence)
    elif path in resolved.prose and decision.value is None:
        yield DECISION_CONFLICT.at(
            path, "got null, expected the text that was resolved", evidence=resolved.prose[path].evidence
        )
    elif decision.value and not path.startswith("provenance."):
        if decision.basis is Basis.GIVEN:
            yield DECISION_UNCONFIRMED.at(path, f"got {_shown(decision.value)}, which no evidence decides")
        else:
            message = f"got {_shown(decision.value)}, which resolving does not have (basis {decision.basis})"
            yield DECISION_CONFLICT.at(path, message, evidence=decision.evidence)


def _text(path: str, text: Prose, resolved: Resolved) -> Iterator[Finding]:
    """Migration guidance is a decision too: a trailer's or answer's words stand, and null is not filled in."""
    if target_field(path) is None:
        return
    known = resolved.prose.get(path)
    if known is not None and known.basis is not Basis.SYNTHESIS and flat(known.text) != flat(text.text):
        yield DECISION_CONFLICT.at(path, "got other guidance than the evidence gives", evidence=known.evidence)
    elif path in resolved.values and resolved.values[path].value is None:
        yield DECISION_CONFLICT.at(path, "got guidance, expected null", evidence=resolved.values[path].evidence)


def _outside(path: str, value: FieldValue, draft: Draft, profile: Profile) -> Iterator[Finding]:
    target = target_field(path)
    name = target[1] if target else path
    unit = draft.get(f"targets[{target[0]}].release-unit") if target else None
    accepted = _vocabulary(name, unit if isinstance(unit, str) else "", profile)
    if accepted is None:
        return
    for word in texts(value):
        if word not in accepted:
            message = f"got {word[:80]}, expected one of {', '.join(accepted)[:200]}"
            yield DECISION_OUTSIDE_PROFILE.at(path, message)


def _vocabulary(name: str, unit: str, profile: Profile) -> tuple[str, ...] | None:
    words: Mapping[str, tuple[str, ...]] = {
        "source-repository": (profile.repository,),
        **({"title.type": tuple(profile.types)} if profile.types else {}),
        "release-unit": tuple(profile.release_units),
        "stream": profile.streams_of(unit),
        "type": profile.release_types,
        "impact": profile.release_impacts,
        "audiences": profile.audiences,
        "disclosure.state": profile.disclosures,
    }
    return words.get(name)


def _missing(draft: Draft, resolved: Resolved, required: tuple[str, ...], of_target: tuple[str, ...]) -> Iterator[Finding]:
    """Required fields that are neither in the draft nor among what a drafter or a person is asked."""
    if resolved.names_no_decision:
        return
    have = (*draft.values, *draft.prose)
    asked = [*(question.field for question in resolved.unresolved), *(request.field for request in resolved.requests)]
    targets = dict.fromkeys(place[0] for path in have if (place := target_field(path)))
    of_targets = (f"targets[{index}].{name}" for index in targets for name in of_target)
    for path in (*required, *of_targets):
        if not any(_covers(path, known) for known in (*have, *asked)):
            yield FIELD_MISSING.at(path, "got nothing, expected a value or a question")


def _covers(path: str, known: str) -> bool:
    return known == path or known.startswith((f"{path}[", f"{path}.")) or path.startswith((f"{known}[", f"{known}."))


def _comparable(value: FieldValue) -> object:
    return frozenset(value) if isinstance(value, tuple) else value or None


def _shown(value: FieldValue) -> str:
    return ", ".join(texts(value))[:80] or "nothing"
