"""The extractive drafter: a `Model` that selects and trims what evidence says and adds no word (Intent Changesets 11.3, 11.4).

Summary: a pull-request title that stands for all that was selected; else the one commit subject that states a result, where
every other commit is upkeep or a follow-up of it. Several results are several decisions, and choosing one would guess: null.
Rationale: at most three sentences that give a reason, out of one text. Migration: a `Migration` trailer. What it does not find
it leaves open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from agent.model.client import Prompt, Reply
from agent.model.reasons import reasons, usable
from agent.model.subjects import statement
from guardrails.drafts.reply import FieldReply, ProseReply, SentenceReply
from guardrails.drafts.sentences import word_count
from guardrails.drafts.sourced import Sentence
from guardrails.evidence.model import Bundle, Commit, DocumentKind
from guardrails.grounding.guidance import is_actionable
from guardrails.records.fields import IMPACTS
from guardrails.records.plain_commit import AnyMessage, read_any
from guardrails.wording.activity import is_activity, is_upkeep
from guardrails.wording.words import folded, stems, words

_UPKEEP_TYPES: Final = words("test tests doc docs style chore build ci deps refactor release wip")
_RANK_OF_TYPE: Final = {"feat": IMPACTS.index("minor"), "feature": IMPACTS.index("minor")}
_EVERYDAY: Final = stems("add fix remove update support use make allow improve change handle new")
_MERGES: Final = ("Merge pull request ", "Merge branch ")


@dataclass(frozen=True, slots=True)
class _Told:
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

    def leads(self, other: _Told) -> bool:
        """Whether a title stands for `other` too: two titles that stand for all there is are two decisions."""
        is_rival = other.is_title and other.brought is None
        leads = not is_rival if self.brought is None else other.id in self.brought
        return self.is_title and (other is self or leads)


class Extractive:
    """Selects and trims. Deterministic, instant, without a network; it asks nothing of the prompt but evidence and requests."""

    @property
    def name(self) -> str:
        """`extractive`."""
        return "extractive"

    async def draft(self, prompt: Prompt) -> Reply:
        """Answer each request from the evidence that it names; null where that does not carry the field."""
        bundle = prompt.evidence.bundle
        asked = {request.field: frozenset(request.sources) for request in prompt.requests}
        lead = _lead(_told(bundle, asked.get("summary", asked.get("rationale", frozenset()))))
        fields = tuple(_field(where, _pick(where, lead, bundle, sources)) for where, sources in asked.items())
        return Reply(ProseReply(fields=fields).model_dump_json())


def _field(where: str, picked: tuple[Sentence, ...]) -> FieldReply:
    said = tuple(SentenceReply(text=sentence.text, evidence=sentence.evidence) for sentence in picked)
    return FieldReply(field=where, sentences=said or None)


def _pick(where: str, lead: _Told | None, bundle: Bundle, sources: frozenset[str]) -> tuple[Sentence, ...]:
    """The sentences for one field; none for a field that no text of evidence can be."""
    pick = _PICKS.get(where.rpartition(".")[2])
    return pick(lead, bundle, sources) if pick is not None else ()


def _summary(lead: _Told | None, _bundle: Bundle, _sources: frozenset[str]) -> tuple[Sentence, ...]:
    return (Sentence(lead.statement, (lead.id,)),) if lead is not None else ()


def _rationale(lead: _Told | None, bundle: Bundle, sources: frozenset[str]) -> tuple[Sentence, ...]:
    """Reasons out of the text that leads, else out of the first that gives any.

    A title leads a whole request, so the commit of it that shares words with the title may give its reason. Where one commit
    leads, the reasons of the others are reasons of something else. Where nothing leads, the reasons of one commit among several
    are not those of the whole.
    """
    answered = next((answer.value for answer in bundle.answers if answer.path == "summary"), None)
    summary = answered if isinstance(answered, str) else ""
    texts = sorted(_told(bundle, sources), key=lambda one: lead is None or one.id != lead.id)
    if lead is not None:
        summary = summary or lead.statement
        texts = [one for one in texts if one.id == lead.id or one.message is None or lead.leads(one)]
    told = [(one, said) for one in texts if (said := reasons(one.body, summary or one.statement))]
    found = [(one.id, said) for one, said in told if lead is None or _belongs(one, said, lead)]
    if not found or (lead is None and (len(found) > 1 or len(bundle.commits) > 1)):
        return ()
    source, said = found[0]
    return tuple(Sentence(text, (source,)) for text in said)


def _belongs(one: _Told, said: tuple[str, ...], lead: _Told) -> bool:
    """Whether a reason is one of the decision: it is told by what leads or by a document, or shares telling words with it."""
    telling = stems(" ".join((one.statement, *said))) & stems(lead.statement)
    return one.id == lead.id or one.message is None or not telling <= _EVERYDAY


def _migration(_lead: _Told | None, bundle: Bundle, sources: frozenset[str]) -> tuple[Sentence, ...]:
    """The one guidance that `Migration` trailers give for the change as a whole."""
    given: dict[str, list[str]] = {}
    for commit in (commit for commit in bundle.commits if commit.id in sources):
        for value in read_any(commit.message).message.values("Migration"):
            if usable(value) and is_actionable(value):
                given.setdefault(" ".join(value.split()), []).append(commit.id)
    return tuple(Sentence(text, tuple(ids)) for text, ids in given.items()) if len(given) == 1 else ()


_PICKS: Final[dict[str, Callable[[_Told | None, Bundle, frozenset[str]], tuple[Sentence, ...]]]] = {
    "summary": _summary,
    "rationale": _rationale,
    "migration": _migration,
}


def _told(bundle: Bundle, sources: frozenset[str]) -> tuple[_Told, ...]:
    """What the named items tell: pull requests, then commits, then decisions and issues."""
    requests = [doc for doc in bundle.documents if doc.kind is DocumentKind.PULL_REQUEST]
    others = [doc for doc in bundle.documents if doc.kind is not DocumentKind.PULL_REQUEST]
    return (
        *(_Told(doc.id, _stated(doc.title), doc.body, is_title=True) for doc in requests if doc.id in sources),
        *(_commit(commit, bundle) for commit in bundle.commits if commit.id in sources),
        *(_Told(doc.id, "", doc.body) for doc in others if doc.id in sources),
    )


def _commit(commit: Commit, bundle: Bundle) -> _Told:
    said = read_any(commit.message)
    title, body = commit.subject, said.message.body
    request = said.request_title(len(commit.parents))
    if title.startswith(_MERGES):
        title, _, body = body.partition("\n")
    brought = _brought(commit, bundle) if request else frozenset[str]()
    paths = frozenset(change.path for change in commit.files)
    return _Told(commit.id, _stated(request or title), body, said, paths, is_title=bool(request), brought=brought)


def _brought(merge: Commit, bundle: Bundle) -> frozenset[str] | None:
    """The ids of the selected commits that a merge brought in; None for a commit that is no merge: it is all by itself."""
    if len(merge.parents) < 2:
        return None
    known = {commit.oid: commit for commit in bundle.commits}
    return _reached(merge.parents[1:], known) - _reached(merge.parents[:1], known)


def _reached(oids: Sequence[str], known: Mapping[str, Commit]) -> frozenset[str]:
    """The ids of the selected commits behind some object names."""
    found: dict[str, str] = {}
    waiting = list(oids)
    while waiting:
        commit = known.get(waiting.pop())
        if commit is not None and commit.oid not in found:
            found[commit.oid] = commit.id
            waiting += commit.parents
    return frozenset(found.values())


def _stated(subject: str) -> str:
    """The statement of a subject that can be a summary, else "": `quiet`, `Add 3.12` and `v2` tell a reader no result."""
    text = statement(subject)
    return text if word_count(text) > 1 and usable(text) and not text.endswith("…") and not is_activity(text) else ""


def _lead(told: Sequence[_Told]) -> _Told | None:
    """The item whose statement is the decision's: a title that stands for all the others, else the commit they follow.

    Upkeep is passed over where there is anything else. A commit that states nothing must belong to what leads: it is led by the
    title, or it changes the same paths.
    """
    changes = [one for one in told if one.is_title or one.message is not None]
    outer = [one for one in changes if not one.is_upkeep] or changes
    stating = [one for one in outer if one.statement]
    first = _first(stating)
    silent = [one for one in outer if not one.statement and not one.is_title and one.paths]
    return first if first and all(first.leads(one) or one.paths & first.paths for one in silent) else None


def _first(stating: Sequence[_Told]) -> _Told | None:
    """The one of several statements that the others say too, belong to, or follow."""
    if len({folded(one.statement) for one in stating}) <= 1:
        return next(iter(stating), None)
    titles = [one for one in stating if one.is_title]
    if titles:
        return next((title for title in titles if all(title.leads(one) for one in stating)), None)
    first = max(stating, key=_rank)
    return first if all(one is first or _follows(one, first) for one in stating) else None


def _rank(one: _Told) -> int:
    """The impact that a commit states: by its mark or trailer, else what its type usually means."""
    if one.message is None:
        return 0
    if one.message.breaking or one.message.breaking_notes:
        return IMPACTS.index("major")
    stated = [IMPACTS.index(value) for value in one.message.message.values("Impact") if value in IMPACTS]
    return max(stated, default=_RANK_OF_TYPE.get(one.message.message.type, IMPACTS.index("patch")))


def _follows(one: _Told, first: _Told) -> bool:
    """Whether `one` belongs to the decision of `first`: it says the same, or has less impact and links the same changeset
    or shows two of three signs (scope, words, paths); among subjects without types, two words in common.
    """
    if folded(one.statement) == folded(first.statement):
        return True
    shared = _shared(one, first)
    if _rank(one) < _rank(first):
        signs = (_same_scope(one, first), bool(shared), bool(one.paths & first.paths))
        return sum(signs) > 1 or bool(_values(one, "Changeset") & _values(first, "Changeset"))
    return not _has_type(one) and not _has_type(first) and len(shared) > 1


def _shared(one: _Told, other: _Told) -> frozenset[str]:
    """The telling words that two statements have in common."""
    return (stems(one.statement) & stems(other.statement)) - _EVERYDAY


def _values(one: _Told, name: str) -> frozenset[str]:
    return frozenset(one.message.message.values(name)) if one.message is not None else frozenset()


def _same_scope(one: _Told, other: _Told) -> bool:
    scopes = [told.message.message.scope if told.message is not None else None for told in (one, other)]
    return scopes[0] is not None and scopes[0] == scopes[1]


def _has_type(one: _Told) -> bool:
    return one.message is not None and bool(one.message.message.type)
