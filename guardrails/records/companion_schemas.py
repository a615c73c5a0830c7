"""Ledgers, pull-request records and release manifests as JSON Schema 2020-12: what their readers and rules accept, as far as a
schema can say it (Intent Changelog, Intent Pull Requests, Release Manifest 1.0.0).
"""

from __future__ import annotations

from typing import Final

from guardrails.records import changelog as ledgers
from guardrails.records import pull_request as requests
from guardrails.records import release_manifest as manifests
from guardrails.records.changeset import RELATION_FIELDS
from guardrails.records.fields import SUITE_VERSION
from guardrails.records.profile import VERIFICATION_STATUSES
from guardrails.records.schema_parts import (
    DAY,
    DIALECT,
    DIGEST,
    END,
    ID,
    IDS,
    IMPACT,
    NULL,
    OBJECT_NAME,
    PLACE,
    SAYING,
    TEXT,
    URI,
    VERSION,
    Schema,
    disclosure,
    mapping,
    migration,
    references,
    words,
)

_TEXT_OR_NULL: Final[Schema] = {"type": ["string", "null"]}
_REVISION: Final[Schema] = {"type": ["string", "integer"]}
_HEADER: Final[Schema] = {
    "type": "string",
    "pattern": rf"^[a-z][a-z0-9-]*(?:\([a-z0-9][a-z0-9./-]*\))?: [^\n]*\S[^\n]*{END}",
    "description": "The header of a commit message: `type(scope): description`.",
}
_MOMENT: Final[Schema] = {
    "type": "string",
    "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})" + END,
    "description": "An RFC 3339 time with its zone.",
}
_ADDRESS: Final[Schema] = {
    "anyOf": [PLACE, {"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9+.-]*:"}],
    "description": "A path below the repository root, or an absolute URI, which is never fetched.",
}


def changelog() -> Schema:
    """The schema of a ledger; unknown fields are allowed everywhere, since they are kept."""
    fields = {
        "intent-changelog": VERSION,
        **dict.fromkeys(("release-unit", "release", "stream", "release-line", "channel"), SAYING),
        "source-repository": URI,
        "date": {"anyOf": [DAY, NULL], "description": "null as long as it is not released."},
        "entries": words(_entry()),
        "amendments": words(mapping({"id": ID, "date": DAY, "summary": SAYING, "provenance": references()})),
    }
    return _record("Intent Changelog", mapping(fields, ledgers.FIELDS))


def _entry() -> Schema:
    fields = {
        **dict.fromkeys(("id", "type", "summary", "rationale", "impact"), SAYING),
        "audiences": words(TEXT, least=1),
        "migration": _TEXT_OR_NULL,
        "affects": words(TEXT, least=1),
        "provenance": references(),
        "relations": mapping(dict.fromkeys(RELATION_FIELDS, words(TEXT))),
        "disclosure": disclosure(whole=False),
    }
    return {**mapping(fields, ledgers.ENTRY_FIELDS), **migration()}


def pull_request() -> Schema:
    """The schema of a pull-request record; a draft may have gaps."""
    prose = ("summary", "rationale", "approach", "trade-offs")
    revisions = ("base-revision", "evidence-revision")
    fields = {
        "intent-pull-request": VERSION,
        "id": ID,
        "title": _HEADER,
        "state": {"enum": list(requests.STATES)},
        **dict.fromkeys(prose, TEXT),
        "targets": words(_target()),
        "risks": words(TEXT),
        "rollout": _TEXT_OR_NULL,
        "rollback": _TEXT_OR_NULL,
        "verification": words(_claim()),
        "provenance": references(),
        "disclosure": disclosure(),
        **dict.fromkeys(revisions, _REVISION),
    }
    whole = {**dict.fromkeys(prose, SAYING), "targets": {"minItems": 1}, **dict.fromkeys(revisions, OBJECT_NAME)}
    draft = {"properties": {"state": {"const": "draft"}}, "required": ["state"]}
    record = {**mapping(fields, requests.FIELDS), "if": draft, "else": {"properties": whole}}
    return _record("Intent Pull Request", record)


def _target() -> Schema:
    fields = {"release-unit": SAYING, "stream": SAYING, "impact": IMPACT, "migration": _TEXT_OR_NULL}
    return {**mapping(fields, requests.TARGET_FIELDS), **migration()}


def _claim() -> Schema:
    fields = {
        "name": SAYING,
        "status": {"enum": list(VERIFICATION_STATUSES)},
        "command": _TEXT_OR_NULL,
        "evidence": SAYING,
    }
    passed = {"properties": {"status": {"const": "passed"}}, "required": ["status"]}
    return {**mapping(fields, requests.CLAIM_FIELDS), "if": passed, "then": {"properties": {"command": SAYING}}}


def release_manifest() -> Schema:
    """The schema of a release manifest."""
    artifact = {"name": SAYING, "uri": {"allOf": [SAYING, _ADDRESS]}, "digest": DIGEST, "media-type": SAYING}
    fields = {
        "intent-release-manifest": VERSION,
        **dict.fromkeys(("release-unit", "release", "stream", "release-line", "channel"), SAYING),
        "published-at": _MOMENT,
        "source": mapping({"repository": URI, "commit": OBJECT_NAME, "tag": SAYING}, manifests.SOURCE_FIELDS),
        "changelog": mapping({"path": PLACE, "digest": DIGEST, "changesets": IDS}, manifests.CHANGELOG_FIELDS),
        "artifacts": words(mapping(artifact, manifests.ARTIFACT_FIELDS), least=1),
        "provenance": {"type": "object", "additionalProperties": words(TEXT)},
    }
    return _record("Release Manifest", mapping(fields, manifests.FIELDS))


def _record(name: str, schema: Schema) -> Schema:
    return {"$schema": DIALECT, "title": f"{name} {SUITE_VERSION}", **schema}
