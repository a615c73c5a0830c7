"""What verifying a change contract said, as evidence for exactly the commits that it is about (Change Contracts: results)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from agent.errors import InputFailure
from agent.sources import inputs
from guardrails.contracts import verified
from guardrails.contracts.results import Status
from guardrails.contracts.verified import Obligation, Verified
from guardrails.digests import digest_of, sha256
from guardrails.evidence.model import ContractResult, Note, Selection, SelectionKind

STALE: Final = "contract-stale"
"""The note on a verification of other commits than those that are selected."""
_MOST_DETAILS: Final = 40
_MOST_KEPT: Final = 200


def read(data: bytes, name: str, selection: Selection, start: int = 1) -> tuple[ContractResult, ...] | Note | None:
    """The verdict of a verification, and each of its results that is not PASS, numbered from V`start`.

    A note where it is about anything but what is selected, so that nothing can cite it; None for a file that is none.

    Raises:
        InputFailure: it ended in ERROR, is malformed, of an unknown schema, or contradicts itself.
    """
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] != b"{":
        return None
    value = inputs.parse_json(data, name)
    if not verified.is_verification(value):
        return None
    try:
        told = verified.read(value)
    except verified.NotVerified as fault:
        cure = "verify the change again: evidraft contract verify --format json"
        raise InputFailure(str(fault), where=name, cure=cure) from None
    if (why := _unbound(told, selection)) is not None:
        return Note(STALE, f"file:{name}", why)
    digest = sha256(data)
    said = [_verdict(told), *(_result(one) for one in told.obligations if one.status is not Status.PASS)]
    return tuple(
        ContractResult(
            id=f"V{start + place}",
            locator=f"file:{name}" if place == 0 else f"file:{name}#{place}",
            digest=digest if place == 0 else digest_of([title, body]),
            contract=told.contract,
            result=digest,
            status=status,
            is_verdict=place == 0,
            has_run=place == 0 and any(one.ran for one in told.obligations),
            title=title,
            body=body,
        )
        for place, (status, title, body) in enumerate(said)
    )


def _unbound(told: Verified, selection: Selection) -> str | None:
    """Why a verification is no evidence of what is selected."""
    if not told.base or not told.head:
        return "the verification compared folders, so it cannot be told whether it is about these commits; it is not cited"
    if selection.kind not in {SelectionKind.RANGE, SelectionKind.COMMIT}:
        return "the verification is about commits, and what is selected is not committed; it is not cited"
    for side, wanted, got in (("head", selection.head, told.head), ("base", selection.base, told.base)):
        if wanted != got:
            expected = wanted[:12] if wanted else "none"
            return f"the verification is stale: its {side} is {got[:12]}, expected {expected}; verify again, it is not cited"
    return None


def _verdict(told: Verified) -> tuple[tuple[str, ...], str, str]:
    statuses = tuple(told.status.split(" + "))
    kept = [one for one in told.obligations if one.status is Status.PASS]
    lines = [f"{_named(one)}: PASS: {one.message}{'; the test ran and passed' * one.ran}" for one in kept[:_MOST_KEPT]]
    head = f"{len(kept)} of {len(told.obligations)} obligations of the change contract are kept."
    return statuses, f"Change contract: {told.status}", "\n".join((head, *_listed(lines, len(kept))))


def _result(one: Obligation) -> tuple[tuple[str, ...], str, str]:
    title = f"Change contract, {_named(one)}: {one.status.value} {one.finding}"
    return (one.status.value,), title, "\n".join((one.message, *_listed(one.details[:_MOST_DETAILS], len(one.details))))


def _listed(lines: Sequence[str], total: int) -> Iterator[str]:
    yield from (f"- {' '.join(line.split())}" for line in lines)
    if total > len(lines):
        yield f"- and {total - len(lines)} more"


def _named(one: Obligation) -> str:
    return " ".join(one.id.split())
