"""Prompts: redacted evidence as fenced data, below instructions of our own (Intent Changesets 11.1, 11.2, untrusted evidence).

Every item stands between lines that begin with a random fence, made anew for each request and found in none of the items, so
that no text can close its own block. That keeps data and instructions apart for a drafter that is willing; it is no wall, and
nothing relies on it: what comes back is judged against the evidence.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Final

import prompts
from agent.model.client import Prompt
from agent.tasks import Task
from guardrails.digests import digest_of
from guardrails.evidence.generated import is_generated
from guardrails.evidence.items import Item as Source
from guardrails.evidence.model import Answer, Bundle, Commit, Document, ExistingRecord, FileChange, Hunk
from guardrails.records.profile import Profile
from guardrails.redaction.redact import RedactedEvidence
from guardrails.resolving.resolved import ProseRequest

BUDGET: Final = 200_000
"""Characters of item text in one prompt; what does not fit is left out whole, and the prompt says so."""


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of evidence as a drafter gets it."""

    id: str
    kind: str
    locator: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Composer:
    """Puts the prompts of one run together; what all of them share is looked up once."""

    task: Task
    evidence: RedactedEvidence
    budget: int
    reads_evidence: bool
    texts: tuple[str, ...] = field(repr=False)
    profile: tuple[Item, ...] = field(repr=False)
    """The exact active profile as an item of its own; none where a run has no profile."""
    frame: Mapping[str, object] = field(repr=False)
    items: Mapping[str, Source] = field(repr=False)
    """The evidence by id and by rank: what people wrote first, what no one reads last."""
    ranks: Mapping[str, int] = field(repr=False)
    outside: frozenset[str]
    """The ids of the commits that were not selected, only named."""

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
    ) -> Composer:
        """Look up what all prompts of `task` over this evidence share; `room` and `reads_evidence` tell of their reader."""
        items = {item.id: item for item in _ranked(evidence.bundle)}
        return cls(
            task=task,
            evidence=evidence,
            budget=budget if room is None else room,
            reads_evidence=reads_evidence,
            texts=tuple(map(prompts.text, task.prompt)),
            profile=tuple(_profile(evidence, profile)),
            frame=_frame(evidence.bundle, profile),
            items=items,
            ranks={item_id: rank for rank, item_id in enumerate(items)},
            outside=frozenset(commit.id for commit in evidence.bundle.referenced),
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

        The exact profile, where there is one, goes in first, then items by rank (answers, messages, documents, records, source,
        generated files) while the budget lasts: all of them for the whole, for a part only what it may rest on. Requests keep
        the ids that are shown, for what was not shown cannot be cited; only a reader of the evidence itself is shown all of it.
        `digest` does not depend on the fence.

        Raises:
            ValueError: a line of the evidence holds the `fence` that was handed in.
        """
        packed, left_out = _packed(self._worded(requests, part), self.budget if room is None else room)
        shown = (*self.profile, *packed)
        asked = tuple(requests) if self.reads_evidence else _shown_alone(requests, packed)
        instructions, question = "\n\n".join(self.texts), "\n\n".join(_question(asked, feedback))
        frame = {**self.frame, "left-out": list(left_out)}
        digest = digest_of(
            {"instructions": instructions, "question": question, "frame": frame, "items": [asdict(item) for item in shown]}
        )
        fence = _fence(shown, frame, fence)
        return Prompt(
            task=self.task.name,
            name=self.task.prompt_name,
            version=self.task.version,
            instructions=instructions,
            question=question,
            data="\n".join(_fenced(frame, shown, fence)),
            fence=fence,
            requests=asked,
            evidence=self.evidence,
            digest=digest,
            feedback=tuple(feedback),
            left_out=left_out,
            part=part,
        )

    def _worded(self, requests: Sequence[ProseRequest], part: str) -> Iterator[Item]:
        """The items to show by rank. What a part rests on is looked up, so that many parts cost no more than the whole."""
        ids: Iterable[str] = self.items
        if part:
            sources = {item_id for request in requests for item_id in request.sources if item_id in self.items}
            ids = sorted(sources, key=self.ranks.__getitem__)
        return (item for item_id in ids if (item := _item(self.items[item_id], self.outside)) is not None)


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


def _shown_alone(requests: Iterable[ProseRequest], shown: Iterable[Item]) -> tuple[ProseRequest, ...]:
    """The requests with those of their sources that are shown."""
    seen = frozenset(item.id for item in shown)
    return tuple(replace(request, sources=tuple(filter(seen.__contains__, request.sources))) for request in requests)


def _question(requests: Iterable[ProseRequest], feedback: Sequence[str]) -> Iterator[str]:
    yield "# Asked\n\n" + "\n".join(_asked(request) for request in requests)
    if feedback:
        yield prompts.text("repair") + "\n\n" + "\n".join(f"- {line}" for line in feedback)


def _asked(request: ProseRequest) -> str:
    return f"- `{request.field}`, which may rest on: {', '.join(request.sources) or 'nothing that is shown; answer null'}"


def _profile(evidence: RedactedEvidence, profile: Profile | None) -> Iterator[Item]:
    """The exact active profile. It is a file like any other, so it is fenced and cleaned; its id is none that can be cited."""
    if profile is None:
        return
    place = evidence.bundle.profile.path if evidence.bundle.profile is not None else ""
    yield Item("profile", "profile", place, evidence.guard.clean(profile.data.decode("utf-8", "backslashreplace")))


def _ranked(bundle: Bundle) -> Iterator[Source]:
    """All evidence by rank: what people wrote first, what no one reads last."""
    yield from bundle.answers
    yield from bundle.commits
    yield from bundle.referenced
    yield from bundle.documents
    yield from bundle.records
    for change in sorted((*bundle.files(), *(bundle.net or ())), key=_is_generated):
        yield change
        yield from change.hunks


def _is_generated(change: FileChange) -> bool:
    return is_generated(change.path.encode("utf-8", "backslashreplace"))


def _item(source: Source, outside: frozenset[str]) -> Item | None:
    """One piece of evidence in words; None for a hunk that was not read. `outside` are the ids of commits not selected."""
    match source:
        case Answer():
            kind, text = "answer", f"{source.path} = {json.dumps(source.value, ensure_ascii=False)}"
        case Commit():
            kind, text = "referenced commit" if source.id in outside else "commit", source.message
        case Document():
            kind, text = source.kind.word, f"{source.title}\n\n{source.body}".strip("\n")
        case ExistingRecord():
            kind, text = f"{source.where} changeset", source.data.decode("utf-8", "backslashreplace")
        case FileChange():
            kind, text = "file", _changed(source)
        case Hunk():
            if source.text is None:
                return None
            kind, text = "hunk", f"{_range(source)}\n{source.text}"
    return Item(source.id, kind, source.locator, text)


def _changed(change: FileChange) -> str:
    moved = change.old_path and change.old_path != change.path
    path = f"{change.old_path} -> {change.path}" if moved else change.path
    return f"{change.change.value} {path} (+{change.added} -{change.deleted})"


def _range(hunk: Hunk) -> str:
    return f"@@ -{hunk.old_start},{hunk.old_lines} +{hunk.new_start},{hunk.new_lines} @@ {hunk.section}".rstrip()


def _packed(items: Iterable[Item], budget: int) -> tuple[tuple[Item, ...], tuple[str, ...]]:
    """What fits, in rank order, and the ids of what does not. A smaller item may still fit behind one that did not."""
    shown: list[Item] = []
    left_out: list[str] = []
    for item in items:
        cost = len(item.text) + len(item.locator)
        if cost <= budget:
            budget -= cost
            shown.append(item)
        else:
            left_out.append(item.id)
    return tuple(shown), tuple(left_out)


def _frame(bundle: Bundle, profile: Profile | None) -> dict[str, object]:
    """What is said about the evidence as a whole: the exact selection and the exact profile."""
    return {
        "selection": {"base": bundle.selection.base, "head": bundle.selection.head, "kind": bundle.selection.kind.value},
        "repository": bundle.repository,
        "profile-digest": profile.digest if profile is not None else None,
    }


def _fence(items: Iterable[Item], frame: dict[str, object], given: str | None) -> str:
    """A fence that stands nowhere in the data.

    Raises:
        ValueError: the given one does.
    """
    texts = [json.dumps(frame), *(part for item in items for part in (item.text, item.locator))]
    fence = secrets.token_hex(16) if given is None else given
    while any(fence in text for text in texts):
        if given is not None:
            raise ValueError("the evidence holds the fence")
        fence = secrets.token_hex(16)
    return fence


def _fenced(frame: dict[str, object], items: Iterable[Item], fence: str) -> Iterator[str]:
    yield f"{fence} is the fence of this request"
    yield f"{fence} {json.dumps(frame, ensure_ascii=False)}"
    for item in items:
        head = {"id": item.id, "kind": item.kind, "locator": item.locator}
        yield f"{fence} {json.dumps(head, ensure_ascii=False)}"
        yield item.text
        yield f"{fence} end"
    yield f"{fence} is the end of the data"
