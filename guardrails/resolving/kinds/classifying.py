"""The kind of a change by documented rules, and the kinds that its evidence leaves open to others (Describe Changes: kind).

Strongest first; a person's answer comes before all of them:

1. breaking: `!`, a `BREAKING CHANGE` footer, `Impact: major`, a label, a linked changeset of major impact. Never prose.
2. security: a type or label of security, a changeset of that type, an advisory that the change is said to cure.
3. ops, where dependencies are brought to other versions and nothing else is done.
4. bug_fix, where a commit that touches the product takes another one back.
5. what people said in a vocabulary: commit types, labels of the request, release types of linked changesets, by the project's
   `[rules.kinds]`, `[rules.types]` and `[rules.type-labels]`, else by convention. Where they exclude each other none is taken.
6. news fragments by their names.
7. the paths: where nothing changed that users meet it is docs or ops.
8. new entries of a changelog by the section that they stand in.
9. the opening of the title, else of the commits that lead.

A sign that leaves several kinds possible (the label `enhancement`) narrows, and a weaker one chooses among them. What is still
open after all of them is asked: nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from guardrails.drafts.envelope import KINDS
from guardrails.drafts.sourced import Basis
from guardrails.findings import Code, Finding
from guardrails.resolving.changesets.impacts import BREAKING_CONFLICT
from guardrails.resolving.envelopes.reading import Part, Reading
from guardrails.resolving.grouping.grouping import Group
from guardrails.resolving.kinds import kind_hints, kind_signs
from guardrails.resolving.kinds.kind_permits import permitted
from guardrails.resolving.kinds.kind_signs import PLAIN, Sign, evidence_of
from guardrails.resolving.kinds.kind_words import DOCS, FEATURE
from guardrails.resolving.rules import Rules

KIND_CONFLICT = Code(
    name="kind-conflict",
    summary="Commit types, labels and linked changesets name kinds that exclude each other.",
    cure="Answer the kind, correct the label or the type, or say in `[rules.kinds]` what a word means here.",
    section="Describe Changes: kind",
    contradicts=True,
)
__all__ = ["KINDS", "KIND_CONFLICT", "Kinds", "classify"]

_Layer: TypeAlias = Callable[[Part, Rules], Iterator[Sign]]
_SURE: Final[tuple[_Layer, ...]] = (kind_hints.updating, kind_hints.reverting)
_SAID: Final[tuple[_Layer, ...]] = (kind_signs.typed, kind_signs.labelled, kind_signs.recorded)
_HINTS: Final[tuple[_Layer, ...]] = (kind_hints.fragments, kind_hints.placed, kind_hints.listed, kind_hints.stated)


@dataclass(frozen=True, slots=True)
class Kinds:
    """What is known of a change's kind: the one that rules decide (None while it is open), and every one that is not excluded.

    `sides` are what speaks for which kind: the kind, the ids that carry it, why. Where people contradict each other there is a
    finding at "kind" that names every side, and no value.
    """

    value: str | None
    basis: Basis
    evidence: tuple[str, ...]
    permitted: frozenset[str]
    sides: tuple[tuple[str, tuple[str, ...], str], ...] = ()
    contradiction: Finding | None = None


def classify(group: Group, reading: Reading, rules: Rules) -> Kinds:
    """The kind of one change. Pure; linear in the change."""
    part = reading.part(group)
    breaking, security = tuple(kind_signs.breaking(part, rules)), tuple(kind_signs.security(part, rules))
    sure, said = _signs(_SURE, part, rules), _signs(_SAID, part, rules)
    kinds = permitted(part, rules, (*breaking, *security), (*sure, *said))
    conflict = _marked_otherwise(part, rules) or _excluded(breaking, security, sure, said)
    if conflict is not None:
        return Kinds(None, Basis.RULE, (), kinds, _sides((*breaking, *security, *said)), conflict)
    claimed = () if breaking else tuple(kind_signs.claims(part))
    used = breaking or security or _narrowed((*sure, *said, *_signs(_HINTS, part, rules)))
    left = frozenset(KINDS).intersection(*(sign.kinds for sign in used))
    if len(left) == 1 and not claimed and (breaking or not part.is_half_undone):
        return Kinds(min(left), used[0].basis, evidence_of(used), kinds | left, _sides(used))
    told = (*claimed, *used) or (Sign(kinds, group.commits, "nothing excludes it"),)
    return Kinds(None, Basis.RULE, (), kinds, _sides(told))


def _signs(layers: tuple[_Layer, ...], part: Part, rules: Rules) -> tuple[Sign, ...]:
    return tuple(sign for layer in layers for sign in layer(part, rules))


def _narrowed(signs: tuple[Sign, ...]) -> tuple[Sign, ...]:
    """The signs that count, the strongest first: a weaker one chooses among what is left, and never against it."""
    left, used = PLAIN, list[Sign]()
    for sign in signs:
        if len(left) > 1 and left & sign.kinds:
            left &= sign.kinds
            used.append(sign)
    return tuple(used)


def _marked_otherwise(part: Part, rules: Rules) -> Finding | None:
    """A commit that is marked as breaking and gives a smaller impact contradicts itself, unless a rule reads the mark."""
    if rules.breaking_marker is not None:
        return None
    odd = tuple(one.id for one in part.messages if kind_signs.is_marked(one, part) and {*kind_signs.impacts(one)} - {"major"})
    return (
        BREAKING_CONFLICT.at("kind", f"{', '.join(odd)} marked as breaking, with another impact", evidence=odd) if odd else None
    )


def _excluded(
    breaking: tuple[Sign, ...], security: tuple[Sign, ...], sure: tuple[Sign, ...], said: tuple[Sign, ...]
) -> Finding | None:
    """Vocabularies that leave no kind in common. What breaks something may be more besides; a cured weakness is no feature."""
    left = PLAIN.intersection(*(sign.kinds for sign in said))
    if breaking or sure or (left and not (security and left <= {FEATURE, DOCS})):
        return None
    sides = (*security, *said)
    message = "; ".join(f"{', '.join(sign.evidence)} says {_listed(sign)}" for sign in sides)
    return KIND_CONFLICT.at("kind", message, evidence=evidence_of(sides))


def _listed(sign: Sign) -> str:
    return " or ".join(kind for kind in KINDS if kind in sign.kinds)


def _sides(signs: tuple[Sign, ...]) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """Each kind that something speaks for, once: all ids that carry it, and the strongest reason."""
    sides: dict[str, list[Sign]] = {}
    for sign in signs:
        for kind in sorted(sign.kinds, key=KINDS.index):
            sides.setdefault(kind, []).append(sign)
    return tuple((kind, evidence_of(found), found[0].why) for kind, found in sides.items())
