"""How long verifying a contract takes over 20,000 files of which 500 change, against git telling both trees, in one run."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from agent.commands.contracting import Sides
from agent.render import contract_json
from agent.render.json_text import json_text
from guardrails.contracts import schema
from guardrails.contracts.evaluate import Contracts, evaluate
from guardrails.contracts.verification import Verification

_FILES: Final = 20_000
_CHANGED: Final = 500
_REPEATS: Final = 3
_CONTRACT: Final = b"""
schema: '0.3'
change: { name: benchmark }
scope: { allow: ['part-1*/**', '**/*.sql'], companions: ['**/test_*'], budget: { files: 1000, lines: 100000 } }
preserves: [{ id: kept, match: { kind: file, path: 'migrations/**', change: [add, modify, delete] } }]
claims: [{ id: done, text: t, files: ['part-11/**'], evidence: [{ kind: manual, note: n }] }]
"""


def git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    own = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "gc.auto=0")
    return subprocess.run(["git", *own, *arguments], cwd=folder, input=given, capture_output=True, check=True).stdout


def lay(folder: Path, numbers: range, line: str) -> None:
    for number in numbers:
        file = folder / f"part-{number % 200}" / f"file_{number}.txt"
        file.parent.mkdir(exist_ok=True)
        file.write_text("".join(f"{line} {number} {row}\n" for row in range(60)), "utf-8")


def plainly(folder: Path) -> None:
    """Both trees, listed and read by git alone."""
    for side in ("HEAD~1", "HEAD"):
        listed = git(folder, "ls-tree", "-r", "-z", side)
        oids = b"".join(line.split(b"\t")[0].split()[2] + b"\n" for line in listed.split(b"\0")[:-1])
        git(folder, "cat-file", "--batch", given=oids)


def verifying(folder: Path, contract: schema.Contract) -> None:
    """The whole of it, down to the JSON that is printed."""
    origin, compared = Sides(repo=folder, base="HEAD~1", head="HEAD").read()
    contracts = Contracts(contract, contract)
    verification = Verification.of("", contracts, origin, compared, evaluate(contracts, compared))
    if len(compared.changes) != _CHANGED or not json_text(contract_json.verification(verification)):
        raise SystemExit("the benchmark verified something else than it laid")


def best(act: Callable[[], None]) -> float:
    def once() -> float:
        start = time.perf_counter()
        act()
        return time.perf_counter() - start

    return min(once() for _ in range(_REPEATS))


def main() -> None:
    contract = schema.read(_CONTRACT)
    if isinstance(contract, tuple):
        raise SystemExit("the benchmark's own contract is not valid")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        git(folder, "init", "-q")
        for numbers, line in ((range(_FILES), "before"), (range(11, _CHANGED * 40, 40), "after")):
            lay(folder, numbers, line)
            git(folder, "add", "--all")
            git(folder, "commit", "-qm", line)
        git(folder, "repack", "-adq")
        figures = {"git alone": best(lambda: plainly(folder)), "verifying": best(lambda: verifying(folder, contract))}
    print(f"{_FILES} files, {_CHANGED} changed")
    for name, figure in figures.items():
        print(f"{name:<12} {figure:6.2f} s  {figure / figures['git alone']:5.2f} x git alone")


if __name__ == "__main__":
    main()
