"""How long one changeset takes to read and to judge, against bare parser events over the same bytes, in one run."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from _ruamel_yaml import CParser

from guardrails.records import changeset, profile
from guardrails.strict_yaml import read

_CASES: Final = Path(__file__).parents[1] / "tests" / "cases" / "intent"
_ROUNDS: Final = 2_000
_REPEATS: Final = 5


def milliseconds(act: Callable[[], object]) -> float:
    """The best of several averages: the one with the least noise of other processes."""
    averages = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        for _ in range(_ROUNDS):
            act()
        averages.append((time.perf_counter() - start) / _ROUNDS * 1_000)
    return min(averages)


def main() -> None:
    data = (_CASES / "changesets" / "two-units.yaml").read_bytes()
    active = profile.read((_CASES / "profiles" / "base.yaml").read_bytes())
    record = changeset.read(data)
    if isinstance(active, tuple) or isinstance(record, tuple):
        raise SystemExit("the benchmark's own records are not valid")

    def events() -> None:
        parser = CParser(data)
        while parser.get_event() is not None:
            pass

    acts: dict[str, Callable[[], object]] = {
        "parser events": events,
        "strict_yaml.read": lambda: read(data),
        "changeset.read": lambda: changeset.read(data),
        "changeset.read and validate": lambda: changeset.validate(record, active) or changeset.read(data),
    }
    figures = {name: milliseconds(act) for name, act in acts.items()}
    print(f"{len(data)} bytes a record")
    for name, figure in figures.items():
        print(f"{name:<28} {figure:7.3f} ms  {figure / figures['parser events']:5.2f} x the events")


if __name__ == "__main__":
    main()
