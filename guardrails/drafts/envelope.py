"""The envelope of a described operation: its two shapes, and how one is read (Describe Changes: Shape A, Shape B).

Reading settles that everything is there, that nothing else is, and of which type it is; `envelope_rules` judges what it says.
Faults gather, up to `MOST` of them, and quote no text of the envelope. What a schema can say besides stands beside each field.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import ConfigDict, FailFast, Field, TypeAdapter, ValidationError

from guardrails import strict_json
from guardrails.drafts import refs, relations
from guardrails.drafts.register import SHORT_MAX, TITLE_MAX
from guardrails.findings import Code, Finding
from guardrails.records.fields import where
from guardrails.records.schema_parts import END, Schema
from guardrails.shapes import StrictShape
from guardrails.strict_json import JsonFault

KINDS: Final = ("feature", "bug_fix", "improvement", "security", "ops", "docs", "breaking")
OPERATION_TYPES: Final = ("commit", "pull_request", "range")
SINGLE: Final = "single"
ITEMIZED: Final = "itemized"
MAX_BYTES: Final = 8 * 1024 * 1024
MOST: Final = 100
"""How many faults of one envelope are told."""
_MOST_KEYS: Final = 20
"""More keys than any object of the contract has; beyond that each would be a fault of its own."""
_MOST_ITEMS: Final = 30_000


def _rejection(name: str, summary: str, cure: str) -> Code:
    return Code(name=name, summary=summary, cure=cure, section="Describe Changes: validation")


ENVELOPE_UNREADABLE = Code(
    name="envelope-unreadable",
    summary="The file is no strict JSON: not UTF-8, a key twice, a number that JSON does not know, too large or too deep.",
    cure="Write the envelope as one JSON object in UTF-8.",
    section="Describe Changes",
)
ENVELOPE_SHAPE = Code(
    name="envelope-shape",
    summary="The envelope lacks a key, has one that the contract does not know, or a value of another type.",
    cure="Follow the schema that `evidraft schema envelope` prints.",
    section="Describe Changes: the change object, Shape A, Shape B",
)
KIND_OUTSIDE = _rejection(
    "kind-outside-seven", "A kind is none of the seven.", f"Choose exactly one of {', '.join(KINDS[:-1])} and {KINDS[-1]}."
)
RELATIONS_INCOMPLETE = _rejection(
    "relations-incomplete",
    "The relations lack one of their three keys.",
    "Write ticket, request and reporter, each an identifier or null.",
)
RANGE_WITHOUT_PATH = _rejection(
    "range-without-path",
    "A reference has a range but no path.",
    "Name the file that the lines are of, or leave the reference out.",
)
SUMMARY_BEYOND = Code(
    name="summary-beyond-contract",
    summary="The summary has a kind, references or other fields of a change.",
    cure="Leave them to the items; danger is said in the summary's short_md.",
    section="Describe Changes: Shape B",
)

_SAYING: Final[Schema] = {"pattern": r"\S"}
_LINE: Final[Schema] = {"pattern": rf"^\S(?:.*\S)?{END}"}
_TITLE: Final[Schema] = {**_LINE, "maxLength": TITLE_MAX, "description": "Characters count in their composed form."}
_SHORT: Final[Schema] = {**_LINE, "maxLength": SHORT_MAX, "description": "Inline code is the only markup."}
_REFS: Final[Schema] = {"description": "Empty without a diff; fabricated never."}


def _text(says: Schema) -> Any:
    return Field(json_schema_extra=says)


def _text_or_null(says: Schema) -> Any:
    return Field(json_schema_extra={"anyOf": [{"type": "string", **says}, {"type": "null"}]})


class OperationShape(StrictShape):
    """What is described."""

    type: Annotated[str, _text({"enum": list(OPERATION_TYPES)})]
    id: Annotated[str, _text(_SAYING)]
    repository: Annotated[str, _text(_SAYING)]


class ReferenceShape(StrictShape):
    """One place; a key that there is nothing to say for is left out."""

    path: Annotated[str, _text({"pattern": rf"^{refs.PATH}{END}"})]
    range: Annotated[str | None, _text_or_null({"pattern": rf"^{refs.RANGE}{END}"})] = None
    sha: Annotated[str | None, _text_or_null({"pattern": rf"^{refs.SHA}{END}"})] = None
    note: Annotated[str | None, _text_or_null(_LINE)] = None


class RelationsShape(StrictShape):
    """What the change is tied to: always all three keys, each a citable identifier or null."""

    ticket: Annotated[str | None, _text_or_null({"pattern": rf"^(?:{relations.CITABLE}){END}"})]
    request: Annotated[str | None, _text_or_null({"pattern": rf"^(?:{relations.CITABLE}){END}"})]
    reporter: Annotated[str | None, _text_or_null({"pattern": rf"^{relations.LOGIN}{END}"})]


_NULL: Final[Schema] = {"type": "null"}


class ChangeShape(StrictShape):
    """The change object."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"properties": {"detail_md": _NULL}},
            "then": {"properties": {"refs": {"maxItems": 0}}},
            "else": {"properties": {"refs": {"minItems": 1}, "medium_md": {"type": "string"}}},
        }
    )
    kind: Annotated[str, _text({"enum": list(KINDS)})]
    title: Annotated[str, _text(_TITLE)]
    short_md: Annotated[str, _text(_SHORT)]
    medium_md: Annotated[str | None, _text_or_null(_SAYING)]
    detail_md: Annotated[str | None, _text_or_null(_SAYING)]
    refs: Annotated[tuple[ReferenceShape, ...], FailFast(), Field(strict=False, json_schema_extra=_REFS)]
    relations: RelationsShape


