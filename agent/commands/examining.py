"""The work of the checks on whole files: every file gets its result, and no bad one keeps the others from theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from agent.commands import printing
from agent.commands.checking import load_profile, read_operand
from agent.commands.comparing import compare
from agent.commands.recognising import DRAFT_RECORD, VALID, Checked, ProfileSource, check_record
from agent.errors import Failure, RepositoryFailure, UsageFailure
from agent.render import outcomes
from agent.sources.git import Repository
from guardrails.findings import Finding
from guardrails.records import draft_record
from guardrails.records.draft_record import DraftRecord, Present


@dataclass(frozen=True, slots=True)
class Question:
    """What the command line asked: files, the kind that a person named, a draft record beside one file, and where to look."""

    files: tuple[str, ...]
    kind: str | None = None
    record: Path | None = None
    profile: Path | None = None
    repo: Path | None = None


def examine(question: Question, *, as_json: bool) -> int:
    """Check every file and print the results; returns the worst exit code.

    Raises:
        UsageFailure: there is nothing to check, or a draft record stands beside several files.
    """
    if not question.files and question.record is None:
        raise UsageFailure("there is nothing to check", cure="name a file")
    if question.record is not None and len(question.files) > 1:
        raise UsageFailure("a draft record is about one file", where="--record", cure="check the other files by themselves")
    worst = 0
    documents = []
    for name, result in _results(question):
        worst = max(worst, result.exit_code)
        if as_json:
            documents.append(_document(name, result))
        elif isinstance(result, Failure):
            printing.complain(result)
        else:
            valid = f"{name}: {VALID[result.kind]}"
            printing.emit_findings(result.findings, name=name, as_json=False, valid=valid)
    if as_json:
        printing.emit_result({"files": documents})
    return worst


def examine_as(kind: str, file: str, profile: Path | None, *, as_json: bool) -> int:
    """Check one file as a record of this kind and print the result; returns the exit code.

    Raises:
        Failure: the file or the profile cannot be read or used.
    """
    name, data = read_operand(file)
    checked = check_record(name, data, kind, lambda: load_profile(profile) if profile is not None else None)
    printing.emit_findings(checked.findings, name=name, as_json=as_json, valid=f"{name}: {VALID[kind]}")
    return checked.exit_code


def _results(question: Question) -> Iterator[tuple[str, Checked | Failure]]:
    """Each file's result by its name, the draft record last."""
    profile = cache(lambda: load_profile(question.profile) if question.profile is not None else None)
    for file in question.files:
        yield file, _one(file, question.kind, question, profile)
    if question.record is not None:
        yield str(question.record), _one(str(question.record), DRAFT_RECORD, question, profile)


def _one(file: str, kind: str | None, question: Question, profile: ProfileSource) -> Checked | Failure:
    try:
        name, data = read_operand(file)
        checked = check_record(name, data, kind, profile)
        more = _staleness(data, question) if checked.kind == DRAFT_RECORD else _edits(data, question)
        return replace(checked, findings=(*checked.findings, *more))
    except Failure as failure:
        return failure


def _staleness(data: bytes, question: Question) -> tuple[Finding, ...]:
    """What has moved in the repository; without --repo, in the one that stands around, if there is one."""
    record = draft_record.read(data)
    if not isinstance(record, DraftRecord):
        return ()
    try:
        repository = Repository.open(question.repo or Path())
    except RepositoryFailure:
        if question.repo is not None:
            raise
        printing.note("note: there is no repository here, so the draft record was not compared with one; name it with --repo")
        return ()
    return compare(record, repository, question.profile)


def _edits(data: bytes, question: Question) -> tuple[Finding, ...]:
    """Whether a file is still the text that the draft record beside it is about."""
    if question.record is None:
        return ()
    record = draft_record.read(read_operand(str(question.record))[1])
    return draft_record.staleness(record, Present(output=data)) if isinstance(record, DraftRecord) else ()


def _document(name: str, result: Checked | Failure) -> dict[str, object]:
    if isinstance(result, Failure):
        return {"file": name, "error": {"what": result.what, "where": result.where, "cure": result.cure}}
    return {"file": name, "kind": result.kind, "findings": [outcomes.finding(found) for found in result.findings]}
