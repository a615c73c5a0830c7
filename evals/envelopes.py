"""Hold honest envelopes of real commits, and single planted faults in them, against the gate: `evidraft verify`.

    python -m evals.envelopes REPOSITORIES [--envelopes DIR] [--only WORD] [--json FILE]

REPOSITORIES is a folder of clones, each `owner+name/repo` or `owner/name`. The table tells for each kind of fault how many were
planted, how many were refused, and how many with a code that is right for it. Exit 1 when an honest envelope is refused for
anything but its known faults, or a kind of fault that is not known to be beyond the gate is never refused with the right code.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from agent.cli import main as evidraft
from evals import misplacing, planting
from evals.honest import Envelope, Honest
from evals.selecting import clone

HONEST: Final = Path(__file__).parents[1] / "tests" / "cases" / "envelopes" / "honest"
FAULTS: Final = {**misplacing.FAULTS, **planting.FAULTS}
_MENDED: Final[dict[str, dict[str, Any]]] = {"towncrier-1.json": {"ticket": "https://github.com/pytest-dev/pytest/issues/6831"}}
"""Known faults of honest envelopes: the ticket of one is rewritten from the address that its message has."""
_BEYOND: Final = frozenset({"count", "negation added", "negation dropped", "opposite word"})
"""What word tables cannot see unless the evidence says nearly the same sentence: it is counted, and does not fail the run."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the gate said of one envelope: the codes that refuse it, and the place of the change in what was planted."""

    envelope: str
    fault: str
    codes: tuple[str, ...]
    right: bool
    planted: str = ""


def verify(envelope: Envelope, repository: Path, name: str, commit: str, file: Path) -> tuple[str, ...]:
    """The codes that refuse an envelope; none where it holds."""
    file.write_text(json.dumps(envelope, ensure_ascii=False), "utf-8")
    out, err = io.StringIO(), io.StringIO()
    os.environ["EVIDRAFT_REPOSITORY"] = name
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = evidraft(["verify", str(file), commit, "--repo", str(repository), "--format", "json"])
    if code not in {0, 1}:
        return (f"exit {code}: {err.getvalue().strip()[-200:]}",)
    findings = json.loads(out.getvalue()).get("findings", [])
    return tuple(dict.fromkeys(finding["code"] for finding in findings if finding["severity"] != "warning"))


def measure(folder: Path, envelopes: Path, only: str, seed: int) -> Iterator[Told]:
    """Try every honest envelope, then every fault in it."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "envelope.json"
        for row in json.loads((envelopes / "index.json").read_text("utf-8")):
            repository, commit, name = clone(folder, row["repository"]), row["commit"], row["file"]
            envelope = json.loads((envelopes / name).read_text("utf-8"))
            envelope["change"]["relations"] |= _MENDED.get(name, {})
            codes = verify(envelope, repository, row["repository"], commit, file)
            yield Told(name, "", codes, not codes)
            for fault, (plant, right) in FAULTS.items():
                honest = Honest(name, envelope, repository, commit, random.Random(f"{seed} {name} {fault}"))  # noqa: S311
                for planted in plant(honest) if only in fault else ():
                    told = verify(planted, repository, row["repository"], commit, file)
                    yield Told(name, fault, told, not right.isdisjoint(told), _difference(envelope, planted))


def _difference(honest: Envelope, planted: Envelope) -> str:
    """Where the two differ, with a little around it."""
    one, other = (json.dumps(each, ensure_ascii=False) for each in (honest, planted))
    at = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    return other[max(0, at - 60) : at + 60]


def table(told: Sequence[Told]) -> Iterator[str]:
    """One line a kind of fault, and what was missed."""
    yield "| fault | planted | refused | with the right code |"
    yield "| --- | ---: | ---: | ---: |"
    totals = [0, 0, 0]
    for fault in FAULTS:
        own = [one for one in told if one.fault == fault]
        counts = [len(own), sum(bool(one.codes) for one in own), sum(one.right for one in own)]
        totals = [a + b for a, b in zip(totals, counts, strict=True)]
        if own:
            yield f"| {fault} | {counts[0]} | {counts[1]} | {counts[2]} |"
    yield f"| all {len(FAULTS)} kinds | {totals[0]} | {totals[1]} | {totals[2]} |"
    honest = [one for one in told if not one.fault]
    yield f"honest envelopes that hold: {sum(one.right for one in honest)} of {len(honest)}"
    yield from (f"honest but refused: {one.envelope}: {', '.join(one.codes)}" for one in honest if one.codes)
    for one in told:
        if one.fault and not one.right:
            yield f"missed: {one.fault}: {one.envelope}: {', '.join(one.codes) or 'holds'}: …{one.planted}…"


def main() -> int:
    """Measure, print the table, and say by the exit code whether the gate stands."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("repositories", type=Path)
    options.add_argument("--envelopes", type=Path, default=HONEST)
    options.add_argument("--only", default="")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    told = tuple(measure(chosen.repositories, chosen.envelopes, chosen.only, chosen.seed))
    print("\n".join(table(told)))
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(one) for one in told], indent=1, ensure_ascii=False), "utf-8")
    never = {one.fault for one in told} - {one.fault for one in told if one.right} - _BEYOND
    return int(bool(never) or any(one.codes for one in told if not one.fault))


if __name__ == "__main__":
    sys.exit(main())
