"""Reading back what a verification said: strict, bounded, and held against itself (Change Contracts: results)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field, ValidationError

from guardrails.contracts.results import Clause, Status, combined, leaving
from guardrails.shapes import SAID, StrictShape

MARKS: Final = frozenset(("contractDigest", "candidateContractDigest", "results", "exitCode"))
"""The keys that tell a verification from anything else."""
_MOST_RESULTS: Final = 2_000
_DIGEST: Final = r"^sha256:[0-9a-f]{64}$"
_COMMITTED: Final = re.compile(r"git:(?P<commit>[0-9a-f]{40}|[0-9a-f]{64}):sha256:[0-9a-f]{64}")
_IDENTITY: Final = re.compile(rf"(?:{_COMMITTED.pattern}|sha256:[0-9a-f]{{64}})")


class NotVerified(ValueError):
    """What is given has the marks of a verification and is none to be believed; the message says why and quotes no value."""


def _identity(text: str) -> str:
    if _IDENTITY.fullmatch(text) is None:
        raise ValueError("expected git:<commit>:sha256:<digest>, or sha256:<digest>")
    return text


_Text = Annotated[str, Field(max_length=100_000)]
_Id = Annotated[str, Field(min_length=1, max_length=1_000)]
_Digest = Annotated[str, Field(pattern=_DIGEST)]
_Identity = Annotated[str, AfterValidator(_identity)]


class _Result(StrictShape):
    id: _Id
    clause: Annotated[Clause, Field(strict=False)]
    status: Annotated[Status, Field(strict=False)]
    message: _Text
    facts: Any = None
    finding: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    details: Annotated[list[_Text], Field(max_length=20_000)] | None = None
    evidence: dict[str, Any] | None = None


class _Verification(StrictShape):
    version: Annotated[Literal["0.2", "0.3"], Field(alias="schema")]
    tool: Annotated[_Text, Field(alias="version")]
    contract: Annotated[_Digest, Field(alias="contractDigest")]
    candidate: Annotated[_Digest, Field(alias="candidateContractDigest")]
    base: _Identity
    head: _Identity
    status: _Text
    exit_code: Annotated[int, Field(alias="exitCode")]
    results: Annotated[list[_Result], Field(min_length=1, max_length=_MOST_RESULTS)]
    findings: list[dict[str, Any]]
    assessment: Any = None
    comparison: Any = None
    files: Any = None
    coverage: Any = None
    analysis: Any = None
    observations: Any = None


@dataclass(frozen=True, slots=True)
class Obligation:
    """How one obligation stands, as it was told; `finding` is "" where it is kept, `ran` says that a test ran and passed."""

    id: str
    status: Status
    message: str
    finding: str
    details: tuple[str, ...]
    ran: bool = False


@dataclass(frozen=True, slots=True)
class Verified:
    """A verification: the contract that decided, the commits of both sides ("" for a folder), and every obligation in order."""

    contract: str
    base: str
    head: str
    status: str
    obligations: tuple[Obligation, ...]


def is_verification(value: object) -> bool:
    """Whether a document is meant as a verification: by its own keys, or by being the error of one."""
    return isinstance(value, Mapping) and (value.keys() >= MARKS or _is_error(value))


def read(value: Mapping[str, Any]) -> Verified:
    """What a verification says.

    Raises:
        NotVerified: it ended in an error, is of an unknown schema, has another shape, or contradicts itself.
    """
    if _is_error(value):
        raise NotVerified("this verification ended in ERROR: nothing was verified")
    if value.get("schema") not in {"0.2", "0.3"}:
        raise NotVerified("got a verification of another schema, expected 0.2 or 0.3")
    try:
        told = _Verification.model_validate(value)
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(step) for step in fault["loc"][:3] if isinstance(step, int) or step in _KEYS) or "the document"
        raise NotVerified(f"this verification is malformed at {place}: {SAID.get(fault['type'], fault['msg'])}") from None
    statuses = tuple(result.status for result in told.results)
    if told.status != combined(statuses) or told.exit_code != leaving(statuses):
        raise NotVerified("this verification contradicts itself: its verdict is not that of its results")
    if any((result.status is Status.PASS) != (result.finding is None) for result in told.results):
        raise NotVerified("this verification contradicts itself: a result that is not PASS has a finding, and no other has")
    if [one.get("id") for one in told.findings] != [f"{one.id}:{one.finding}" for one in told.results if one.finding]:
        raise NotVerified("this verification contradicts itself: its findings are not those of its results")
    return Verified(told.contract, _commit(told.base), _commit(told.head), told.status, tuple(map(_obligation, told.results)))


def _obligation(one: _Result) -> Obligation:
    ran = one.evidence is not None and one.evidence.get("status") == "passed"
    return Obligation(one.id, one.status, one.message, one.finding or "", tuple(one.details or ()), ran)


_KEYS: Final = frozenset((*_Result.model_fields, *(field.alias or name for name, field in _Verification.model_fields.items())))


def _is_error(value: Mapping[str, Any]) -> bool:
    return value.get("status") == "ERROR" and "exitCode" in value


def _commit(identity: str) -> str:
    found = _COMMITTED.fullmatch(identity)
    return found["commit"] if found is not None else ""
