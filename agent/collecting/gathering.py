"""Gathering for one run: settings, profile, git and forge evidence, records, documents, answers (Intent Changesets 11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from agent.collecting import configuration
from agent.collecting.operation import Found, find, home, operation, own
from agent.collecting.request import Gathered, Request, no_profile
from agent.collecting.unit import require_unit
from agent.errors import UsageFailure
from agent.settings import Settings
from agent.sources import answers as answering
from agent.sources import documents, inputs, verifications
from agent.sources.git import Repository
from agent.sources.history import Collected
from agent.sources.ledgers import ledger_entries
from agent.sources.records import existing_records
from guardrails import paths
from guardrails.digests import sha256
from guardrails.evidence.model import (
    Answer,
    Bundle,
    ContractResult,
    Document,
    DocumentKind,
    Evidence,
    ExistingRecord,
    Note,
    ProfileSource,
)
from guardrails.records.profile import Profile
from guardrails.resolving.envelopes.shaping import ASK, SHAPE, SHAPES
from guardrails.resolving.rules import Rules


def gather(request: Request) -> Gathered:
    """Collect all that the request names.

    Raises:
        Failure: something cannot be read or used; says what, where and what to do.
    """
    _require_one_input(request)
    found = find(request)
    repository, collected = found.repository, found.collected
    selection = collected.selection
    settings, notes = configuration.read_settings(repository, selection, request)
    if repository is None:
        configuration.require_reviewed(found.clone, request, settings, found.fetching)
    profile, profile_path = configuration.active_profile(repository, selection, settings)
    if profile is None and (request.needs_profile or request.unit or settings.profile is not None):
        raise no_profile(selection, settings)
    if profile is not None and request.unit:
        require_unit(request.unit, profile)
    reviewed = configuration.reviewed_profile(repository, selection, settings) or profile
    rules = configuration.reviewed_rules(settings, profile)
    policy = configuration.redaction_policy(repository, selection, settings, profile)
    given = _answers(request, settings)
    told, contracts, stale = _told(found, rules, request.evidence)
    profiles = tuple(filter(None, (profile, reviewed)))
    bundle = Bundle(
        selection=selection,
        repository=profile.repository if profile is not None else "",
        profile=ProfileSource(profile_path, profile.digest) if profile is not None else None,
        commits=collected.commits,
        uncommitted=collected.uncommitted,
        net=collected.net,
        referenced=collected.referenced,
        documents=told,
        contracts=contracts,
        records=_records(found, profiles),
        answers=given,
        notes=(
            *collected.notes,
            *notes,
            *stale,
            *configuration.profile_notes(profile, reviewed, profile_path),
        ),
        operation=operation(found, settings, request.unit) if request.describes else None,
    )
    return Gathered(
        repository,
        home(found),
        own(found, settings, request.environ),
        Evidence(bundle),
        profile,
        profile_path,
        rules,
        policy,
        settings,
        given,
    )


def with_answers(gathered: Gathered, more: tuple[Answer, ...]) -> Gathered:
    """The same run with what a person has just answered; a field that was answered before is answered anew."""
    again = {answer.path for answer in more}
    answers = (*(answer for answer in gathered.answers if answer.path not in again), *more)
    return replace(gathered, answers=answers, evidence=gathered.evidence.answered(answers))


def _require_one_input(request: Request) -> None:
    """Standard input can be read once.

    Raises:
        UsageFailure: several things are to be read from it.
    """
    files = (request.payload, request.answers_file, *request.evidence, request.config, request.profile, request.policy)
    if [str(name) for name in files].count(inputs.STANDARD_INPUT) > 1:
        raise UsageFailure("several inputs are to be read from standard input", where="-", cure="read all but one from files")


def _answers(request: Request, settings: Settings) -> tuple[Answer, ...]:
    """What a person answered; the shape that a flag or the settings name is an answer too, where none of them names one.

    Raises:
        UsageFailure: the flag names one shape and an answer another.
    """
    given = answering.read(request.answers, request.answers_file)
    if not request.describes:
        return given
    said = next((answer for answer in given if answer.path == SHAPE), None)
    if said is not None:
        if request.shape in SHAPES and said.value != request.shape:
            raise UsageFailure("got two different answers", where=f"--shape, {said.locator}", cure="keep one of them")
        return given
    wanted, origin = (request.shape, "option:--shape") if request.shape is not None else (settings.shape, "settings:shape")
    if wanted is None and request.asks_shape:
        wanted, origin = ASK, "terminal"
    if wanted is None:
        return given
    number = 1 + max((int(answer.id[1:]) for answer in given), default=0)
    return (*given, Answer(f"A{number}", origin, sha256(wanted.encode()), SHAPE, wanted))


def _records(found: Found, profiles: tuple[Profile, ...]) -> tuple[ExistingRecord, ...]:
    """Changeset files, and the entries of ledgers that belong to what was selected or must not be told; profiles say where."""
    if found.clone is None or not profiles:
        return ()
    records = existing_records(found.clone, profiles, found.collected)
    return (*records, *ledger_entries(found.clone, profiles, found.collected, 1 + len(records)))


def _told(
    found: Found, rules: Rules, files: tuple[str, ...]
) -> tuple[tuple[Document, ...], tuple[ContractResult, ...], tuple[Note, ...]]:
    """Documents, results of contracts for what is selected, and a note on each verification of something else."""
    told = list(found.told.documents if found.told is not None else ())
    contracts: list[ContractResult] = []
    stale: list[Note] = []
    for name in files:
        data = inputs.read(name)
        read = verifications.read(data, name, found.collected.selection, 1 + len(contracts))
        if isinstance(read, Note):
            stale.append(read)
        elif read is not None:
            contracts.extend(read)
        else:
            told.extend(documents.read(data, name, _free(told)))
    for path, data in _decisions(found.repository, found.collected, rules):
        told.extend(documents.read(data, path, _free(told)))
    return tuple(told), tuple(contracts), tuple(stale)


def _free(found: list[Document]) -> dict[str, int]:
    """The first free number of each id letter."""
    taken = Counter(document.kind for document in found)
    return {kind.value: 1 + taken[kind] for kind in DocumentKind}


def _decisions(repository: Repository | None, collected: Collected, rules: Rules) -> Iterator[tuple[str, bytes]]:
    """Decision documents that the change itself adds or edits, where the reviewed rules say that decisions lie."""
    head = collected.selection.head
    if repository is None or head is None or not rules.decisions:
        return
    changed = {change.path for commit in collected.commits for change in commit.files}
    for path in sorted(path for path in changed if any(paths.matches(pattern, path) for pattern in rules.decisions)):
        data = repository.read(head, path)
        if data is not None:
            yield path, data
