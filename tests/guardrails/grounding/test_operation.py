"""The operation of an envelope is the selection, under whatever honest name."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope_form import EnvelopeForm
from guardrails.drafts.sourced import Basis, Sourced
from guardrails.evidence.model import Bundle, DocumentKind, Operation, OperationType, Selection, SelectionKind
from guardrails.grounding.envelopes import operation
from tests.guardrails.grounding.pointing import codes
from tests.guardrails.resolving.building import bundle, commit, document, oid

REPOSITORY: Final = "https://github.com/acme/widgets"
ONE: Final = replace(
    bundle(commit(1, "One")), selection=Selection(SelectionKind.COMMIT, "HEAD~2", oid(200), oid(1)), repository=REPOSITORY
)
RANGE: Final = replace(
    bundle(commit(1, "One"), commit(2, "Two")),
    selection=Selection(SelectionKind.RANGE, "v1..v2", oid(250), oid(2)),
    repository="",
)
REQUEST: Final = replace(RANGE, operation=Operation(OperationType.PULL_REQUEST, "1482", "acme/widgets"))
READ: Final = replace(RANGE, documents=(document(1, DocumentKind.PULL_REQUEST, key="#1482"),))
ONLY: Final = replace(RANGE, commits=RANGE.commits[1:])

OPERATIONS: tuple[tuple[str, Bundle, tuple[str, str, str], list[str]], ...] = (
    ("a commit", ONE, ("commit", oid(1), "acme/widgets"), []),
    ("a commit in short", ONE, ("commit", oid(1)[:7], "widgets"), []),
    ("as it was selected", ONE, ("commit", "HEAD~2", REPOSITORY), []),
    ("another case", ONE, ("commit", oid(1), "Acme/Widgets.git"), []),
    ("another commit", ONE, ("commit", oid(2), "acme/widgets"), ["operation-differs"]),
    ("too short", ONE, ("commit", oid(1)[:6], "acme/widgets"), ["operation-differs"]),
    ("another repository", ONE, ("commit", oid(1), "acme/gadgets"), ["operation-differs"]),
    ("another owner", ONE, ("commit", oid(1), "evil/widgets"), ["operation-differs"]),
    ("a commit as a range", ONE, ("range", oid(1), "acme/widgets"), ["operation-differs"]),
    ("a range", RANGE, ("range", "v1..v2", "acme/widgets"), ["operation-unconfirmed"]),
    ("a range by its ends", RANGE, ("range", f"{oid(250)[:7]}..{oid(2)[:9]}", "a/b"), ["operation-unconfirmed"]),
    ("another range", RANGE, ("range", "v1..v3", "a/b"), ["operation-differs", "operation-unconfirmed"]),
    ("a range turned round", RANGE, ("range", f"{oid(2)}..{oid(250)}", "a/b"), ["operation-differs", "operation-unconfirmed"]),
    ("a range as a commit", RANGE, ("commit", oid(2), "a/b"), ["operation-differs", "operation-unconfirmed"]),
    ("a range of one commit", ONLY, ("commit", oid(2), "a/b"), ["operation-unconfirmed"]),
    ("a request", REQUEST, ("pull_request", "1482", "acme/widgets"), []),
    ("a request as people write it", REQUEST, ("pull_request", "#1482", "acme/widgets"), []),
    ("another request", REQUEST, ("pull_request", "1483", "acme/widgets"), ["operation-differs"]),
    ("a request that was read", READ, ("pull_request", "1482", "a/b"), ["operation-unconfirmed"]),
    ("another than was read", READ, ("pull_request", "7", "a/b"), ["operation-differs", "operation-unconfirmed"]),
    ("a request that nobody knows", RANGE, ("pull_request", "7", "a/b"), ["operation-unconfirmed", "operation-unconfirmed"]),
)


def envelope(kind: str, name: str, repository: str) -> Draft:
    """A draft of nothing but its operation."""
    told = {"operation.type": kind, "operation.id": name, "operation.repository": repository}
    return Draft(EnvelopeForm(), {path: Sourced(value, Basis.GIVEN) for path, value in told.items()}, {})


@pytest.mark.requirement("DC-14", "DC-15")
@pytest.mark.parametrize(("evidence", "told", "expected"), [row[1:] for row in OPERATIONS], ids=[row[0] for row in OPERATIONS])
def test_an_operation_is_the_selection(evidence: Bundle, told: tuple[str, str, str], expected: list[str]) -> None:
    assert codes(operation.check(envelope(*told), evidence)) == expected


def test_what_is_not_there_is_another_rule_s_matter() -> None:
    assert codes(operation.check(Draft(EnvelopeForm(), {}, {}), ONE)) == []
