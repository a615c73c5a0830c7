"""The Link Validator on a repository: the messages of a range against the decisions they link (Intent Changesets 7, 13.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agent.commands import printing
from agent.commands.checking import load_profile
from agent.render import outcomes
from agent.sources.git import Repository
from agent.sources.linked import History, history, known_decisions
from guardrails.evidence.model import Note
from guardrails.records.linking import LinkFinding, Said, validate_links

SHORT = 12
"""How many digits of a commit's name a person gets to see."""


@dataclass
class Count:
    """How many commits have been read."""

    commits: int = 0

    def counted(self, commits: Iterator[Said]) -> Iterator[Said]:
        """The commits, counted as they pass."""
        for said in commits:
            self.commits += 1
            yield said


def check_links(repo: Path, operand: str | None, profile: Path | None, *, as_json: bool) -> int:
    """Judge the links of a range and print what was found; returns the exit code.

    Raises:
        Failure: profile, records or history cannot be read; two files claim one id.
    """
    repository = Repository.open(repo)
    active = load_profile(profile, repository)
    decisions = known_decisions(repository, active)
    told = history(repository, operand)
    count = Count()
    found = list(validate_links(count.counted(told.commits), decisions, active))
    if as_json:
        printing.emit_result(document(count.commits, found, told.notes()))
    else:
        tell(count.commits, found, told)
        tell_of_range(operand, any(not one.path for one in found))
    return 1 if found else 0


def tell(commits: int, found: list[LinkFinding], told: History) -> None:
    """One line a finding, the first ones of many, and how many commits there are; notes on stderr."""
    for note in told.notes():
        printing.note(printing.note_line(note))
    for one in found[: printing.MOST]:
        printing.emit(link_line(one) + "\n")
    if found[printing.MOST :]:
        printing.emit(f"and {len(found) - printing.MOST} more findings; --format json has them all\n")
    if found:
        printing.note(f"not valid: {len({one.oid for one in found})} of {commits} commits")
    else:
        printing.emit(f"valid links: {commits} commits\n" if commits else "no commit in this range\n")


def tell_of_range(operand: str | None, has_bad_messages: bool) -> None:
    """Where messages are not as they should be and no range was named: how to leave out those that are older than the rules."""
    if operand is None and has_bad_messages:
        printing.note("note: no range was named, so all commits up to HEAD were read; name one, as in v1.4.0..HEAD")


def link_line(one: LinkFinding) -> str:
    """One finding for a person: the commit, the other side's file and line, and what is wrong."""
    decision = f" ({one.changeset})" if one.changeset and one.path else ""
    return printing.finding_line(one.finding, f"{one.oid[:SHORT]} {one.path}".rstrip()) + printing.line(decision)


def document(commits: int, found: list[LinkFinding], notes: tuple[Note, ...]) -> dict[str, object]:
    """All findings as JSON types; `file` is where the decision's side stands, null when the message alone is wrong."""
    return {
        "commits": commits,
        "findings": [finding(one) for one in found],
        "notes": [{"code": note.code, "where": note.where, "message": note.message} for note in notes],
    }


def finding(one: LinkFinding) -> dict[str, object]:
    """One finding about a commit as JSON types; `where` and `line` are in `file`, or in the message where there is none."""
    told = outcomes.finding(one.finding)
    changeset = printing.without_secrets(one.changeset) if one.changeset else None
    return {
        "commit": one.oid,
        "changeset": changeset,
        "file": one.path or None,
        **{key: told[key] for key in ("code", "severity", "where", "line")},
        "message": printing.without_secrets(one.finding.message),
    }
