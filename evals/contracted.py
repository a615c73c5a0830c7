"""Hold merged requests of public repositories against contracts that were written for them by hand.

    python -m evals.contracted MIRRORS [--only WORD] [--contracts DIR]

MIRRORS is a folder of clones, each `owner+name/repo` or `owner/name`. Each folder of `evals/contracts/` is one repository: its
requests by their commits, a contract that the request keeps and at least one that it does not, and how every obligation has to
stand, with why. The files are read by git as they were committed; nothing of them runs. Exit 1 when any obligation stands
otherwise, or when a mirror is not there.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import multiprocessing
import resource
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from agent.cli import main as evidraft
from evals.selecting import clone, git
from guardrails import strict_yaml

CONTRACTS: Final = Path(__file__).parent / "contracts"
_MEGABYTE: Final = 1024


@dataclass(frozen=True, slots=True)
class Case:
    """One change, the contract that is held against it, and how each obligation has to stand: its status, and why."""

    repository: str
    language: str
    contract: Path
    approved: Path
    base: str
    head: str
    comparison: str
    verdict: str
    expected: Mapping[str, str]

    @property
    def name(self) -> str:
        """The repository and the contract."""
        return f"{self.repository} {self.contract.stem}"


@dataclass(frozen=True, slots=True)
class Told:
    """What a verification came to, and where it differs from what was expected."""

    case: Case
    files: int = 0
    changed: int = 0
    statuses: Mapping[str, str] = field(default_factory=dict)
    verdict: str = ""
    seconds: float = 0.0
    megabytes: float = 0.0
    differences: tuple[str, ...] = ()


def cases(folder: Path, only: str = "") -> Iterator[Case]:
    """All cases below `folder`, in order of repository."""
    for file in sorted(folder.glob("*/cases.yaml")):
        told: Any = strict_yaml.read(file.read_bytes()).value
        for one in told["cases"]:
            here, given = file.parent, {**told, **one}
            if only in f"{given['repository']} {one['contract']}":
                yield Case(
                    repository=given["repository"],
                    language=given["language"],
                    contract=here / one["contract"],
                    approved=here / one.get("approved", one["contract"]),
                    base=given["base"],
                    head=given["head"],
                    comparison=given.get("comparison", "exact"),
                    verdict=one["verdict"],
                    expected=one["expected"],
                )


def verified(case: Case, mirrors: Path) -> Told:
    """Verify one case in a process of its own, whose time and memory are told."""
    repository = clone(mirrors, case.repository)
    if not repository.is_dir():
        return Told(case, differences=(f"{case.repository} is not in {mirrors}",))
    words = ["contract", "verify", "--json", "--contract", str(case.contract), "--approved-contract", str(case.approved)]
    words += ["--repo", str(repository), "--base", case.base, "--head", case.head, "--comparison", case.comparison]
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as alone:
        text, said, seconds, megabytes = alone.submit(_run, words).result()
    document: dict[str, Any] = json.loads(text) if text.startswith("{") else {"status": said.strip()[-300:], "exitCode": 2}
    statuses = {result["id"]: result["status"] for result in document.get("results", [])}
    return Told(
        case,
        files=len(git(repository, "ls-tree", "-r", "--name-only", case.head).splitlines()),
        changed=len(document.get("files", [])),
        statuses=statuses,
        verdict=document["status"],
        seconds=seconds,
        megabytes=megabytes,
        differences=tuple(_differences(case, document, statuses)),
    )


def _run(words: Sequence[str]) -> tuple[str, str, float, float]:
    """What the command prints on both channels, with the seconds of processor time and the most memory of this process."""
    out, err, start = io.StringIO(), io.StringIO(), time.process_time()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        evidraft(words)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MEGABYTE
    return out.getvalue(), err.getvalue(), time.process_time() - start, most


def _differences(case: Case, document: Mapping[str, Any], statuses: Mapping[str, str]) -> Iterator[str]:
    """Where the verdict, the obligations or their order are not those that the case names."""
    if document["status"] != case.verdict:
        yield f"got {document['status']}, expected {case.verdict}"
    if list(statuses) != list(case.expected):
        yield f"got the obligations {', '.join(statuses)}, expected {', '.join(case.expected)}"
    messages = {result["id"]: result["message"] for result in document.get("results", [])}
    for name, said in case.expected.items():
        status, _, why = said.partition(", ")
        if name in statuses and statuses[name] != status:
            yield f"{name}: got {statuses[name]} ({messages[name]}), expected {status} ({why})"


def table(rows: Sequence[Told]) -> Iterator[str]:
    """One line a case, and each difference."""
    yield "| repository | contract | language | files | changed | obligations | verdict | as expected | CPU s | peak MB |"
    yield "| --- | --- | --- | ---: | ---: | ---: | --- | --- | ---: | ---: |"
    for row in rows:
        case, is_so = row.case, "no" if row.differences else "yes"
        counts = (row.files, row.changed, len(row.statuses), row.verdict, is_so, f"{row.seconds:.1f}", f"{row.megabytes:.0f}")
        yield f"| {' | '.join(map(str, (case.repository, case.contract.stem, case.language, *counts)))} |"
    for row in rows:
        yield from (f"{row.case.name}: {difference}" for difference in row.differences)
    yield f"as expected: {sum(not row.differences for row in rows)} of {len(rows)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify all, print the table, and say by the exit code whether all stands as expected."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("mirrors", type=Path)
    options.add_argument("--only", default="", metavar="WORD", help="only where repository and contract hold this word")
    options.add_argument("--contracts", type=Path, default=CONTRACTS)
    chosen = options.parse_args(arguments)
    rows = [verified(case, chosen.mirrors) for case in cases(chosen.contracts, chosen.only)]
    print("\n".join(table(rows)))
    return int(not rows or any(row.differences for row in rows))


if __name__ == "__main__":
    sys.exit(main())
