"""The composer: puts the prompts of one run together, for the whole of a draft or for one part of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

import prompts
from agent.model.client import Prompt
from agent.prompting import fencing, packing
from agent.prompting.items import Item, profiled, ranked, worded
from agent.prompting.packing import Packed
from agent.tasks import Task
from guardrails.digests import digest_of
from guardrails.drafts.reply_schema import reply_schema
from guardrails.evidence.items import Item as Source
from guardrails.evidence.model import Bundle
from guardrails.grounding.suggesting import Vocabulary
from guardrails.records.profile import Profile
from guardrails.redaction.redact import RedactedEvidence
from guardrails.resolving.resolved import ProseRequest

BUDGET: Final = 200_000
"""Characters in one prompt, however much its reader could read at once."""
_NONE: Final[Mapping[str, Vocabulary]] = MappingProxyType({})
_SLACK: Final = 100
"""For the number of items that are not told one by one, and the seams between the texts."""


@dataclass(frozen=True, slots=True)
class Composer:
    """Puts the prompts of one run together; what all of them share is looked up once."""

    task: Task
    evidence: RedactedEvidence
    budget: int
    room: int | None
    reads_evidence: bool
    instructions: str = field(repr=False)
    profile: tuple[Item, ...] = field(repr=False)
    """The exact active profile as an item of its own; none where a run has no profile."""
    frame: Mapping[str, object] = field(repr=False)
    items: tuple[Source, ...] = field(repr=False)
    """The evidence by rank: what people wrote first, what no one reads last."""
    ranks: Mapping[str, int] = field(repr=False)
    """The place of each among them, by id."""
    outside: frozenset[str]
    """The ids of the commits that were not selected, only named."""
    open_fields: Mapping[str, Vocabulary]
    """Decisions that a person takes and a reply may suggest, by part."""

    @classmethod
    def of(
        cls,
        task: Task,
        evidence: RedactedEvidence,
        profile: Profile | None,
        *,
        budget: int = BUDGET,
        room: int | None = None,
        reads_evidence: bool = False,
        open_fields: Mapping[str, Vocabulary] = _NONE,
    ) -> Composer:
        """Look up what all prompts of `task` over this evidence share.

        `room` is how many characters the messages of a prompt may have, instructions and question among them: never more than
        `budget`, since long prompts cost. Where it is not known, that is how many characters of item text a prompt may have.
        `open_fields` may be suggested, by part.
        """
        items = tuple(ranked(evidence.bundle))
        return cls(
            task=task,
            evidence=evidence,
            budget=budget,
            room=None if room is None else min(room, budget),
            reads_evidence=reads_evidence,
            instructions="\n\n".join(map(prompts.text, task.prompt)),
            profile=profiled(evidence, profile),
            frame=_frame(evidence.bundle, profile),
            items=items,
            ranks={item.id: rank for rank, item in enumerate(items)},
            outside=frozenset(commit.id for commit in evidence.bundle.referenced),
            open_fields=open_fields,
        )

    def prompt(
        self,
        requests: Sequence[ProseRequest],
        *,
        part: str = "",
        feedback: Sequence[str] = (),
        room: int | None = None,
        fence: str | None = None,
    ) -> Prompt:
        """Put one prompt together, for the whole or for one part of the draft. `fence` is for tests; else it is random.

        The exact profile, where there is one, goes in first, then items by rank while there is room: all of them for the whole,
        for a part only what it may rest on. Requests keep the ids that are shown, for what was not shown cannot be cited, and
        one of which nothing is shown is not asked: a prompt without requests need not be sent. Only a reader of the evidence
        itself is shown all of it. `room` makes less of the composer's own. `digest` does not depend on the fence.

        Raises:
            ValueError: a line of the evidence holds the `fence` that was handed in.
        """
        open_fields: Vocabulary = {} if feedback else self.open_fields.get(part, {})
        besides = tuple(_besides(open_fields, feedback))
        packed = self._packed(requests, part, besides, room)
        shown = (*self.profile, *packed.shown)
        asked = tuple(requests) if self.reads_evidence else tuple(_shown_alone(requests, packed.shown))
        question = "\n\n".join((_asked(asked), *besides))
        frame = {**self.frame, **packed.manifest()}
        seen = tuple(item.id for item in packed.shown)
        schema = _schema(asked, open_fields, seen)
        told = {"instructions": self.instructions, "question": question, "frame": frame, "schema": schema}
        mark = fencing.fence(shown, frame, fence)
        return Prompt(
            task=self.task.name,
            name=self.task.prompt_name,
            version=self.task.version,
            instructions=self.instructions,
            question=question,
            data=fencing.fenced(frame, shown, mark),
            fence=mark,
            requests=asked,
            evidence=self.evidence,
            digest=digest_of({**told, "items": [{**item.head(), "text": item.text} for item in shown]}),
            schema=schema,
            feedback=tuple(feedback),
            shown=seen,
            left_out=tuple(item.id for item in packed.left_out),
            open_fields=open_fields,
            part=part,
        )

    def _packed(self, requests: Sequence[ProseRequest], part: str, besides: Sequence[str], less: int | None) -> Packed:
        """What fits. An item also takes up room in the question, wherever a request may rest on it."""
        items = self._worded(requests, part)
        limits = [limit for limit in (self.room, less) if limit is not None]
        if not limits:
            return packing.by_text(items, self.budget)
        named = Counter(item_id for request in requests for item_id in request.sources)
        question = "\n\n".join((_asked(replace(request, sources=()) for request in requests), *besides))
        frame = fencing.fenced({**self.frame, **Packed((), ()).manifest()}, self.profile, fencing.BLANK)
        taken = len(self.instructions) + len(question) + len(frame) + _SLACK
        return packing.by_room(
            tuple(items), min(limits) - taken, lambda item: fencing.size(item) + named[item.id] * (len(item.id) + len(", "))
        )

    def _worded(self, requests: Sequence[ProseRequest], part: str) -> Iterator[Item]:
        """The items to show by rank. What a part rests on is looked up, so that many parts cost no more than the whole."""
        shown: Iterable[Source] = self.items
        if part:
            sources = {item_id for request in requests for item_id in request.sources}
            shown = map(self.items.__getitem__, sorted(self.ranks[item_id] for item_id in sources if item_id in self.ranks))
        return (item for source in shown if (item := worded(source, self.outside)) is not None)


def compose(
    task: Task,
    evidence: RedactedEvidence,
    requests: Sequence[ProseRequest],
    profile: Profile | None,
    *,
    feedback: Sequence[str] = (),
    budget: int = BUDGET,
    fence: str | None = None,
) -> Prompt:
    """Put the one prompt of a draft together that is asked for as a whole, as `Composer.prompt` does."""
    return Composer.of(task, evidence, profile, budget=budget).prompt(requests, feedback=feedback, fence=fence)


def _shown_alone(requests: Iterable[ProseRequest], shown: Iterable[Item]) -> Iterator[ProseRequest]:
    """The requests of whose sources some are shown, with those alone."""
    seen = frozenset(item.id for item in shown)
    for request in requests:
        if sources := tuple(filter(seen.__contains__, request.sources)):
            yield replace(request, sources=sources)


def _asked(requests: Iterable[ProseRequest]) -> str:
    return "# Asked\n\n" + "\n".join(f"- `{one.field}`, which may rest on: {', '.join(one.sources)}" for one in requests)


def _besides(open_fields: Vocabulary, feedback: Sequence[str]) -> Iterator[str]:
    """What stands below the requests: what may be suggested, and what was wrong with an earlier reply."""
    if open_fields:
        yield _listed("suggest", (f"`{field}`, one of: {', '.join(words)}" for field, words in open_fields.items()))
    if feedback:
        yield _listed("repair", feedback)


def _listed(name: str, lines: Iterable[str]) -> str:
    return prompts.text(name) + "\n\n" + "\n".join(f"- {line}" for line in lines)


def _schema(requests: Sequence[ProseRequest], open_fields: Vocabulary, shown: Sequence[str]) -> dict[str, object]:
    """The shape of a reply to just these requests; only a page has headings."""
    cited = tuple(dict.fromkeys(item_id for request in requests for item_id in request.sources))
    fields = tuple(request.field for request in requests)
    has_headings = any(field.endswith("detail_md") for field in fields)
    return reply_schema(fields, cited, has_headings=has_headings, open_fields=open_fields, shown=shown)


def _frame(bundle: Bundle, profile: Profile | None) -> dict[str, object]:
    """What is said about the evidence as a whole: the exact selection and the exact profile."""
    return {
        "selection": {"base": bundle.selection.base, "head": bundle.selection.head, "kind": bundle.selection.kind.value},
        "repository": bundle.repository,
        "profile-digest": profile.digest if profile is not None else None,
    }
