"""The draft record: what stood behind a draft, and whether that still holds (Intent Changesets 11, last paragraph)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, ValidationError

from guardrails.digests import sha256
from guardrails.findings import Code, Finding
from guardrails.shapes import StrictShape

DRAFT_RECORD_SHAPE = Code(
    name="draft-record-shape",
    summary="The draft record does not have the shape that evidraft writes.",
    cure="Use the record as it was written; `evidraft schema draft-record` prints its shape.",
    section="evidraft",
)
STALE_HEAD = Code(
    name="stale-head",
    summary="The draft was made from another state of the selected changes than there is now.",
    cure="Draft again from the present state.",
    section="Intent Changesets 11",
)
STALE_PROFILE = Code(
    name="stale-profile",
    summary="The draft was made under another Project Profile than the present one.",
    cure="Draft again under the present profile.",
    section="Intent Changesets 11.2",
)
OUTPUT_EDITED = Code(
    name="output-edited",
    summary="The text is not the one that the record is about.",
    cure="Have the edited text verified (`evidraft verify`), or draft again.",
    section="Intent Changesets 11.4",
)


def _dashed(name: str) -> str:
    return name.replace("_", "-")


class _Part(StrictShape):
    model_config = ConfigDict(alias_generator=_dashed)


Digest = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
ObjectName = Annotated[str, Field(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})$")]
_Count = Annotated[int, Field(ge=0)]


class SelectionPart(_Part):
    """What was selected, in the person's own words and as exact object names."""

    kind: Literal["range", "commit", "staged", "work-tree"]
    spec: str
    base: ObjectName | None
    head: ObjectName | None


class ProfilePart(_Part):
    """The profile that the draft was judged by; nulls where there was none."""

    path: str | None
    digest: Digest | None


class FindingPart(_Part):
    """One finding, as every JSON output has it."""

    code: str
    severity: Literal["error", "needs-input", "warning"]
    where: str
    message: str
    evidence: list[str]
    line: int | None


class UsagePart(_Part):
    """What calls cost; null where a drafter does not tell. Dollars are a decimal number in text; kept replies cost nothing."""

    input_tokens: _Count | None
    cached_tokens: _Count | None = None
    output_tokens: _Count | None
    reasoning_tokens: _Count | None = None
    dollars: Annotated[str, Field(pattern=r"^[0-9]{1,12}(?:\.[0-9]{1,20})?$")] | None = None
    seconds: Annotated[float, Field(ge=0)] | None = None


class AttemptPart(UsagePart):
    """One call of a drafter for a part of the draft, "" for the whole.

    `left-out` are the ids of items that did not fit and were not read, `kept` tells of a reply that was paid for earlier.
    """

    part: str = ""
    prompt_digest: str
    left_out: list[str] = Field(default_factory=list)
    model: str = ""
    request_id: str = ""
    stop: str = ""
    kept: bool = False
    findings: list[FindingPart]


class PromptPart(_Part):
    """Which prompt was used."""

    name: str
    version: str
    digest: str


class DrafterPart(_Part):
    """Who drafted, how, and how often; `instead-of` names a drafter that was asked for and could not be had."""

    client: str
    instead_of: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)
    prompt: PromptPart | None
    usage: UsagePart | None = None
    attempts: list[AttemptPart]


class ItemPart(_Part):
    """One item of evidence, without its text."""

    id: str
    kind: str
    locator: str
    digest: str
    contract_digest: Digest | None = None
    result_digest: Digest | None = None
    result: str | None = None


class WithheldPart(_Part):
    """A content-free mark of something that disclosure withheld."""

    kind: str
    state: str


class RedactionPart(_Part):
    """How often a rule hid something in an item."""

    item: str
    rule: str
    count: _Count


class LeftOutPart(_Part):
    """What was not read, and why."""

    code: str
    where: str
    message: str


class SentencePart(_Part):
    """A sentence and the evidence that carries it; on a page also its heading and the places that it tells of."""

    text: str
    evidence: list[str]
    heading: str | None = None
    places: list[str] | None = None


class FieldPart(_Part):
    """What a field rests on: evidence ids, for prose sentence by sentence."""

    basis: Literal["trailer", "profile", "evidence", "answer", "rule", "synthesis", "given"]
    evidence: list[str] | None = None
    sentences: list[SentencePart] | None = None


class DraftRecord(_Part):
    """One run of drafting. It holds digests and counts of what was redacted, never a value."""

    version: Literal["1.0.0"] = Field(alias="evidraft-record")
    task: str
    status: Literal["DRAFTED", "NEEDS_INPUT", "REJECTED"]
    output_digest: Digest
    selection: SelectionPart
    repository: str
    profile: ProfilePart
    policy_digest: str | None
    engine: str
    drafter: DrafterPart
    evidence: list[ItemPart]
    withheld: list[WithheldPart]
    redactions: list[RedactionPart]
    left_out: list[LeftOutPart]
    fields: dict[str, FieldPart]
    coverage: dict[str, str]
    findings: list[FindingPart]


@dataclass(frozen=True, slots=True)
class Present:
    """What the world says now; None for what was not looked at. `profile` is "" when it is gone."""

    selection: tuple[str | None, str | None] | None = None
    """Base and head that the record's own words mean today."""
    profile: str | None = None
    output: bytes | None = None


def read(data: bytes) -> DraftRecord | tuple[Finding, ...]:
    """A draft record out of JSON; findings of `draft-record-shape` name the place and never quote a value."""
    try:
        return DraftRecord.model_validate_json(data)
    except ValidationError as error:
        faults = error.errors(include_input=False, include_url=False, include_context=False)
        return tuple(DRAFT_RECORD_SHAPE.at(".".join(map(str, fault["loc"])), fault["type"]) for fault in faults)


def staleness(record: DraftRecord, present: Present) -> tuple[Finding, ...]:
    """Every way in which the present differs from what the draft was made of."""
    return tuple(_differences(record, present))


def _differences(record: DraftRecord, present: Present) -> Iterator[Finding]:
    made = (record.selection.base, record.selection.head)
    if present.selection is not None and present.selection != made:
        message = f"{record.selection.spec} is now {_named(present.selection)}, the draft was made of {_named(made)}"
        yield STALE_HEAD.at("selection", message)
    if present.profile is not None and present.profile != record.profile.digest:
        now = present.profile[:19] if present.profile else "gone"
        then = record.profile.digest[:19] if record.profile.digest else "none"
        yield STALE_PROFILE.at("profile.digest", f"the profile is now {now}, the draft was made under {then}")
    if present.output is not None and sha256(present.output) != record.output_digest:
        yield OUTPUT_EDITED.at("output-digest", "the text has been edited since, or was never this draft's")


def _named(sides: tuple[str | None, str | None]) -> str:
    return "..".join(oid[:12] if oid else "nothing" for oid in sides)


def schema() -> dict[str, Any]:
    """The JSON Schema of a draft record."""
    return DraftRecord.model_json_schema(by_alias=True)
