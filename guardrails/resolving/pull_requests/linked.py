"""The reviewed decisions that the commits of a request link, and which commits link none (Intent Changesets 7, 7.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from guardrails.drafts.pull_request import CHANGESETS
from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Prose
from guardrails.findings import Finding, Severity
from guardrails.records.disclosure import STRICTNESS, Disclosure
from guardrails.records.entries import LEDGER
from guardrails.records.linking import RELEASE_UNIT_CONFLICT, UNKNOWN_CHANGESET
from guardrails.resolving.answers import as_texts
from guardrails.resolving.changesets.picks import Decided
from guardrails.resolving.changesets.provenance import Reference
from guardrails.resolving.decisions import Decision, decisions, reviewed
from guardrails.resolving.sheet import Sheet, grouped
from guardrails.resolving.trailers import Case, Existing, View


@dataclass(frozen=True, slots=True)
class Linked:
    """`ids` are all that commits link, or a person, each with what says so; `known` those of which there is a record.

    `loose` are the commits that link none of these.
    """

    ids: Mapping[str, tuple[str, ...]]
    known: Mapping[str, Decision] = field(repr=False)
    loose: tuple[View, ...]

    @classmethod
    def of(cls, case: Case) -> Linked:
        """What the commits of a case link."""
        answer = case.answers.get(f"provenance.{CHANGESETS}")
        answered = as_texts(answer.value) or () if answer is not None else ()
        said = [(word, (view.id,)) for view in case.views for word in view.changesets]
        ids = grouped([*said, *((word, (answer.id,)) for word in answered if answer is not None)])
        every = decisions(case.bundle)
        known = {word: every[word] for word in ids if word in every}
        return cls(ids, known, tuple(view for view in case.views if known.keys().isdisjoint(view.changesets)))

    @property
    def only(self) -> Decision | None:
        """The one decision that the request carries out and nothing else; None where it does more, or none is known."""
        return next(iter(self.known.values())) if len(self.known) == 1 and not self.loose else None

    @property
    def items(self) -> tuple[str, ...]:
        """The evidence ids of the records whose words count."""
        return tuple(decision.item for decision in self.known.values())

    def decided(self) -> tuple[Decided, ...]:
        """Every target of these decisions, as the newest record of each tells it."""
        return tuple(
            Decided(target.release_unit, target.stream, target.impact, target.migration, decision.newest.item)
            for decision in self.known.values()
            for target in decision.whole.targets
        )

    def disclosure(self, *, withheld: bool) -> tuple[str, Disclosure] | None:
        """The strictest that one of them has, by the evidence id of its record; None where they decide nothing: all of them are
        public, and some commits link none or a part of what was selected is `withheld`.
        """
        told = [(one.item, one.record.disclosure) for decision in self.known.values() for one in decision.sources]
        strictest = max(told, key=lambda one: STRICTNESS.get(one[1].state, len(STRICTNESS)), default=None)
        is_partly = bool(self.loose) or withheld
        return None if strictest is None or (strictest[1].is_public and is_partly) else strictest

    def existing(self, case: Case) -> tuple[Existing, ...]:
        """Their newest records, as a commit is held against them."""
        return tuple(
            next(
                (one for one in case.records_of(word) if decision.newest.item in one.items and one.is_file),
                Existing(decision.whole, (decision.newest.item,), is_file=decision.newest.where != LEDGER),
            )
            for word, decision in self.known.items()
        )


def resolve_links(sheet: Sheet, linked: Linked) -> tuple[Reference, ...]:
    """What goes into `provenance.changesets`. It is asked where a link leads to no record: such a request does not hold."""
    path = f"provenance.{CHANGESETS}"
    strange = {word: sides for word, sides in linked.ids.items() if word not in linked.known}
    if strange:
        sheet.contradict(
            UNKNOWN_CHANGESET,
            path,
            f"{', '.join(strange)} is linked, and neither pending, archived nor in a ledger",
            question="The request links a changeset that does not exist. Is it still to be made, or is the trailer wrong?",
            evidence=(item for sides in strange.values() for item in sides),
            reason=Reason.POLICY,
        )
    return tuple(Reference(CHANGESETS, word, item) for word, sides in linked.ids.items() for item in sides)


def strays(case: Case, linked: Linked) -> Iterator[Finding]:
    """Units whose paths a commit changes, and that no decision which it links has a target for: a reviewer is to see that."""
    for view in case.views:
        own = [decision for word, decision in linked.known.items() if word in view.changesets]
        targeted = {target.release_unit for decision in own for target in decision.whole.targets}
        for unit in view.changed if own else ():
            if unit not in targeted and unit not in view.declared:
                message = f"{view.id} changes {unit}, which is no target of {', '.join(decision.id for decision in own)}"
                sides = (*(decision.newest.item for decision in own), view.id)
                yield replace(RELEASE_UNIT_CONFLICT.at("targets", message, evidence=sides), severity=Severity.WARNING)


def wording(decision: Decision) -> Mapping[str, Prose]:
    """The reviewed words of a decision, used as they stand."""
    texts = {"summary": decision.record.summary, "rationale": decision.record.rationale}
    return {path: reviewed(text, decision.item) for path, text in texts.items()}
