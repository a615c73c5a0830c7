"""Evidence in the words that a drafter gets, by rank: what people wrote first, what no one reads last."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from guardrails.evidence.items import Item as Source
from guardrails.evidence.model import Answer, Bundle, Commit, ContractResult, Document, ExistingRecord, FileChange, Hunk
from guardrails.evidence.roles import Role, role
from guardrails.records.profile import Profile
from guardrails.redaction.redact import RedactedEvidence

_RANKS: Final = {Role.TESTS: 1, Role.DOCUMENTATION: 1, Role.GENERATED: 2}
"""Of changed files: what users meet goes before tests and documents, and those before what nobody wrote for a reader."""


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of evidence as a drafter gets it."""

    id: str
    kind: str
    locator: str
    text: str = field(repr=False)

    def head(self) -> dict[str, str]:
        """What names it, as JSON types."""
        return {"id": self.id, "kind": self.kind, "locator": self.locator}


def ranked(bundle: Bundle) -> Iterator[Source]:
    """All evidence by rank: answers, messages, documents, records, and changed files by what they are for."""
    yield from bundle.answers
    yield from bundle.commits
    yield from bundle.referenced
    yield from bundle.documents
    yield from bundle.contracts
    yield from bundle.records
    for change in sorted((*bundle.files(), *(bundle.net or ())), key=_rank):
        yield change
        yield from change.hunks


def worded(source: Source, outside: frozenset[str]) -> Item | None:
    """One piece of evidence in words; None for a hunk that was not read. `outside` are the ids of commits not selected."""
    match source:
        case Answer():
            kind, text = "answer", f"{source.path} = {json.dumps(source.value, ensure_ascii=False)}"
        case Commit():
            kind, text = "referenced commit" if source.id in outside else "commit", source.message
        case Document():
            kind, text = source.kind.word, f"{source.title}\n\n{source.body}".strip("\n")
        case ContractResult():
            kind, text = "contract", f"{source.title}\n\n{source.body}".strip("\n")
        case ExistingRecord():
            kind, text = f"{source.where} changeset", source.data.decode("utf-8", "backslashreplace")
        case FileChange():
            kind, text = "file", _changed(source)
        case Hunk():
            if source.text is None:
                return None
            kind, text = "hunk", f"{_range(source)}\n{source.text}"
    return Item(source.id, kind, source.locator, text)


def profiled(evidence: RedactedEvidence, profile: Profile | None) -> tuple[Item, ...]:
    """The exact active profile. It is a file like any other, so it is cleaned; its id is none that can be cited.

    One that a person named may lie anywhere: of that place only the name is told.
    """
    if profile is None:
        return ()
    path = PurePosixPath(evidence.bundle.profile.path if evidence.bundle.profile is not None else "")
    place = path.name if path.is_absolute() else str(path)
    return (Item("profile", "profile", place, evidence.guard.clean(profile.data.decode("utf-8", "backslashreplace"))),)


def _rank(change: FileChange) -> int:
    return _RANKS.get(role(change.path), 0)


def _changed(change: FileChange) -> str:
    moved = change.old_path and change.old_path != change.path
    path = f"{change.old_path} -> {change.path}" if moved else change.path
    return f"{change.change.value} {path} (+{change.added} -{change.deleted})"


def _range(hunk: Hunk) -> str:
    return f"@@ -{hunk.old_start},{hunk.old_lines} +{hunk.new_start},{hunk.new_lines} @@ {hunk.section}".rstrip()
