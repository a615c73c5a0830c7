"""Draft every release of real histories in one run each, and hold all of it against checks of their own that know git only.

    python -m evals.releases REPO [REPO …] [--tags GLOB …] [--bases version] [--out DIR] [--rounds 8]

Each repository is drafted by `evidraft release-notes` without a model; what stays open is answered in the sheet that the run
leaves, as a person would, and given back, until nothing is asked any more. Exit 1 when any check fails.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from agent.cli import main as evidraft
from evals.covering import uncovered
from evals.describing import said
from evals.naming import identifiers, new_words, not_found
from evals.operations import Operation
from evals.placing import count, wrong_refs
from evals.requests import repository_name
from evals.ruling import broken
from evals.selecting import called
from evals.shown import Shown
from guardrails import strict_yaml
from guardrails.strict_yaml import Bounds

_BOUNDS = Bounds(bytes=64 * 1024 * 1024, nodes=2_000_000, scalar=1_048_576)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_CALLS = re.compile(r"(?<![\w/.`@])@[A-Za-z0-9]")
_NOTHING = "range"
"""The field of a range that holds nothing: no answer can settle it."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one repository came to: counts of the index before and after all answers, and what is wrong, by check."""

    repository: str
    releases: int
    first: Mapping[str, int]
    last: Mapping[str, int]
    nothing: int
    asked: int
    commits: tuple[int, int]
    """Told, and in the ranges."""
    refs: int
    names: int
    faults: Mapping[str, Sequence[str]]
    seconds: float


def measure(repository: Path, chosen: argparse.Namespace, folder: Path) -> Told:
    """Draft all releases, answer what is asked, check what came out."""
    out, start = folder / "out", time.perf_counter()
    first = _drafted(repository, chosen, folder, "--fresh")
    seconds, asked = time.perf_counter() - start, _answers(folder)
    last = first
    for _ in range(chosen.rounds):
        if not _answers(folder):
            break
        before = asked
        last = _drafted(repository, chosen, folder, "--resume", "--answers", str(folder / "answers.yaml"))
        asked = max(asked, _answers(folder))
        if before == asked and last == first:
            break
    faults: dict[str, list[str]] = {}
    refs = names = told = inside = 0
    for release in last["releases"]:
        envelope = out / release["name"] / "envelope.json"
        if not envelope.exists():
            continue
        record = json.loads(envelope.read_text("utf-8"))
        refs, names = refs + count(record), names + sum(1 for _ in identifiers(record))
        told, inside = told + release["commits"]["told"], inside + release["commits"]["in-range"]
        for check, fault in _faults(repository, release, record, folder):
            faults.setdefault(check, []).append(f"{release['name']}: {fault}")
    open_ = [release for release in last["releases"] if release["status"] == "NEEDS_INPUT"]
    nothing = sum(release["open"] == [_NOTHING] for release in open_)
    total = len(last["releases"])
    return Told(
        called(repository), total, first["counts"], last["counts"], nothing, asked, (told, inside), refs, names, faults, seconds
    )


def _drafted(repository: Path, chosen: argparse.Namespace, folder: Path, *words: str) -> dict[str, Any]:
    """One run of the program; the index that it leaves."""
    (config := folder / "evidraft.toml").write_text(f'repository = "{repository_name(repository)}"\n', "utf-8")
    tags = [word for glob in chosen.tags for word in ("--tags", glob)]
    where = ["--repo", str(repository), "--config", str(config), "--output", str(folder / "out"), "--bases", chosen.bases]
    with redirect_stderr(StringIO()) as told:
        code = evidraft(["release-notes", *tags, *where, *words])
    if not (folder / "out" / "index.json").exists():
        raise SystemExit(f"{repository}: exit {code}: {told.getvalue()}")
    found: dict[str, Any] = json.loads((folder / "out" / "index.json").read_text("utf-8"))
    return found


