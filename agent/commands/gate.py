"""The work of `evidraft changeset gate`: reading every record of the work tree and saying what keeps the gate closed
(Intent Changesets 9).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agent.commands import printing
from agent.commands.checking import load_profile
from agent.sources.git import Repository, work_tree
from agent.sources.stored import read_records
from guardrails.records import gating
from guardrails.records.gating import GateFinding
from guardrails.records.profile import Profile
from guardrails.records.stored import Records


def run(repo: Path, profile: Path | None, *, as_json: bool) -> int:
    """Print what keeps a release from being published; returns the exit code.

    Raises:
        Failure: the repository, its profile or a record cannot be read.
    """
    repository = Repository.open(repo)
    records, found = gated(work_tree(repository), load_profile(profile, repository))
    report(found, pending=len(records.pending), as_json=as_json)
    return 1 if found else 0


def gated(top: Path, profile: Profile) -> tuple[Records, tuple[GateFinding, ...]]:
    """The records of a work tree, and all that the gate finds in them.

    Raises:
        InputFailure: a record cannot be read.
    """
    records = read_records(top, profile)
    return records, gating.gate(records, profile)


def report(found: Sequence[GateFinding], *, pending: int, as_json: bool) -> None:
    """Print the findings of a gate, each with its file: some for a person, all of them as JSON."""
    if as_json:
        printing.emit_result({"gate": "closed" if found else "open", "pending": pending, "findings": documents(found)})
    elif found:
        printing.emit(lines(found))
    else:
        told = f"{pending} pending, all consumed" if pending else "nothing is pending"
        printing.emit(f"the gate is open: {told}\n")


def documents(found: Sequence[GateFinding]) -> list[dict[str, object]]:
    """All findings as JSON types."""
    from agent.render import outcomes

    return [{"file": one.path, **outcomes.finding(one.finding)} for one in found]


def lines(found: Sequence[GateFinding]) -> str:
    """One line a finding for a person, the first ones of many."""
    shown = [printing.finding_line(one.finding, one.path) for one in found[: printing.MOST]]
    if found[printing.MOST :]:
        shown.append(f"and {len(found) - printing.MOST} more findings; --format json has them all")
    return "\n".join(shown) + "\n"
