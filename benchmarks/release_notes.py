"""Release notes of one range: by evidraft without a model, beside `git log -p` and beside git-cliff, in one run.

    python benchmarks/release_notes.py                            # builds a throw-away history of 2,000 commits
    python benchmarks/release_notes.py --repo PATH --range A..B
    python benchmarks/release_notes.py --commits 20000 --files 2  # a long history: the bar is 500 MB

What each does of the same range:

    git log -p      prints every message and every changed line, and judges nothing. It reads all that there is to read.
    git-cliff       reads the messages and no change: sorts them by their type and prints the subjects. It is a program in
                    Rust, from the package `git-cliff`; where it is not installed it is left out, and that is said.
    evidraft        reads the messages and the changes, takes out secrets and people, puts commits together that tell one
                    change, takes out what was reverted, writes for each change a title, a summary, a page with the places in
                    the code and its relations, holds every sentence against the evidence, renders four pages, and writes them
                    with the envelope, the account of every commit, and the draft record that every sentence is proved by.

Seconds on the clock, seconds of processor, and the largest resident size of any process of each, as Linux counts them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.collecting import LOG, history
from benchmarks.describing import MEGABYTE, PROGRAM, Spent

BAR = 500
"""Megabytes that the notes of 20,000 commits may take."""


EVERY = 0.02
"""Seconds between two looks at the processes."""
TICKS = os.sysconf("SC_CLK_TCK")


def commands(repo: Path, span: str, folder: Path) -> dict[str, list[str]]:
    """What is compared, by name."""
    notes = ["release-notes", span, "--repo", str(repo), "--output", str(folder / "notes"), "--fresh", "--quiet"]
    told = {"git log -p": ["git", "-C", str(repo), *LOG, span], "evidraft": [sys.executable, "-c", PROGRAM, *notes]}
    cliff = shutil.which("git-cliff")
    return told if cliff is None else told | {"git-cliff": [cliff, "--offline", "--workdir", str(repo), span]}


def watched(command: list[str], out: Path, folder: Path) -> Spent:
    """What a command takes with all processes that it starts, whoever waits for them; what it prints goes to `out`."""
    start, seen = time.perf_counter(), dict[int, tuple[float, float]]()
    own = {"PYTHONPATH": sys.path[0], "XDG_STATE_HOME": str(folder), "EVIDRAFT_REPOSITORY": "example/history"}
    with out.open("wb") as file, subprocess.Popen(command, stdout=file, env={**os.environ, **own}) as process:
        while process.poll() is None:
            seen |= {pid: used for pid in processes(process.pid) if (used := counted(pid)) is not None}
            time.sleep(EVERY)
    clock = time.perf_counter() - start
    return Spent(clock, sum(seconds for seconds, _ in seen.values()), max(size for _, size in seen.values()))


def processes(pid: int) -> Iterator[int]:
    """A process and all that descend from it."""
    yield pid
    for child in " ".join(map(read, children(pid))).split():
        yield from processes(int(child))


def children(pid: int) -> list[Path]:
    """Where each thread of a process names those that it started; nowhere where the process has just ended."""
    try:
        return list(Path(f"/proc/{pid}/task").glob("*/children"))
    except OSError:
        return []


def counted(pid: int) -> tuple[float, float] | None:
    """Seconds of processor and the largest resident size in megabytes of one process; None where it is gone."""
    peak = next((line.split()[1] for line in read(Path(f"/proc/{pid}/status")).splitlines() if line.startswith("VmHWM")), None)
    times = read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()[11:13]
    return None if peak is None or not times else (sum(map(int, times)) / TICKS, int(peak) / MEGABYTE)


def read(file: Path) -> str:
    """What the system tells; nothing of a process that has just ended."""
    try:
        return file.read_text("ascii", "replace")
    except OSError:
        return ""


def measure(repo: Path, span: str, *, holds_bar: bool) -> bool:
    """Print the figures; whether the bar is held where there is one."""
    count = int(subprocess.run(["git", "-C", repo, "rev-list", "--count", span], check=True, capture_output=True).stdout)
    print(f"commits {count}")
    taken: dict[str, Spent] = {}
    with tempfile.TemporaryDirectory() as told:
        folder, out = Path(told), Path(told, "out")
        for name, command in commands(repo, span, folder).items():
            taken[name] = watched(command, out, folder)
            written = out.stat().st_size + sum(file.stat().st_size for file in folder.glob("notes/**/*") if file.is_file())
            print(
                f"{name:<11}{taken[name]}  written {written if name == 'evidraft' else out.stat().st_size:>12} bytes",
                flush=True,
            )
    if "git-cliff" not in taken:
        print("git-cliff is not installed, so it is left out")
    ours = taken.pop("evidraft")
    for name, theirs in taken.items():
        clock, processor, size = (mine / max(other, 0.01) for mine, other in zip(ours, theirs, strict=True))
        print(f"evidraft / {name:<11} time {clock:.1f}  processor {processor:.1f}  memory {size:.1f}")
    return not holds_bar or ours.size <= BAR


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--repo", type=Path)
    parser.add_argument("--range", help="A..B: what is told of --repo")
    parser.add_argument("--commits", type=int, default=2000)
    parser.add_argument("--files", type=int, default=2, help="how many files each commit of the throw-away history changes")
    given = parser.parse_args()
    if bool(given.repo) != bool(given.range):
        parser.error("--repo and --range go together")
    if given.repo:
        return 0 if measure(given.repo.resolve(), given.range, holds_bar=False) else 1
    with tempfile.TemporaryDirectory() as folder:
        history(Path(folder), given.commits + 1, given.files)
        span = f"refs/heads/main~{given.commits}..refs/heads/main"
        return 0 if measure(Path(folder), span, holds_bar=True) else 1


if __name__ == "__main__":
    raise SystemExit(main())
