"""What one shown item says, in the forms that rules look things up in (Intent Changesets 11.3, 11.4)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from guardrails.drafts.sentences import sentences
from guardrails.evidence import quantities
from guardrails.evidence.identifiers import IdentifierKind, fold, mentions
from guardrails.grounding import directions
from guardrails.wording.words import stems

_SENTENCE: Final = 1000
"""Shorter texts are sentences, which every rule reads anew."""
_SPACE: Final = re.compile(r"\s+")
_MARKS: Final = str.maketrans("`\"'*", "    ")
_SEAM: Final = re.compile(r"_|(?<=[a-z0-9])(?=[A-Z])")
_NEGATORS: Final = frozenset(
    {"not", "no", "never", "without", "nor", "neither", "cannot", "don", "doesn", "didn", "isn", "t", "s"}
)
_NO_WORD: Final = re.compile(r"\d+|(?=[a-f]*\d)[0-9a-f]{7,64}")
"""Numbers and the names of commits."""
_CODE: Final = re.compile(r"`[^`]*`")
_CLAUSE: Final = re.compile(r"[,;:()]\s|\s-\s|\b(?:and|but|so|because|which|while|when)\b")
_NUMBERED_PAGE: Final = re.compile(r"/(?P<kind>pulls?|issues|merge_requests)/(?P<number>\d{1,9})(?!\d)")


def flat(text: str) -> str:
    """`text` folded to ASCII look-alikes, each run of white space as one space."""
    return _SPACE.sub(" ", fold(text)).strip()


def as_copied(text: str) -> str:
    """`text` flat, without case and back ticks: marks of code come and go when a sentence is copied."""
    return " ".join(flat(text).casefold().replace("`", " ").split())


def content(text: str) -> frozenset[str]:
    """The stems of the content words of `text`; names of code count as the words they are made of. Linear, each word once."""
    if len(text) <= _SENTENCE:
        return _content_of_sentence(text)
    return _content(" ".join(frozenset(_SPACE.split(_SEAM.sub(" ", text)))))


@lru_cache(maxsize=1024)
def _content_of_sentence(text: str) -> frozenset[str]:
    return _content(_SEAM.sub(" ", text))


def _content(words: str) -> frozenset[str]:
    return frozenset(stem for stem in stems(words) - _NEGATORS if stem.isalpha() or not _NO_WORD.fullmatch(stem))


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence or a clause of one, with its content words."""

    text: str
    content: frozenset[str]


def parts(sentence: str) -> tuple[Part, ...]:
    """The whole sentence and its clauses; names in code say nothing about its sense."""
    plain = _CODE.sub(" ", sentence)
    return tuple(Part(text, content(text)) for text in dict.fromkeys((plain, *_CLAUSE.split(plain))))


@dataclass(frozen=True, slots=True)
class Index:
    """Parts by the stems that they have, so that near ones are found without looking at all."""

    _parts: tuple[Part, ...]
    _places: Mapping[str, tuple[int, ...]]

    @classmethod
    def of(cls, found: Iterable[Part]) -> Index:
        """Take in some parts."""
        parts_ = tuple(found)
        places: dict[str, list[int]] = {}
        for place, part in enumerate(parts_):
            for stem in part.content:
                places.setdefault(stem, []).append(place)
        return cls(parts_, {stem: tuple(found) for stem, found in places.items()})

    def sharing(self, stems_: frozenset[str], common: int) -> tuple[Part, ...]:
        """The parts that have at least `common` of these stems, in order."""
        counts = Counter(place for stem in stems_ for place in self._places.get(stem, ()))
        return tuple(self._parts[place] for place in sorted(counts) if counts[place] >= common)


def stands_in(needle: str, text: str) -> bool:
    """Whether `needle` stands in `text` as a whole word: no letter, digit or underscore runs on at either end."""
    at = text.find(needle) if needle else -1
    while at >= 0:
        end = at + len(needle)
        runs_on = (at > 0 and _joins(needle[0]) and _joins(text[at - 1])) or (
            end < len(text) and _joins(needle[-1]) and _joins(text[end])
        )
        if not runs_on:
            return True
        at = text.find(needle, at + 1)
    return False


