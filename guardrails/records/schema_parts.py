"""What the JSON Schemas of records are made of: words, and the parts that several kinds have (Intent Changesets 5 and 6)."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from guardrails.records.disclosure import FIELDS as DISCLOSURE_FIELDS
from guardrails.records.disclosure import State
from guardrails.records.fields import IMPACTS, SUITE_VERSION

Schema: TypeAlias = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
END: Final = r"(?!\n)$"
"""The end of a text in every engine; in some a bare `$` also matches before a final line feed."""
TEXT: Final[Schema] = {"type": "string"}
NULL: Final[Schema] = {"type": "null"}
SAYING: Final[Schema] = {"type": "string", "pattern": r"\S"}
VERSION: Final[Schema] = {"const": SUITE_VERSION}
ID: Final[Schema] = {"type": "string", "pattern": rf"^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?{END}"}
URI: Final[Schema] = {"type": "string", "pattern": r"^(?:[Uu][Rr][Nn]:|[Tt][Aa][Gg]:|[A-Za-z][A-Za-z0-9+.-]*://)\S+$"}
PLACE: Final[Schema] = {
    "type": "string",
    "pattern": rf"^(?![/~])(?![A-Za-z]:)(?!(?:.*/)?\.\.(?:/|$))[^\x00-\x1f\x7f\\]+{END}",
    "description": "A relative path below the repository root, with forward slashes and without `..`.",
}
OBJECT_NAME: Final[Schema] = {
    "anyOf": [
        {"type": "string", "pattern": rf"^(?:[0-9a-f]{{40}}|[0-9a-f]{{64}}){END}"},
        *({"type": "integer", "minimum": 10 ** (size - 1), "maximum": 10**size - 1} for size in (40, 64)),
    ],
    "description": "The full name of a git object; unquoted and all of digits, YAML has it for a number.",
}
DAY: Final[Schema] = {"type": "string", "pattern": rf"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}{END}"}
DIGEST: Final[Schema] = {"type": "string", "pattern": rf"^sha256:[0-9a-f]{{64}}{END}"}
IDS: Final[Schema] = {"type": "array", "uniqueItems": True, "items": ID}
IMPACT: Final[Schema] = {"enum": list(IMPACTS)}


def provenance() -> Schema:
    """Kinds and their references, not all of them empty."""
    kinds = {"type": "object", "additionalProperties": words(SAYING)}
    return {**kinds, "not": {"type": "object", "additionalProperties": {"type": "array", "maxItems": 0}}}


def references() -> Schema:
    """The same where a blank reference is none, but no fault either."""
    kinds = {"type": "object", "additionalProperties": words(TEXT)}
    blank = {"type": "array", "items": {"not": SAYING}}
    return {**kinds, "not": {"type": "object", "additionalProperties": blank}}


def disclosure(*, whole: bool = True) -> Schema:
    """State and what it needs; a key that is absent is null unless it must be `whole`."""
    moment = {"type": "string", "pattern": rf"^[0-9]{{4}}[0-9W-]*(?:T.+)?{END}", "description": "An ISO 8601 date or time."}
    terms = {"anyOf": [mapping({"not-before": moment}), mapping({"policy": SAYING})]}
    embargoed: dict[str, Schema] = {
        "not-before": {"anyOf": [moment, NULL]},
        "policy": {"type": ["string", "null"]},
        "placeholder": NULL,
    }
    public = _state(State.PUBLIC, dict.fromkeys(DISCLOSURE_FIELDS[1:], NULL))
    redacted = _state(State.REDACTED, {"not-before": NULL, "policy": NULL, "placeholder": SAYING})
    return {
        "type": "object",
        "required": list(DISCLOSURE_FIELDS) if whole else ["state"],
        "oneOf": [public, {**_state(State.EMBARGOED, embargoed), **terms}, {**redacted, "required": ["placeholder"]}],
    }


def _state(state: State, fields: dict[str, Schema]) -> Schema:
    return {"properties": {"state": {"const": state.value}, **fields}}


def migration() -> Schema:
    """What a mapping with `impact` and `migration` must say where the impact is major."""
    major = {"properties": {"impact": {"const": "major"}}, "required": ["impact"]}
    return {"if": major, "then": {"properties": {"migration": SAYING}}}


def mapping(properties: dict[str, Schema], required: tuple[str, ...] | None = None) -> Schema:
    """A mapping with these fields, all of them required unless it is said which; others may stand in it."""
    return {"type": "object", "required": list(properties if required is None else required), "properties": properties}


def closed(required: dict[str, Schema], optional: dict[str, Any] | None = None) -> Schema:
    """A mapping with these fields and no other."""
    return {**mapping({**required, **(optional or {})}, tuple(required)), "additionalProperties": False}


def named(keys: str, items: Schema, *, least: int = 0) -> Schema:
    """A mapping of names of this pattern to items."""
    return {"type": "object", "minProperties": least, "propertyNames": {"pattern": keys}, "additionalProperties": items}


def words(item: Schema, *, least: int = 0) -> Schema:
    """A list of items."""
    return {"type": "array", "minItems": least, "items": item}
