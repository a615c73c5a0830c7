"""Collecting for one run: settings, profile, git evidence, records, documents and answers, sealed as Evidence.

Settings that widen trust (policy, rules) come from the command line, the environment or the base revision, never from the
change under review. The profile is the active one of the change: at its head, or in the work tree for uncommitted changes
(Intent Changesets 10, 11); the reviewed one before it still says where records lie that disclosure has to heed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from agent.errors import ConfigurationFailure
from agent.settings import Settings, load, says_something
from agent.sources import answers as answering
from agent.sources import documents, inputs
from agent.sources.git import Repository
from agent.sources.history import Collected, collect
from agent.sources.records import existing_records
from guardrails import paths
from guardrails.evidence.model import (
    Answer,
    Bundle,
    Document,
    DocumentKind,
    Evidence,
    Note,
    ProfileSource,
    Selection,
    SelectionKind,
)
from guardrails.findings import Finding
from guardrails.records import profile as profiles
from guardrails.records.profile import Profile
from guardrails.redaction import policy as policies
from guardrails.redaction import terms
from guardrails.redaction.policy import Policy
from guardrails.resolving import rules as reviewed
from guardrails.resolving.rules import Rules

DEFAULT_PROFILE = ".ack/profile.yaml"
SETTINGS_FILES = ("evidraft.toml", "pyproject.toml")


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asked for. Paths are as given; `environ` holds the variables that settings may come from.

    Where a run `needs_profile`, there must be one; else it goes without the default one, but not without one that is named.
    """

    repository: Path
    operand: str | None = None
    staged: bool = False
    work_tree: bool = False
    profile: Path | None = None
    config: Path | None = None
    policy: Path | None = None
    evidence: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    answers_file: str | None = None
    needs_profile: bool = True
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ), repr=False)

    @property
    def names_nothing(self) -> bool:
        """Whether no range, revision, index or work tree was named."""
        return self.operand is None and not self.staged and not self.work_tree


@dataclass(frozen=True, slots=True)
class Gathered:
    """Everything that a run is made of, with the raw evidence still sealed. `profile_path` is "" without a profile."""

    repository: Repository
    evidence: Evidence
    profile: Profile | None
    profile_path: str
    rules: Rules
    policy: Policy
    settings: Settings
    answers: tuple[Answer, ...]

    @property
    def active(self) -> Profile:
        """The profile of a run that needs one.

        Raises:
            ConfigurationFailure: there is none.
        """
        if self.profile is None:
            raise _no_profile(self.evidence.selection, self.settings)
        return self.profile

    @property
    def profile_digest(self) -> str | None:
        """The digest of the profile's exact bytes; None without a profile."""
        return self.profile.digest if self.profile is not None else None


def gather(request: Request) -> Gathered:
    """Collect all that the request names.

    Raises:
        Failure: something cannot be read or used; says what, where and what to do.
    """
    repository = Repository.open(request.repository)
    collected = collect(repository, request.operand, staged=request.staged, work_tree=request.work_tree)
    settings, notes = _settings(repository, collected.selection, request)
    profile, profile_path = _profile(repository, collected.selection, settings)
    if profile is None and (request.needs_profile or settings.profile is not None):
        raise _no_profile(collected.selection, settings)
    reviewed_profile = _reviewed_profile(repository, collected.selection, settings) or profile
    rules = _rules(settings, profile)
    policy = _policy(repository, collected.selection, settings)
    _require_names(policy, profile)
    given = answering.read(request.answers, request.answers_file)
    bundle = Bundle(
        selection=collected.selection,
        repository=profile.repository if profile is not None else "",
        profile=ProfileSource(profile_path, profile.digest) if profile is not None else None,
        commits=collected.commits,
        uncommitted=collected.uncommitted,
        referenced=collected.referenced,
        documents=_documents(repository, collected, rules, request.evidence),
        records=existing_records(repository, tuple(filter(None, (profile, reviewed_profile))), collected),
        answers=given,
        notes=(*collected.notes, *notes, *_profile_notes(profile, reviewed_profile, profile_path)),
    )
    return Gathered(repository, Evidence(bundle), profile, profile_path, rules, policy, settings, given)


