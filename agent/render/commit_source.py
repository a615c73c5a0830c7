"""What commits give for a changelog: as JSON types, and as markdown made of them (Intent Changesets 6.9 and 12).

Texts are plain: whatever marks they hold are shown and do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from agent.render import escaping, inlines
from agent.render.harmless import Target
from guardrails.records.commit import selected
from guardrails.records.sourcing import Drawn, Told

HEADINGS: Final = {"major": "Major", "minor": "Minor", "patch": "Patch", "none": "No release impact", "": "Impact not stated"}
_SHORT: Final = 12


def document(drawn: Drawn, clean: Callable[[str], str]) -> dict[str, Any]:
    """What may be told, newest first within each impact, each text made `clean`."""
    groups: dict[str, list[dict[str, Any]]] = {impact: [] for impact in HEADINGS}
    for told in reversed(drawn.told):
        groups[told.impact or ""].append(_commit(told, clean))
    return {
        "impacts": [{"impact": impact or None, "commits": commits} for impact, commits in groups.items() if commits],
        "placeholders": [clean(text) for text in drawn.placeholders],
        "malformed": list(reversed(drawn.malformed)),
        "withheld": drawn.withheld,
    }


def markdown(told: dict[str, Any]) -> str:
    """The `document` as a page of markdown, ending in one line break."""
    blocks = ["# Changelog source", "Drawn from commit messages; no release record."]
    for group in told["impacts"]:
        blocks += [f"## {HEADINGS[group['impact'] or '']}", "\n".join(map(_item, group["commits"]))]
    if told["placeholders"]:
        blocks += ["## Redacted", "\n".join(f"- {_text(text)}" for text in told["placeholders"])]
    if told["malformed"]:
        blocks += ["## Not classified", "\n".join(f"- {escaping.code(oid[:_SHORT])}" for oid in told["malformed"])]
    return "\n\n".join(blocks) + "\n"


def _item(commit: dict[str, Any]) -> str:
    scope = f" {escaping.code(commit['scope'])}" if commit["scope"] else ""
    name = escaping.code(commit["commit"][:_SHORT])
    return f"- **{commit['type']}**{scope}: {_text(commit['description'])} ({name})" + "".join(
        f"\n  - {line}" for line in _more(commit)
    )


def _more(commit: dict[str, Any]) -> Iterator[str]:
    if commit["affects"]:
        yield f"Affects: {', '.join(map(escaping.code, commit['affects']))}"
    for kind, label in (("target-impacts", "Impact"), ("target-migrations", "Migration")):
        for target, value in commit[kind].items():
            yield f"{label} for {escaping.code(target)}: {_text(value)}"
    for text in commit["migration"]:
        yield f"Migration: {_text(text)}"


def _commit(told: Told, clean: Callable[[str], str]) -> dict[str, Any]:
    message = told.message
    return {
        "commit": told.oid,
        "type": clean(message.type),
        "scope": clean(message.scope) if message.scope is not None else None,
        "description": clean(message.description),
        "affects": [clean(word) for word in message.values("Affects")],
        "migration": [clean(text) for text in message.values("Migration") if text],
        "target-impacts": _selected(told, "Target-Impact", clean),
        "target-migrations": _selected(told, "Target-Migration", clean),
    }


def _selected(told: Told, trailer: str, clean: Callable[[str], str]) -> dict[str, str]:
    return {clean(one.selector): clean(one.value) for one in selected(told.message, trailer) if one is not None}


def _text(said: str) -> str:
    return inlines.text(said, Target())
