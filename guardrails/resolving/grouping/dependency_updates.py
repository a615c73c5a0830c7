"""Dependencies brought to a version, by a bot or in its words: all of a selection are one change (Describe Changes: items).

Dependabot, Renovate, pyup and pre-commit.ci write subjects of a few forms. A commit counts where its subject has one of them
and it changes nothing but manifests, lock files and automation; one that names an advisory or says `[security]` stands alone.
Several steps of one dependency are one step, from the first old version to the last new one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from guardrails.evidence.identifiers import IdentifierKind, mentions
from guardrails.evidence.model import Commit
from guardrails.evidence.roles import Role, role
from guardrails.records.plain_commit import read_any

_NAME: Final = r"(?P<name>`?[@\w][\w@./+:-]{0,120}`?)"
_VERSION: Final = r"`?[~^>=<]{0,2}v?\d[\w.+~-]{0,60}`?"
_VERB: Final = r"(?:bump|bumps|bumped|update|updates|updated|upgrade|upgrades|upgraded|pin)"
_NOUN: Final = r"(?:dependency|dev dependency|module|package|rust crate|crate|action|image|plugin|helm release)"
_SUFFIX: Final = r"(?:action|digest|docker tag|orb|(?:version )?requirement)"
_SOME: Final = r"(?:all|github|actions|dev|non-major|minor|patch|python|npm|the|pinned)"
_AFTER: Final = r"(?: in \S+)?(?: [([].{0,80})?"
_STEPS: Final = (
    rf"{_VERB} (?:{_NOUN} )?{_NAME}(?: {_SUFFIX})? from (?P<old>{_VERSION}) to (?P<new>{_VERSION}){_AFTER}",
    rf"{_VERB} {_NOUN} {_NAME} to (?P<new>{_VERSION}){_AFTER}",
    rf"{_VERB} {_NAME} {_SUFFIX} to (?P<new>`?[\w.+-]{{1,60}}`?){_AFTER}",
)
"""One step of one dependency."""
_SEVERAL: Final = (
    rf"{_VERB} (?:the )?[\w@/.-]{{1,80}} group (?:across \d+ director(?:y|ies) )?(?:in \S+ )?with \d+ updates?\b.{{0,80}}",
    rf"(?:{_VERB} )?(?:{_SOME} ){{0,5}}dependenc(?:y|ies)(?: to latest| versions?| updates?| group)?{_AFTER}",
    r"(?:scheduled )?(?:daily|weekly|biweekly|monthly) dependenc\w{1,3} updates?.{0,80}",
    rf"(?:{_VERB} )?(?:lock ?files?(?: maintenance)?|[\w-]{{0,40}}lock(?:file)?)",
    rf"(?:pre-commit (?:autoupdate|auto-update)|{_VERB} pre-commit(?: hooks?)?)",
)
"""Many at once."""
_SCOPED: Final = (rf"{_VERB} {_NAME}(?: to (?P<new>{_VERSION}))?{_AFTER}",)
"""What is enough where the header's type or scope says `deps`."""
_SUBJECTS: Final = tuple(re.compile(pattern, re.IGNORECASE) for pattern in (*_STEPS, *_SEVERAL))
_SCOPED_SUBJECTS: Final = tuple(re.compile(pattern, re.IGNORECASE) for pattern in (*_STEPS, *_SEVERAL, *_SCOPED))
_PREFIX: Final = re.compile(r"(?:\[(?:security|pre-commit\.ci|skip ci)\]|⬆️?|:arrow_up:)\s*", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\s\([#!]\d{1,10}\)$")
_SECURITY: Final = re.compile(r"\[security\]", re.IGNORECASE)
_KEPT: Final = frozenset((Role.DEPENDENCIES, Role.GENERATED, Role.AUTOMATION))


@dataclass(frozen=True, slots=True)
class Update:
    """One dependency that was brought to a version; what nothing says is "", so is `name` for many at once."""

    name: str
    old: str
    new: str
    commits: tuple[str, ...]


def is_update(commit: Commit) -> bool:
    """Whether a commit only brings dependencies to versions."""
    is_kept = all(role(file.path) in _KEPT or role(file.path.rpartition("/")[2]) in _KEPT for file in commit.files)
    return is_kept and (bool(commit.files) or not commit.diff_known) and _step(commit) is not None and not _is_advised(commit)


def updates(commits: Iterable[Commit]) -> tuple[Update, ...]:
    """What updates brought, each dependency once, in the order in which they were first touched."""
    found: dict[str, Update] = {}
    for commit in commits:
        step = _step(commit)
        if step is None:
            continue
        earlier = found.get(step.name)
        joined = step if earlier is None else replace(earlier, new=step.new or earlier.new, old=earlier.old or step.old)
        found[step.name] = replace(joined, commits=(*(earlier.commits if earlier else ()), commit.id))
    return tuple(found.values())


def _is_advised(commit: Commit) -> bool:
    advisories = (mention for mention in mentions(commit.subject) if mention.kind is IdentifierKind.ADVISORY)
    return _SECURITY.search(commit.subject) is not None or any(advisories)


def _step(commit: Commit) -> Update | None:
    message = read_any(commit.message).message
    scopes = {message.type, *(message.scope or "").split(",")}
    is_scoped = any(scope.strip().startswith(("deps", "dependencies")) for scope in scopes)
    text = _bare(message.description)
    for pattern in _SCOPED_SUBJECTS if is_scoped else _SUBJECTS:
        if (match := pattern.fullmatch(text)) is not None:
            said = match.groupdict()
            name, old, new = ((said.get(part) or "").strip("`") for part in ("name", "old", "new"))
            return Update(name, old, new, (commit.id,))
    return None


def _bare(description: str) -> str:
    """The description without the marks of bots before it, and without the number that a forge put behind it."""
    return _NUMBER.sub("", _PREFIX.sub("", description, count=1).strip())
