"""Contracts: what was agreed about a change, in schemas 0.1, 0.2 and 0.3 (Change Contracts: schema 0.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal

from pydantic import Field, ValidationError

from guardrails.contracts.clauses import (
    FACT_RULE,
    FILE_RULE,
    Claim,
    EvidenceClause,
    FactRule,
    FileRule,
    Globs,
    NotAgreed,
    Part,
    Preserved,
    Text,
)
from guardrails.digests import digest_in_order
from guardrails.findings import Code, Finding
from guardrails.shapes import SAID
from guardrails.strict_yaml import Bounds, Document, Path, YamlFault
from guardrails.strict_yaml import read as read_yaml

_SECTION: Final = "Change Contracts, schema 0.3"


def _code(name: str, summary: str, cure: str, section: str = _SECTION) -> Code:
    return Code(name=name, summary=summary, cure=cure, section=section)


CONTRACT_SHAPE = _code(
    "contract-shape",
    "The contract has an unknown key, lacks one, or holds a value of another type.",
    "See `evidraft schema contract`; a key of a newer schema is unknown to an older one.",
)
CONTRACT_SCHEMA = _code(
    "contract-schema",
    "The contract does not say which schema it is written in.",
    "Write schema: '0.3', with quotes: without them it is a number.",
)
CONTRACT_PATH = _code(
    "contract-path",
    "A path or pattern of the contract is not canonical.",
    "Write it relative to the root, with forward slashes, without `.` and `..`, and with `**` only as a whole part.",
)
CONTRACT_ID = _code(
    "contract-id",
    "An id of the contract begins with $, or stands twice.",
    "Give every clause, evidence clause and claim an id of its own.",
)
CONTRACT_SELECTOR = _code(
    "contract-selector",
    "A selector asks for what facts of its kind do not have.",
    "Use typeOnly for dependency alone, and from and to for relations alone.",
    "Change Contracts, fact clauses",
)
CONTRACT_EMPTY = _code(
    "contract-empty",
    "The contract agrees on nothing.",
    "Give it a scope or a clause; in schema 0.3 something in scope.allow, or a claim with files.",
)
_CODES: Final[Mapping[str, Code]] = {
    code.name: code for code in (CONTRACT_SHAPE, CONTRACT_PATH, CONTRACT_ID, CONTRACT_SELECTOR)
}
_BOUNDS: Final = Bounds(nodes=50_000, items=20_000, aliases=49)
"""Aliases are let in, within bounds: one value may be repeated so often that it is there fifty times."""
_MOST: Final = 2**53 - 1
_TAGS: Final = frozenset((FILE_RULE, FACT_RULE, "test", "manual"))
"""Names of alternatives, which stand in no contract."""


class _Change(Part):
    name: Text
    intent: str | None = None


class _OlderScope(Part):
    allowed: Annotated[Globs, Field(min_length=1)]


class _First(Part):
    version: Annotated[Literal["0.1"], Field(alias="schema")]
    scope: _OlderScope | None = None
    change: _Change
    requires: Annotated[tuple[FactRule, ...], Field(strict=False)] = ()
    forbids: Annotated[tuple[FactRule, ...], Field(strict=False)] = ()
    preserves: Annotated[tuple[FactRule, ...], Field(strict=False)] = ()
    evidence: Annotated[tuple[EvidenceClause, ...], Field(strict=False)] = ()


class _Second(_First):
    version: Annotated[Literal["0.2"], Field(alias="schema")]  # type: ignore[assignment]
    scope: _OlderScope


class Budget(Part):
    """How large a change may be, in files, in lines that are added or removed, or in both."""

    files: Annotated[int | None, Field(ge=1, le=_MOST)] = None
    lines: Annotated[int | None, Field(ge=1, le=_MOST)] = None


class _Scope(Part):
    allow: Globs = ()
    companions: Globs = ()
    budget: Budget | None = None


class _Dependencies(Part):
    allow: Annotated[tuple[Text, ...], Field(strict=False)] = ()


class _Third(Part):
    version: Annotated[Literal["0.3"], Field(alias="schema")]
    change: _Change
    scope: _Scope
    dependencies: _Dependencies = _Dependencies()
    requires: Annotated[tuple[FactRule, ...], Field(strict=False)] = ()
    forbids: Annotated[tuple[FactRule, ...], Field(strict=False)] = ()
    preserves: Annotated[tuple[Preserved, ...], Field(strict=False)] = ()
    evidence: Annotated[tuple[EvidenceClause, ...], Field(strict=False)] = ()
    claims: Annotated[tuple[Claim, ...], Field(strict=False)] = ()


SHAPES: Final[Mapping[str, type[_First | _Third]]] = {"0.1": _First, "0.2": _Second, "0.3": _Third}


@dataclass(frozen=True, slots=True)
class Contract:
    """What was agreed, with every default filled in.

    `scope` is None where a contract of schema 0.1 has none. `dependencies` are those that may come newly, None where the schema
    does not speak of them. Parts that a schema does not have are empty.
    """

    schema: str
    name: str
    digest: str
    scope: tuple[str, ...] | None
    companions: tuple[str, ...] = ()
    budget: Budget | None = None
    dependencies: tuple[str, ...] | None = None
    requires: tuple[FactRule, ...] = field(default=(), repr=False)
    forbids: tuple[FactRule, ...] = field(default=(), repr=False)
    preserves: tuple[FactRule | FileRule, ...] = field(default=(), repr=False)
    evidence: tuple[EvidenceClause, ...] = field(default=(), repr=False)
    claims: tuple[Claim, ...] = field(default=(), repr=False)
    intent: str = field(default="", repr=False)


def read(data: bytes) -> Contract | tuple[Finding, ...]:
    """A contract, or everything that is wrong with it (Change Contracts: schema 0.3).

    Its digest is that of what it says, with every default, in the order of the schema: layout does not count, the order of
    lists does.
    """
    try:
        document = read_yaml(data, _BOUNDS)
    except YamlFault as fault:
        return (fault.finding,)
    value = document.value
    schema = value.get("schema") if isinstance(value, dict) else None
    shape = SHAPES.get(schema) if isinstance(schema, str) else None
    if shape is None:
        wanted = "expected a mapping" if not isinstance(value, dict) else f"expected one of: {', '.join(map(repr, SHAPES))}"
        return (CONTRACT_SCHEMA.at("schema", f"got something else, {wanted}", line=document.line(("schema",))),)
    if empty := tuple(_nulls(document)):
        return empty
    try:
        written = shape.model_validate(value)
    except ValidationError as error:
        return tuple(_faults(error, document))
    return tuple(_crossing(written, document)) or _contract(written)


def _contract(written: _First | _Third) -> Contract:
    digest = digest_in_order(written.model_dump(mode="json", by_alias=True, exclude_none=True))
    shared = {name: getattr(written, name) for name in ("requires", "forbids", "preserves", "evidence")}
    first = (written.version, written.change.name, digest)
    intent = written.change.intent or ""
    if isinstance(written, _First):
        return Contract(*first, written.scope.allowed if written.scope else None, intent=intent, **shared)
    return Contract(
        *first,
        scope=written.scope.allow,
        companions=written.scope.companions,
        budget=written.scope.budget,
        dependencies=written.dependencies.allow,
        claims=written.claims,
        intent=intent,
        **shared,
    )


def _nulls(document: Document) -> Iterator[Finding]:
    """Null stands for nothing, not even for a default."""
    waiting: list[tuple[Path, Any]] = [((), document.value)]
    while waiting:
        path, value = waiting.pop()
        if value is None:
            said = "got null, expected a value or no such key"
            yield CONTRACT_SHAPE.at(_place(path), said, line=document.line(path))
        elif isinstance(value, dict | list):
            waiting += [((*path, step), held) for step, held in _held(value)]


def _held(value: dict[Any, Any] | list[Any]) -> Iterable[tuple[Any, Any]]:
    return value.items() if isinstance(value, dict) else enumerate(value)


def _faults(error: ValidationError, document: Document) -> Iterator[Finding]:
    for fault in error.errors(include_input=False, include_url=False):
        steps = tuple(step for step in fault["loc"] if step not in _TAGS)
        ours = fault.get("ctx", {}).get("error")
        said = str(ours) if isinstance(ours, NotAgreed) else SAID.get(fault["type"], fault["msg"])
        code = _CODES[ours.code] if isinstance(ours, NotAgreed) else CONTRACT_SHAPE
        yield code.at(_place(steps), said, line=document.line(steps))


def _place(steps: tuple[int | str, ...]) -> str:
    """A place as it is written in a contract: `claims[0].files[1]`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")


def _crossing(written: _First | _Third, document: Document) -> Iterator[Finding]:
    """What no single part can tell."""
    lists: dict[str, tuple[Any, ...]] = {
        name: getattr(written, name) for name in ("requires", "forbids", "preserves", "evidence")
    }
    if isinstance(written, _Third):
        lists["claims"] = written.claims
        budget = written.scope.budget
        if budget is not None and budget.files is None and budget.lines is None:
            yield CONTRACT_SHAPE.at(
                "scope.budget", "got none, expected files, lines or both", line=document.line(("scope", "budget"))
            )
        if not written.scope.allow and not any(claim.files for claim in written.claims):
            yield CONTRACT_EMPTY.at("scope.allow", "got nothing, and no claim with files", line=document.line(("scope",)))
    elif written.scope is None and not any(lists.values()):
        yield CONTRACT_EMPTY.at("", "got no clause and no scope")
    seen: Counter[str] = Counter()
    for name, parts in lists.items():
        for position, part in enumerate(parts):
            seen[part.id] += 1
            if seen[part.id] == 2:
                place = (name, position, "id")
                yield CONTRACT_ID.at(_place(place), f"got the id {part.id!r} twice", line=document.line(place))
