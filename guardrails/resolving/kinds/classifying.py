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
from guardrails.resolving.envelopes.reading import Part
from guardrails.resolving.kinds import kind_hints, kind_permits, kind_signs
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
__all__ = ["KINDS", "KIND_CONFLICT", "Kinds", "classify", "permitted"]

_Layer: TypeAlias = Callable[[Part, Rules], Iterator[Sign]]
_SURE: Final[tuple[_Layer, ...]] = (kind_hints.updating, kind_hints.reverting)
_SAID: Final[tuple[_Layer, ...]] = (kind_signs.typed, kind_signs.labelled, kind_signs.recorded)
_HINTS: Final[tuple[_Layer, ...]] = (kind_hints.fragments, kind_hints.placed, kind_hints.listed, kind_hints.stated)


@dataclass(frozen=True, slots=True)
class Kinds:
    """What is known of a change's kind: the one that rules decide, None while it is open.

    `sides` are what speaks for which kind: the kind, the ids that carry it, why. Where people contradict each other there is a
    finding at "kind" that names every side, and no value.
    """

    value: str | None
    basis: Basis
    evidence: tuple[str, ...]
    sides: tuple[tuple[str, tuple[str, ...], str], ...] = ()
    contradiction: Finding | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    """What the rules find in a change, by layer."""

    breaking: tuple[Sign, ...]
    security: tuple[Sign, ...]
    sure: tuple[Sign, ...]
    said: tuple[Sign, ...]

    @classmethod
    def of(cls, part: Part, rules: Rules) -> _Found:
        breaking, security = tuple(kind_signs.breaking(part, rules)), tuple(kind_signs.security(part, rules))
        return cls(breaking, security, _signs(_SURE, part, rules), _signs(_SAID, part, rules))

    def permitted(self, part: Part, rules: Rules) -> frozenset[str]:
        """The kinds that neither these signs nor paths and words exclude."""
        return kind_permits.permitted(part, rules, (*self.breaking, *self.security), (*self.sure, *self.said))


def classify(part: Part, rules: Rules) -> Kinds:
    """The kind of one change. Pure; linear in the change."""
    found = _Found.of(part, rules)
    conflict = _marked_otherwise(part, rules) or _excluded(found)
    if conflict is not None:
        return Kinds(None, Basis.RULE, (), _sides((*found.breaking, *found.security, *found.said)), conflict)
    claimed = () if found.breaking else tuple(kind_signs.claims(part))
    used = found.breaking or found.security or _narrowed((*found.sure, *found.said, *_signs(_HINTS, part, rules)))
    left = frozenset(KINDS).intersection(*(sign.kinds for sign in used))
    if len(left) == 1 and not claimed and (found.breaking or not part.is_half_undone):
        return Kinds(min(left), used[0].basis, evidence_of(used), _sides(used))
    told = (*claimed, *used) or (Sign(found.permitted(part, rules), part.group.commits, "nothing excludes it"),)
    return Kinds(None, Basis.RULE, (), _sides(told))


def permitted(part: Part, rules: Rules) -> frozenset[str]:
    """Every kind of one change that is not excluded, the one that rules decide among them. Pure; linear in the change."""
    kinds, decided = _Found.of(part, rules).permitted(part, rules), classify(part, rules).value
    return kinds if decided is None else kinds | {decided}


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


def _excluded(found: _Found) -> Finding | None:
    """Vocabularies that leave no kind in common. What breaks something may be more besides; a cured weakness is no feature."""
    left = PLAIN.intersection(*(sign.kinds for sign in found.said))
    if found.breaking or found.sure or (left and not (found.security and left <= {FEATURE, DOCS})):
        return None
    sides = (*found.security, *found.said)
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
