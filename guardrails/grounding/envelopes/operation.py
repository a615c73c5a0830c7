"""The operation that an envelope names is the one that was selected (Describe Changes: operation)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis, FieldValue
from guardrails.evidence.model import Bundle, DocumentKind, OperationType, SelectionKind
from guardrails.findings import Code, Finding, Severity

OPERATION_DIFFERS = Code(
    name="operation-differs",
    summary="The envelope names another operation than the one that was selected.",
    cure="Name the commit, range or request that is described, and the repository that it is in.",
    section="Describe Changes: operation",
)
OPERATION_UNCONFIRMED = Code(
    name="operation-unconfirmed",
    summary="Nothing in the evidence tells whether a part of the operation is right.",
    cure="Compare it before accepting the envelope.",
    section="Describe Changes: operation",
    severity=Severity.WARNING,
)

_NAME: Final = re.compile(r"[0-9a-f]{7,64}")
_NUMBER: Final = re.compile(r"[#!]?(\d{1,10})")


def check(draft: Draft, bundle: Bundle) -> Iterator[Finding]:
    """Hold type, id and repository that somebody gave against the selection; our own are what was resolved."""
    kind, name, repository = (_given(draft, f"operation.{part}") for part in ("type", "id", "repository"))
    if isinstance(kind, str):
        yield from _type(kind, bundle)
    if isinstance(name, str) and isinstance(kind, str):
        yield from _id(kind, name, bundle)
    if isinstance(repository, str):
        yield from _repository(repository, bundle)


def _given(draft: Draft, path: str) -> FieldValue:
    value = draft.values.get(path)
    return value.value if value is not None and value.basis is Basis.GIVEN else None


def _type(kind: str, bundle: Bundle) -> Iterator[Finding]:
    """A request is a range of commits too; a range of one commit may be called that commit."""
    told = bundle.operation.type.value if bundle.operation else None
    fits = {OperationType.RANGE.value, OperationType.PULL_REQUEST.value}
    if bundle.selection.kind is SelectionKind.COMMIT:
        fits = {OperationType.COMMIT.value}
    elif len(bundle.commits) == 1:
        fits |= {OperationType.COMMIT.value}
    if kind not in fits | {told}:
        yield OPERATION_DIFFERS.at("operation.type", f"got {kind[:40]}, expected {told or ' or '.join(sorted(fits))}")


def _id(kind: str, name: str, bundle: Bundle) -> Iterator[Finding]:
    where, operation, spec = "operation.id", bundle.operation, bundle.selection.spec
    if name == spec or (operation is not None and name == operation.id):
        return
    if kind == OperationType.PULL_REQUEST:
        known = _requests(bundle)
        number = _NUMBER.fullmatch(name)
        if known and (number is None or number[1] not in known):
            yield OPERATION_DIFFERS.at(where, f"got {name[:80]}, expected {', '.join(sorted(known))[:80]}")
        elif not known:
            yield OPERATION_UNCONFIRMED.at(where, f"got {name[:80]}, and no request is in the evidence")
    elif not _selects(name, bundle):
        yield OPERATION_DIFFERS.at(where, f"got {name[:80]}, expected {spec[:80]} or its object names")


def _requests(bundle: Bundle) -> frozenset[str]:
    """The numbers of the requests that the operation may be."""
    if bundle.operation is not None and bundle.operation.type is OperationType.PULL_REQUEST:
        return frozenset({bundle.operation.id.lstrip("#!")})
    keys = (document.key for document in bundle.documents if document.kind is DocumentKind.PULL_REQUEST)
    return frozenset(match[1] for key in keys if (match := _NUMBER.fullmatch(key)))


def _selects(name: str, bundle: Bundle) -> bool:
    """Whether object names, whole or abbreviated, name the selected commit or the two ends of the range."""
    base, dots, head = name.partition("..")
    if not dots:
        return _begins(base, bundle.selection.head)
    return _begins(base, bundle.selection.base) and _begins(head.lstrip("."), bundle.selection.head)


def _begins(name: str, oid: str | None) -> bool:
    return oid is not None and _NAME.fullmatch(name) is not None and oid.startswith(name)


def _repository(told: str, bundle: Bundle) -> Iterator[Finding]:
    """Repositories are the same where one path is the end of the other: `acme/widgets`, `widgets`, a whole address."""
    known = [_path(name) for name in (bundle.operation.repository if bundle.operation else "", bundle.repository) if name]
    own = _path(told)
    if not known:
        yield OPERATION_UNCONFIRMED.at("operation.repository", f"got {told[:80]}, and the evidence names no repository")
    elif not any(own[-len(path) :] == path[-len(own) :] for path in known):
        yield OPERATION_DIFFERS.at("operation.repository", f"got {told[:80]}, expected {'/'.join(known[0])[:80]}")


def _path(name: str) -> tuple[str, ...]:
    path = name.partition("://")[2].partition("/")[2] if "://" in name else name
    return tuple(part for part in path.casefold().removesuffix(".git").split("/") if part)
