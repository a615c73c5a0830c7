"""Prompts: redacted evidence as fenced data, below instructions of our own (Intent Changesets 11.1, 11.2, untrusted evidence).

Every item stands between lines that begin with a random fence, made anew for each request and found in none of the items, so
that no text can close its own block. That keeps data and instructions apart for a drafter that is willing; it is no wall, and
nothing relies on it: what comes back is judged against the evidence.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Final

import prompts
from agent.model.client import Prompt
from agent.tasks import Task
from guardrails.digests import digest_of
from guardrails.evidence.generated import is_generated
from guardrails.evidence.model import Bundle, FileChange
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
    """Put one prompt together. `fence` is for tests; else it is random.

    The exact profile, where there is one, goes in first, then items by rank (answers, messages, documents, records, source,
    generated files) while `budget` lasts. Requests keep the ids that are shown, for what was not shown cannot be cited.
    `digest` does not depend on the fence.

    Raises:
        ValueError: a line of the evidence holds the `fence` that was handed in.
    """
    packed, left_out = _packed(_items(evidence.bundle), budget)
    shown = (*_profile(evidence, profile), *packed)
    seen = frozenset(item.id for item in packed)
    asked = tuple(replace(request, sources=tuple(filter(seen.__contains__, request.sources))) for request in requests)
    instructions = "\n\n".join(_instructions(task, asked, feedback))
    frame = _frame(evidence, profile, left_out)
    digest = digest_of({"instructions": instructions, "frame": frame, "items": [asdict(item) for item in shown]})
    fence = _fence(shown, frame, fence)
    return Prompt(
        task=task.name,
        name="+".join(task.prompt),
        version=task.version,
        instructions=instructions,
        data="\n".join(_fenced(frame, shown, fence)),
        fence=fence,
        requests=asked,
        evidence=evidence,
        digest=digest,
        feedback=tuple(feedback),
        left_out=left_out,
    )


def _instructions(task: Task, requests: Iterable[ProseRequest], feedback: Sequence[str]) -> Iterator[str]:
    yield from (prompts.text(name) for name in task.prompt)
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


def _items(bundle: Bundle) -> Iterator[Item]:
    """All items by rank: what people wrote first, what no one reads last."""
    for answer in bundle.answers:
        yield Item(answer.id, "answer", answer.locator, f"{answer.path} = {json.dumps(answer.value, ensure_ascii=False)}")
    for commit in bundle.commits:
        yield Item(commit.id, "commit", commit.locator, commit.message)
    for commit in bundle.referenced:
        yield Item(commit.id, "referenced commit", commit.locator, commit.message)
    for document in bundle.documents:
        yield Item(document.id, document.kind.word, document.locator, f"{document.title}\n\n{document.body}".strip("\n"))
    for record in bundle.records:
        yield Item(record.id, f"{record.where} changeset", record.locator, record.data.decode("utf-8", "backslashreplace"))
    for change in sorted(bundle.files(), key=_is_generated):
        yield from _change(change)


def _is_generated(change: FileChange) -> bool:
    return is_generated(change.path.encode("utf-8", "backslashreplace"))


def _change(change: FileChange) -> Iterator[Item]:
    source = f"{change.old_path} -> {change.path}" if change.old_path and change.old_path != change.path else change.path
    yield Item(change.id, "file", change.locator, f"{change.change.value} {source} (+{change.added} -{change.deleted})")
    for hunk in change.hunks:
        if hunk.text is not None:
            place = f"@@ -{hunk.old_start},{hunk.old_lines} +{hunk.new_start},{hunk.new_lines} @@ {hunk.section}".rstrip()
            yield Item(hunk.id, "hunk", hunk.locator, f"{place}\n{hunk.text}")


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


def _frame(evidence: RedactedEvidence, profile: Profile | None, left_out: Sequence[str]) -> dict[str, object]:
    """What is said about the evidence as a whole: the exact selection, the exact profile, and what is missing."""
    bundle = evidence.bundle
    return {
        "selection": {"base": bundle.selection.base, "head": bundle.selection.head, "kind": bundle.selection.kind.value},
        "repository": bundle.repository,
        "profile-digest": profile.digest if profile is not None else None,
        "left-out": list(left_out),
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
