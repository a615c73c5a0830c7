"""How fast a range is collected, against the `git log -p` that reads the same bytes; and memory a commit without text.

The peer is `git log -p` of the same range with the same rename and copy detection, printing the same raw entries and merges
(`LOG`), read in pieces and thrown away.

    python benchmarks/collecting.py                            # builds a throw-away history
    python benchmarks/collecting.py --repo PATH --range A..B

Prints the ratio of the medians of interleaved runs. The bar is 1.5, and a few kilobytes a commit. Both work while git works, on
a processor of their own: where none is free the times add up, as the seconds of processor tell.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from io import BufferedReader, BufferedWriter
from operator import sub
from pathlib import Path
from typing import NamedTuple, cast

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from agent.sources.git import Repository
from agent.sources.history import Collected, collect

BAR = 1.5
LOG = ("log", "-p", "--raw", "-z", "--cc", "--full-index", "--find-renames", "--find-copies", "-l1000", "--no-ext-diff")


def history(folder: Path, commits: int, files: int = 5) -> None:
    """Make a history of `commits` commits, each changing so many `files` of 200 source files of 300 lines, in three places."""
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", folder], check=True)
    with subprocess.Popen(["git", "-C", folder, "fast-import", "--quiet"], stdin=subprocess.PIPE) as process:
        given = cast("BufferedWriter", process.stdin)
        given.write(b"blob\nmark :1\ndata 0\n\n")
        given.writelines(told(commits, files))


def told(commits: int, files: int) -> Iterator[bytes]:
    """The commits as `git fast-import` reads them."""
    sources = [[f"line {line} of file {number}" for line in range(300)] for number in range(200)]
    for commit in range(commits):
        head = f"commit refs/heads/main\ncommitter A <a@example.org> {1_700_000_000 + commit} +0000\n"
        message = f"feat: change number {commit}\n\nWhy it was done.\n"
        yield f"{head}data {len(message)}\n{message}\n".encode()
        touched = range(200) if commit == 0 else [(commit * 7 + offset * 12) % 200 for offset in range(files)]
        for number in touched:
            lines = sources[number]
            lines[(commit * 13) % 300] = f"changed by {commit}"
            lines.insert((commit * 29) % 300, f"added by {commit}")
            del lines[0]
            text = "\n".join(lines) + "\n"
            yield f"M 100644 inline src/module_{number}.py\ndata {len(text)}\n{text}\n".encode()


class Spent(NamedTuple):
    """Seconds: on the clock, and of processor here and in git."""

    clock: float
    here: float
    git: float

    def __str__(self) -> str:
        return f"{self.clock:.2f} s (processor: here {self.here:.2f}, git {self.git:.2f})"


def processor(who: int) -> float:
    """Seconds of processor that `who` used so far."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def clocks() -> Spent:
    """What every clock shows now."""
    return Spent(time.perf_counter(), processor(resource.RUSAGE_SELF), processor(resource.RUSAGE_CHILDREN))


def timed(act: Callable[[], object]) -> Spent:
    """What `act` takes."""
    start = clocks()
    act()
    return Spent(*map(sub, clocks(), start))


def median(runs: Iterable[Spent]) -> Spent:
    """The median on every clock."""
    return Spent(*map(statistics.median, zip(*runs, strict=True)))


def log(repo: Path, span: str) -> int:
    """Read all that `git log -p` prints; its size."""
    with subprocess.Popen(["git", "-C", repo, *LOG, span], stdout=subprocess.PIPE) as process:
        out = cast("BufferedReader", process.stdout)
        return sum(len(chunk) for chunk in iter(lambda: out.read(1 << 16), b""))


def memory(repository: Repository, span: str) -> tuple[Collected, float]:
    """What a collected range without text keeps, in bytes a commit."""
    tracemalloc.start()
    collected = collect(repository, span, text_budget=0)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return collected, kept / max(1, len(collected.commits))


def measure(repo: Path, span: str, rounds: int) -> bool:
    """Print the figures; whether the bar is held."""
    repository = Repository.open(repo)
    collected, each = memory(repository, span)
    size = log(repo, span)
    pairs = [(timed(lambda: log(repo, span)), timed(lambda: collect(repository, span))) for _ in range(rounds)]
    peer, ours = (median(runs) for runs in zip(*pairs, strict=True))
    ratio = ours.clock / peer.clock
    print(f"commits {len(collected.commits)}  bytes {size}\ngit log -p {peer}\ncollect    {ours}")
    print(f"ratio {ratio:.2f} (bar {BAR})  kept without text {each:.0f} bytes a commit")
    return ratio <= BAR


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--repo", type=Path)
    parser.add_argument("--range", help="A..B: what is collected of --repo")
    parser.add_argument("--commits", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    if bool(given.repo) != bool(given.range):
        parser.error("--repo and --range go together")
    if given.repo:
        return 0 if measure(given.repo, given.range, given.rounds) else 1
    with tempfile.TemporaryDirectory() as folder:
        history(Path(folder), given.commits + 1)
        return 0 if measure(Path(folder), f"refs/heads/main~{given.commits}..refs/heads/main", given.rounds) else 1


if __name__ == "__main__":
    raise SystemExit(main())
