"""A release ledger for its readers: as JSON types, and as markdown made of them (Intent Changesets 6.9 and 12).

Its texts are plain: whatever marks they hold are shown and do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from agent.render import inlines, listed_change
from agent.render.harmless import Target
from guardrails.records.changelog import Amendment, Changelog, Entry
from guardrails.records.disclosing import Placeholder, disclosed

_HEAD: Final = ("release-unit", "release", "source-repository", "stream", "release-line", "channel", "date")
_REDACTED: Final = "Redacted"
_MAJOR: Final = "major"


def document(ledger: Changelog, clean: Callable[[str], str]) -> dict[str, Any]:
    """What everybody may see of a valid ledger, in the words of its file, each text made `clean`.

    A redacted entry is its placeholder alone.
    """
    entries, amendments = disclosed(ledger)
    head = (getattr(ledger, key.replace("-", "_")) for key in _HEAD)
    told = {
        "intent-changelog": ledger.version,
        **dict(zip(_HEAD, head, strict=True)),
        "entries": [_entry(one) for one in entries],
        "amendments": [_amendment(one) for one in amendments],
    }
    return {key: _cleaned(value, clean) for key, value in told.items()}


def markdown(told: dict[str, Any]) -> str:
    """A ledger's `document` as a page of markdown, ending in one line break: a section for each type, major changes first."""
    when = f"Released {_text(told['date'])}" if told["date"] else "Not released"
    place = f"stream {_text(told['stream'])}, release line {_text(told['release-line'])}, channel {_text(told['channel'])}"
    blocks = [f"# {_text(told['release-unit'] + ' ' + told['release'])}", f"{when} · {place}", *_sections(told["entries"])]
    if not told["entries"]:
        blocks.append("No entries.")
    if told["amendments"]:
        items = (f"- **{_text(one['date'])}** — {_text(one['summary'])}" for one in told["amendments"])
        blocks += ["## Amendments", "\n".join(items)]
    return "\n\n".join(blocks) + "\n"


def _sections(entries: list[dict[str, Any]]) -> Iterator[str]:
    found: dict[str, list[str]] = {}
    for entry in sorted(entries, key=lambda one: (one.get("type") is None, one.get("impact") != _MAJOR)):
        found.setdefault(entry.get("type", ""), []).append(_item(entry))
    for kind, items in found.items():
        yield f"## {_text(kind[:1].upper() + kind[1:] or _REDACTED)}"
        yield ("\n\n" if any("\n" in item for item in items) else "\n").join(items)


def _item(entry: dict[str, Any]) -> str:
    if "placeholder" in entry:
        return f"- {_text(entry['placeholder'])}"
    lead = "Breaking: " if entry["impact"] == _MAJOR else ""
    about = f"Impact: {_text(entry['impact'])}. Audiences: {_text(', '.join(entry['audiences']))}."
    first, *rest = [*filter(str.strip, (entry["migration"] or "").split("\n")), ""]
    migration = [f"Migration: {_text(first)}"] if first else []
    lines = [about, *migration, *(_text(line) for line in rest if line)]
    return f"- **{lead}{_text(entry['summary'])}** — {_text(entry['rationale'])}{listed_change.below(*lines)}"


def _text(said: str) -> str:
    return inlines.line(said, Target())


def _entry(entry: Entry | Placeholder) -> dict[str, Any]:
    if isinstance(entry, Placeholder):
        return {"placeholder": entry.text}
    return {
        "id": entry.id,
        "type": entry.type,
        "summary": entry.summary,
        "rationale": entry.rationale,
        "impact": entry.impact,
        "audiences": list(entry.audiences),
        "migration": entry.migration,
        "affects": list(entry.affects),
        "provenance": {kind: list(references) for kind, references in entry.provenance.items()},
        "relations": {"reverts": list(entry.relations.reverts), "supersedes": list(entry.relations.supersedes)},
    }


def _amendment(one: Amendment) -> dict[str, Any]:
    provenance = {kind: list(references) for kind, references in one.provenance.items()}
    return {"id": one.id, "date": one.date, "summary": one.summary, "provenance": provenance}


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(key): _cleaned(item, clean) for key, item in value.items()}
    return [_cleaned(item, clean) for item in value] if isinstance(value, list) else value
