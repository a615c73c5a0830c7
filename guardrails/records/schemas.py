"""Changesets and profiles as JSON Schema 2020-12: what their readers accept, as far as a schema can say it
(Intent Changesets 5, 6 and 10).

Whatever a reader accepts, its schema accepts. What joins several places of a record (a pair used twice, a rationale that
repeats the summary, a unit that must exist) is for the reader alone.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from guardrails.records.changeset import FIELDS, RELATION_FIELDS
from guardrails.records.disclosure import FIELDS as DISCLOSURE_FIELDS
from guardrails.records.disclosure import State
from guardrails.records.fields import IMPACTS, SUITE_VERSION
from guardrails.records.profile import DISPOSITIONS, MERGE_STRATEGIES, VERIFICATION_STATUSES

Schema: TypeAlias = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
END: Final = r"(?!\n)$"
"""The end of a text in every engine; in some a bare `$` also matches before a final line feed."""
_TEXT: Final[Schema] = {"type": "string"}
_NULL: Final[Schema] = {"type": "null"}
_SAYING: Final[Schema] = {"type": "string", "pattern": r"\S"}
_VERSION: Final[Schema] = {"const": SUITE_VERSION}
_ID: Final[Schema] = {"type": "string", "pattern": rf"^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?{END}"}
_URI: Final[Schema] = {"type": "string", "pattern": r"^(?:[Uu][Rr][Nn]:|[Tt][Aa][Gg]:|[A-Za-z][A-Za-z0-9+.-]*://)\S+$"}
_PLACE: Final[Schema] = {
    "type": "string",
    "pattern": rf"^(?![/~])(?![A-Za-z]:)(?!(?:.*/)?\.\.(?:/|$))[^\x00-\x1f\x7f\\]+{END}",
    "description": "A relative path below the repository root, with forward slashes and without `..`.",
}
_IDS: Final[Schema] = {"type": "array", "uniqueItems": True, "items": _ID}
_IMPACT: Final[Schema] = {"enum": list(IMPACTS)}
_TYPE_WORD: Final = rf"^[a-z][a-z0-9-]*{END}"
_UNIT_WORD: Final = rf"^[a-z0-9][a-z0-9./-]*{END}"
_SWITCH: Final[Schema] = {"type": "boolean"}
_LIMIT: Final[Schema] = {"type": "integer", "minimum": 0, "description": "0 or absent: no limit."}


def changeset() -> Schema:
    """The schema of an Intent Changeset; unknown fields are allowed everywhere, since they are kept."""
    return {
        "$schema": DIALECT,
        "title": f"Intent Changeset {SUITE_VERSION}",
        **_mapping(
            {
                "intent-changeset": _VERSION,
                "id": _ID,
                "source-repository": _URI,
                "summary": _SAYING,
                "rationale": _SAYING,
                "targets": {"type": "array", "minItems": 1, "items": _target()},
                "provenance": _provenance(),
                "relations": _mapping(dict.fromkeys(RELATION_FIELDS, _IDS)),
                "disclosure": _disclosure(),
            },
            required=FIELDS,
        ),
    }


def profile() -> Schema:
    """The schema of a Project Profile; a key that no rule reads is refused."""
    return {
        "$schema": DIALECT,
        "title": f"Intent Project Profile {SUITE_VERSION}",
        **_closed(
            {
                "intent-profile": _VERSION,
                "repository": _URI,
                "specifications": _specifications(),
                "release-units": _named(_UNIT_WORD, _closed({"streams": _named(_UNIT_WORD, _stream(), least=1)}), least=1),
                "ledger-directory": _PLACE,
                "release-manifest-directory": _PLACE,
                "release-pattern": {**_TEXT, "description": "An RE2 expression; it is searched, so anchor it."},
                "release-types": _words({"type": "string", "pattern": _TYPE_WORD}, least=1),
                "release-impacts": _words(_IMPACT, least=1),
                "audiences": _words(_SAYING, least=1),
                "disclosures": _words(_SAYING, least=1),
                "channels": _words(_SAYING, least=1),
                "changesets": _changesets(),
            },
            {
                "types": _named(_TYPE_WORD, _closed({}, {"default-impact": _IMPACT})),
                "scopes": _named(_UNIT_WORD, _scope()),
                "pull-requests": True,
                "require-release-ready": _SWITCH,
                "max-header-length": _LIMIT,
                "max-body-line-length": _LIMIT,
                "large-diff-threshold": _LIMIT,
            },
        ),
        "if": {"properties": {"specifications": {"type": "object", "required": ["pull-requests"]}}},
        "then": {"required": ["pull-requests"], "properties": {"pull-requests": _pull_requests()}},
    }


def _target() -> Schema:
    guidance = {"anyOf": [_SAYING, _NULL]}
    words = dict.fromkeys(("release-unit", "type", "impact"), _SAYING)
    target = _mapping({**words, "audiences": _words(_SAYING, least=1), "migration": guidance})
    target["properties"]["stream"] = _SAYING
    major = {"properties": {"impact": {"const": "major"}}, "required": ["impact"]}
    return {**target, "if": major, "then": {"properties": {"migration": _SAYING}}}


def _provenance() -> Schema:
    """Kinds and their references, not all of them empty."""
    kinds = {"type": "object", "additionalProperties": _words(_SAYING)}
    return {**kinds, "not": {"type": "object", "additionalProperties": {"type": "array", "maxItems": 0}}}


def _disclosure() -> Schema:
    moment = {"type": "string", "pattern": rf"^[0-9]{{4}}[0-9W-]*(?:T.+)?{END}", "description": "An ISO 8601 date or time."}
    terms = {"anyOf": [{"properties": {"not-before": moment}}, {"properties": {"policy": _SAYING}}]}
    embargoed: dict[str, Schema] = {
        "not-before": {"anyOf": [moment, _NULL]},
        "policy": {"type": ["string", "null"]},
        "placeholder": _NULL,
    }
    public = _state(State.PUBLIC, dict.fromkeys(DISCLOSURE_FIELDS[1:], _NULL))
    redacted = _state(State.REDACTED, {"not-before": _NULL, "policy": _NULL, "placeholder": _SAYING})
    return {
        "type": "object",
        "required": list(DISCLOSURE_FIELDS),
        "oneOf": [public, {**_state(State.EMBARGOED, embargoed), **terms}, redacted],
    }


def _state(state: State, fields: dict[str, Schema]) -> Schema:
    return {"properties": {"state": {"const": state.value}, **fields}}


def _specifications() -> Schema:
    names = ("commits", "changesets", "changelog", "release-manifest")
    return _closed(dict.fromkeys(names, _VERSION), {"pull-requests": _VERSION})


def _scope() -> Schema:
    scope = _closed({}, {"release-unit": _TEXT, "requires-affects": _SWITCH})
    return {
        **scope,
        "anyOf": [
            {"required": ["release-unit"]},
            {"required": ["requires-affects"], "properties": {"requires-affects": {"const": True}}},
        ],
    }


def _stream() -> Schema:
    return _closed({"release-line": _SAYING, "channel": _SAYING, "changelog": _PLACE, "manifests": _PLACE})


def _changesets() -> Schema:
    policy = _closed(
        {
            "directory": _PLACE,
            "after-consumption": {"enum": list(DISPOSITIONS)},
            "conflict-policy": {"const": "preserve"},
        },
        {
            "archive-directory": _PLACE,
            "id-pattern": {**_TEXT, "description": "An RE2 expression; it is searched, so anchor it."},
            "required-impacts": _words(_IMPACT),
            "required-commit-types": _words(_SAYING),
        },
    )
    return {
        **policy,
        "anyOf": [{"required": ["required-impacts"]}, {"required": ["required-commit-types"]}],
        "if": {"properties": {"after-consumption": {"const": "archive"}}, "required": ["after-consumption"]},
        "then": {"required": ["archive-directory"]},
    }


def _pull_requests() -> Schema:
    length = {"type": "integer", "minimum": 1}
    return _closed(
        {
            "directory": _PLACE,
            "merge-strategy": {"enum": list(MERGE_STRATEGIES)},
            "max-title-length": length,
            "max-body-length": length,
        },
        {"require-ready": _SWITCH, "verification-statuses": _words({"enum": list(VERIFICATION_STATUSES)})},
    )


def _mapping(properties: dict[str, Schema], required: tuple[str, ...] | None = None) -> Schema:
    return {"type": "object", "required": list(properties if required is None else required), "properties": properties}


def _closed(required: dict[str, Schema], optional: dict[str, Any] | None = None) -> Schema:
    mapping = _mapping({**required, **(optional or {})}, tuple(required))
    return {**mapping, "additionalProperties": False}


def _named(words: str, items: Schema, *, least: int = 0) -> Schema:
    return {"type": "object", "minProperties": least, "propertyNames": {"pattern": words}, "additionalProperties": items}


def _words(item: Schema, *, least: int = 0) -> Schema:
    return {"type": "array", "minItems": least, "items": item}
