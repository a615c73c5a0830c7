"""Changesets and profiles as JSON Schema 2020-12: what their readers accept, as far as a schema can say it
(Intent Changesets 5, 6 and 10).

Whatever a reader accepts, its schema accepts. What joins several places of a record (a pair used twice, a rationale that
repeats the summary, a unit that must exist) is for the reader alone.
"""

from __future__ import annotations

from typing import Final

from guardrails.records.changeset import FIELDS, RELATION_FIELDS
from guardrails.records.fields import SUITE_VERSION
from guardrails.records.profile import DISPOSITIONS, MERGE_STRATEGIES, VERIFICATION_STATUSES
from guardrails.records.schema_parts import (
    DIALECT,
    END,
    ID,
    IDS,
    IMPACT,
    NULL,
    PLACE,
    SAYING,
    TEXT,
    URI,
    VERSION,
    Schema,
    closed,
    disclosure,
    mapping,
    migration,
    named,
    provenance,
    words,
)

_TYPE_WORD: Final = rf"^[a-z][a-z0-9-]*{END}"
_UNIT_WORD: Final = rf"^[a-z0-9][a-z0-9./-]*{END}"
_SWITCH: Final[Schema] = {"type": "boolean"}
_LIMIT: Final[Schema] = {"type": "integer", "minimum": 0, "description": "0 or absent: no limit."}


def changeset() -> Schema:
    """The schema of an Intent Changeset; unknown fields are allowed everywhere, since they are kept."""
    return {
        "$schema": DIALECT,
        "title": f"Intent Changeset {SUITE_VERSION}",
        **mapping(
            {
                "intent-changeset": VERSION,
                "id": ID,
                "source-repository": URI,
                "summary": SAYING,
                "rationale": SAYING,
                "targets": {"type": "array", "minItems": 1, "items": _target()},
                "provenance": provenance(),
                "relations": mapping(dict.fromkeys(RELATION_FIELDS, IDS)),
                "disclosure": disclosure(),
            },
            required=FIELDS,
        ),
    }


def profile() -> Schema:
    """The schema of a Project Profile; a key that no rule reads is refused."""
    return {
        "$schema": DIALECT,
        "title": f"Intent Project Profile {SUITE_VERSION}",
        **closed(
            {
                "intent-profile": VERSION,
                "repository": URI,
                "specifications": _specifications(),
                "release-units": named(_UNIT_WORD, closed({"streams": named(_UNIT_WORD, _stream(), least=1)}), least=1),
                "ledger-directory": PLACE,
                "release-manifest-directory": PLACE,
                "release-pattern": {**TEXT, "description": "An RE2 expression; it is searched, so anchor it."},
                "release-types": words({"type": "string", "pattern": _TYPE_WORD}, least=1),
                "release-impacts": words(IMPACT, least=1),
                "audiences": words(SAYING, least=1),
                "disclosures": words(SAYING, least=1),
                "channels": words(SAYING, least=1),
                "changesets": _changesets(),
            },
            {
                "types": named(_TYPE_WORD, closed({}, {"default-impact": IMPACT})),
                "scopes": named(_UNIT_WORD, _scope()),
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
    guidance = {"anyOf": [SAYING, NULL]}
    texts = dict.fromkeys(("release-unit", "type", "impact"), SAYING)
    target = mapping({**texts, "audiences": words(SAYING, least=1), "migration": guidance})
    target["properties"]["stream"] = SAYING
    return {**target, **migration()}


def _specifications() -> Schema:
    names = ("commits", "changesets", "changelog", "release-manifest")
    return closed(dict.fromkeys(names, VERSION), {"pull-requests": VERSION})


def _scope() -> Schema:
    scope = closed({}, {"release-unit": TEXT, "requires-affects": _SWITCH})
    return {
        **scope,
        "anyOf": [
            {"required": ["release-unit"]},
            {"required": ["requires-affects"], "properties": {"requires-affects": {"const": True}}},
        ],
    }


def _stream() -> Schema:
    return closed({"release-line": SAYING, "channel": SAYING, "changelog": PLACE, "manifests": PLACE})


def _changesets() -> Schema:
    policy = closed(
        {
            "directory": PLACE,
            "after-consumption": {"enum": list(DISPOSITIONS)},
            "conflict-policy": {"const": "preserve"},
        },
        {
            "archive-directory": PLACE,
            "id-pattern": {**TEXT, "description": "An RE2 expression; it is searched, so anchor it."},
            "required-impacts": words(IMPACT),
            "required-commit-types": words(SAYING),
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
    return closed(
        {
            "directory": PLACE,
            "merge-strategy": {"enum": list(MERGE_STRATEGIES)},
            "max-title-length": length,
            "max-body-length": length,
        },
        {"require-ready": _SWITCH, "verification-statuses": words({"enum": list(VERIFICATION_STATUSES)})},
    )
