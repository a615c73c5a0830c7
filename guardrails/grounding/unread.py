"""What a drafter was not shown, since it did not fit into what it reads at once: whoever reads its draft must know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from guardrails.evidence.model import Bundle
from guardrails.findings import Code, Finding, Severity

EVIDENCE_NOT_READ = Code(
    name="evidence-not-read",
    summary="Some of the evidence did not fit into what the drafter reads at once, and was not shown to it.",
    cure="Read what is named before relying on the draft, describe a smaller range, or take a drafter that reads more at once.",
    section="Intent Changesets 11.1",
    severity=Severity.WARNING,
)
NOTHING_SHOWN = Code(
    name="nothing-shown",
    summary="Nothing that the field may rest on fits into what the drafter reads at once, so it was not asked.",
    cure="Answer the field, or describe a smaller range, or take a drafter that reads more at once.",
    section="Intent Changesets 11.6",
    severity=Severity.NEEDS_INPUT,
)
_NAMED: Final = 5
"""So many places are named; of the others only how many there are."""


def check(bundle: Bundle, left_out: Collection[str]) -> tuple[Finding, ...]:
    """One warning that counts the items of these ids by kind and names some of the places they stand for."""
    if not left_out:
        return ()
    found = [(kind, place) for item_id, kind, place in _items(bundle) if item_id in left_out]
    counted = ", ".join(f"{count} {kind}" for kind, count in Counter(kind for kind, _ in found).items())
    places = tuple(dict.fromkeys(place for _, place in found))
    more = f" and {len(places) - _NAMED} more places" if len(places) > _NAMED else ""
    return (EVIDENCE_NOT_READ.at("", f"not read ({counted}): {', '.join(places[:_NAMED])}{more}"),)


def _items(bundle: Bundle) -> Iterator[tuple[str, str, str]]:
    """Id, kind and place of each item; hunks stand for their file."""
    yield from ((one.id, "answers", one.path) for one in bundle.answers)
    yield from ((one.id, "messages", one.locator) for one in (*bundle.commits, *bundle.referenced))
    yield from ((one.id, "documents", one.key or one.locator) for one in bundle.documents)
    yield from ((one.id, "contract results", one.locator) for one in bundle.contracts)
    yield from ((one.id, "records", one.path) for one in bundle.records)
    for change in (*bundle.files(), *(bundle.net or ())):
        yield change.id, "changed files", change.path
        yield from ((hunk.id, "hunks", change.path) for hunk in change.hunks)