def _joins(character: str) -> bool:
    return character.isalnum() or character == "_"


lately: Final = lru_cache(maxsize=1024)
"""Keeps what rules look up in the items that they looked into last: there is no room for that of a whole history."""


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One citable item; what a kind of items does not have is empty (`item_kinds`)."""

    id: str
    trackers: frozenset[str]
    """The prefixes that make an issue key."""

    @property
    def prose(self) -> str:
        """What people wrote."""
        return ""

    @property
    def code(self) -> str:
        """What the change holds."""
        return ""

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths that it is about."""
        return ()

    @property
    def names(self) -> tuple[str, ...]:
        """Identifiers that stand in fields of their own: a document's key and address, a commit's dates."""
        return ()

    @property
    def oid(self) -> str:
        """The object name of the commit that it belongs to."""
        return ""

    @property
    def reasons(self) -> bool:
        """Whether it can carry a reason: a message with a body, a document, a record, an answer; never a diff."""
        return False

    @property
    def described(self) -> str:
        """Words that tell what kind of thing it is: they count as said, and stand nowhere."""
        return ""

    @property
    def whole(self) -> str | None:
        """The id of the item that has this part."""
        return None

    @property
    @lately
    def raw(self) -> str:
        """All that stands in it, as written."""
        return "\n".join((self.prose, self.code, *self.paths, *self.names, self.oid))

    @property
    @lately
    def text(self) -> str:
        """All that stands in it, flat."""
        return flat(self.raw)

    @property
    @lately
    def sides(self) -> tuple[str, str, str]:
        """The lines of code that came, that went and that stayed, each flat."""
        lines = self.code.split("\n")
        came, went, stayed = (flat("\n".join(line[1:] for line in lines if line[:1] == sign)) for sign in "+- ")
        return came, went, stayed

    @property
    @lately
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Old and new value of what people wrote of it."""
        return frozenset(directions.pairs(fold(self.prose)))

    @property
    @lately
    def changed(self) -> tuple[frozenset[str], frozenset[str]]:
        """The words of lines that came, and of lines that went."""
        code = fold(self.code)
        return directions.changed(code, "+"), directions.changed(code, "-")

    @property
    @lately
    def spoken(self) -> str:
        """What people wrote, without case."""
        return self.prose.casefold()

    @property
    @lately
    def caseless(self) -> str:
        """All that stands in it, flat and without case."""
        return self.text.casefold()

    @property
    @lately
    def sentences(self) -> tuple[str, ...]:
        """What people wrote, sentence by sentence, flat."""
        return tuple(flat(sentence) for sentence in sentences(self.prose))

    @property
    @lately
    def clauses(self) -> tuple[str, ...]:
        """The same without case and back ticks: how a sentence is compared with its copy."""
        return tuple(as_copied(sentence) for sentence in self.sentences)

    @property
    @lately
    def content(self) -> frozenset[str]:
        """The stems of all its content words, and of those that describe it."""
        return content(f"{self.raw}\n{self.described}")

    @property
    @lately
    def parts(self) -> tuple[Part, ...]:
        """What people wrote, by sentences and their clauses."""
        return tuple(part for sentence in self.sentences for part in parts(sentence))

    @property
    @lately
    def values(self) -> frozenset[tuple[IdentifierKind, str]]:
        """Every identifier and quantity that it names, in normal form, also those inside code spans and quotations."""
        plain = f"{self.prose}\n{self.code}".translate(_MARKS)
        texts = ("\n".join((self.prose, *self.names)), plain)
        found = {(mention.kind, mention.value) for text in texts for mention in mentions(text, trackers=self.trackers)}
        found |= {
            (IdentifierKind.QUANTITY, value) for value in (*quantities.elided(fold(plain)), *quantities.tuples(self.code))
        }
        pages = (page for kind, value in found if kind is IdentifierKind.URL for page in _NUMBERED_PAGE.finditer(value))
        marks = {"merge_requests": "!"}
        numbers = {(IdentifierKind.NUMBER, f"{marks.get(page['kind'], '#')}{page['number']}") for page in pages}
        return frozenset(found | numbers)
