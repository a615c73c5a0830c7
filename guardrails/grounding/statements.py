"""Statements: sentences of a draft with what they cite, the neutral input of every rule on prose (Intent Changesets 11.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from guardrails.drafts.sourced import Basis, Prose
from guardrails.findings import Code, Finding
from guardrails.grounding.citable import Citable

UNKNOWN_EVIDENCE = Code(
    name="unknown-evidence",
    summary="A text or value cites evidence that was not shown.",
    cure="Cite an item of the evidence manifest; ids of another run do not count.",
    section="Intent Changesets 11.3",
)
UNCITED_SENTENCE = Code(
    name="uncited-sentence",
    summary="A sentence cites no evidence.",
    cure="Name the items that carry the sentence, or take it out.",
    section="Intent Changesets 11.4",
)
CITED_TWICE = Code(
    name="cited-twice",
    summary="A sentence or value cites the same evidence twice.",
    cure="Cite each item once.",
    section="evidraft",
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence at a field path, and the ids of what it cites."""

    where: str
    text: str = field(repr=False)
    evidence: tuple[str, ...]


def statements(prose: Mapping[str, Prose], citable: Citable) -> tuple[Statement, ...]:
    """The sentences of `prose` in order. A given text, which cites nothing, leans on all that was shown."""
    every = citable.whole
    return tuple(
        Statement(where, sentence.text, every if text.basis is Basis.GIVEN and not sentence.evidence else sentence.evidence)
        for where, text in prose.items()
        for sentence in text.sentences
    )


def check(told: tuple[Statement, ...], citable: Citable) -> tuple[Finding, ...]:
    """Every sentence cites shown evidence, each item once."""
    return tuple(finding for statement in told for finding in check_ids(statement.where, statement.evidence, citable))


def check_ids(where: str, ids: tuple[str, ...], citable: Citable) -> Iterator[Finding]:
    """Findings on a list of evidence ids at `where`: none, unknown, twice."""
    if not ids:
        yield UNCITED_SENTENCE.at(where, "got no evidence id, expected at least one for each sentence")
    for item_id, times in Counter(ids).items():
        if not citable.has(item_id):
            yield UNKNOWN_EVIDENCE.at(where, f"got {item_id[:20]}, expected the id of an item that was shown")
        elif times > 1:
            yield CITED_TWICE.at(where, f"got {item_id} twice", evidence=(item_id,))
