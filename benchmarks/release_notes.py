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
                    the code and its relations, holds every sentence against the evidence, asks what nothing says, and renders
                    a page. Nothing is answered here, so that it may end in questions instead of the page.

Seconds on the clock, seconds of processor, and the largest resident size of any process of each.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.collecting import LOG, history
from benchmarks.describing import PROGRAM, Spent, spent

BAR = 500
"""Megabytes that the notes of 20,000 commits may take."""


def commands(repo: Path, span: str) -> dict[str, list[str]]:
    """What is compared, by name."""
    notes = ["describe", span, "--repo", str(repo), "--shape", "itemized", "--render", "markdown"]
    told = {
        "git log -p": ["git", "-C", str(repo), *LOG, span],
        "evidraft": [sys.executable, "-c", PROGRAM, *notes, "--model", "extractive", "--no-interactive", "--quiet"],
    }
    cliff = shutil.which("git-cliff")
    return told if cliff is None else told | {"git-cliff": [cliff, "--offline", "--workdir", str(repo), span]}


def measure(repo: Path, span: str, *, holds_bar: bool) -> bool:
    """Print the figures; whether the bar is held where there is one."""
    count = int(subprocess.run(["git", "-C", repo, "rev-list", "--count", span], check=True, capture_output=True).stdout)
    print(f"commits {count}")
    taken: dict[str, Spent] = {}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        for name, command in commands(repo, span).items():
            taken[name] = spent(command, out)
            print(f"{name:<11}{taken[name]}  printed {out.stat().st_size:>12} bytes")
    if "git-cliff" not in taken:
        print("git-cliff is not installed, so it is left out")
    ours = taken.pop("evidraft")
    for name, theirs in taken.items():
        clock, processor, size = (mine / other for mine, other in zip(ours, theirs, strict=True))
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
