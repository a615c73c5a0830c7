"""All that is read of one small module of Go, as it was read before: what changes here changes contracts that people keep."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guardrails.code_facts.go.provider import Go
from guardrails.code_facts.model import THROUGH, Blind, Fact, Kind

GOLDEN = json.loads((Path(__file__).parents[3] / "cases" / "facts" / "go.json").read_text("utf-8"))
FILES = {path: "\n".join(lines) for path, lines in GOLDEN["files"].items()}


def told(fact: Fact) -> str:
    ends = f" {fact.origin} -> {fact.target}" if fact.origin else ""
    name = fact.id.partition(":")[2]
    return f"{fact.kind.value} {fact.file}:{fact.line} {fact.name}{ends} {name[-8:]} {fact.fingerprint[-8:]}"


def gap(one: Blind) -> str:
    names = f" ({one.name})" if one.name else f" (below {' '.join(one.below)})" if one.below else ""
    return f"{one.file}:{one.line} {' '.join(sorted(one.kinds))}: {one.reason}{names}{'' if one.is_blocking else ', by design'}"


@pytest.mark.requirement("CC-12")
def test_facts_of_a_module_stay_from_release_to_release() -> None:
    read = sorted(Go().read(FILES).facts, key=lambda one: (one.file, one.line, one.kind.value, one.name, one.id))
    assert [told(one) for one in read] == GOLDEN["facts"]


@pytest.mark.requirement("CC-13")
def test_what_is_not_known_of_a_module_is_told() -> None:
    assert [gap(one) for one in Go().read(FILES).blind] == GOLDEN["gaps"]


@pytest.mark.parametrize("kind", list(Kind))
def test_what_is_asked_for_alone_is_told_as_among_all(kind: Kind) -> None:
    alone, among = Go().read(FILES, frozenset({kind})), Go().read(FILES)
    assert [one for one in alone.facts if one.kind is kind] == [one for one in among.facts if one.kind is kind] != []
    assert [one for one in alone.blind if kind in one.kinds] == [one for one in among.blind if kind in one.kinds]
    assert kind not in THROUGH or alone.links == among.links