class SummaryShape(StrictShape):
    """The summary of an itemized envelope: no kind and no refs, its evidence is its items."""

    title: Annotated[str, _text(_TITLE)]
    short_md: Annotated[str, _text(_SHORT)]
    medium_md: Annotated[str | None, _text_or_null(_SAYING)]


class SingleEnvelope(StrictShape):
    """Shape A: one coherent change."""

    shape: Literal["single"]
    operation: OperationShape
    change: ChangeShape


class ItemizedEnvelope(StrictShape):
    """Shape B: several independent changes, in order of significance."""

    shape: Literal["itemized"]
    operation: OperationShape
    summary: SummaryShape
    items: Annotated[tuple[ChangeShape, ...], Field(strict=False, min_length=1, max_length=_MOST_ITEMS)]


Envelope: TypeAlias = SingleEnvelope | ItemizedEnvelope
_ENVELOPE: Final[TypeAdapter[Envelope]] = TypeAdapter(Annotated[Envelope, Field(discriminator="shape")])


def read(data: bytes) -> Envelope | tuple[Finding, ...]:
    """An envelope out of JSON in UTF-8, or what is wrong with it; never raises."""
    if len(data) > MAX_BYTES:
        return (ENVELOPE_UNREADABLE.at("", f"got {len(data)} bytes, expected at most {MAX_BYTES}"),)
    try:
        value = strict_json.read(data)
    except JsonFault as fault:
        return (ENVELOPE_UNREADABLE.at("", f"{fault.what}{fault.place and f', {fault.place}'}"),)
    return of(value)


def of(value: object) -> Envelope | tuple[Finding, ...]:
    """An envelope out of JSON types, or what is wrong with them; `where` of a finding is a field path with numbers."""
    if _is_crowded(value):
        return (ENVELOPE_SHAPE.at("", f"got an object of more than {_MOST_KEYS} keys, which the contract does not know"),)
    try:
        return _ENVELOPE.validate_python(value)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        told = tuple(_fault(fault["loc"], fault["type"], value) for fault in faults[:MOST])
        more = len(faults) - len(told)
        return (*told, ENVELOPE_SHAPE.at("", f"got {more} faults more of this kind")) if more else told


def schema() -> Schema:
    """The JSON Schema of an envelope: all of the contract that a schema can say."""
    return {
        "title": "Envelope",
        "description": "What one operation changed, as a single digest or itemized; every text for readers is markdown.",
        **_ENVELOPE.json_schema(),
    }


_SAYS: Final = {
    "missing": "got nothing, expected this key",
    "extra_forbidden": "got a key that the contract does not know",
    "string_type": "got no text",
    "model_type": "got no object",
    "model_attributes_type": "got no object",
    "tuple_type": "got no list",
    "too_short": "got an empty list, expected at least one",
    "too_long": f"got more than {_MOST_ITEMS}",
    "union_tag_not_found": f"got no shape, expected {SINGLE} or {ITEMIZED}",
    "union_tag_invalid": f"got another shape than {SINGLE} or {ITEMIZED}",
}
_CHANGE: Final = r"(?:change|items\[\d+\])"
_CODES: Final = (
    (re.compile(rf"{_CHANGE}\.kind"), {"missing", "string_type"}, KIND_OUTSIDE),
    (re.compile(rf"{_CHANGE}\.relations"), {"missing", "model_type"}, RELATIONS_INCOMPLETE),
    (re.compile(rf"{_CHANGE}\.relations\.\w+"), {"missing"}, RELATIONS_INCOMPLETE),
    (re.compile(r"summary\.[^.]+"), {"extra_forbidden"}, SUMMARY_BEYOND),
)
"""Places and types of faults that have a code of their own."""
_WORD: Final = re.compile(r"[A-Za-z][\w-]{0,39}", re.ASCII)


def _fault(loc: tuple[int | str, ...], kind: str, value: object) -> Finding:
    """One fault of shape; a key that is no plain word is not repeated."""
    steps = loc[1:] if loc[:1] in {(SINGLE,), (ITEMIZED,)} else loc
    place = where(tuple(step if isinstance(step, int) or _WORD.fullmatch(step) else "?" for step in steps)) or "shape"
    own = next((code for pattern, kinds, code in _CODES if kind in kinds and pattern.fullmatch(place)), ENVELOPE_SHAPE)
    if steps[-1:] == ("path",) and isinstance(around := _at(value, steps[:-1]), dict) and around.get("range") is not None:
        own = RANGE_WITHOUT_PATH
    return own.at(place, _SAYS.get(kind, "got a value of another type"))


def _at(value: object, steps: tuple[int | str, ...]) -> object:
    """What stands at a place of JSON types that is known to be there."""
    for step in steps:
        value = value[step]  # type: ignore[index]
    return value


def _is_crowded(value: object) -> bool:
    """Whether an object at any depth has more keys than one of the contract could have, with as many faults."""
    level = [value]
    while level:
        if any(isinstance(one, dict) and len(one) > _MOST_KEYS for one in level):
            return True
        inner = (one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list))
        level = [child for children in inner for child in children if isinstance(child, dict | list)]
    return False
