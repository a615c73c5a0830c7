"""What the commit messages of a range give for a changelog (Intent Changesets 6.9, 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from agent.commands import printing
from agent.commands.checking import load_profile
from agent.commands.links import finding, link_line, tell_of_range
from agent.render import commit_source
from agent.sources import inputs
from agent.sources.git import Repository
from agent.sources.linked import history, known_decisions
from agent.sources.messages import Written
from agent.sources.profiles import DEFAULT_PROFILE
from guardrails.records.decisions import Decision
from guardrails.records.linking import Said
from guardrails.records.profile import Profile
from guardrails.records.sourcing import draw, withheld


def show_source(repo: Path, operand: str | None, profile: Path | None, *, as_json: bool) -> int:
    """Print what may be told of the commits of a range, faults on stderr; returns the exit code.

    Raises:
        Failure: profile, records or history cannot be read.
    """
    repository = Repository.open(repo)
    active = _profile(profile, repository)
    told = history(repository, operand)
    decisions = known_decisions(repository, active) if active else {}
    written = tuple(told.written)
    hidden = _hidden(repository, written, decisions)
    drawn = draw((Said.of(one.oid, one.message) for one in written), decisions, active, hidden)
    shown = commit_source.document(drawn, _clean)
    if as_json:
        notes = [{"code": note.code, "where": note.where, "message": note.message} for note in told.notes()]
        printing.emit_result({**shown, "findings": [finding(one) for one in drawn.findings], "notes": notes})
        return 1 if drawn.findings else 0
    printing.emit(commit_source.markdown(shown))
    for note in told.notes():
        printing.note(printing.note_line(note))
    for one in drawn.findings[: printing.MOST]:
        printing.note(link_line(one))
    if drawn.findings[printing.MOST :]:
        printing.note(f"and {len(drawn.findings) - printing.MOST} more findings; --format json has them all")
    tell_of_range(operand, bool(drawn.findings))
    if drawn.withheld:
        printing.note(f"note: commits left out, since what they link is not public or not known: {drawn.withheld}")
    return 1 if drawn.findings else 0


def _hidden(repository: Repository, written: Sequence[Written], decisions: Mapping[str, Decision]) -> frozenset[str]:
    """The commits that may not be told; where one reverts what is not in the range, all that leads up to them is read."""
    hidden, reaches_out = withheld(((one.oid, one.message) for one in written), decisions)
    if not reaches_out:
        return hidden
    every = history(repository, written[-1].oid).written
    return hidden | withheld(((one.oid, one.message) for one in every), decisions)[0]


def _profile(path: Path | None, repository: Repository) -> Profile | None:
    """The profile that is named, else the usual one where there is one."""
    if path is None and (repository.top is None or inputs.read_below(repository.top, DEFAULT_PROFILE) is None):
        return None
    return load_profile(path, repository)


def _clean(text: str) -> str:
    return printing.visible(printing.without_secrets(text))
