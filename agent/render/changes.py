"""What an envelope says, as it is rendered (Describe Changes: the change object, shapes A and B)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from guardrails.evidence.references import Reference

_TEXTS: Final = ("kind", "title", "short_md", "medium_md", "detail_md")


@dataclass(frozen=True, slots=True)
class Change:
    """One change object, or a summary: that has no kind, no details, references and relations. What is null is empty."""

    kind: str
    title: str
    short: str
    medium: str
    detail: str
    refs: tuple[Reference, ...]
    ticket: str
    request: str
    reporter: str

    @classmethod
    def of(cls, told: Mapping[str, object]) -> Change:
        """A change object out of an envelope that holds."""
        kind, title, short, medium, detail = (text(told, name) for name in _TEXTS)
        relations = mapping(told, "relations")
        refs = tuple(
            Reference(text(ref, "path"), text(ref, "range") or None, text(ref, "sha") or None, text(ref, "note") or None)
            for ref in mappings(told, "refs")
        )
        ticket, request, reporter = (text(relations, name) for name in ("ticket", "request", "reporter"))
        return cls(kind, title, short, medium, detail, refs, ticket, request, reporter)


def text(told: Mapping[str, object], name: str) -> str:
    """The text under a name; empty where there is none."""
    value = told.get(name)
    return value if isinstance(value, str) else ""


def mapping(told: Mapping[str, object], name: str) -> Mapping[str, object]:
    """The mapping under a name; empty where there is none."""
    value = told.get(name)
    return value if isinstance(value, Mapping) else {}


def mappings(told: Mapping[str, object], name: str) -> tuple[Mapping[str, object], ...]:
    """The mappings in the list under a name."""
    value = told.get(name)
    return tuple(one for one in value if isinstance(one, Mapping)) if isinstance(value, Sequence) else ()
