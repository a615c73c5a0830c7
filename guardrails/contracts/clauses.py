"""The parts of a contract as they are written: selectors, rules and claims (Change Contracts: schema 0.3, fact
clauses, evidence).

Each part is a closed, frozen shape; its fields stand in the order that the digest of a contract is made of.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from guardrails.code_facts.model import RELATIONS, Fact, Kind
from guardrails.contracts.globs import matches
from guardrails.contracts.inventory import Touch
from guardrails.paths import is_glob, normal
from guardrails.shapes import StrictShape

FILE_RULE: Final = "file-rule"
FACT_RULE: Final = "fact-rule"


class NotAgreed(ValueError):
    """A part that no contract may have, by the name of the code that explains it."""

    def __init__(self, code: str, message: str) -> None:
        """Keep both, for whoever tells it."""
        super().__init__(message)
        self.code = code


class Part(StrictShape):
    """A part of a contract, or of what belongs to one."""


def _path(text: str) -> str:
    if normal(text) != text:
        raise NotAgreed("contract-path", "expected a relative path without `.`, `..`, empty parts and backslashes")
    return text


def _glob(text: str) -> str:
    if not is_glob(text):
        raise NotAgreed(
            "contract-path", "expected a relative path in which `*` and `?` stand within a part, and `**` for whole parts"
        )
    return text


def _id(text: str) -> str:
    if text.startswith("$"):
        raise NotAgreed("contract-id", "got an id that begins with $, which are those of the checks themselves")
    return text


Text: TypeAlias = Annotated[str, Field(min_length=1)]
RelativePath: TypeAlias = Annotated[Text, AfterValidator(_path)]
Glob: TypeAlias = Annotated[Text, AfterValidator(_glob)]
Globs: TypeAlias = Annotated[tuple[Glob, ...], Field(strict=False)]
Id: TypeAlias = Annotated[Text, AfterValidator(_id)]


class Selector(Part):
    """Which facts are meant: those of a kind that are equal in everything that is given."""

    kind: Annotated[Kind, Field(strict=False)]
    file: RelativePath | None = None
    name: Text | None = None
    origin: Annotated[Text | None, Field(alias="from")] = None
    target: Annotated[Text | None, Field(alias="to")] = None
    type_only: Annotated[bool | None, Field(alias="typeOnly")] = None

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Selector:
        if self.type_only is not None and self.kind is not Kind.DEPENDENCY:
            raise NotAgreed("contract-selector", f"got typeOnly for {self.kind.value}, only a dependency has it")
        if (self.origin is not None or self.target is not None) and self.kind not in RELATIONS:
            raise NotAgreed("contract-selector", f"got from or to for {self.kind.value}, only a relation has ends")
        return self

    def selects(self, fact: Fact) -> bool:
        """Whether a fact is one of those."""
        given = (
            (self.file, fact.file),
            (self.name, fact.name),
            (self.origin, fact.origin),
            (self.target, fact.target),
            (self.type_only, fact.type_only),
        )
        return self.kind is fact.kind and all(wanted is None or wanted == has for wanted, has in given)


class FactRule(Part):
    """An entry of requires, forbids or preserves about facts."""

    id: Id
    description: str | None = None
    match: Selector


class FileSelector(Part):
    """Which files are meant, and which changes of them."""

    kind: Literal["file"]
    path: Glob
    change: Annotated[tuple[Literal["add", "modify", "delete"], ...], Field(strict=False, min_length=1)] = ("modify", "delete")

    def selects(self, path: str, touch: Touch) -> bool:
        """Whether it names a change of this path."""
        return _WORDS[touch] in self.change and matches(self.path, path)


_WORDS: Final = {Touch.ADDED: "add", Touch.CHANGED: "modify", Touch.REMOVED: "delete"}


class FileRule(Part):
    """An entry of preserves about files."""

    id: Id
    description: str | None = None
    match: FileSelector


def _kind_of_rule(value: Any) -> str:
    if isinstance(value, FileRule):
        return FILE_RULE
    match = value.get("match") if isinstance(value, dict) else None
    return FILE_RULE if isinstance(match, dict) and match.get("kind") == "file" else FACT_RULE


Preserved: TypeAlias = Annotated[
    Annotated[FileRule, Tag(FILE_RULE)] | Annotated[FactRule, Tag(FACT_RULE)], Discriminator(_kind_of_rule)
]


class EvidenceClause(Part):
    """What must be shown: by which method, at which stage, for which scenario."""

    id: Id
    description: str | None = None
    stage: Literal["design", "implementation", "test", "deployment", "runtime"]
    method: Literal["definition", "execution"]
    scenario: Text
    file: RelativePath | None = None


class TestItem(Part):
    """A test that shows a claim."""

    kind: Literal["test"]
    file: RelativePath | None = None
    name: Text


class ManualItem(Part):
    """What a person looked at."""

    kind: Literal["manual"]
    note: Text


Item: TypeAlias = Annotated[TestItem | ManualItem, Field(discriminator="kind")]


class Claim(Part):
    """What the change is said to achieve, where, and what shows it."""

    id: Id
    text: Text
    files: Globs = ()
    evidence: Annotated[tuple[Item, ...], Field(strict=False)] = ()
