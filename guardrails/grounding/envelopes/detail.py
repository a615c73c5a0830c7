"""Claims stand beside what they point at: the places that a page names, and where one is missing (Describe Changes)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from guardrails.evidence.code_spans import code_spans
from guardrails.evidence.identifiers import fold
from guardrails.evidence.references import Reference, place_of
from guardrails.findings import Code, Finding, Severity
from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes.pages import Passage, is_background, is_pointed, passages
from guardrails.grounding.envelopes.places import Places
from guardrails.grounding.envelopes.references import REF_PATH_UNCHANGED, check_span

CLAIM_WITHOUT_REF = Code(
    name="claim-without-ref",
    summary="A claim stands beside no reference: a list item, or a whole section, without a changed path.",
    cure="Name the place that shows it in the same list item or paragraph.",
    section="Describe Changes: detail_md",
)
PARAGRAPH_WITHOUT_REF = Code(
    name="paragraph-without-ref",
    summary="A paragraph of a section that tells what changed names no place.",
    cure="Name the place that shows it, if it claims something about behaviour.",
    section="Describe Changes: detail_md",
    severity=Severity.WARNING,
)
DETAIL_LEFT_OUT = Code(
    name="detail-left-out",
    summary="The page is null, which tells that there was no diff, and here is one.",
    cure="Write the page, with its references, from the diff.",
    section="Describe Changes: degraded output",
    severity=Severity.WARNING,
)

_DENIES: Final = re.compile(r"(?i:^\W{0,3}(?:no|none|nothing|not|nobody|there (?:is|are|was|were) no(?:t|ne|thing)?)\b)")
_FEWEST: Final = 2


def check(where: str, text: str, places: Places, citable: Citable) -> Iterator[Finding]:
    """Hold a page of detail: every place in it against the change, and every claim for a place beside it."""
    told = tuple(passages(text))
    for passage in told:
        for place in passage.places:
            yield from _place(where, place, passage.text, places, citable)
    yield from _beside(where, told, places)


def within(where: str, sentence: str, places: Places, citable: Citable) -> Iterator[Finding]:
    """Hold the places with lines that a sentence names by itself against the change."""
    for span in code_spans(sentence) if "`" in sentence else ():
        if is_pointed(place := place_of(span.inner)):
            yield from _place(where, place, sentence, places, citable)


def _place(where: str, place: Reference, text: str, places: Places, citable: Citable) -> Iterator[Finding]:
    """A path with lines is a place whatever it names, unless the evidence itself writes it so; a path alone may be any path."""
    path = places.named(place.path)
    if path is not None:
        yield from check_span(where, replace(place, path=path), text, places)
    elif is_pointed(place) and not citable.shown().writes(fold(place.place())):
        yield REF_PATH_UNCHANGED.at(where, f"got {place.place()[:120]}, expected a path that the change touches")


def _beside(where: str, told: tuple[Passage, ...], places: Places) -> Iterator[Finding]:
    """List items need a place of their own, a section at least one, but for an introduction before the first heading."""
    placed = [passage for passage in told if any(places.named(place.path) for place in passage.places)]
    items, sections = {passage.item for passage in placed}, {passage.section for passage in placed}
    bare = [passage for passage in told if passage not in placed and _claims(passage)]
    for passage in _firsts((passage for passage in bare if passage.item not in {*items, None}), lambda passage: passage.item):
        yield CLAIM_WITHOUT_REF.at(where, f"got a list item without a changed path: {passage.text[:60]}")
    free = [passage for passage in bare if passage.item is None]
    near = [passage for passage in free if passage.section in sections or (passage.section == 0 and sections)]
    for passage in _firsts((passage for passage in free if passage not in near), lambda passage: passage.section):
        yield CLAIM_WITHOUT_REF.at(where, f"got a section without a changed path: {(passage.heading or passage.text)[:60]}")
    for passage in near:
        if not passage.in_table:
            yield PARAGRAPH_WITHOUT_REF.at(where, f"got {passage.text[:60]}")


def _firsts(told: Iterable[Passage], key: Callable[[Passage], object]) -> Iterable[Passage]:
    """The first of the passages that share a key, in order."""
    first: dict[object, Passage] = {}
    for passage in told:
        first.setdefault(key(passage), passage)
    return first.values()


def _claims(passage: Passage) -> bool:
    """Whether a passage may claim something of the change: more than a label, an opening line, or that there is nothing."""
    is_label = len(passage.text.split()) < _FEWEST or passage.text.rstrip().endswith(":")
    return not is_background(passage.heading) and not is_label and not _DENIES.match(passage.text)
