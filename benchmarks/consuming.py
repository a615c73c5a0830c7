"""How fast pending changesets are consumed, all in one plan, against a floor: as many files of the same size written, synced,
and renamed in the same run.

The floor is what archiving costs by itself, and the least that a consumer must do. Two sizes tell whether the time grows faster
than what is consumed: all records go into one ledger.

    python benchmarks/consuming.py [--changesets 1000] [--runs 3]

Prints the ratio to the floor and where the time goes; no bar.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from agent.sources.git import Repository
from agent.sources.linked import history
from agent.sources.spent import spent
from agent.sources.stored import read_records
from agent.store.applying import apply
from benchmarks.links import PROFILE
from guardrails.records import profile as profiles
from guardrails.records.changeset import Changeset, write
from guardrails.records.consuming import Plan, plan
from guardrails.records.decisions import decisions
from guardrails.records.linking import by_id, links_of
from guardrails.records.profile import Profile
from guardrails.strict_yaml import write as write_yaml

T = TypeVar("T")
STEPS = ("read", "link", "look for spent ids", "plan", "write, verify, archive")


def record(number: int) -> bytes:
    """One changeset."""
    target = {"release-unit": "mill/stone", "stream": "stable", "type": "reliability", "impact": "patch"}
    return write(
        {
            "intent-changeset": "1.0.0",
            "id": f"grind-finer-{number}",
            "source-repository": "https://git.example.org/mill/flour",
            "summary": f"Flour of lot {number} is ground finer",
            "rationale": "Bakers had to sieve it by hand",
            "targets": [{**target, "audiences": ["millers"], "migration": None}],
            "provenance": {"issues": [f"MILL-{number}"]},
            "relations": {"reverts": [], "supersedes": []},
            "disclosure": {"state": "public", "not-before": None, "policy": None, "placeholder": None},
        }
    )


def build(top: Path, count: int) -> None:
    """A repository with so many pending changesets, each linked by a commit, and one empty ledger."""
    ledger: dict[str, object] = {
        "intent-changelog": "1.0.0",
        "release-unit": "mill/stone",
        "release": "1",
        "source-repository": "https://git.example.org/mill/flour",
        "stream": "stable",
        "release-line": "1",
        "channel": "general",
        "date": None,
        "entries": [],
        "amendments": [],
    }
    for folder in ("changes", "ledgers"):
        (top / folder).mkdir(parents=True)
    (top / "ledgers/stone.yaml").write_bytes(write_yaml(ledger))
    told = []
    for number in range(count):
        (top / f"changes/grind-finer-{number}.yaml").write_bytes(record(number))
        message = f"fix(mill/stone): grind lot {number}\n\nImpact: patch\nChangeset: grind-finer-{number}\n"
        told.append(f"commit refs/heads/side\ncommitter A <a@example.org> {number} +0000\ndata {len(message)}\n{message}\n")
    subprocess.run(["git", "init", "-q", "-b", "main", top], check=True)
    subprocess.run(["git", "-C", top, "fast-import", "--quiet"], input="".join(told).encode(), check=True)
    for words in (
        ("symbolic-ref", "HEAD", "refs/heads/side"),
        ("add", "-A"),
        ("commit", "-qm", "fix(mill/stone): lay records"),
    ):
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", "-C", top, *who, *words], check=True)


def floor(folder: Path, count: int) -> float:
    """Write, sync and rename as many files of the same size."""
    folder.mkdir()
    data = [record(number) for number in range(count)]
    start = time.perf_counter()
    for number, one in enumerate(data):
        with (folder / "passing").open("wb") as file:
            file.write(one)
            file.flush()
            os.fsync(file.fileno())
        (folder / "passing").rename(folder / f"{number}.yaml")
    return time.perf_counter() - start


def consume(top: Path, profile: Profile) -> list[float]:
    """Consume everything; the seconds of each step."""
    took: list[float] = []

    def timed(work: Callable[[], T]) -> T:
        start = time.perf_counter()
        result = work()
        took.append(time.perf_counter() - start)
        return result

    repository = Repository.open(top)
    records = timed(lambda: read_records(top, profile))

    def links() -> dict[str, tuple[str, ...]]:
        linking, known = by_id(history(repository).commits), decisions(records)
        changesets = [one.record for one in records.pending if isinstance(one.record, Changeset)]
        return {one.id: links_of(linking[one.id], one, profile, "", known)[0] for one in changesets}

    linked = timed(links)
    gone = timed(lambda: spent(repository, profile, records.pending))
    planned = timed(lambda: plan(profile, records.pending, records, linked, gone))
    if not isinstance(planned, Plan):
        raise SystemExit(f"refused: {planned[:3]}")
    timed(lambda: apply(top, planned))
    return took


def measure(count: int, runs: int, profile: Profile) -> float:
    """Print the figures of one size; the median of all seconds."""
    steps: list[list[float]] = []
    floors: list[float] = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            build(Path(folder) / "mill", count)
            floors.append(floor(Path(folder) / "floor", count))
            steps.append(consume(Path(folder) / "mill", profile))
    whole, least = statistics.median(map(sum, steps)), statistics.median(floors)
    print(f"{count} changesets: {whole:.2f} s = {whole / least:.1f} x the floor of {least:.2f} s")
    for name, times in zip(STEPS, zip(*steps, strict=True), strict=True):
        print(f"  {name}: {statistics.median(times):.2f} s")
    return whole


def main() -> None:
    """Measure a quarter and the whole."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--changesets", type=int, default=1000)
    options.add_argument("--runs", type=int, default=3)
    asked = options.parse_args()
    profile = profiles.read(PROFILE.encode())
    if not isinstance(profile, Profile):
        raise SystemExit(profile)
    part = measure(asked.changesets // 4, asked.runs, profile)
    whole = measure(asked.changesets, asked.runs, profile)
    print(f"four times as many take {whole / part:.1f} times as long")


if __name__ == "__main__":
    main()
