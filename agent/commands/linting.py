"""Judging commit messages: one report a message, in the words of the suite's command line (Intent Changesets 7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agent.errors import InputFailure, RepositoryFailure, UsageFailure
from agent.sources import bases
from agent.sources.git import Repository
from agent.sources.messages import Written, written
from agent.sources.selecting import select
from guardrails.drafts.questions import Unresolved
from guardrails.evidence.model import Note
from guardrails.evidence.notes import Notebook
from guardrails.findings import Finding, blocking
from guardrails.records import commit, commit_rules
from guardrails.records.commit import Message
from guardrails.records.profile import Profile

OWN_FILE = "COMMIT_EDITMSG"
"""The file in which git hands a message to its hooks, with remarks for the author still in it."""
_SCISSORS = "# ------------------------ >8 ------------------------"


@dataclass(frozen=True, slots=True)
class Report:
    """One judged message: the message (None when malformed) and what was found."""

    message: Message | None
    findings: tuple[Finding, ...]

    @property
    def is_refused(self) -> bool:
        """Whether a finding blocks; advice does not."""
        return bool(blocking(self.findings))


def decoded(data: bytes, name: str) -> str:
    """The text of a message file; what git adds for the author is taken out of git's own file, and of no other.

    Raises:
        InputFailure: it is no UTF-8 text.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputFailure(
            f"is no UTF-8 text: byte {error.start} is wrong", where=name, cure="save the message as UTF-8"
        ) from None
    if "\0" in text:
        raise InputFailure("is no text: it holds a NUL", where=name, cure="give a commit message")
    if name.replace("\\", "/").rpartition("/")[2] != OWN_FILE:
        return text
    kept, _, _ = text.partition(_SCISSORS)
    return "\n".join(line for line in kept.split("\n") if not line.startswith("#")).lstrip("\n")


def judge(text: str, profile: Profile | None, changed_lines: int | None = None) -> Report:
    """Hold a message against the grammar, its rules and, with a profile, the project's policy."""
    message = commit.read(text)
    if not isinstance(message, Message):
        return Report(None, message)
    advice = commit_rules.advise(message, profile, changed_lines) if changed_lines is not None else ()
    return Report(message, (*commit_rules.validate(message, profile), *advice))


def lint(
    repository: Repository, operand: str | None, profile: Profile | None
) -> tuple[Iterator[tuple[Written, Report]], tuple[Note, ...]]:
    """Judge the commits of a range or revision, oldest first, one at a time; and notes about the selection.

    Raises:
        UsageFailure: there is no operand and no single possible base.
        RepositoryFailure: a revision is unknown or ambiguous, or a shallow clone hides the range.
    """
    notes = Notebook()
    spec = operand if operand is not None else _usual(repository)
    chosen = select(repository, spec, notes)
    told = notes.notes()
    if not chosen.oids and any(note.code == "shallow" for note in told):
        raise RepositoryFailure("the range is not in this shallow clone", where=spec, cure=repository.fetching("HEAD"))
    count = profile is not None and profile.large_diff_threshold > 0
    commits = written(repository, chosen.oids, count=count)
    return ((one, judge(one.message, profile, one.changed)) for one in commits), told


def _usual(repository: Repository) -> str:
    chosen = bases.selected(repository)
    if isinstance(chosen, Unresolved):
        examples = ", ".join(str(suggestion.value) for suggestion in chosen.suggestions)
        raise UsageFailure(chosen.question, cure=f"one of: {examples}" if examples else "give a range or a revision")
    return chosen


def document(report: Report, profile: Profile | None) -> dict[str, object]:
    """A report as JSON types: keys as other tools of the suite write them, empty maps left out."""
    message = report.message
    impact = "" if message is None else commit.effective_impact(message, profile) or "unspecified"
    maps = {
        "effective_impacts": _impacts(message, profile) if message else {},
        "effective_migrations": _migrations(message, profile) if message else {},
    }
    diagnostics = [
        {"code": found.code, "severity": found.severity.value, "message": found.message} for found in report.findings
    ]
    return {
        "effective_impact": impact,
        **{name: told for name, told in maps.items() if told},
        "diagnostics": diagnostics or None,
    }


def _impacts(message: Message, profile: Profile | None) -> dict[str, str]:
    """The impact of each unit that the message touches, and of each stream that it singles out."""
    touched = commit.units(message, profile)
    overall = {unit: impact for unit in touched if (impact := commit.impact_for(message, profile, unit, None))}
    return overall | _by_selector(message, "Target-Impact", touched)


def _migrations(message: Message, profile: Profile | None) -> dict[str, str]:
    touched = commit.units(message, profile)
    overall = {unit: guidance for unit in touched if (guidance := commit.migration_for(message, unit, None))}
    return overall | _by_selector(message, "Target-Migration", touched)


def _by_selector(message: Message, trailer: str, touched: tuple[str, ...]) -> dict[str, str]:
    """What the first trailer of each selector says."""
    said = [one for one in commit.selected(message, trailer) if one is not None and one.unit in touched]
    return {one.selector: one.value for one in reversed(said)}
