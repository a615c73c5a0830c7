"""What a drafter would see: `evidraft evidence` and `--dry-run`. Nothing is sent."""

from __future__ import annotations

from agent import engines
from agent.collecting.gathering import gather
from agent.collecting.request import Request
from agent.commands import choosing, printing
from agent.model.client import Prompt
from agent.pipeline import Seen, Terms, see
from agent.receipt import left_out, manifest, redactions
from agent.render.outcomes import question_document
from agent.tasks import Task
from guardrails.drafts.questions import Unresolved


def run(task: Task, request: Request, command: tuple[str, ...], *, as_json: bool) -> int:
    """Collect what `request` names and show it; returns the exit code.

    Raises:
        agent.errors.Failure: something cannot be read or used.
    """
    chosen = choosing.chosen(request)
    if isinstance(chosen, Unresolved):
        return choosing.ask(chosen, task, command, as_json=as_json)
    gathered = gather(chosen)
    terms = Terms.of(gathered, engines.secret_engine())
    return view(see(task, gathered.evidence, terms, client=gathered.settings.model), as_json=as_json)


def view(seen: Seen, *, as_json: bool) -> int:
    """Print the redacted evidence as it would be sent, what was left out, and what is resolved without a drafter."""
    if as_json:
        printing.emit_json(_document(seen))
        return 0
    count = size = 0
    for prompt in seen.prompts():
        printing.emit("".join(f"{message.content}\n\n" for message in prompt.messages))
        count, size = count + 1, size + prompt.size
    printing.note(_summary(seen, count, size))
    return 0


def _document(seen: Seen) -> dict[str, object]:
    """What `view` shows as JSON types: the prompt of the whole, or those of the parts that are drafted by themselves."""
    bundle = seen.evidence.bundle
    prompts = {prompt.part: _prompt(prompt) for prompt in seen.prompts()}
    return {
        "status": "EVIDENCE",
        "selection": {"spec": bundle.selection.spec, "base": bundle.selection.base, "head": bundle.selection.head},
        "profile-digest": bundle.profile.digest if bundle.profile else None,
        "items": list(manifest(bundle)),
        "withheld": sorted({f"{mark.kind}: {mark.state}" for mark in seen.evidence.withheld}),
        "redactions": redactions(seen.evidence),
        "left-out": left_out(bundle),
        "asked": [request.field for request in seen.resolved.requests],
        "open": [question_document(question) for question in seen.resolved.unresolved],
        "prompt": prompts.pop("", None),
        **({"parts": prompts} if prompts else {}),
    }


def _prompt(prompt: Prompt) -> dict[str, object]:
    return {
        "digest": prompt.digest,
        "messages": [{"role": message.role, "content": message.content} for message in prompt.messages],
        "schema": dict(prompt.schema),
        "left-out": list(prompt.left_out),
    }


def _summary(seen: Seen, count: int, size: int) -> str:
    bundle = seen.evidence.bundle
    hunks = sum(len(change.hunks) for change in bundle.files())
    git = f"{len(bundle.commits)} commits, {sum(1 for _ in bundle.files())} file changes, {hunks} hunks"
    lines = [
        f"{git}, {len(bundle.documents)} documents, {len(bundle.records)} records, {len(bundle.answers)} answers",
        *(f"redacted: {one.item}: {one.rule} x {one.count}" for one in seen.evidence.redactions),
        *sorted({f"withheld: {mark.kind} ({mark.state})" for mark in seen.evidence.withheld}),
        *(f"left out: {note.code}: {note.where}: {note.message}" for note in bundle.notes),
    ]
    if not count:
        lines.append("nothing is left to ask a drafter")
    else:
        several = f" in {count} prompts" if count > 1 else ""
        asked = ", ".join(request.field for request in seen.resolved.requests)
        lines.append(f"{size} characters would be sent{several}, asking for {asked}")
    return "\n".join(lines)
