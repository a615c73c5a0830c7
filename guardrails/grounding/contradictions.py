"""Contradictions between commits, records, prose and decisions are told, never settled (Intent Changesets 7, 11.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from guardrails.drafts.changeset import target_field
from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis, FieldValue, Sourced
from guardrails.findings import Code, Finding
from guardrails.grounding.citable import Citable
from guardrails.resolving.resolved import Resolved

BREAKING_WITHOUT_MAJOR = Code(
    name="breaking-without-major",
    summary="The prose calls the change breaking, and no target has major impact.",
    cure="Correct the impact or the wording; the two must not disagree.",
    section="Intent Changesets 11.5",
    contradicts=True,
)
IMPACT_CONTRADICTS_COMMIT = Code(
    name="impact-contradicts-commit",
    summary="No target has the impact that a linked commit states.",
    cure="Correct the commit's trailer or the draft; neither side is taken silently.",
    section="Intent Changesets 7",
    contradicts=True,
)
UNIT_CONTRADICTS_COMMIT = Code(
    name="unit-contradicts-commit",
    summary="A linked commit says that it affects a release unit for which the draft has no target.",
    cure="Add the target, or correct the commit's trailer.",
    section="Intent Changesets 7",
    contradicts=True,
)

_BREAKING: Final = re.compile(r"(?i:\bbreaking changes?\b|\bbackwards?[- ]incompatible\b|\bincompatible change\b)")
_TELLS_OF: Final = re.compile(
    r"(?i:\b(?:mention|document|list|show|describ|explain|highlight|detect|report|announc|skip|indicat|handl|pars|filter|group"
    r"|render|display|sort|not)(?:e|s|es|ed|ing)?(?: \w+){0,3} (?:breaking|incompatible) changes?\b)"
)
"""Words about breaking changes, as tools and documents that deal with them have: they call nothing breaking."""
_NEGATED: Final = re.compile(r"(?i:\b(?:no|not|non|without|avoid\w*|prevent\w*)\b)")


def check(draft: Draft, citable: Citable, resolved: Resolved) -> tuple[Finding, ...]:
    """What resolving found, and what commits of the decision say against the draft."""
    return (*resolved.contradictions, *_breaking(draft, citable), *_commits(draft, citable, resolved))


def says_breaking(text: str) -> bool:
    """Whether a sentence calls a change breaking, rather than telling of what deals with breaking changes."""
    return _BREAKING.search(_TELLS_OF.sub(" ", text)) is not None and not _NEGATED.search(text)


def _of_targets(draft: Draft, name: str) -> dict[str, Sourced[FieldValue]]:
    """The decisions on one target field, by path."""
    return {path: value for path, value in draft.values.items() if (place := target_field(path)) and place[1] == name}


def _words(decisions: Mapping[str, Sourced[FieldValue]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(decision.value for decision in decisions.values() if isinstance(decision.value, str)))


def _is_settled(decisions: Mapping[str, Sourced[FieldValue]]) -> bool:
    """Whether there is nothing to hold commits against: no decision, or one that a person made with the commits in sight."""
    return not decisions or any(decision.basis is Basis.ANSWER for decision in decisions.values())


def _breaking(draft: Draft, citable: Citable) -> Iterator[Finding]:
    """A sentence of a drafter's own that says breaking; words copied from evidence may be about breaking changes."""
    impacts = _words(_of_targets(draft, "impact"))
    if not impacts or "major" in impacts:
        return
    for path, text in draft.prose.items():
        for sentence in text.sentences:
            if says_breaking(sentence.text) and not citable.copies(sentence.text, sentence.evidence):
                message = f"got a breaking change, and the impact is {', '.join(impacts)}"
                yield BREAKING_WITHOUT_MAJOR.at(path, message, evidence=sentence.evidence)


def _commits(draft: Draft, citable: Citable, resolved: Resolved) -> Iterator[Finding]:
    coverage = draft.coverage or resolved.coverage
    linked = {item_id for item_id in citable.selected if coverage.get(item_id) == "decision"}
    yield from _impacts(draft, citable, linked)
    yield from _units(draft, citable, linked)


def _impacts(draft: Draft, citable: Citable, linked: set[str]) -> Iterator[Finding]:
    """A commit's overall impact is that of some target, unless the commit names impacts target by target."""
    decisions = _of_targets(draft, "impact")
    by_target = {item_id for item_id, _ in citable.trailers("Target-Impact")}
    if _is_settled(decisions):
        return
    for item_id, impact in citable.trailers("Impact"):
        if item_id in linked - by_target and impact.casefold() not in {*_words(decisions), "none"}:
            message = f"got {', '.join(_words(decisions))}, and {item_id} says {impact[:40]}"
            yield IMPACT_CONTRADICTS_COMMIT.at(next(iter(decisions)), message, evidence=(item_id,))


def _units(draft: Draft, citable: Citable, linked: set[str]) -> Iterator[Finding]:
    """Each unit that a commit says it affects has a target."""
    decisions = _of_targets(draft, "release-unit")
    if _is_settled(decisions) or citable.profile is None:
        return
    for item_id, word in citable.trailers("Affects"):
        unit = citable.profile.unit_for(word)
        if item_id in linked and unit and unit not in _words(decisions):
            message = f"got {', '.join(_words(decisions))}, and {item_id} affects {unit}"
            yield UNIT_CONTRADICTS_COMMIT.at("targets", message, evidence=(item_id,))
