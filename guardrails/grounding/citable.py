"""Citable: all that was shown, and so all that a draft may name (Intent Changesets 11.3, 11.4)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from guardrails.drafts.sentences import sentences
from guardrails.evidence.identifiers import Mention
from guardrails.evidence.model import Bundle
from guardrails.grounding import item_kinds
from guardrails.grounding.item_kinds import TRAILER, Stored
from guardrails.grounding.items import Index, Item, Part, as_copied
from guardrails.grounding.shown import Shown
from guardrails.grounding.support import supported
from guardrails.records.citing import without_citations
from guardrails.records.profile import Profile
from guardrails.redaction.redact import RedactedEvidence

_EDGES: Final = " .!?…。！？"
_BEFORE: Final = re.compile(
    r"(?:breaking[ -]changes?: ?|[a-z][\w/.-]{0,60}(?:\([^()]{0,100}\))?!?: ?|\[[^\[\]]{1,60}\]:? ?|:[a-z0-9_+-]{1,40}: ?"
    r"|[a-z]{1,20}-\d{1,9}[:,-]? |#\d{1,9}:? |[^\w\s`<(]+ ?)*+"
)
"""What tools and projects put before a subject: type and scope, ticket, emoji, marks."""
_HUNK: Final = "H"
"""The letter of hunk ids."""
_MOST_INDEXES: Final = 16
_MOST_COPIES: Final = 8192
_LONGEST_PREFIX: Final = 400
_AFTER: Final = re.compile(r"[\s.!?…。！？\"')]*(?:$|[(\[;:]| - )")


@dataclass(frozen=True, slots=True)
class Citable:
    """Shown items by id, the profile's words, and which commits are selected."""

    items: Mapping[str, Item]
    selected: tuple[str, ...]
    answers: tuple[str, ...]
    profile: Profile | None
    trackers: frozenset[str]
    vocabulary: Item = field(repr=False)
    """The profile's words, as an item that every text may cite without saying so."""
    bundle: Bundle = field(repr=False, compare=False)
    _shown: Shown = field(repr=False)
    _copied: dict[tuple[str, tuple[str, ...]], bool] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What was asked before: every rule asks it of every sentence."""
    _indexes: dict[tuple[str, ...], Index] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, evidence: RedactedEvidence, profile: Profile | None, trackers: Iterable[str] = ()) -> Citable:
        """What a drafter was shown. `trackers` are the prefixes that make an issue key."""
        keys = frozenset(trackers)
        items = {item.id: item for item in item_kinds.items(evidence.bundle, keys)}
        selected = tuple(commit.id for commit in evidence.bundle.commits)
        answers = tuple(answer.id for answer in evidence.bundle.answers)
        words = _vocabulary(profile, evidence.bundle, keys)
        return cls(items, selected, answers, profile, keys, words, evidence.bundle, Shown((*items.values(), words)))

    def without(self, left_out: Collection[str]) -> Citable:
        """The same where the items of these ids were not shown: what stands in them alone is not carried."""
        if not left_out:
            return self
        return replace(self, _shown=Shown(tuple(item for item in self._shown if item.id not in left_out)))

    @property
    def repository(self) -> str:
        """The address or the path of the project, "" where nothing tells it."""
        named = self.bundle.operation.repository if self.bundle.operation else ""
        return self.profile.repository if self.profile else named and f"/{named}"

    @property
    def whole(self) -> tuple[str, ...]:
        """The ids of all that was shown, but for hunks: the changed file that they belong to holds what they hold."""
        return tuple(item_id for item_id in self.items if item_id[:1] != _HUNK)

    def has(self, item_id: str) -> bool:
        """Whether an item of this id was shown."""
        return item_id in self.items

    def cited(self, ids: Iterable[str]) -> tuple[Item, ...]:
        """The shown items among `ids`, and what every text may lean on: a person's answers and the profile's words."""
        known = dict.fromkeys((*ids, *self.answers))
        return (*(self.items[item_id] for item_id in known if item_id in self.items), self.vocabulary)

    def shown(self) -> Shown:
        """All that was shown."""
        return self._shown

    def supports(self, mention: Mention, ids: Iterable[str]) -> bool:
        """Whether what a text names stands in what it cites (a proper word: in anything that was shown)."""
        return supported(mention, self.cited(ids), self._shown, self.repository)

    def copies(self, text: str, ids: Iterable[str]) -> bool:
        """Whether every sentence of `text` is a whole sentence or clause of what people wrote in the items cited."""
        asked = text, tuple(ids)
        if asked not in self._copied:
            if len(self._copied) >= _MOST_COPIES:
                self._copied.clear()
            self._copied[asked] = self._copies(*asked)
        return self._copied[asked]

    def _copies(self, text: str, ids: tuple[str, ...]) -> bool:
        units = [unit for item in self.cited(ids) for unit in item.clauses]
        return bool(text.strip()) and all(_is_clause(as_copied(part), units) for part in sentences(text))

    def parts(self, ids: tuple[str, ...], told: frozenset[str], common: int) -> tuple[Part, ...]:
        """The sentences and clauses in the items cited that have so many content words in common with `told`, in order."""
        if ids not in self._indexes:
            if len(self._indexes) >= _MOST_INDEXES:
                self._indexes.clear()
            self._indexes[ids] = Index.of(part for item in self.cited(ids) for part in item.parts)
        return self._indexes[ids].sharing(told, common)

    def trailers(self, token: str) -> Iterator[tuple[str, str]]:
        """Item id and value of each `Token: value` line in commits and documents, in any case."""
        for item in self.items.values():
            for line in item.prose.splitlines():
                match = TRAILER.fullmatch(line.strip())
                if match and match["token"].casefold() == token.casefold():
                    yield item.id, match["value"].strip()


def _is_clause(part: str, units: list[str]) -> bool:
    part = part.strip(_EDGES)
    return not part or any(_is_clause_of(part, unit) for unit in units)


def _is_clause_of(part: str, unit: str) -> bool:
    """Only what stands before a subject, and what a mark sets off behind it, may be cut: more could turn the meaning."""
    at = unit.find(part)
    while 0 <= at <= _LONGEST_PREFIX:
        if _BEFORE.fullmatch(unit[:at]) and _only_cites(unit[at + len(part) :]):
            return True
        at = unit.find(part, at + 1)
    return False


def _only_cites(rest: str) -> bool:
    """Whether what follows is set off by a mark, or is nothing but citations: `, closes #12 (#13)`."""
    return _AFTER.match(rest) is not None or not without_citations(rest[:_LONGEST_PREFIX])


def _vocabulary(profile: Profile | None, bundle: Bundle, trackers: frozenset[str]) -> Item:
    if profile is None:
        return Stored("", trackers, named=(bundle.repository,))
    streams = (stream for unit in profile.release_units.values() for stream in unit.streams)
    words = (*profile.release_units, *streams, *profile.release_types, *profile.release_impacts, *profile.audiences)
    return Stored("", trackers, named=(profile.repository, *profile.channels, *words))
