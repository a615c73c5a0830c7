"""A reply answers what was asked, once, and rests on what it was given for it (Intent Changesets 11.1, 11.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from guardrails.drafts.reply import ProseReply
from guardrails.findings import Code, Finding
from guardrails.resolving.resolved import ProseRequest

OUTSIDE_SOURCES = Code(
    name="outside-sources",
    summary="A drafter cites evidence that it was not given for this field.",
    cure="Rest the text on the items that may carry it, or answer the field.",
    section="Intent Changesets 11.1",
)
ANSWERED_TWICE = Code(
    name="answered-twice",
    summary="A drafter answers one field more than once.",
    cure="Answer each field that was asked once, or answer it in the drafter's place.",
    section="evidraft",
)


def check(reply: ProseReply, requests: Iterable[ProseRequest]) -> tuple[Finding, ...]:
    """Hold a reply against the requests that were shown to the drafter; what nobody asked for is dropped elsewhere."""
    sources = {request.field: frozenset(request.sources) for request in requests}
    answers = [answer for answer in reply.fields if answer.sentences and answer.field in sources]
    counted = Counter(answer.field for answer in answers)
    cited = {
        (answer.field, item): None
        for answer in answers
        for sentence in answer.sentences or ()
        for item in sentence.evidence
        if item not in sources[answer.field]
    }
    return (
        *(OUTSIDE_SOURCES.at(field, f"got {item}, which was not given for this field") for field, item in cited),
        *(ANSWERED_TWICE.at(field, f"got {times} answers, expected one") for field, times in counted.items() if times > 1),
    )
