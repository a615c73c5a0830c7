"""The work behind `evidraft contract evidence prepare` and `import`: bind a test run to the files, the commit and the contract
that it is about (Change Contracts: evidence).
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from agent import store
from agent.commands.contracting import MAX_EVIDENCE, read_contract, read_document
from agent.errors import InputFailure, RepositoryFailure, UsageFailure
from agent.sources import inputs, snapshots
from agent.sources.git import Repository, work_tree
from guardrails.contracts import evidence_envelope
from guardrails.contracts.evidence_envelope import Envelope, Mode, Preparation, Runner
from guardrails.contracts.evidence_import import envelope
from guardrails.contracts.inventory import Snapshot
from guardrails.contracts.test_reports import ReportFault

_AGAIN: Final = "prepare again, run the tests, and import their report"


def prepare(project: Path, contract: str, out: Path, runner: Runner, mode: Mode) -> Preparation:
    """Write down what a test run is to be about, into a new file outside the project.

    Raises:
        InputFailure: the contract or the folder cannot be read.
        RepositoryFailure: there is no repository, or its work tree is not what HEAD says.
        UsageFailure: the new file would lie in the project.
        StoreFailure: something stands there already.
    """
    root = _root(project, mode)
    _require_free(out, root)
    agreed = read_contract(contract)
    subject = _subject(root, mode)
    told = {
        "subject": subject.digest,
        "revision": subject.commit or None,
        "contractDigest": agreed.digest,
        "preparedAt": evidence_envelope.told(datetime.now(UTC)),
        "projectRoot": str(root),
        "mode": mode,
        "runner": runner,
    }
    prepared = Preparation.model_validate(told)
    store.write_new(out.parent, out.name, evidence_envelope.write(prepared))
    return prepared


def import_(manifest: str, report: str, out: Path) -> Envelope:
    """Write what a report says of a run that was prepared, into a new file outside the project.

    Raises:
        InputFailure: the preparation or the report is refused, or the project is not what it was.
        RepositoryFailure: the work tree is not what HEAD says.
        UsageFailure: the new file would lie in the project.
        StoreFailure: something stands there already.
    """
    if manifest == report == inputs.STANDARD_INPUT:
        raise UsageFailure("got standard input twice", cure="give files")
    preparation = read_document(manifest, Preparation)
    root = Path(preparation.project_root)
    _require_free(out, root)
    subject = _subject(root, preparation.mode)
    if (subject.digest, subject.commit or None) != (preparation.subject, preparation.revision):
        raise InputFailure("the project is not what it was when this was prepared", where=manifest, cure=_AGAIN)
    now = datetime.now(UTC)
    try:
        data = inputs.read(report, MAX_EVIDENCE)
        zone = now.astimezone().tzinfo or UTC
        imported = envelope(data, preparation, subject.entries, now, zone, texts=subject.texts)
    except ReportFault as fault:
        raise InputFailure(f"this report is refused: {fault}", where=report, cure=_AGAIN) from None
    store.write_new(out.parent, out.name, evidence_envelope.write(imported))
    return imported


def _root(project: Path, mode: str) -> Path:
    """The folder that a run is about, with no link on the way: reports name files by their true places."""
    root = work_tree(Repository.open(project)) if mode == "git" else project
    return Path(os.path.realpath(root))


def _subject(root: Path, mode: str) -> Snapshot:
    """What the project is now; with git it must be what is committed, and nothing besides."""
    if mode == "directory":
        return snapshots.of_folder(root)
    repository = Repository.open(root)
    changed = repository.git.tell("status", "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=none")
    if changed:
        number = changed.count(b"\0")
        cure = "commit or remove what is not committed, or prepare with --mode directory"
        raise RepositoryFailure(f"files that are not as HEAD has them: {number}", where=str(root), cure=cure)
    return snapshots.of_commits(repository, repository.resolve("HEAD"))[0]


def _require_free(out: Path, root: Path) -> None:
    """Refuse a place that cannot be written, before the project is read, or that would change what the run is about."""
    cure = "name another place with --out"
    if not out.parent.is_dir():
        raise UsageFailure("there is no such folder", where=str(out.parent), cure=f"make it, or {cure}")
    if os.path.lexists(out):
        raise UsageFailure("something stands there already, and is left as it is", where=str(out), cure=cure)
    place = Path(os.path.realpath(out))
    if place.is_relative_to(root):
        raise UsageFailure("this lies in the project", where=str(out), cure="name a place outside of it with --out")