def with_answers(gathered: Gathered, more: tuple[Answer, ...]) -> Gathered:
    """The same run with what a person has just answered; a field that was answered before is answered anew."""
    again = {answer.path for answer in more}
    answers = (*(answer for answer in gathered.answers if answer.path not in again), *more)
    return replace(gathered, answers=answers, evidence=gathered.evidence.answered(answers))


def base_revision(selection: Selection) -> str | None:
    """The commit that was reviewed before this change: the base, or the commit that uncommitted changes stand on."""
    return selection.base if selection.kind in {SelectionKind.RANGE, SelectionKind.COMMIT} else selection.head


def _settings(repository: Repository, selection: Selection, request: Request) -> tuple[Settings, tuple[Note, ...]]:
    flags = {"profile": request.profile, "policy": request.policy}
    if request.config is not None:
        return load(inputs.read(str(request.config)), str(request.config), request.environ, flags), ()
    base, head = base_revision(selection), selection.head
    if base is not None and (found := _own_settings(repository, base)):
        return load(*found, request.environ, flags), ()
    name = found[1] if head is not None and (found := _own_settings(repository, head)) else None
    if name is not None and base is None and head in repository.shallow:
        raise ConfigurationFailure(
            "the configuration that was reviewed is cut off from this shallow repository",
            where=name,
            cure=f"{repository.fetching('HEAD')}; or give it with --config FILE",
        )
    said = "stands only in the change itself, so it is not used; give it with --config"
    notes = () if name is None else (Note("configuration-not-reviewed", name, said),)
    return load(None, "", request.environ, flags), notes


def _own_settings(repository: Repository, revision: str) -> tuple[bytes, str] | None:
    """The file at a revision that holds settings of ours, and its name."""
    for name in SETTINGS_FILES:
        data = repository.read(revision, name)
        if data is not None and says_something(data, name):
            return data, name
    return None


def _profile(repository: Repository, selection: Selection, settings: Settings) -> tuple[Profile | None, str]:
    """The active profile and where it stands; None and "" where there is none."""
    if settings.profile_from_person is not None:
        path = settings.profile_from_person
        return read_profile(inputs.read(str(path)), str(path)), str(path)
    name = settings.profile or DEFAULT_PROFILE
    uncommitted = selection.kind in {SelectionKind.STAGED, SelectionKind.WORK_TREE}
    data = None
    if uncommitted and repository.top is not None:
        data = inputs.read_below(repository.top, name)
    if data is None and selection.head is not None:
        data = repository.read(selection.head, name)
    return (None, "") if data is None else (read_profile(data, name), name)


def _no_profile(selection: Selection, settings: Settings) -> ConfigurationFailure:
    return ConfigurationFailure(
        "there is no Project Profile",
        where=f"{settings.profile or DEFAULT_PROFILE} at {(selection.head or 'the unborn branch')[:12]}",
        cure="give one with --profile FILE, or make one with: evidraft profile init",
    )


def _reviewed_profile(repository: Repository, selection: Selection, settings: Settings) -> Profile | None:
    """The profile as it stood before the change; None where a person named another, or none was valid there."""
    base = base_revision(selection)
    if base is None or settings.profile_from_person is not None:
        return None
    data = repository.read(base, settings.profile or DEFAULT_PROFILE)
    found = None if data is None else profiles.read(data)
    return found if isinstance(found, Profile) else None


def _profile_notes(profile: Profile | None, before: Profile | None, name: str) -> Iterator[Note]:
    if profile is not None and before is not None and profile.digest != before.digest:
        yield Note("profile-in-change", name, "the change itself edits the Project Profile that it is judged by")


