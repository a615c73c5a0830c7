"""Facts of small snapshots, for tests."""

from __future__ import annotations

from collections.abc import Mapping

from guardrails.code_facts.model import Blind, Fact, Kind, Provider, Reading
from guardrails.code_facts.providers import PROVIDERS
from guardrails.code_facts.python.provider import Python
from guardrails.code_facts.typescript.provider import TypeScript
from guardrails.contracts import coverage
from guardrails.contracts.inventory import Entry, Snapshot, category

PYTHON: Provider = Python()
TYPESCRIPT: Provider = TypeScript()


def read(files: Mapping[str, str]) -> Reading:
    """What all providers read, together."""
    readings = [provider.read(files) for provider in PROVIDERS]
    return Reading(
        tuple(fact for one in readings for fact in one.facts),
        tuple(blind for one in readings for blind in one.blind),
        {file: ends for one in readings for file, ends in one.links.items()},
    )


def facts(kind: Kind, files: Mapping[str, str]) -> list[Fact]:
    """Those of one kind, in the order of the text."""
    return sorted((fact for fact in read(files).facts if fact.kind is kind), key=lambda fact: (fact.file, fact.line, fact.name))


def names(kind: Kind, files: Mapping[str, str]) -> list[str]:
    """What the facts of one kind are called."""
    return sorted(fact.name for fact in facts(kind, files))


def ends(kind: Kind, files: Mapping[str, str]) -> list[tuple[str | None, str | None]]:
    """Where the relations of one kind lead."""
    return sorted((str(fact.origin), str(fact.target)) for fact in facts(kind, files))


def gaps(kind: Kind, files: Mapping[str, str]) -> list[Blind]:
    """What blocks knowing that something of one kind is absent."""
    return [one for one in read(files).blind if kind in one.kinds and one.is_blocking]


def side(files: Mapping[str, str]) -> coverage.Side:
    """One side of a contract that holds these files alone."""
    entries = {path: Entry(path, "", len(text), "100644", category(path, "100644")) for path, text in sorted(files.items())}
    return coverage.read(Snapshot(entries, files), PROVIDERS)
