"""How long the gate and the check of many pending changesets take, against bare parser events over the same bytes and, where it
can be had, another program that takes `changeset gate --profile FILE --repo DIR`; all in one run.

    python benchmarks/gate.py [--records 10000] [--peer PROGRAM]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from _ruamel_yaml import CParser

from guardrails.records import changelog, changeset
from guardrails.strict_yaml import write

_UNITS: Final = tuple(f"apps/unit-{number}" for number in range(20))
_OURS: Final = (sys.executable, "-c", "import sys; from agent.cli import main; sys.exit(main(sys.argv[1:]))")
_REPOSITORY: Final = "https://git.example.org/orchard/harvest"
_REPEATS: Final = 3
_SUITE: Final = "1.0.0"


def profile() -> bytes:
    """A profile with as many units as it takes for ledgers that can be read."""
    stream = {"release-line": "1", "channel": "general"}
    units = {
        unit: {"streams": {"stable": {**stream, "changelog": _ledger(unit), "manifests": f"rel/manifests/{unit}"}}}
        for unit in _UNITS
    }
    names = ("commits", "changesets", "changelog", "release-manifest")
    return write(
        {
            "intent-profile": _SUITE,
            "repository": _REPOSITORY,
            "specifications": dict.fromkeys(names, _SUITE),
            "types": {"mend": {"default-impact": "patch"}},
            "release-units": units,
            "ledger-directory": "rel/ledger",
            "release-manifest-directory": "rel/manifests",
            "release-pattern": "^[0-9.]+$",
            "release-types": ["capability", "correction"],
            "release-impacts": ["none", "patch", "minor", "major"],
            "audiences": ["operators", "integrators"],
            "disclosures": ["public", "embargoed", "redacted"],
            "channels": ["general"],
            "changesets": {
                "directory": "rel/pending",
                "archive-directory": "rel/archive",
                "after-consumption": "archive",
                "conflict-policy": "preserve",
                "required-impacts": ["minor", "major"],
            },
        }
    )


def decision(number: int) -> dict[str, Any]:
    """One pending decision with one target."""
    return {
        "intent-changeset": _SUITE,
        "id": f"drain-intake-on-stop-{number}",
        "source-repository": _REPOSITORY,
        "summary": f"Intake jobs of kind {number} that are running finish before the service stops",
        "rationale": "Crews had to replay dropped jobs by hand after every restart",
        "targets": [
            {
                "release-unit": _UNITS[number % len(_UNITS)],
                "stream": "stable",
                "type": "correction",
                "impact": "patch",
                "audiences": ["operators"],
                "migration": None,
            }
        ],
        "provenance": {"issues": [f"HARV-{number}"]},
        "relations": {"reverts": [], "supersedes": []},
        "disclosure": {"state": "public", "not-before": None, "policy": None, "placeholder": None},
    }


def ledger(unit: str, told: list[dict[str, Any]]) -> bytes:
    """The unreleased ledger of a unit, with an entry for each decision."""
    entries = [
        {
            **{key: one[key] for key in ("id", "summary", "rationale", "relations", "disclosure")},
            **{key: one["targets"][0][key] for key in ("type", "impact", "audiences", "migration")},
            "affects": [unit],
            "provenance": {**one["provenance"], "changesets": [one["id"]]},
        }
        for one in told
    ]
    return changelog.write(
        {
            "intent-changelog": _SUITE,
            "release-unit": unit,
            "release": "1.4.0",
            "source-repository": _REPOSITORY,
            "stream": "stable",
            "release-line": "1",
            "channel": "general",
            "date": None,
            "entries": entries,
            "amendments": [],
        }
    )


def lay(top: Path, records: int) -> None:
    """A repository with a profile and pending changesets."""
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    (top / "rel" / "pending").mkdir(parents=True)
    (top / "intent.yaml").write_bytes(profile())
    for number in range(records):
        (top / "rel" / "pending" / f"drain-intake-on-stop-{number}.yaml").write_bytes(changeset.write(decision(number)))


def lay_ledgers(top: Path, records: int) -> None:
    """The ledgers of all units, which together hold so many decisions."""
    for index, unit in enumerate(_UNITS):
        path = top / _ledger(unit)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(ledger(unit, [decision(number) for number in range(index, records, len(_UNITS))]))


def _ledger(unit: str) -> str:
    return f"rel/ledger/{unit}.yaml"


def seconds(act: Callable[[], object]) -> float:
    """The best of several times."""
    times = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        act()
        times.append(time.perf_counter() - start)
    return min(times)


def gate(command: tuple[str, ...], top: Path, code: int) -> float:
    """How long one gate takes, its process included; it has to end with this exit code."""
    words = [*command, "changeset", "gate", "--profile", str(top / "intent.yaml"), "--repo", str(top)]

    def act() -> None:
        done = subprocess.run(words, stdout=subprocess.DEVNULL, check=False)
        if done.returncode != code:
            raise SystemExit(f"{words[0]} ended with {done.returncode}, expected {code}")

    return seconds(act)


def events(top: Path) -> float:
    """How long bare parser events of every pending record take, in one process."""

    def act() -> None:
        for path in sorted((top / "rel" / "pending").iterdir()):
            parser = CParser(path.read_bytes())
            while parser.get_event() is not None:
                pass

    return seconds(act)


def check(top: Path) -> float:
    """How long one check of all pending records takes, its process included."""
    files = [str(path) for path in sorted((top / "rel" / "pending").iterdir())]
    words = [*_OURS, "check", "--profile", str(top / "intent.yaml"), *files]
    return seconds(lambda: subprocess.run(words, stdout=subprocess.DEVNULL, check=True))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--peer")
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        top = Path(folder)
        lay(top, asked.records)
        figures = {"parser events of the pending records": events(top), "check of all, by name": check(top)}
        for state, held, code in (("closed (empty ledgers)", 0, 1), ("open (all consumed)", asked.records, 0)):
            lay_ledgers(top, held)
            figures[f"gate, {state}"] = gate(_OURS, top, code)
            if asked.peer:
                figures[f"the peer's gate, {state}"] = gate((asked.peer,), top, code)
    print(f"{asked.records} pending changesets, {len(_UNITS)} ledgers")
    for name, figure in figures.items():
        print(f"{name:<40} {figure:7.2f} s")


if __name__ == "__main__":
    main()
