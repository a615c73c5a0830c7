"""Envelopes that tests change: the contract's own examples, and honest ones that were written for real commits."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

from guardrails.drafts.envelope import Envelope, of
from guardrails.drafts.envelope_rules import validate
from guardrails.findings import Finding

CASES: Final = Path(__file__).parents[2] / "cases" / "envelopes"
HONEST: Final = sorted(path for path in (CASES / "honest").glob("*.json") if path.name != "index.json")
SEED: Final = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((CASES / "seed").glob("*.json"))}
Step = str | int
GONE: Final = object()


def changed(value: Any, path: tuple[Step, ...], new: object) -> Any:
    """A copy with something else at a place; `GONE` takes away what is there."""
    copy = deepcopy(value)
    inner = copy
    for step in path[:-1]:
        inner = inner[step]
    if new is GONE:
        del inner[path[-1]]
    else:
        inner[path[-1]] = new
    return copy


def single(*path: Step, new: object) -> Any:
    """The contract's single example with something else in its change object."""
    return changed(SEED["single"], ("change", *path), new)


def judged(value: object) -> tuple[Finding, ...]:
    """All that is found in JSON types, by reading or by the rules."""
    read = of(value)
    return read if isinstance(read, tuple) else validate(read)


def envelope(value: object) -> Envelope:
    read = of(value)
    assert not isinstance(read, tuple), read
    return read


def places(value: object) -> list[tuple[str, str]]:
    return [(finding.code, finding.where) for finding in judged(value)]
