"""What a passage names stands at the places that it names, or at least somewhere else in the change (Describe Changes)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from guardrails.evidence.identifiers import IdentifierKind, mentions
from guardrails.evidence.references import place_of
from guardrails.findings import Code, Finding, Severity
from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes.pages import Passage, passages
from guardrails.grounding.envelopes.places import Places

NAMED_ELSEWHERE = Code(
    name="named-elsewhere",
    summary="A passage names something that stands in the change, but in none of the files whose places stand beside it.",
    cure="Check that the reference beside it is the right one.",
    section="Describe Changes: detail_md",
    severity=Severity.WARNING,
)
_KINDS: Final = frozenset({IdentifierKind.CODE, IdentifierKind.SYMBOL, IdentifierKind.VERSION, IdentifierKind.QUOTE})
_WORDED: Final = "CPIDRVSA"


def check(where: str, text: str, places: Places, citable: Citable) -> Iterator[Finding]:
    """Hold every passage that has places against the files there and what people said."""
    worded = tuple(item for item in citable.items if item[:1] in _WORDED)
    for passage in passages(text):
        files = tuple(dict.fromkeys(_files(passage, places)))
        if not files:
            continue
        for mention in mentions(passage.text, trackers=citable.trackers):
            if mention.kind not in _KINDS or places.named(place_of(mention.value).path) is not None:
                continue
            if citable.supports(mention, citable.whole) and not citable.supports(mention, (*worded, *files)):
                yield NAMED_ELSEWHERE.at(where, f"got {mention.text[:80]}, which stands in none of the files beside it")


def _files(passage: Passage, places: Places) -> Iterator[str]:
    for place in passage.places:
        path = places.named(place.path)
        yield from (side.file.id for side in places.sides(path or ""))
