"""The JSON Schemas of contracts and of what verifying one prints (Change Contracts: schema 0.3, results)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final, TypeAlias

from guardrails.code_facts.model import Kind
from guardrails.contracts.assessment import LIMITS, Basis, Reason, Source
from guardrails.contracts.evidence_envelope import Envelope, Preparation
from guardrails.contracts.inventory import Category, Touch
from guardrails.contracts.results import Clause, Status
from guardrails.contracts.schema import SHAPES

Schema: TypeAlias = dict[str, Any]

_END: Final = r"(?!\n)$"
_OURS: Final = frozenset(("title", "description"))
"""Words about our own classes."""
_TEXT: Final[Schema] = {"type": "string"}
_NUMBER: Final[Schema] = {"type": "integer", "minimum": 0}
_DIGEST: Final[Schema] = {"type": "string", "pattern": rf"^sha256:[0-9a-f]{{64}}{_END}"}
_COMMIT: Final[Schema] = {"type": "string", "pattern": rf"^(?:[0-9a-f]{{40}}|[0-9a-f]{{64}}){_END}"}
_IDENTITY: Final[Schema] = {
    "type": "string",
    "pattern": rf"^(?:git:(?:[0-9a-f]{{40}}|[0-9a-f]{{64}}):)?sha256:[0-9a-f]{{64}}{_END}",
}


def contract() -> Schema:
    """A contract of any schema. What goes across its parts is not told: ids that stand twice, and that something is agreed."""
    parts: Schema = {}
    shapes = []
    for shape in SHAPES.values():
        told = shape.model_json_schema(by_alias=True)
        parts |= {name.lstrip("_"): _tidy(part) for name, part in told.pop("$defs", {}).items()}
        shapes.append(_tidy(told))
    return {"title": "Change contract", "oneOf": shapes, "$defs": parts}


def preparation() -> Schema:
    """What `contract evidence prepare` writes, and prints with --format json."""
    return _written(Preparation, "What a test run is to be about")


def evidence() -> Schema:
    """What `contract evidence import` writes, and prints with --format json; that its times and tests agree is not told."""
    return _written(Envelope, "What a test run said, and what it was about")


def _written(shape: type[Preparation | Envelope], title: str) -> Schema:
    told = shape.model_json_schema(by_alias=True)
    parts = {name: _tidy(part) for name, part in told.pop("$defs", {}).items()}
    return {"title": title, **_tidy(told), "$defs": parts}


def _tidy(value: Any) -> Any:
    """Without null, which no key may hold, and without names that only we know."""
    if isinstance(value, list):
        return [_tidy(item) for item in value]
    if not isinstance(value, dict):
        return value.replace("#/$defs/_", "#/$defs/") if isinstance(value, str) else value
    if isinstance(pattern := value.get("pattern"), str) and pattern.endswith("$"):
        value = {**value, "pattern": pattern.removesuffix("$") + _END}
    held = {key: item for key, item in value.items() if key not in _OURS and not (key == "default" and item is None)}
    options = [option for option in held.pop("anyOf", ()) if option != {"type": "null"}]
    held |= options[0] if len(options) == 1 else {"anyOf": options} if options else {}
    return {
        key: {name: _tidy(part) for name, part in item.items()} if key == "properties" else _tidy(item)
        for key, item in held.items()
    }


def verification() -> Schema:
    """The document of `contract verify --format json`, or that of a failure."""
    always: Schema = {
        "schema": {"enum": ["0.2", "0.3"]},
        "version": _TEXT,
        "contractDigest": _DIGEST,
        "candidateContractDigest": _DIGEST,
        "base": _IDENTITY,
        "head": _IDENTITY,
        "status": {"enum": _verdicts()},
        "exitCode": {"enum": [0, 1, 2]},
        "results": _list(_result()),
        "findings": _list(_finding()),
        "assessment": _assessment(),
        **_sides(),
    }
    told = _closed({**always, **_facts(may_lack=True)})
    return {"title": "Verification of a change contract", "oneOf": [told, _error()]}


def review() -> Schema:
    """The document of `contract review --format json`."""
    always: Schema = {"schema": {"const": "0.2"}, "version": _TEXT, "base": _IDENTITY, "head": _IDENTITY, **_sides()}
    return {"title": "Review of a change", "oneOf": [_closed({**always, **_facts(may_lack=False)}), _error()]}


def _error() -> Schema:
    """What is printed where nothing could be verified: what happened, where, and what to do."""
    error = _closed(dict.fromkeys(("what", "where", "cure"), _TEXT))
    return _closed({"status": {"const": "ERROR"}, "exitCode": {"type": "integer"}, "error": error})


def _verdicts() -> list[str]:
    """PASS, and the others in their order, each there or not."""
    words = [Status.INCOMPLETE, Status.DRIFT, Status.UNKNOWN]
    chosen = ([word for place, word in enumerate(words) if number >> place & 1] for number in range(1, 2 ** len(words)))
    return [Status.PASS.value, *(" + ".join(word.value for word in some) for some in chosen)]


def _result() -> Schema:
    always = {"id": _TEXT, "clause": _one_of(Clause), "status": _one_of(Status), "message": _TEXT, "facts": _list(_fact())}
    return _closed(always, {"finding": _TEXT, "details": _list(_TEXT), "evidence": _ran()})


def _ran() -> Schema:
    always = {"artifactDigest": _DIGEST, "trust": {"const": "self-attested"}, **dict.fromkeys(("file", "scenario"), _TEXT)}
    return _closed({**always, "status": {"enum": ["passed", "failed", "skipped", "inconclusive"]}}, {"title": _TEXT})


def _finding() -> Schema:
    words = [word for word in Status if word is not Status.PASS]
    return _closed({"id": _TEXT, "status": _one_of(words), "message": _TEXT}, {"details": _list(_TEXT)})


def _assessment() -> Schema:
    """What the verdict rests on, what no verdict says, and what is left to a person."""
    check = {"id": _TEXT, "status": _one_of(Status), "basis": _one_of(Basis), "sources": _list(_one_of(Source))}
    return _closed(
        {
            **{name: {"const": said} for name, said in LIMITS.items()},
            "checks": _list(_closed(check, {"evidence": _list(_ran())})),
            "unresolved": _list(_closed({"id": _TEXT, "reason": _TEXT})),
            "changedScenarioFiles": _list(_TEXT),
            "manualReview": _list(_closed({"id": _TEXT, "reason": _one_of(Reason), "what": _TEXT})),
        }
    )


def _sides() -> Schema:
    commits = _closed({"mode": {"enum": ["exact", "pr"]}, **dict.fromkeys(("requestedBase", "base", "head"), _COMMIT)})
    undecodable = _closed(dict.fromkeys(("base", "head"), _list(_TEXT)))
    entry = _closed({"path": _TEXT, "digest": _TEXT, "size": _NUMBER, "mode": _TEXT, "category": _one_of(Category)})
    coverage = {
        "unmodeledChangedFiles": _list(_TEXT),
        "undecodableFiles": undecodable,
        "excludedDirectories": _list(_TEXT),
    }
    return {
        "comparison": {"oneOf": [_closed({"mode": {"const": "directories"}}), commits]},
        "files": _list(_closed({"path": _TEXT, "change": _one_of(Touch)}, {"before": entry, "after": entry})),
        "coverage": _closed(coverage),
    }


def _facts(*, may_lack: bool) -> Schema:
    observation = _closed({"change": _one_of(Touch), "kind": _one_of(Kind), "id": _TEXT}, {"before": _fact(), "after": _fact()})
    blind = _closed(
        {
            "file": {"type": ["string", "null"]},
            "line": _NUMBER,
            "kinds": _list(_one_of(Kind)),
            "reason": _TEXT,
            "blocking": {"type": "boolean"},
        }
    )
    read = _closed(
        {
            "provider": _TEXT,
            "version": _TEXT,
            "kinds": _list(_one_of(Kind)),
            "facts": _NUMBER,
            "diagnostics": _list(blind),
        }
    )
    side, found = _list(read), _list(observation)
    if may_lack:
        side, found = ({"anyOf": [one, {"type": "null"}]} for one in (side, found))
    return {"analysis": _closed({"base": side, "head": side}), "observations": found}


def _fact() -> Schema:
    provenance = _closed(
        {"line": _NUMBER, "stage": {"enum": ["test", "implementation"]}, "trust": {"const": "static-analysis"}},
        {"provider": _TEXT, "version": _TEXT},
    )
    always = {"id": _TEXT, "kind": _one_of(Kind), "file": _TEXT, "name": _TEXT, "fingerprint": _TEXT, "provenance": provenance}
    return _closed(always, {"from": _TEXT, "to": _TEXT, "typeOnly": {"type": "boolean"}})


def _closed(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    properties = {**required, **(optional or {})}
    return {"type": "object", "required": list(required), "properties": properties, "additionalProperties": False}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _one_of(words: Iterable[StrEnum]) -> Schema:
    return {"enum": [word.value for word in words]}
