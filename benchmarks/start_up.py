"""Start-up of the command line against `python -c pass`, in one run: milliseconds above it, and the ratio.

    python benchmarks/start_up.py [RUNS]

The bar is 150 ms above the bare interpreter for `--help` and `--version`.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUN = "import sys; from agent.cli import main; sys.exit(main(sys.argv[1:]))"


def seconds(*arguments: str) -> float:
    """Wall seconds of one interpreter run."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    """Alternate the three commands and print their medians."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    commands = {"pass": ("-c", "pass"), "--help": ("-c", RUN, "--help"), "--version": ("-c", RUN, "--version")}
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, arguments in commands.items():
            taken[name].append(seconds(*arguments))
    bare = statistics.median(taken["pass"])
    print(f"python -c pass: {bare * 1000:.0f} ms")
    for name in ("--help", "--version"):
        middle = statistics.median(taken[name])
        print(f"{name}: {middle * 1000:.0f} ms, {(middle - bare) * 1000:.0f} ms above (bar 150), ratio {middle / bare:.1f}")


if __name__ == "__main__":
    main()
