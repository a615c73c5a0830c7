"""What resolving hands on: decisions, texts, requests for prose, open questions, coverage (Intent Changesets 11.3-11.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from guardrails.drafts.changeset import CHANGESET
from guardrails.drafts.draft import Draft, Form, combine
from guardrails.drafts.questions import SELECTION, Reason, Unresolved
from guardrails.drafts.reply import ProseReply
from guardrails.drafts.sourced import FieldValue, Prose, Sourced
from guardrails.findings import Finding


@dataclass(frozen=True, slots=True)
class ProseRequest:
    """A prose field that a drafter is asked for, and the ids of the evidence that may carry it."""

    field: str
    """As in the record: `summary`, `targets[i].migration`."""
    sources: tuple[str, ...]
    question: str = ""
    """What a person is asked when no drafter finds the words."""
    otherwise: Sourced[FieldValue] | None = None
    """What stands there when a drafter says that it finds none, in place of a question; None for a field that needs words."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """Decisions by field path, prose that trailers and answers already give, what a drafter may write, what a person must say.

    `contradictions` are findings that name every side; the fields they touch are in `unresolved`.
    `coverage` maps each selected commit id to its part in the draft or to why it has none. `warnings` are for the reviewer.
    """

    values: Mapping[str, Sourced[FieldValue]]
    prose: Mapping[str, Prose]
    requests: tuple[ProseRequest, ...]
    unresolved: tuple[Unresolved, ...]
    contradictions: tuple[Finding, ...]
    coverage: Mapping[str, str]
    form: Form = CHANGESET
    """The form of the draft that comes of it."""
    warnings: tuple[Finding, ...] = ()

    def parts(self) -> Mapping[str, tuple[ProseRequest, ...]]:
        """The requests by the part of the draft that they belong to, "" for the whole; each part is drafted by itself."""
        found: dict[str, list[ProseRequest]] = {}
        for request in self.requests:
            found.setdefault(self.form.part(request.field), []).append(request)
        return {part: tuple(requests) for part, requests in found.items()}

    def drafted(self, reply: ProseReply | None) -> Draft:
        """The draft of what is resolved, and of what a drafter wrote where it was asked."""
        known = Draft(self.form, self.values, self.prose, self.coverage)
        silent = {answer.field for answer in (reply.fields if reply else ()) if not answer.sentences}
        empty = {one.field: one.otherwise for one in self.requests if one.otherwise is not None and one.field in silent}
        drafted = combine(known, reply, (request.field for request in self.requests))
        return replace(drafted, values={**drafted.values, **empty}) if empty else drafted

    @property
    def names_no_decision(self) -> bool:
        """Whether it is open which decision or shape is meant, or whether there is one: no other field can be asked yet."""
        return any(
            question.field in {SELECTION, "shape"} or (question.field == "id" and question.reason is Reason.AMBIGUOUS)
            for question in self.unresolved
        )