def _answers(folder: Path) -> int:
    """Fill in the sheet that a run left; how many fields are open."""
    sheet = folder / "out" / "needs-input.yaml"
    if not sheet.exists():
        return 0
    document: Any = strict_yaml.read(sheet.read_bytes(), _BOUNDS).value
    filled = 0
    for entries in (document.get("all") or {}, *(document.get("releases") or {}).values()):
        for field, entry in (entries or {}).items():
            if "answer" not in entry and field != _NOTHING:
                entry["answer"] = said({**entry, "field": field, "suggestions": _suggested(entry)})[1]
                filled += 1
    (folder / "answers.yaml").write_bytes(strict_yaml.write(document))
    return filled


def _suggested(entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [one if isinstance(one, dict) else {"value": one} for one in entry.get("suggestions", [])]


def _faults(repository: Path, release: Mapping[str, Any], record: dict[str, Any], folder: Path) -> Iterator[tuple[str, str]]:
    shown = Shown(repository, Operation("tags", release["range"], release["base"] or None, release["head"]))
    words = (folder / "answers.yaml").read_text("utf-8") if (folder / "answers.yaml").exists() else ""
    receipt = json.loads((folder / "out" / release["name"] / "record.json").read_text("utf-8"))
    found = {
        "refs": wrong_refs(record, shown),
        "identifiers": not_found(record, shown, words),
        "words": new_words(record, shown, words),
        "form": (*broken(record, shown), *_acting(folder / "out" / release["name"])),
        "coverage": uncovered(receipt, {"record": record}, shown),
    }
    yield from ((check, fault) for check, faults in found.items() for fault in faults)


def _acting(folder: Path) -> Iterator[str]:
    """Lines of the pages that call somebody where a forge shows them."""
    for page in (folder / name for name in ("notes.md", "release-body.md", "changelog.md") if (folder / name).exists()):
        lines = _CODE.sub("", page.read_text("utf-8")).split("\n")
        yield from (f"{page.name} {line}" for line in lines if _CALLS.search(line))


def table(rows: Sequence[Told]) -> Iterator[str]:
    """One line a repository, and each fault."""
    yield (
        "| repository | releases | first: drafted/asks/rejected/failed | after answers | nothing in it | fields asked"
        " | commits told | refs | names | wrong refs/names/words/form/coverage | s, first run |"
    )
    yield f"|{' --- |' * 11}"
    for row in rows:
        wrong = "/".join(str(len(row.faults.get(check, ()))) for check in ("refs", "identifiers", "words", "form", "coverage"))
        ends = (_counted(row.first), _counted(row.last), row.nothing, row.asked, f"{row.commits[0]} of {row.commits[1]}")
        cells = (row.repository, row.releases, *ends, row.refs, row.names, wrong, round(row.seconds, 1))
        yield f"| {' | '.join(map(str, cells))} |"
    for row in rows:
        yield from (f"{row.repository} {check}: {fault}" for check, faults in row.faults.items() for fault in faults)


def _counted(counts: Mapping[str, int]) -> str:
    told = Counter(counts)
    return "/".join(str(told[word]) for word in ("DRAFTED", "NEEDS_INPUT", "REJECTED", "FAILED"))


def main() -> int:
    """Measure, print the table, and say by the exit code whether all is well."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("repositories", nargs="+", type=Path)
    options.add_argument("--tags", nargs="+", default=["*"])
    options.add_argument("--bases", choices=("ask", "version", "ancestry"), default="ask")
    options.add_argument("--rounds", type=int, default=8)
    options.add_argument("--out", type=Path)
    chosen = options.parse_args()
    rows: list[Told] = []
    with tempfile.TemporaryDirectory() as passing:
        os.environ["XDG_STATE_HOME"] = passing
        for repository in chosen.repositories:
            folder = (chosen.out or Path(passing)) / called(repository)
            folder.mkdir(parents=True, exist_ok=True)
            rows.append(measure(repository, chosen, folder))
            print(rows[-1].repository, _counted(rows[-1].last), flush=True)
    print("\n".join(table(rows)))
    return int(any(row.faults for row in rows))


if __name__ == "__main__":
    sys.exit(main())
