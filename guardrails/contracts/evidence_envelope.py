"""What a test run is bound to, before it and after it: what `contract evidence prepare` and `import` write (Change Contracts:
evidence).

A preparation names the files, the revision and the contract that a run is to be about; an envelope adds what the run said. Both
are attested by nobody but who made them.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, get_args

from pydantic import AfterValidator, Field, ValidationError, model_validator

from guardrails import strict_json
from guardrails.contracts.clauses import RelativePath, Text
from guardrails.findings import Code, Finding
from guardrails.shapes import SAID, StrictShape

EVIDENCE_SHAPE: Final = Code(
    name="evidence-shape",
    summary="What is given as evidence of a test run is not what preparing or importing it writes, or contradicts itself.",
    cure="Make it anew: evidraft contract evidence prepare, run the tests, evidraft contract evidence import.",
    section="Change Contracts, evidence",
)
_MOST_SHOWN: Final = 20


def _moment(text: str) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("expected a time that exists") from None
    return text


Digest: TypeAlias = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Revision: TypeAlias = Annotated[str, Field(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})$")]
Moment: TypeAlias = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$"), AfterValidator(_moment)]
"""A time in UTC, as `2026-12-01T05:16:54.777Z`."""

Mode: TypeAlias = Literal["git", "directory"]
"""Whether the project is what is committed, or what lies in its folder."""


Ended: TypeAlias = Literal["passed", "failed", "skipped", "inconclusive"]
"""How a test ended, as far as its report can be believed."""
Trust: TypeAlias = Literal["self-attested"]
WORDS: Final = frozenset((*get_args(Mode), *get_args(Ended), *get_args(Trust)))
"""Words of ours that stand for themselves in an envelope."""


class Runner(StrictShape):
    """Who ran the tests: the kind of its report, and its version."""

    name: Text
    version: Text


class Preparation(StrictShape):
    """What a run is to be about, and when that was settled."""

    version: Annotated[Literal["0.1"], Field(alias="schema")] = "0.1"
    subject: Digest
    revision: Revision | None = None
    contract_digest: Annotated[Digest, Field(alias="contractDigest")]
    prepared_at: Annotated[Moment, Field(alias="preparedAt")]
    project_root: Annotated[Text, Field(alias="projectRoot", pattern="^/")]
    mode: Mode
    runner: Runner


class Ran(StrictShape):
    """How one scenario ended: `scenario` is its full name, `title` its own."""

    file: RelativePath
    scenario: Text
    title: Text | None = None
    status: Ended


class Envelope(StrictShape):
    """What a run said, and what it was about."""

    version: Annotated[Literal["0.1"], Field(alias="schema")] = "0.1"
    subject: Digest
    revision: Revision | None = None
    contract_digest: Annotated[Digest, Field(alias="contractDigest")]
    runner: Runner
    prepared_at: Annotated[Moment, Field(alias="preparedAt")]
    started_at: Annotated[Moment, Field(alias="startedAt")]
    captured_at: Annotated[Moment, Field(alias="capturedAt")]
    artifact_digest: Annotated[Digest, Field(alias="artifactDigest")]
    trust: Trust = "self-attested"
    success: bool
    tests: Annotated[tuple[Ran, ...], Field(strict=False)]

    @model_validator(mode="after")
    def _agrees(self) -> Envelope:
        if not moment(self.prepared_at) <= moment(self.started_at) <= moment(self.captured_at):
            raise ValueError("expected preparedAt, startedAt and capturedAt in this order")
        if self.success and any(test.status == "failed" for test in self.tests):
            raise ValueError("got a failed test in a run that succeeded")
        return self


Document = TypeVar("Document", Preparation, Envelope)


def read(data: bytes, kind: type[Document]) -> Document | tuple[Finding, ...]:
    """A preparation or an envelope, or what is wrong with it."""
    try:
        value = strict_json.read(data)
    except strict_json.JsonFault as fault:
        return (EVIDENCE_SHAPE.at("", f"{fault.what}{f', {fault.place}' if fault.place else ''}"),)
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        faults = error.errors(include_input=False, include_url=False, include_context=False)[:_MOST_SHOWN]
        return tuple(EVIDENCE_SHAPE.at(_place(fault["loc"]), SAID.get(fault["type"], fault["msg"])) for fault in faults)


def write(document: Preparation | Envelope) -> bytes:
    """The bytes of either, with a version of the schema first and without what is not known."""
    told: dict[str, Any] = document.model_dump(mode="json", by_alias=True, exclude_none=True)
    return (json.dumps(told, ensure_ascii=False, indent=2) + "\n").encode()


def moment(text: str) -> datetime:
    """The time that a `Moment` tells."""
    return datetime.fromisoformat(text)


def told(time: datetime) -> str:
    """A time as a `Moment`, to the millisecond."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _place(steps: tuple[int | str, ...]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")
