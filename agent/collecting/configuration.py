"""What a run is judged by, and from where: settings, profile, rules and policy (Intent Changesets 10, 11).

Settings that widen trust (policy, rules) come from the command line, the environment or the base revision, never from the
change under review. The profile is the active one of the change: at its head, or in the work tree for uncommitted changes; the
reviewed one before it still says where records lie that disclosure has to heed.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent.collecting.request import Request
from agent.errors import ConfigurationFailure
from agent.settings import Settings, load, says_something
from agent.sources import inputs
from agent.sources.git import Repository
from agent.sources.profiles import DEFAULT_PROFILE, first_fault, read_profile
from guardrails.evidence.model import Note, Selection, SelectionKind
from guardrails.records import profile as profiles
from guardrails.records.profile import Profile
from guardrails.redaction import policy as policies
from guardrails.redaction import terms
from guardrails.redaction.policy import Policy
from guardrails.resolving import rules as reviewed
from guardrails.resolving.rules import Rules

SETTINGS_FILES = ("evidraft.toml", "pyproject.toml")


def base_revision(selection: Selection) -> str | None:
    """The commit that was reviewed before this change: the base, or the commit that uncommitted changes stand on."""
    return selection.base if selection.kind in {SelectionKind.RANGE, SelectionKind.COMMIT} else selection.head


def read_settings(repository: Repository | None, selection: Selection, request: Request) -> tuple[Settings, tuple[Note, ...]]:
    """The settings of a run, and what is to be said of those that were not taken.

    Raises:
        ConfigurationFailure: they cannot be read or used, or are cut off from this repository.
    """
    flags = {"profile": request.profile, "policy": request.policy}
    if request.config is not None:
        return load(inputs.read(str(request.config)), str(request.config), request.environ, flags), ()
    if repository is None:
        return load(None, "", request.environ, flags), ()
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


def require_reviewed(clone: Repository | None, request: Request, settings: Settings, fetching: str) -> None:
    """See to it that nothing goes unheeded that this clone's own configuration or profile may say where it lacks the change.

    `fetching` is the command that gets the change.

    Raises:
        ConfigurationFailure: it has one, and no person named another: the commit at which it was reviewed is not here.
    """
    head = clone.head() if clone is not None else None
    if clone is None or head is None:
        return
    own = _own_settings(clone, head) if request.config is None else None
    if own is not None:
        raise _not_here(own[1], "--config", fetching)
    if settings.profile_from_person is None and clone.read(head, DEFAULT_PROFILE) is not None:
        raise _not_here(DEFAULT_PROFILE, "--profile", fetching)


def _not_here(name: str, flag: str, fetching: str) -> ConfigurationFailure:
    command = f"run: {fetching}" if fetching else "fetch the commits of the change"
    return ConfigurationFailure(
        "this clone has not got the commit at which it was reviewed",
        where=name,
        cure=f"{command}; or give it with {flag} FILE",
    )


def _own_settings(repository: Repository, revision: str) -> tuple[bytes, str] | None:
    """The file at a revision that holds settings of ours, and its name."""
    repository.look_up(revision, (*SETTINGS_FILES, DEFAULT_PROFILE))
    for name in SETTINGS_FILES:
        data = repository.read(revision, name)
        if data is not None and says_something(data, name):
            return data, name
    return None


def active_profile(repository: Repository | None, selection: Selection, settings: Settings) -> tuple[Profile | None, str]:
    """The active profile and where it stands; None and "" where there is none.

    Raises:
        ConfigurationFailure: it is not valid.
    """
    if settings.profile_from_person is not None:
        path = settings.profile_from_person
        return read_profile(inputs.read(str(path)), str(path)), str(path)
    name = settings.profile or DEFAULT_PROFILE
    uncommitted = selection.kind in {SelectionKind.STAGED, SelectionKind.WORK_TREE}
    data = None
    if repository is None:
        return None, ""
    if uncommitted and repository.top is not None:
        data = inputs.read_below(repository.top, name)
    if data is None and selection.head is not None:
        data = repository.read(selection.head, name)
    return (None, "") if data is None else (read_profile(data, name), name)


def reviewed_profile(repository: Repository | None, selection: Selection, settings: Settings) -> Profile | None:
    """The profile as it stood before the change; None where a person named another, or none was valid there."""
    base = base_revision(selection)
    if repository is None or base is None or settings.profile_from_person is not None:
        return None
    data = repository.read(base, settings.profile or DEFAULT_PROFILE)
    found = None if data is None else profiles.read(data)
    return found if isinstance(found, Profile) else None


def profile_notes(profile: Profile | None, before: Profile | None, name: str) -> Iterator[Note]:
    """What is to be said of a change that edits the profile it is judged by."""
    if profile is not None and before is not None and profile.digest != before.digest:
        yield Note("profile-in-change", name, "the change itself edits the Project Profile that it is judged by")


def reviewed_rules(settings: Settings, profile: Profile | None) -> Rules:
    """The reviewed rules. Without a profile nothing says which words of a profile they may use, and nothing uses those.

    Raises:
        ConfigurationFailure: they cannot be used.
    """
    rules = reviewed.read(settings.rules)
    findings = rules if not isinstance(rules, Rules) else reviewed.check(rules, profile) if profile is not None else ()
    if isinstance(rules, Rules) and not findings:
        return rules
    raise ConfigurationFailure(
        first_fault("the rules cannot be used", findings), where=settings.origin, cure="mend the [rules] table"
    )


def redaction_policy(
    repository: Repository | None, selection: Selection, settings: Settings, profile: Profile | None
) -> Policy:
    """The redaction policy, which takes out no word that a draft under `profile` needs.

    Raises:
        ConfigurationFailure: it is missing, not valid, or takes out such a word.
    """
    policy = policy_of(repository, selection, settings)
    if profile is not None:
        _require_names(policy, profile)
    return policy


def policy_of(repository: Repository | None, selection: Selection, settings: Settings) -> Policy:
    """The redaction policy that settings name, whatever it takes out; one that takes out nothing where they name none.

    Raises:
        ConfigurationFailure: it is missing or not valid.
    """
    if settings.policy_from_person is not None:
        name, data = str(settings.policy_from_person), inputs.read(str(settings.policy_from_person))
    elif settings.policy is not None:
        base = base_revision(selection)
        name, found = settings.policy, repository.read(base, settings.policy) if repository is not None and base else None
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
    raise ConfigurationFailure(first_fault("the redaction policy is not valid", policy), where=name, cure="mend it")


def _require_names(policy: Policy, profile: Profile) -> None:
    """A draft must name the profile's words; a policy that takes one out would leave every draft without it."""
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
