"""Provenance and relations name what stands in fields of the evidence, not in free prose (Intent Changesets 6.7, 6.8)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis, FieldValue, Sourced, texts
from guardrails.evidence.identifiers import IdentifierKind, mentions
from guardrails.findings import Code, Finding, Severity
from guardrails.grounding.citable import Citable
from guardrails.grounding.items import Item, stands_in
from guardrails.records.citing import cited

PROVENANCE_INVENTED = Code(
    name="provenance-invented",
    summary="A provenance reference stands nowhere in the evidence.",
    cure="Cite only issues, pull requests, decisions and advisories that the evidence has, or give the reference as an answer.",
    section="Intent Changesets 6.7",
)
PROVENANCE_ONLY_MENTIONED = Code(
    name="provenance-only-mentioned",
    summary="A provenance reference is only mentioned in free prose, so it is not known to be the origin.",
    cure="Confirm the reference with an answer, or cite it in a trailer.",
    section="Intent Changesets 6.7",
    severity=Severity.NEEDS_INPUT,
)
PROVENANCE_EMPTY = Code(
    name="provenance-empty",
    summary="The draft has a provenance field without any reference.",
    cure="Cite at least one issue, pull request, decision, incident or advisory.",
    section="Intent Changesets 6.7",
    severity=Severity.NEEDS_INPUT,
)
RELATION_INVENTED = Code(
    name="relation-invented",
    summary="A relation names a changeset that no evidence names.",
    cure="Relate only to changesets that a record, a trailer or an answer names.",
    section="Intent Changesets 6.8",
)

_RELATIONS: Final = ("relations.reverts", "relations.supersedes")
_PAGE: Final = re.compile(
    r"(?P<repository>https?://[^\s?#]+?)/(?:-/)?(?P<kind>pulls?|issues|merge_requests)/(?P<number>\d{1,9})"
)
_FORGE_LINE: Final = re.compile(
    r"(?i:(?:see merge request|merge pull request)\s.*|.*\((?:#|!)\d{1,9}\)|this reverts commit .*)"
)
_CITING_LINE: Final = re.compile(
    r"(?i:(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|ref(?:s|erences)?|issues?|part of)\b:?\s.*|[a-z][a-z0-9-]{0,60}:\s.*)"
)


def check(draft: Draft, citable: Citable) -> tuple[Finding, ...]:
    """Every reference is an identifier of the evidence, or an answer's; a draft with provenance has at least one."""
    kinds = {path: value for path, value in draft.values.items() if path == "provenance" or path.startswith("provenance.")}
    relations = {path: draft.values[path] for path in _RELATIONS if path in draft.values}
    empty = kinds and not any(texts(value.value) for value in kinds.values())
    return (
        *((PROVENANCE_EMPTY.at("provenance", "got no reference, expected at least one"),) if empty else ()),
        *(finding for path, value in kinds.items() for finding in _references(path, value, citable)),
        *(
            finding
            for path, value in relations.items()
            for text in texts(value.value)
            for finding in _relation(path, text, citable)
        ),
    )


def _references(path: str, decision: Sourced[FieldValue], citable: Citable) -> Iterator[Finding]:
    """What resolving took from an item stands in it; what somebody hands in stands in a field, for prose only mentions."""
    is_given = decision.basis is Basis.GIVEN
    ids = tuple(citable.items) if is_given else dict.fromkeys((*decision.evidence, *citable.answers))
    items = tuple(citable.items[item_id] for item_id in ids if item_id in citable.items)
    fields = _Named.of(map(_field_words, items), items)
    anywhere = _Named.of((item.raw for item in items), ())
    for text in texts(decision.value):
        number = _own_number(text, citable)
        if fields.has(text, number):
            continue
        if not anywhere.has(text, number):
            yield PROVENANCE_INVENTED.at(path, f"got {text[:80]}, which no evidence has", evidence=decision.evidence)
        elif is_given:
            yield PROVENANCE_ONLY_MENTIONED.at(path, f"got {text[:80]}, which is only mentioned in passing")


@dataclass(frozen=True)
class _Named:
    """What a set of texts names: the texts themselves, names that stand alone, and object names."""

    words: tuple[str, ...]
    names: frozenset[str]
    objects: tuple[str, ...]

    @classmethod
    def of(cls, words: Iterable[str], items: tuple[Item, ...]) -> _Named:
        names = frozenset(name for item in items for name in (*item.names, *item.paths))
        return cls(tuple(filter(None, words)), names, tuple(item.oid for item in items if item.oid))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers of issues and requests in the words, as their mentions are compared."""
        told = (mention for words in self.words for mention in mentions(words) if mention.kind is IdentifierKind.NUMBER)
        return frozenset(mention.value for mention in told)

    def has(self, text: str, number: frozenset[str]) -> bool:
        """Whether the reference stands here, or the number that its address stands for in the project's own repository."""
        if text in self.names or (number and not number.isdisjoint(self.numbers)):
            return True
        is_object = len(text) >= 7 and any(name.startswith(text) for name in self.objects)
        return is_object or any(stands_in(text, words) for words in self.words)


def _field_words(item: Item) -> str:
    """The lines of an item that are fields: trailers, closing lines and words; a record or an answer is one as a whole.

    The first line is a subject, whose type is no trailer.
    """
    if item.id[:1] in {"A", "S"}:
        return item.prose
    lines = [line.strip() for line in item.prose.splitlines()]
    citing = [line for line in lines if _FORGE_LINE.fullmatch(line)]
    citing += [line for line in lines[1:] if _CITING_LINE.fullmatch(line)]
    closing = (trailer.value for line in lines if not line.startswith(">") for trailer in cited(line))
    return "\n".join((*citing, *closing, *item.names))


def _own_number(text: str, citable: Citable) -> frozenset[str]:
    """The spellings of the number that an address in the project's own repository stands for; none for other references."""
    page = _PAGE.fullmatch(text)
    own = citable.profile.repository.rstrip("/").removesuffix(".git") if citable.profile else ""
    if page is None or page["repository"] != own:
        return frozenset()
    number = f"{'!' if page['kind'] == 'merge_requests' else '#'}{page['number']}"
    return frozenset((number, f"{own.casefold().partition('://')[2].partition('/')[2]}{number}"))


def _relation(path: str, text: str, citable: Citable) -> Iterator[Finding]:
    """The id stands in a trailer, an answer or a record, as a whole word of hyphens and letters."""
    trailers = (value for token in ("Changeset", "Reverts", "Supersedes") for _, value in citable.trailers(token))
    others = (item.prose for item in citable.items.values() if item.id[:1] in {"A", "S"})
    if not any(_is_id_in(text, words) for words in (*trailers, *others)):
        yield RELATION_INVENTED.at(path, f"got {text[:80]}, which no record, trailer or answer names")


def _is_id_in(changeset_id: str, words: str) -> bool:
    return changeset_id in re.findall(r"[a-z0-9]+(?:-+[a-z0-9]+)*", words)
