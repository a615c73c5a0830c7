"""How long a range is described without a model and how much memory that takes, against the `git log -p` of the same range.

    python benchmarks/describing.py                            # builds a throw-away history of 2,000 commits
    python benchmarks/describing.py --repo PATH --range A..B [--shape single]

Each runs in a process of its own: seconds on the clock, seconds of processor with git's, and the largest resident size that any
process of it had. The description is the whole command as a user gives it: nothing is answered, so open fields are asked.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.collecting import LOG, history

PROGRAM = "import sys; from agent.cli import main; sys.exit(main(sys.argv[1:]))"
MEGABYTE = 1024
"""In the kilobytes that the system counts in."""


class Spent(NamedTuple):
    """Seconds on the clock and of processor, and the largest process in megabytes."""

    clock: float
    processor: float
    size: float

    def __str__(self) -> str:
        return f"{self.clock:8.2f} s  processor {self.processor:8.2f} s  largest process {self.size:8.1f} MB"


def spent(command: list[str], out: Path) -> Spent:
    """What a command takes; what it prints goes to `out`."""
    start = time.perf_counter()
    around = {**os.environ, "PYTHONPATH": sys.path[0]}
    with out.open("wb") as file, subprocess.Popen(command, stdout=file, stderr=subprocess.DEVNULL, env=around) as process:
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
    return Spent(time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / MEGABYTE)


def described(repo: Path, span: str, shape: str) -> list[str]:
    """The command that describes a range."""
    options = ["--repo", str(repo), "--shape", shape, "--format", "json", "--no-interactive", "--quiet"]
    return [sys.executable, "-c", PROGRAM, "describe", span, *options]


def told(document: dict[str, Any]) -> str:
    """What came of it: the status, how many changes, how many questions."""
    envelope = document.get("record") or document.get("partial") or {}
    return f"{document['status']}: {len(envelope.get('items', ()))} items, {len(document.get('unresolved', ()))} questions"


def measure(repo: Path, span: str, shape: str) -> None:
    """Print the figures."""
    count = subprocess.run(["git", "-C", repo, "rev-list", "--count", span], check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        peer = spent(["git", "-C", str(repo), *LOG, span], out)
        size = out.stat().st_size
        ours = spent(described(repo, span, shape), out)
        document = json.loads(out.read_bytes())
    print(f"commits {int(count)}  bytes of git log -p {size}  {told(document)}")
    print(f"git log -p {peer}\ndescribe   {ours}")
    clock, processor, memory = (mine / theirs for mine, theirs in zip(ours, peer, strict=True))
    print(f"ratio of time {clock:.1f}  of processor {processor:.1f}  of memory {memory:.1f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--repo", type=Path)
    parser.add_argument("--range", help="A..B: what is described of --repo")
    parser.add_argument("--commits", type=int, default=2000)
    parser.add_argument("--shape", default="itemized", choices=["single", "itemized"])
    given = parser.parse_args()
    if bool(given.repo) != bool(given.range):
        parser.error("--repo and --range go together")
    if given.repo:
        measure(given.repo.resolve(), given.range, given.shape)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        history(Path(folder), given.commits + 1)
        measure(Path(folder), f"refs/heads/main~{given.commits}..refs/heads/main", given.shape)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
