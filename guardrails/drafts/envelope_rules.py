"""What an envelope says, judged by itself: the consumer's rejections and each field's rules (Describe Changes: validation).

Nothing here needs evidence; whether a reference or a claim is true is for grounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from guardrails.drafts import counting, refs, register, relations
from guardrails.drafts.envelope import (
    KIND_OUTSIDE,
    KINDS,
    OPERATION_TYPES,
    ChangeShape,
    Envelope,
    ItemizedEnvelope,
    OperationShape,
    SummaryShape,
)
from guardrails.findings import Code, Finding

OPERATION_TYPE = Code(
    name="operation-type-unknown",
    summary="The type of the operation is none of commit, pull_request and range.",
    cure="Write which of the three is described.",
    section="Describe Changes: Shape A, Shape B",
)
DETAIL_WITHOUT_REFS = Code(
    name="detail-without-refs",
    summary="A detail page has no references.",
    cure="Name the places that it tells of, or where there was no diff write null for the page.",
    section="Describe Changes: validation",
)
REFS_WITHOUT_DETAIL = Code(
    name="refs-without-detail",
    summary="There is no detail page, which tells that there was no diff, and yet there are references.",
    cure="Write the page, or leave the references out.",
    section="Describe Changes: degraded output",
)
MEDIUM_MISSING = Code(
    name="medium-missing",
    summary="A medium text is null although there was a diff.",
    cure="Write what the change means for those who use the product.",
    section="Describe Changes: medium_md",
)
ITEMS_ORDER = Code(
    name="items-out-of-order",
    summary="The items are not in order of significance: breaking ones first, then security.",
    cure="Put breaking changes first, then security, then the others by what users notice most.",
    section="Describe Changes: Shape B",
)
_FIRST: Final = ("breaking", "security")


def validate(envelope: Envelope, keys: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Every fault that is seen without evidence, in the order of the fields; `keys` name the items where numbers do not."""
    if isinstance(envelope, ItemizedEnvelope):
        return tuple(_itemized(envelope, keys or tuple(map(str, range(len(envelope.items))))))
    return (*_operation(envelope.operation), *_change("change", envelope.change))


def _itemized(envelope: ItemizedEnvelope, keys: Sequence[str]) -> Iterator[Finding]:
    yield from _operation(envelope.operation)
    yield from _summary(envelope.summary, envelope.items)
    before = 0
    for key, item in zip(keys, envelope.items, strict=True):
        rank = _FIRST.index(item.kind) if item.kind in _FIRST else len(_FIRST)
        if rank < before:
            yield ITEMS_ORDER.at(f"items[{key}].kind", f"got {item.kind} behind a less significant item")
        before = max(before, rank)
        yield from _change(f"items[{key}]", item)


def _operation(operation: OperationShape) -> Iterator[Finding]:
    if operation.type not in OPERATION_TYPES:
        yield OPERATION_TYPE.at("operation.type", f"got another type, expected one of {', '.join(OPERATION_TYPES)}")
    for name, text in (("id", operation.id), ("repository", operation.repository)):
        if register.is_empty(text):
            yield register.TEXT_BLANK.at(f"operation.{name}", "got nothing, expected a name")


def _summary(summary: SummaryShape, items: Sequence[ChangeShape]) -> Iterator[Finding]:
    yield from register.title("summary.title", summary.title)
    yield from register.short("summary.short_md", summary.short_md)
    yield from counting.check("summary.short_md", summary.short_md, [item.kind for item in items])
    yield from _medium("summary", summary.medium_md, has_diff=any(item.detail_md is not None for item in items))


def _change(where: str, change: ChangeShape) -> Iterator[Finding]:
    if change.kind not in KINDS:
        yield KIND_OUTSIDE.at(f"{where}.kind", f"got another word, expected one of {', '.join(KINDS)}")
    yield from register.title(f"{where}.title", change.title)
    yield from register.short(f"{where}.short_md", change.short_md)
    yield from _medium(where, change.medium_md, has_diff=change.detail_md is not None)
    yield from _detail(where, change)
    for place, ref in enumerate(change.refs):
        yield from refs.check(f"{where}.refs[{place}]", ref.path, ref.range, ref.sha, ref.note)
    for key in relations.KEYS:
        yield from relations.check(f"{where}.relations", key, getattr(change.relations, key))


def _medium(where: str, text: str | None, *, has_diff: bool) -> Iterator[Finding]:
    if text is not None:
        yield from register.medium(f"{where}.medium_md", text)
    elif has_diff:
        yield MEDIUM_MISSING.at(f"{where}.medium_md", "got null, expected a paragraph, since there is a detail page")


def _detail(where: str, change: ChangeShape) -> Iterator[Finding]:
    """A page and its references come together or not at all."""
    if change.detail_md is not None:
        yield from register.detail(f"{where}.detail_md", change.detail_md)
        if not change.refs:
            yield DETAIL_WITHOUT_REFS.at(f"{where}.detail_md", "got no references, expected the places that the page tells of")
    elif change.refs:
        yield REFS_WITHOUT_DETAIL.at(f"{where}.refs", f"got {len(change.refs)} beside a page that is null, expected none")
