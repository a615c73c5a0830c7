"""The extractive drafter: a `Model` that selects and trims what evidence says (Intent Changesets 11.3, 11.4; Describe Changes).

It knows no fact and adds none: sentences stand as they were written, and what it puts together from a diff is made of words
that stand there. What it does not find it leaves open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Final
from weakref import ReferenceType, ref

from agent.model.client import Model, Prompt, Reply
from agent.model.extractive import deciding, describing, requesting
from agent.model.extractive.describing import Change
from agent.model.extractive.leading import lead, told
from agent.model.extractive.shown import Shown
from guardrails.drafts.reply import FieldReply, ProseReply, SentenceReply
from guardrails.drafts.sourced import Sentence
from guardrails.redaction.redact import RedactedEvidence
from guardrails.resolving.resolved import ProseRequest

_OF_RECORDS: Final = {**deciding.PICKS, **requesting.PICKS}


class Extractive(Model):
    """Selects and trims. Deterministic, instant, without a network; it asks nothing of the prompt but evidence and requests."""

    def __init__(self) -> None:
        """Nothing was shown yet. What was looked up is kept for the next prompt on the same evidence."""
        self._last: tuple[ReferenceType[RedactedEvidence], Shown] | None = None

    @property
    def name(self) -> str:
        """`extractive`."""
        return "extractive"

    @property
    def reads_evidence(self) -> bool:
        """Yes: nothing is sent, so nothing has to fit."""
        return True

    async def draft(self, prompt: Prompt) -> Reply:
        """Answer each request from the evidence that it names; null where that does not carry the field."""
        picked = _picked(self._shown(prompt.evidence), prompt.requests)
        reply = ProseReply(fields=tuple(_field(where, said) for where, said in picked))
        return Reply(reply.model_dump_json(), cost=Decimal())

    def _shown(self, evidence: RedactedEvidence) -> Shown:
        if self._last is None or self._last[0]() is not evidence:
            self._last = (ref(evidence, self._forget), Shown.of(evidence.bundle))
        return self._last[1]

    def _forget(self, gone: ReferenceType[RedactedEvidence]) -> None:
        """Let go of what was looked up in evidence that nobody has any more: that of a long history is large."""
        if self._last is not None and self._last[0] is gone:
            self._last = None


def _field(where: str, picked: tuple[Sentence, ...]) -> FieldReply:
    said = tuple(SentenceReply(text=one.text, evidence=one.evidence, heading=one.heading) for one in picked)
    return FieldReply(field=where, sentences=said or None)


def _picked(shown: Shown, requests: Iterable[ProseRequest]) -> Iterator[tuple[str, tuple[Sentence, ...]]]:
    """The sentences for each field, by the last component of its path; none for a field that no text of evidence can be."""
    asked = {request.field: frozenset(request.sources) for request in requests}
    naming = (asked[name] for name in ("summary", "title.description", "rationale") if name in asked)
    leading = lead(told(shown, next(naming, frozenset())))
    changes: dict[frozenset[str], Change] = {}
    for where, sources in asked.items():
        name = where.rpartition(".")[2]
        if name in describing.PICKS:
            if sources not in changes:
                changes[sources] = Change.of(shown, sources)
            yield where, describing.PICKS[name](changes[sources])
        elif name in _OF_RECORDS:
            yield where, _OF_RECORDS[name](leading, shown, sources)
        else:
            yield where, ()
