"""How fast links are validated over a long history, against the `git log` that tells the same messages.

The peer is `git log --topo-order --reverse` of the same range under the same settings, whose output is read and thrown away. A
third of the commits link one of a thousand decisions; a third of those are pending, archived, or in ledgers.

    python benchmarks/links.py [--commits 5000]

Prints the ratio of the medians of interleaved runs, and what one commit costs beyond git. Seconds are those of processor,
of git's and ours together, so that others who work on the same machine do not count.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from agent.sources.git import Repository
from agent.sources.linked import history, known_decisions
from agent.sources.messages import spanned
from guardrails.records import profile as profiles
from guardrails.records.changeset import write
from guardrails.records.linking import validate_links
from guardrails.records.profile import Profile

PROFILE = """\
intent-profile: 1.0.0
repository: https://git.example.org/mill/flour
specifications: {commits: 1.0.0, changesets: 1.0.0, changelog: 1.0.0, release-manifest: 1.0.0}
types: {fix: {default-impact: patch}, feat: {default-impact: minor}}
scopes: {}
release-units:
  mill/stone:
    streams:
      stable: {release-line: "1", channel: general, changelog: ledgers/stone.yaml, manifests: manifests/stone}
ledger-directory: ledgers
release-manifest-directory: manifests
release-pattern: '^[0-9]+$'
release-types: [feature, reliability]
release-impacts: [none, patch, minor, major]
audiences: [millers]
disclosures: [public, embargoed, redacted]
channels: [general]
changesets:
  directory: changes
  archive-directory: archive
  after-consumption: archive
  conflict-policy: preserve
  required-impacts: [major]
"""
DISCLOSURE = {"state": "public", "not-before": None, "policy": None, "placeholder": None}


def decision(number: int, target: Mapping[str, object]) -> dict[str, object]:
    """The fields that a changeset and an entry share, and those of `target`."""
    return {
        "id": f"grind-finer-{number}",
        "summary": f"Flour of lot {number} is ground finer",
        "rationale": "Bakers had to sieve it by hand",
        **target,
        "provenance": {"issues": [f"MILL-{number}"]},
        "relations": {"reverts": [], "supersedes": []},
        "disclosure": DISCLOSURE,
    }


def records(top: Path, count: int) -> None:
    """Lay down so many decisions: the first third pending, the next archived, the last in one ledger."""
    said = {"type": "reliability", "impact": "patch", "audiences": ["millers"], "migration": None}
    head = {"intent-changeset": "1.0.0", "source-repository": "https://git.example.org/mill/flour"}
    for folder in ("changes", "archive", "ledgers"):
        (top / folder).mkdir(parents=True)
    for number in range(count * 2 // 3):
        target = {"targets": [{"release-unit": "mill/stone", "stream": "stable", **said}]}
        folder = "changes" if number < count // 3 else "archive"
        (top / folder / f"grind-finer-{number}.yaml").write_bytes(write({**head, **decision(number, target)}))
    entries = []
    for number in range(count * 2 // 3, count):
        entry = decision(number, {**said, "affects": ["mill/stone"]})
        entries.append({**entry, "provenance": {"issues": [f"MILL-{number}"], "changesets": [f"grind-finer-{number}"]}})
    ledger = {
        "intent-changelog": "1.0.0",
        "release-unit": "mill/stone",
        "release": "1",
        "source-repository": "https://git.example.org/mill/flour",
        "stream": "stable",
        "release-line": "1",
        "channel": "general",
        "date": None,
        "entries": entries,
        "amendments": [],
    }
    (top / "ledgers" / "stone.yaml").write_bytes(write(ledger))


def told(commits: int, decisions: int) -> Iterator[bytes]:
    """The commits as `git fast-import` reads them."""
    for number in range(commits):
        link = f"Changeset: grind-finer-{number % decisions}\n" if number % 3 == 0 else ""
        message = f"fix(mill/stone): grind lot {number}\n\nWhy it was done, in a line or two.\n\nImpact: patch\n{link}"
        head = f"commit refs/heads/main\ncommitter A <a@example.org> {1_700_000_000 + number} +0000\n"
        yield f"{head}data {len(message)}\n{message}\nM 100644 inline lot\ndata {len(str(number))}\n{number}\n".encode()


def build(top: Path, commits: int, decisions: int) -> Profile:
    """A repository of so many commits and decisions, and its profile."""
    subprocess.run(["git", "init", "-q", "-b", "main", top], check=True)
    history = b"".join(told(commits, decisions))
    subprocess.run(["git", "-C", top, "fast-import", "--quiet"], input=history, check=True)
    records(top, decisions)
    profile = profiles.read(PROFILE.encode())
    if not isinstance(profile, Profile):
        raise SystemExit(profile)
    return profile


def processor() -> float:
    """Seconds of processor that this process and those it waited for used so far."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def timed(work: Callable[[], object], times: list[float]) -> None:
    """Do `work`, and note what it took."""
    start = processor()
    work()
    times.append(processor() - start)


def main() -> None:
    """Build, measure, print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--commits", type=int, default=5000)
    options.add_argument("--decisions", type=int, default=1000)
    options.add_argument("--runs", type=int, default=5)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder) / "mill"
        profile = build(top, asked.commits, asked.decisions)
        repository = Repository.open(top)
        head = repository.resolve("HEAD")
        log = ("log", "-z", "--encoding=UTF-8", "--format=%H%x00%B%x00", "--topo-order", "--reverse", "--no-patch", head)
        git: list[float] = []
        reading: list[float] = []
        deciding: list[float] = []
        ours: list[float] = []

        def links() -> None:
            decisions = known_decisions(repository, profile)
            found = list(validate_links(history(repository).commits, decisions, profile))
            if found:
                raise SystemExit(found[0])

        for _ in range(asked.runs):
            timed(lambda: repository.git.tell(*log), git)
            timed(lambda: sum(1 for _ in spanned(repository, head, ())), reading)
            timed(lambda: known_decisions(repository, profile), deciding)
            timed(links, ours)
    peer, whole = statistics.median(git), statistics.median(ours)
    records_took = statistics.median(deciding)
    each = (whole - records_took - peer) / asked.commits * 1e6
    print(f"git log of {asked.commits} commits: {peer:.3f} s; messages as values: {statistics.median(reading):.3f} s")
    print(f"{asked.decisions} decisions read: {records_took:.3f} s")
    without = (whole - records_took) / peer
    print(f"links: {whole:.3f} s = {whole / peer:.1f} x git log, {without:.1f} x without reading the decisions")
    print(f"a commit beyond git: {each:.0f} microseconds")


if __name__ == "__main__":
    main()
