"""The sheet that resolving fills in: settled, for a drafter to write, for a person to say (Intent Changesets 11.4-11.6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from guardrails.drafts.changeset import CHANGESET
from guardrails.drafts.draft import Form
from guardrails.drafts.questions import Reason, Suggestion, Unresolved
from guardrails.drafts.sourced import Basis, FieldValue, Prose, Sentence, Sourced
from guardrails.findings import Code, Finding
from guardrails.resolving.resolved import ProseRequest, Resolved

K = TypeVar("K")


@dataclass(slots=True)
class Sheet:
    """Filled field by field, then handed out once. A path stands in one place only: what is asked is not settled."""

    values: dict[str, Sourced[FieldValue]] = field(default_factory=dict)
    prose: dict[str, Prose] = field(default_factory=dict)
    requests: dict[str, ProseRequest] = field(default_factory=dict)
    unresolved: dict[str, Unresolved] = field(default_factory=dict)
    contradictions: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)

    def settle(self, path: str, value: FieldValue, basis: Basis, evidence: Iterable[str] = ()) -> None:
        """Take a decision."""
        self.values[path] = Sourced(value, basis, unique(evidence))

    def write(self, path: str, text: str, basis: Basis, evidence: Iterable[str]) -> None:
        """Take a text that stands in a trailer or an answer, white space folded."""
        self.prose[path] = Prose((Sentence(" ".join(text.split()), unique(evidence)),), basis)

    def request(
        self, path: str, sources: Iterable[str], question: str, *, otherwise: Sourced[FieldValue] | None = None
    ) -> None:
        """Let a drafter write the text at `path` from `sources`; where it finds no words, `otherwise` stands or it is asked."""
        self.requests[path] = ProseRequest(path, unique(sources), question, otherwise)

    def ask(
        self,
        path: str,
        reason: Reason,
        question: str,
        *,
        accepts: tuple[str, ...] = (),
        suggestions: Iterable[Suggestion] = (),
        evidence: Iterable[str] = (),
    ) -> None:
        """Leave the field at `path` to a person, whatever was settled for it before."""
        for held in (self.values, self.prose, self.requests):
            held.pop(path, None)
        self.unresolved[path] = Unresolved(path, reason, question, accepts, tuple(suggestions), unique(evidence))

    def contradict(
        self,
        code: Code,
        path: str,
        message: str,
        *,
        question: str,
        accepts: tuple[str, ...] = (),
        suggestions: Iterable[Suggestion] = (),
        evidence: Iterable[str] = (),
        reason: Reason = Reason.CONTRADICTION,
    ) -> None:
        """Report that sources disagree and leave the field at `path` to a person; no side wins."""
        sides = unique(evidence)
        self.contradictions.append(code.at(path, message, evidence=sides))
        self.ask(path, reason, question, accepts=accepts, suggestions=suggestions, evidence=sides)

    def resolved(self, coverage: dict[str, str], form: Form = CHANGESET) -> Resolved:
        """Everything, in the order of the record's fields."""

        def ordered(paths: Iterable[str]) -> list[str]:
            return sorted(paths, key=form.order)

        return Resolved(
            values={path: self.values[path] for path in ordered(self.values)},
            prose={path: self.prose[path] for path in ordered(self.prose)},
            requests=tuple(self.requests[path] for path in ordered(self.requests)),
            unresolved=tuple(self.unresolved[path] for path in ordered(self.unresolved)),
            contradictions=tuple(sorted(self.contradictions, key=lambda finding: (form.order(finding.where), finding.code))),
            coverage=coverage,
            form=form,
            warnings=tuple(self.warnings),
        )


def grouped(pairs: Iterable[tuple[K, Iterable[str]]]) -> dict[K, tuple[str, ...]]:
    """The evidence ids of each value, values and ids in order of first appearance."""
    groups: dict[K, dict[str, None]] = {}
    for value, items in pairs:
        groups.setdefault(value, {}).update(dict.fromkeys(items))
    return {value: tuple(items) for value, items in groups.items()}


def unique(items: Iterable[str]) -> tuple[str, ...]:
    """Each item once, in order of first appearance; the very tuple where it has none twice, for many fields share one."""
    once = tuple(dict.fromkeys(items))
    return items if isinstance(items, tuple) and len(items) == len(once) else once
