"""Leading: which of the shown items states the change that all of them make (Intent Changesets 6.4; Describe Changes: title).

A pull-request title that stands for all that was selected; else the one commit subject that states a result, where every other
commit is upkeep or a follow-up of it. Several results are several changes, and choosing one would guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from agent.model.extractive.reasons import usable
from agent.model.extractive.shown import Shown, number
from agent.model.extractive.subjects import statement
from guardrails.drafts.sentences import word_count
from guardrails.evidence.model import Commit, DocumentKind
from guardrails.records.fields import IMPACTS
from guardrails.records.plain_commit import AnyMessage, read_any
from guardrails.wording.activity import is_activity, is_upkeep
from guardrails.wording.words import folded, stems, words

EVERYDAY: Final = stems("add fix remove update support use make allow improve change handle new")
_UPKEEP_TYPES: Final = words("test tests doc docs style chore build ci deps refactor release wip")
_RANK_OF_TYPE: Final = {"feat": IMPACTS.index("minor"), "feature": IMPACTS.index("minor")}
_MERGES: Final = ("Merge pull request ", "Merge PR ", "Merge branch ")


@dataclass(frozen=True, slots=True)
class Told:
    """What one item tells: its statement ("" when it makes none), its body, and for a commit the message."""

    id: str
    statement: str = field(repr=False)
    body: str = field(repr=False)
    message: AnyMessage | None = field(default=None, repr=False)
    paths: frozenset[str] = field(default=frozenset(), repr=False)
    is_title: bool = False
    """Whether it titles a whole pull request: the request itself, or the commit that merged it."""
    brought: frozenset[str] | None = None
    """For a title: the ids of what its merge brought in; None where that is all there is."""

    @property
    def is_upkeep(self) -> bool:
        """Whether it is a commit that goes along with any change, by its type or its words."""
        if self.is_title or self.message is None:
            return False
        return self.message.message.type in _UPKEEP_TYPES or is_upkeep(self.message.message.description)

    def leads(self, other: Told) -> bool:
        """Whether a title stands for `other` too: two titles that stand for all there is are two decisions."""
        is_rival = other.is_title and other.brought is None
        leads = not is_rival if self.brought is None else other.id in self.brought
        return self.is_title and (other is self or leads)


def stated(subject: str) -> str:
    """The statement of a subject that tells a result, else "": `quiet`, `Add 3.12` and `v2` tell a reader none."""
    text = statement(subject)
    return text if word_count(text) > 1 and usable(text) and not text.endswith("…") and not is_activity(text) else ""


def told(
    shown: Shown,
    sources: Iterable[str],
    stated: Callable[[str], str] = stated,
    among: Mapping[str, Commit] | None = None,
) -> tuple[Told, ...]:
    """What the named items tell: pull requests, then commits, then decisions and issues.

    `stated` takes the statement out of a subject. What a merge brought in is looked for `among` some commits by object name, by
    default among all that were selected.
    """
    named = frozenset(sources)
    documents = [shown.documents[item] for item in sorted(named & shown.documents.keys(), key=number)]
    commits = [shown.commits[item] for item in sorted(named & shown.commits.keys(), key=number)]
    known = shown.by_oid if among is None else among
    return (
        *(
            Told(doc.id, stated(doc.title), doc.body, is_title=True)
            for doc in documents
            if doc.kind is DocumentKind.PULL_REQUEST
        ),
        *(_commit(commit, known, stated) for commit in commits),
        *(Told(doc.id, "", doc.body) for doc in documents if doc.kind is not DocumentKind.PULL_REQUEST),
    )


def _commit(commit: Commit, known: Mapping[str, Commit], stated: Callable[[str], str]) -> Told:
    said = read_any(commit.message)
    title, body = commit.subject, said.message.body
    request = said.request_title(len(commit.parents))
    if title.startswith(_MERGES) and not (request and title.endswith(request)):
        title, _, body = body.partition("\n")
    brought = _brought(commit, known) if request else frozenset[str]()
    paths = frozenset(change.path for change in commit.files)
    return Told(commit.id, stated(request or title), body, said, paths, is_title=bool(request), brought=brought)


def _brought(merge: Commit, known: Mapping[str, Commit]) -> frozenset[str] | None:
    """The ids of the known commits that a merge brought in; None for a commit that is no merge: it is all by itself."""
    if len(merge.parents) < 2:
        return None
    return _reached(merge.parents[1:], known) - _reached(merge.parents[:1], known)


def _reached(oids: Sequence[str], known: Mapping[str, Commit]) -> frozenset[str]:
    """The ids of the known commits behind some object names."""
    found: dict[str, str] = {}
    waiting = list(oids)
    while waiting:
        commit = known.get(waiting.pop())
        if commit is not None and commit.oid not in found:
            found[commit.oid] = commit.id
            waiting += commit.parents
    return frozenset(found.values())


def lead(told: Sequence[Told]) -> Told | None:
    """The item whose statement is the change's: a title that stands for all the others, else the commit they follow.

    Upkeep is passed over where there is anything else. A commit that states nothing must belong to what leads: it is led by the
    title, or it changes the same paths.
    """
    changes = [one for one in told if one.is_title or one.message is not None]
    outer = [one for one in changes if not one.is_upkeep] or changes
    stating = [one for one in outer if one.statement]
    first = _first(stating)
    silent = [one for one in outer if not one.statement and not one.is_title and one.paths]
    return first if first and all(first.leads(one) or one.paths & first.paths for one in silent) else None


def _first(stating: Sequence[Told]) -> Told | None:
    """The one of several statements that the others say too, belong to, or follow."""
    if len({folded(one.statement) for one in stating}) <= 1:
        return next(iter(stating), None)
    titles = [one for one in stating if one.is_title]
    if titles:
        return next((title for title in titles if all(title.leads(one) for one in stating)), None)
    first = max(stating, key=_rank)
    return first if all(one is first or _follows(one, first) for one in stating) else None


def _rank(one: Told) -> int:
    """The impact that a commit states: by its mark or trailer, else what its type usually means."""
    if one.message is None:
        return 0
    if one.message.breaking or one.message.breaking_notes:
        return IMPACTS.index("major")
    stated = [IMPACTS.index(value) for value in one.message.message.values("Impact") if value in IMPACTS]
    return max(stated, default=_RANK_OF_TYPE.get(one.message.message.type, IMPACTS.index("patch")))


def _follows(one: Told, first: Told) -> bool:
    """Whether `one` belongs to the change of `first`: it says the same, or has less impact and links the same changeset
    or shows two of three signs (scope, words, paths); among subjects without types, two words in common.
    """
    if folded(one.statement) == folded(first.statement):
        return True
    shared = _shared(one, first)
    if _rank(one) < _rank(first):
        signs = (_same_scope(one, first), bool(shared), bool(one.paths & first.paths))
        return sum(signs) > 1 or bool(_values(one, "Changeset") & _values(first, "Changeset"))
    return not _has_type(one) and not _has_type(first) and len(shared) > 1


def _shared(one: Told, other: Told) -> frozenset[str]:
    """The telling words that two statements have in common."""
    return (stems(one.statement) & stems(other.statement)) - EVERYDAY


def _values(one: Told, name: str) -> frozenset[str]:
    return frozenset(one.message.message.values(name)) if one.message is not None else frozenset()


def _same_scope(one: Told, other: Told) -> bool:
    scopes = [told.message.message.scope if told.message is not None else None for told in (one, other)]
    return scopes[0] is not None and scopes[0] == scopes[1]


def _has_type(one: Told) -> bool:
    return one.message is not None and bool(one.message.message.type)
