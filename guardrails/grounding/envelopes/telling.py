"""Which commits each change of an envelope tells, and which none does (Describe Changes: itemized shape).

A draft of ours says so in its coverage. Of an envelope that someone else wrote it is read: from the commits and paths that its
refs name, from object names and numbers in its texts, and from a title or short text that shares the words of a subject.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope_form import CHANGE, changes
from guardrails.evidence.identifiers import IdentifierKind, mentions
from guardrails.evidence.model import Bundle, Commit
from guardrails.evidence.references import Reference
from guardrails.findings import Code, Finding, Severity
from guardrails.grounding import coverage
from guardrails.grounding.citable import Citable
from guardrails.grounding.commonplace import COMMONPLACE
from guardrails.grounding.envelopes.reverts import taken_back
from guardrails.grounding.items import content
from guardrails.grounding.statements import Statement
from guardrails.records.plain_commit import read_any

COMMIT_UNTOLD = Code(
    name="commit-untold",
    summary="No item of the envelope seems to tell a selected commit.",
    cure="Tell it in an item, or make sure that it changes nothing worth telling.",
    section="Describe Changes: itemized shape",
    severity=Severity.WARNING,
)

ITEM_WITHOUT_COMMIT = Code(
    name="item-without-commit",
    summary="An item tells no selected commit.",
    cure="Leave the item out, or say which commits it tells.",
    section="Describe Changes: itemized shape",
)

_TEXTS: Final = ("title", "short_md", "medium_md", "detail_md")
_SHARED: Final = 0.5
_FEWEST: Final = 2
_SHORTEST: Final = 7


@dataclass(frozen=True, slots=True)
class _Heard:
    """A commit, and what it may be found by."""

    commit: Commit
    numbers: frozenset[str]
    words: frozenset[str]
    paths: frozenset[str]

    @classmethod
    def of(cls, commit: Commit) -> _Heard:
        said = read_any(commit.message)
        return cls(
            commit,
            frozenset(f"{mark}{one.number}" for one in said.citations for mark in "#!"),
            content(said.message.description) - COMMONPLACE,
            frozenset(path for file in commit.files for path in (file.path, file.old_path) if path is not None),
        )


@dataclass(frozen=True, slots=True)
class _Told:
    """A change object, and what it says of itself: names and numbers in its texts and relations, the stems of its opening.

    The commit of a reference is told where it touches the path; a reference to the head of a range may show any change of it.
    """

    path: str
    references: tuple[Reference, ...] = field(repr=False)
    names: frozenset[str] = field(repr=False)
    words: frozenset[str] = field(repr=False)

    @classmethod
    def of(cls, path: str, draft: Draft) -> _Told:
        texts, refs = texts_of(path, draft), references(path, draft)
        related = (draft.get(f"{path}.relations.{key}") for key in ("ticket", "request"))
        every = "\n".join((*texts.values(), *(one for one in related if isinstance(one, str)))).replace("`", " ")
        found = {mention.value for mention in mentions(every) if mention.kind in {IdentifierKind.SHA, IdentifierKind.NUMBER}}
        opening = content(f"{texts.get('title', '')} {texts.get('short_md', '')}") - COMMONPLACE
        return cls(path, refs, frozenset(found), opening)

    def tells(self, heard: _Heard) -> bool:
        """Whether the object seems to tell a commit, by naming it or by the words of its subject."""
        return self.calls(heard) or len(heard.words & self.words) >= max(_FEWEST, _SHARED * len(heard.words))

    def calls(self, heard: _Heard) -> bool:
        """Whether the object names a commit, its request, or a place in it."""
        if self.names & heard.numbers or any(
            heard.commit.oid.startswith(name) for name in self.names if len(name) >= _SHORTEST
        ):
            return True
        return any(one.sha and heard.commit.oid.startswith(one.sha) and one.path in heard.paths for one in self.references)

    def touches(self, heard: _Heard) -> bool:
        """Whether a reference names a path that a commit changed; weaker, for many commits may change one path."""
        return any(one.path in heard.paths for one in self.references)


def told_by(draft: Draft, bundle: Bundle) -> Mapping[str, tuple[Commit, ...]]:
    """The commits that each change object tells, by its path, in the order of the selection."""
    paths = changes(draft)
    if CHANGE in paths:
        return {CHANGE: bundle.commits}
    if draft.coverage:
        told: dict[str, list[Commit]] = {}
        for commit in bundle.commits:
            for key in dict.fromkeys(draft.coverage.get(commit.id, "").split(", ")):
                told.setdefault(key, []).append(commit)
        return {path: tuple(told.get(_key(path), ())) for path in paths}
    heard = tuple(map(_Heard.of, bundle.commits))
    return {path: _of(_Told.of(path, draft), heard) for path in paths}


def called_by(path: str, draft: Draft, bundle: Bundle) -> tuple[Commit, ...]:
    """The commits that a change object of somebody else names outright, whatever else its words sound like."""
    told = _Told.of(path, draft)
    return tuple(commit for commit in bundle.commits if told.calls(_Heard.of(commit)))


def check(draft: Draft, told: tuple[Statement, ...], citable: Citable) -> Iterator[Finding]:
    """Every commit is told or accounted for, and every item tells one. Of an envelope that is given it can only be guessed."""
    paths = changes(draft)
    if draft.coverage:
        parts = frozenset({CHANGE} if CHANGE in paths else map(_key, paths))
        yield from coverage.check_parts(draft.coverage, parts, told, citable)
        covered = {part for account in draft.coverage.values() for part in account.split(", ")}
        yield from (ITEM_WITHOUT_COMMIT.at(path, "got no commit") for path in paths if not {path, _key(path)} & covered)
    elif CHANGE not in paths:
        yield from _passed_over(draft, citable.bundle)


def _passed_over(draft: Draft, bundle: Bundle) -> Iterator[Finding]:
    """The commits that a given envelope seems to leave out; bare merges and pairs that cancel out are nothing to tell."""
    told = {commit.oid for commits in told_by(draft, bundle).values() for commit in commits}
    undone = {oid for commit in bundle.commits for oid in _undone(commit, bundle.commits)}
    for commit in bundle.commits:
        is_bare = not commit.files and commit.diff_known
        if commit.oid not in told | undone and not is_bare:
            yield COMMIT_UNTOLD.at("items", f"got no item that tells {commit.oid[:12]}", evidence=(commit.id,))


def _key(path: str) -> str:
    """The key in `items[KEY]`."""
    return path[path.find("[") + 1 : -1]


def references(path: str, draft: Draft) -> tuple[Reference, ...]:
    """The refs of the change object at `path`."""
    value = draft.values[f"{path}.refs"].value if f"{path}.refs" in draft.values else ()
    return tuple(one for one in value if isinstance(one, Reference)) if isinstance(value, tuple) else ()


def texts_of(path: str, draft: Draft) -> dict[str, str]:
    """The texts of the change object at `path`, by field."""
    return {name: draft.prose[f"{path}.{name}"].text for name in _TEXTS if f"{path}.{name}" in draft.prose}


def _of(told: _Told, heard: tuple[_Heard, ...]) -> tuple[Commit, ...]:
    own = tuple(one.commit for one in heard if told.tells(one))
    return own or tuple(one.commit for one in heard if told.touches(one))


def _undone(commit: Commit, commits: tuple[Commit, ...]) -> Iterator[str]:
    """A revert within the selection and what it takes back: both may be gone without a word."""
    undone = taken_back(commit.message, {other.oid: other for other in commits})
    pairs = [other.oid for name in (undone.objects if undone else ()) for other in commits if other.oid.startswith(name)]
    yield from (*pairs, *((commit.oid,) if pairs else ()))