def read_profile(data: bytes, name: str) -> Profile:
    """A valid profile, or a failure that names its first fault.

    Raises:
        ConfigurationFailure: the profile is not valid.
    """
    profile = profiles.read(data)
    if isinstance(profile, Profile):
        return profile
    raise ConfigurationFailure(
        _told("the Project Profile is not valid", profile), where=name, cure=f"see: evidraft profile validate {name}"
    )


def _rules(settings: Settings, profile: Profile | None) -> Rules:
    """The reviewed rules. Without a profile nothing says which words of a profile they may use, and nothing uses those."""
    rules = reviewed.read(settings.rules)
    findings = rules if not isinstance(rules, Rules) else reviewed.check(rules, profile) if profile is not None else ()
    if isinstance(rules, Rules) and not findings:
        return rules
    raise ConfigurationFailure(
        _told("the rules cannot be used", findings), where=settings.origin, cure="mend the [rules] table"
    )


def _policy(repository: Repository, selection: Selection, settings: Settings) -> Policy:
    if settings.policy_from_person is not None:
        name, data = str(settings.policy_from_person), inputs.read(str(settings.policy_from_person))
    elif settings.policy is not None:
        base = base_revision(selection)
        name, found = settings.policy, repository.read(base, settings.policy) if base else None
        if found is None:
            raise ConfigurationFailure(
                "the redaction policy is missing at the base revision", where=name, cure="give it with --policy FILE"
            )
        data = found
    else:
        return Policy()
    policy = policies.read(data)
    if isinstance(policy, Policy):
        return policy
    raise ConfigurationFailure(_told("the redaction policy is not valid", policy), where=name, cure="mend it")


def _require_names(policy: Policy, profile: Profile | None) -> None:
    """A draft must name the profile's words; a policy that takes one out would leave every draft without it."""
    if profile is None:
        return
    findings = terms.conflicts(policy, dict(_needed(profile)))
    if findings:
        raise ConfigurationFailure(
            f"the redaction policy takes out a name of the Project Profile, which every draft needs ({len(findings)} in all)",
            where=findings[0].where,
            cure="narrow the policy, or name it otherwise in the profile",
        )


def _needed(profile: Profile) -> Iterator[tuple[str, str]]:
    yield "repository", profile.repository
    for number, (unit, declared) in enumerate(profile.release_units.items()):
        yield f"release-units[{number}]", unit
        yield from ((f"release-units[{number}].streams[{place}]", stream) for place, stream in enumerate(declared.streams))
    lists = {
        "release-types": profile.release_types,
        "release-impacts": profile.release_impacts,
        "audiences": profile.audiences,
        "disclosures": profile.disclosures,
    }
    for name, words in lists.items():
        yield from ((f"{name}[{place}]", word) for place, word in enumerate(words))


def _documents(repository: Repository, collected: Collected, rules: Rules, files: tuple[str, ...]) -> tuple[Document, ...]:
    found: list[Document] = []
    for name in files:
        found.extend(documents.read(inputs.read(name), name, _free(found)))
    for path, data in _decisions(repository, collected, rules):
        found.extend(documents.read(data, path, _free(found)))
    return tuple(found)


def _free(found: list[Document]) -> dict[str, int]:
    """The first free number of each id letter."""
    return {kind.value: 1 + sum(document.kind is kind for document in found) for kind in DocumentKind}


def _decisions(repository: Repository, collected: Collected, rules: Rules) -> Iterator[tuple[str, bytes]]:
    """Decision documents that the change itself adds or edits, where the reviewed rules say that decisions lie."""
    head = collected.selection.head
    if head is None or not rules.decisions:
        return
    changed = {change.path for commit in collected.commits for change in commit.files}
    for path in sorted(path for path in changed if any(paths.matches(pattern, path) for pattern in rules.decisions)):
        data = repository.read(head, path)
        if data is not None:
            yield path, data


def _told(what: str, findings: tuple[Finding, ...]) -> str:
    first = findings[0]
    line = f" (line {first.line})" if first.line else ""
    more = f"; and {len(findings) - 1} more" if len(findings) > 1 else ""
    return f"{what}: {first.where}{line}: {first.message}{more}"
