"""What `contract verify` prints, as far as reading it back needs it."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from guardrails.contracts.results import Status, combined, leaving
from guardrails.digests import sha256
from guardrails.evidence.model import ContractResult

Value: TypeAlias = dict[str, Any]
CONTRACT: Final = f"sha256:{'c' * 64}"
BASE: Final = "fa" * 20
HEAD: Final = "fb" * 20
"""What a range of `tests.guardrails.resolving.building` goes from and to."""


def verification(*results: tuple[str, str, str], details: list[str] | None = None, base: str = BASE, head: str = HEAD) -> Value:
    """A verification with these results: id, status, finding."""
    statuses = [Status(status) for _, status, _ in results]
    told = [
        {
            "id": name,
            "clause": "scope" if name == "$scope" else "claim",
            "status": status,
            "message": "changed paths that are not allowed: 1 of 2" if finding else "kept",
            "facts": [],
            **({"finding": finding, "details": details or []} if finding else {}),
        }
        for name, status, finding in results
    ]
    return {
        "schema": "0.3",
        "version": "0.2.0",
        "contractDigest": CONTRACT,
        "candidateContractDigest": CONTRACT,
        "base": f"git:{base}:sha256:{'0' * 64}",
        "head": f"git:{head}:sha256:{'1' * 64}",
        "status": combined(statuses),
        "exitCode": leaving(statuses),
        "results": told,
        "findings": [{"id": f"{name}:{finding}"} for name, _, finding in results if finding],
    }


def passing() -> Value:
    """One whose only obligation is kept."""
    return verification(("$scope", "PASS", ""))


def verdict(*status: str, has_run: bool = False) -> ContractResult:
    """The verdict as evidence V1."""
    said = " + ".join(status)
    return _result(
        1, status, f"Change contract: {said}", "0 of 1 obligations of the change contract are kept.", has_run=has_run
    )


def drifting(body: str = "changed paths that are not allowed: 1 of 2\n- added other.txt", number: int = 2) -> ContractResult:
    """A result that is DRIFT, V2 by default."""
    return _result(number, ("DRIFT",), "Change contract, $scope: DRIFT out-of-scope", body)


def _result(number: int, status: tuple[str, ...], title: str, body: str, *, has_run: bool = False) -> ContractResult:
    digest = sha256(f"{title}{body}".encode())
    result = sha256(b"verification")
    own = (f"V{number}", "file:v.json", result if number == 1 else digest, CONTRACT, result)
    return ContractResult(*own, status, number == 1, has_run, title, body)
