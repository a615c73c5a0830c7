"""Where each commit and each request of a release went: to an item of its notes, or why to none (evidraft design 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from agent.batch.release import Finished
from agent.render import escaping, inlines
from agent.render.harmless import Target
from guardrails.grounding.releases.accounts import keys

_SHOWN: Final = 10
_COMMIT: Final = re.compile(r"\bC\d{1,6}\b")
_UNKNOWN: Final = "nobody told"


def coverage_page(finished: Finished) -> str:
    """The table of a release as markdown, ending in one line break."""
    items = finished.titles
    ids = {name: where.removeprefix("git:")[:_SHOWN] for name, where in finished.places.items() if _COMMIT.fullmatch(name)}
    parts = [f"# {inlines.text(finished.name, Target())}: where each change went"]
    for name, accounts in (("Commit", finished.commits), ("Request", finished.requests)):
        if accounts:
            parts.append(_counted(name, accounts))
            parts.append("\n".join(_table(name, accounts, items, ids)))
    return "\n\n".join(parts) + "\n"


def _counted(name: str, accounts: Mapping[str, str]) -> str:
    told = sum(bool(keys(account)) for account in accounts.values())
    return f"{name}s: {len(accounts)}, of which {told} {'is' if told == 1 else 'are'} told."


def _table(name: str, accounts: Mapping[str, str], items: Mapping[str, str], ids: Mapping[str, str]) -> Iterator[str]:
    yield f"| {name} | Told in, or why not |"
    yield "| --- | --- |"
    cells: dict[str, str] = {}  # many changes go one way
    for one, account in accounts.items():
        if account not in cells:
            told = (
                "; ".join(items.get(key) or f"change {key}, which has no title yet" for key in keys(account))
                or f"not told: {_reason(account, ids)}"
            )
            cells[account] = escaping.cell(inlines.text(told, Target()))
        shown = one[:_SHOWN] if name == "Commit" else one
        yield f"| {escaping.cell(escaping.code(shown))} | {cells[account]} |"


def _reason(account: str, ids: Mapping[str, str]) -> str:
    """The reason with the names of commits in the place of ids, which mean something in the draft record only."""
    return _COMMIT.sub(lambda match: ids.get(match[0], match[0]), account) or _UNKNOWN
