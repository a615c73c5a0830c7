"""The JSON Schemas that `evidraft schema` prints: records, replies of a drafter, outcomes of a run, answers of a person."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from agent.batch import manifest
from agent.commands.check import Kind
from agent.model import written
from guardrails.contracts import json_schemas
from guardrails.drafts import envelope
from guardrails.drafts.changeset import TEXT_FIELDS
from guardrails.drafts.envelope_form import SUMMARY_FIELDS
from guardrails.drafts.page import Heading
from guardrails.drafts.pull_request import TITLE_FIELDS
from guardrails.drafts.questions import Reason
from guardrails.drafts.reply import ProseReply
from guardrails.drafts.sourced import Basis
from guardrails.findings import Severity
from guardrails.records import companion_schemas, draft_record, schemas
from guardrails.records.changeset import RELATION_FIELDS, TARGET_FIELDS
from guardrails.records.disclosure import FIELDS as DISCLOSURE_FIELDS
from guardrails.records.fields import IMPACTS
from guardrails.records.pull_request import CLAIM_FIELDS
from guardrails.records.schema_parts import DIALECT, END, Schema
from guardrails.resolving.envelopes.describing import ANSWERABLE
from guardrails.resolving.envelopes.operating import REPOSITORY
from guardrails.resolving.envelopes.shaping import SHAPE
from guardrails.resolving.pull_requests.resolve import ANSWERABLE as OF_REQUESTS


@dataclass(frozen=True, slots=True)
class Printed:
    """One schema: what it is about, and how it is made."""

    says: str
    make: Callable[[], Schema]

    def document(self) -> Schema:
        """The schema, with its dialect first."""
        return {"$schema": DIALECT, **self.make()}


_TEXT: Final[Schema] = {"type": "string"}
_TEXTS: Final[Schema] = {"type": "array", "items": _TEXT}
_OF_RECORDS: Final[list[Schema]] = [{"required": ["intent-changeset"]}, {"required": ["intent-pull-request"]}]
_OF_ENVELOPES: Final = ("shape", "operation", "change", "summary", "items")
_OBJECT: Final[Schema] = {"type": "string", "pattern": rf"^(?:[0-9a-f]{{40}}|[0-9a-f]{{64}}){END}"}
_NAME: Final[Schema] = {**_OBJECT, "type": ["string", "null"]}
_NUMBER: Final[Schema] = {"type": "integer", "minimum": 0}
_VALUE: Final[Schema] = {"anyOf": [_TEXT, _TEXTS, {"type": "null"}]}


def _reply() -> Schema:
    return ProseReply.model_json_schema()


def _outcome() -> Schema:
    """A draft, open questions, a refusal or a failure, told apart by `status`."""
    return {
        "title": "Outcome",
        "description": "The one document of a run with --format json.",
        "oneOf": [_drafted(), _needs_input(), _rejected(), _error()],
    }


def _drafted() -> Schema:
    sources = {"type": "object", "additionalProperties": _source()}
    own = {"record": _record(), "sources": sources, "warnings": _list(_finding())}
    return _closed({"status": {"const": "DRAFTED"}, "task": _TEXT, **own, "evidence": _frame()})


def _needs_input() -> Schema:
    contradiction = _closed({"code": _TEXT, "where": _TEXT, "evidence": _TEXTS, "message": _TEXT})
    own = {
        "unresolved": {**_list(_question()), "minItems": 1},
        "contradictions": _list(contradiction),
        "findings": _list(_finding()),
        "partial": _partial(),
    }
    return _closed({"status": {"const": "NEEDS_INPUT"}, "task": _TEXT, **own, "evidence": _frame(), "resume": _TEXT})


def _rejected() -> Schema:
    return _closed({"status": {"const": "REJECTED"}, "task": _TEXT, "findings": _list(_finding()), "evidence": _frame()})


def _error() -> Schema:
    error = _closed(dict.fromkeys(("what", "where", "cure"), _TEXT))
    return _closed({"status": {"const": "ERROR"}, "exitCode": {"type": "integer"}, "error": error})


def _finding() -> Schema:
    line = {"type": ["integer", "null"], "minimum": 1}
    words = {"code": _TEXT, "severity": _one_of(Severity), "where": _TEXT, "message": _TEXT}
    return _closed({**words, "evidence": _TEXTS, "line": line})


def _links() -> Schema:
    """Where `file` is null, `where` and `line` are in the message of the commit."""
    own = {"commits": _NUMBER, "findings": _list(_of_commit()), "notes": _list(_note())}
    return {"title": "Links", "description": "What contradicts in a range of commits.", **_closed(own)}


def _changelog_source() -> Schema:
    """What may be told of commits, newest first within each impact; null is an impact that no commit of it states."""
    texts = {"type": "object", "additionalProperties": _TEXT}
    own = {"type": _TEXT, "scope": {"type": ["string", "null"]}, "description": _TEXT, "affects": _TEXTS, "migration": _TEXTS}
    commit = _closed({"commit": _OBJECT, **own, "target-impacts": texts, "target-migrations": texts})
    group = _closed({"impact": {"enum": [*IMPACTS, None]}, "commits": {**_list(commit), "minItems": 1}})
    told = {"impacts": _list(group), "placeholders": _TEXTS, "malformed": _list(_OBJECT), "withheld": _NUMBER}
    return {"title": "Changelog source", **_closed({**told, "findings": _list(_of_commit()), "notes": _list(_note())})}


def _of_commit() -> Schema:
    may_lack = {"type": ["string", "null"]}
    line = {"type": ["integer", "null"], "minimum": 1}
    sides = {"commit": _NAME, "changeset": may_lack, "file": may_lack}
    return _closed({**sides, "code": _TEXT, "severity": _one_of(Severity), "where": _TEXT, "line": line, "message": _TEXT})


def _note() -> Schema:
    return _closed(dict.fromkeys(("code", "where", "message"), _TEXT))


def _checks() -> Schema:
    """One result for each file, in the order in which they were named: what was found, or why it could not be checked."""
    found = _closed({"file": _TEXT, "kind": _one_of(Kind), "findings": _list(_finding())})
    failed = _closed({"file": _TEXT, "error": _closed(dict.fromkeys(("what", "where", "cure"), _TEXT))})
    return {"title": "Checks", **_closed({"files": _list({"oneOf": [found, failed]})})}


def _verified() -> Schema:
    """Whether one record holds against its repository; what identifies it is there where the record can be read."""
    request = dict.fromkeys(("id", "base_revision", "evidence_revision"), _TEXT)
    told = {"file": _TEXT, "verified": {"type": "boolean"}, "findings": _list(_finding())}
    return {"title": "Verified", **_closed(told, {**request, "release": _TEXT})}


def _question() -> Schema:
    suggestion = _closed({"value": _VALUE, "evidence": _TEXTS}, {"by": _TEXT})
    always = {"field": _TEXT, "reason": _one_of(Reason), "question": _TEXT}
    return _closed(always, {"accepts": _TEXTS, "suggestions": _list(suggestion), "evidence": _TEXTS})


def _source() -> Schema:
    sentence = _closed({"text": _TEXT, "evidence": _TEXTS}, {"heading": _one_of(Heading), "places": _TEXTS})
    basis = _one_of(Basis)
    return {"oneOf": [_closed({"basis": basis, "evidence": _TEXTS}), _closed({"basis": basis, "sentences": _list(sentence)})]}


def _record() -> Schema:
    return {"type": "object", "anyOf": [*_OF_RECORDS, {"required": ["shape", "operation"]}]}


def _partial() -> Schema:
    envelope_ = {"properties": dict.fromkeys(_OF_ENVELOPES, True), "additionalProperties": False}
    contract = {"required": ["schema", "change", "scope"]}
    says = "A changeset, a pull-request record, an envelope or a change contract, as far as it is decided."
    return {"type": "object", "anyOf": [*_OF_RECORDS, envelope_, contract], "description": says}


def _frame() -> Schema:
    always = {"base": _NAME, "head": _NAME, "profile-digest": {"type": ["string", "null"]}}
    return _closed(always, {"drafted-instead-of": _TEXT})


def _answers() -> Schema:
    """A map of field paths to values, as an answers file holds it."""
    target = rf"targets\[(?:0|[1-9][0-9]{{0,5}})\]\.(?:{'|'.join(TARGET_FIELDS)})"
    fields = [
        *TEXT_FIELDS,
        *(name for name in OF_REQUESTS if "." not in name and name not in TEXT_FIELDS),
        rf"title\.(?:{'|'.join(TITLE_FIELDS)})",
        rf"verification\[(?:0|[1-9][0-9]{{0,5}})\]\.(?:{'|'.join(CLAIM_FIELDS)})",
        target,
        r"provenance(?:\.[a-z][a-z0-9-]*)?",
        rf"relations\.(?:{'|'.join(RELATION_FIELDS)})",
        rf"disclosure\.(?:{'|'.join(DISCLOSURE_FIELDS)})",
        r"contract\[[0-9a-f]{12}\]",
        SHAPE,
        re.escape(REPOSITORY),
        rf"summary\.(?:{'|'.join(SUMMARY_FIELDS)})",
        rf"(?:change|items\[[0-9a-f]{{7,64}}(?:\.[0-9]{{1,3}})?\])\.(?:{'|'.join(ANSWERABLE)})",
    ]
    return {
        "title": "Answers",
        "description": "A map of field paths, as written in the record, to what a person decides for them.",
        "type": "object",
        "patternProperties": {f"^(?:{'|'.join(fields)}){END}": _VALUE},
        "additionalProperties": False,
    }


def _closed(required: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    properties: dict[str, Any] = {**required, **(optional or {})}
    return {"type": "object", "required": list(required), "properties": properties, "additionalProperties": False}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _one_of(words: Iterable[StrEnum]) -> Schema:
    return {"enum": [word.value for word in words]}


SCHEMAS: Final = {
    "changeset": Printed("an Intent Changeset", schemas.changeset),
    "changelog": Printed("a release ledger", companion_schemas.changelog),
    "pull-request": Printed("a pull-request record", companion_schemas.pull_request),
    "release-manifest": Printed("a release manifest", companion_schemas.release_manifest),
    "profile": Printed("a Project Profile", schemas.profile),
    "envelope": Printed("an envelope of described changes", envelope.schema),
    "reply": Printed("what a drafter may answer", _reply),
    "recorded-reply": Printed("one reply that --record-replies writes", written.schema),
    "outcome": Printed("what drafting and verifying print with --format json", _outcome),
    "changelog-source": Printed("what changelog source prints with --format json", _changelog_source),
    "links": Printed("what changeset links prints with --format json", _links),
    "draft-record": Printed("the record that --record writes beside a draft", draft_record.schema),
    "checks": Printed("what `evidraft check` prints with --format json", _checks),
    "verified": Printed("what pull-request verify and release verify print", _verified),
    "answers": Printed("a file for --answers", _answers),
    "contract": Printed("a change contract, of schema 0.1, 0.2 or 0.3", json_schemas.contract),
    "contract-verification": Printed("what contract verify prints with --format json", json_schemas.verification),
    "contract-review": Printed("what contract review prints with --format json", json_schemas.review),
    "contract-preparation": Printed("what contract evidence prepare writes", json_schemas.preparation),
    "contract-evidence": Printed("what contract evidence import writes, for contract verify --evidence", json_schemas.evidence),
    "batch-manifest": Printed("the repositories of a run in batch", manifest.schema),
}
