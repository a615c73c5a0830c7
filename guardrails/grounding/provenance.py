"""Provenance and relations name what stands in fields of the evidence, not in free prose (Intent Changesets 6.7, 6.8)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.drafts.changeset import ChangesetDraft
from guardrails.drafts.sourced import Basis, FieldValue, Sourced
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


def check(draft: ChangesetDraft, citable: Citable) -> tuple[Finding, ...]:
    """Every reference is an identifier of the evidence, or an answer's; a draft with provenance has at least one."""
    kinds = {path: value for path, value in draft.values.items() if path == "provenance" or path.startswith("provenance.")}
    relations = {path: draft.values[path] for path in _RELATIONS if path in draft.values}
    empty = kinds and not any(_texts(value) for value in kinds.values())
    return (
        *((PROVENANCE_EMPTY.at("provenance", "got no reference, expected at least one"),) if empty else ()),
        *(
            finding
            for path, value in kinds.items()
            for text in _texts(value)
            for finding in _reference(path, text, value, citable)
        ),
        *(finding for path, value in relations.items() for text in _texts(value) for finding in _relation(path, text, citable)),
    )


def _texts(decision: Sourced[FieldValue]) -> tuple[str, ...]:
    value = decision.value
    return (value,) if isinstance(value, str) else value or ()


def _reference(path: str, text: str, decision: Sourced[FieldValue], citable: Citable) -> Iterator[Finding]:
    """What resolving took from an item stands in it; what somebody hands in stands in a field, for prose only mentions."""
    is_given = decision.basis is Basis.GIVEN
    ids = tuple(citable.items) if is_given else (*decision.evidence, *citable.answers)
    items = tuple(citable.items[item_id] for item_id in ids if item_id in citable.items)
    if any(_cites(text, item, citable) for item in items):
        return
    if not any(_mentions(text, item.raw, citable) for item in items):
        yield PROVENANCE_INVENTED.at(path, f"got {text[:80]}, which no evidence has", evidence=decision.evidence)
    elif is_given:
        yield PROVENANCE_ONLY_MENTIONED.at(path, f"got {text[:80]}, which is only mentioned in passing")


def _cites(text: str, item: Item, citable: Citable) -> bool:
    """Whether the reference stands in a field: a key or address, a trailer, a closing line or word, an answer, a path.

    The first line is a subject, whose type is no trailer.
    """
    if text in item.names or text in item.paths or (item.oid and item.oid.startswith(text) and len(text) >= 7):
        return True
    if item.id[:1] in {"A", "S"}:
        return _mentions(text, item.prose, citable)
    lines = [line.strip() for line in item.prose.splitlines()]
    citing = [line for line in lines if _FORGE_LINE.fullmatch(line)]
    citing += [line for line in lines[1:] if _CITING_LINE.fullmatch(line)]
    closing = (trailer.value for line in lines if not line.startswith(">") for trailer in cited(line))
    return _mentions(text, "\n".join((*citing, *closing, *item.names)), citable)


def _mentions(text: str, words: str, citable: Citable) -> bool:
    """Whether `words` hold the reference, or the number that an address in the project's own repository stands for."""
    if stands_in(text, words):
        return True
    page = _PAGE.fullmatch(text)
    own = citable.profile.repository.rstrip("/").removesuffix(".git") if citable.profile else ""
    if page is None or page["repository"] != own:
        return False
    number = f"{'!' if page['kind'] == 'merge_requests' else '#'}{page['number']}"
    told = (mention.value for mention in mentions(words) if mention.kind is IdentifierKind.NUMBER)
    return any(value in {number, f"{own.casefold().partition('://')[2].partition('/')[2]}{number}"} for value in told)


def _relation(path: str, text: str, citable: Citable) -> Iterator[Finding]:
    """The id stands in a trailer, an answer or a record, as a whole word of hyphens and letters."""
    trailers = (value for token in ("Changeset", "Reverts", "Supersedes") for _, value in citable.trailers(token))
    others = (item.prose for item in citable.items.values() if item.id[:1] in {"A", "S"})
    if not any(_is_id_in(text, words) for words in (*trailers, *others)):
        yield RELATION_INVENTED.at(path, f"got {text[:80]}, which no record, trailer or answer names")


def _is_id_in(changeset_id: str, words: str) -> bool:
    return changeset_id in re.findall(r"[a-z0-9]+(?:-+[a-z0-9]+)*", words)
