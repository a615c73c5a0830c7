"""Policy terms in text: customers, code names, hosts, people and patterns of the project (Intent Changesets 11.7).

A term is matched as words, however they are joined (`Acme Bank`, `ACME_BANK_TIMEOUT`, `acmeBankClient`, over a line end), in
any case, with hidden, wide, accented or look-alike characters; it begins and ends at the edge of an identifier part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

import ahocorasick_rs

from guardrails.findings import Code, Finding
from guardrails.patterns import compiled
from guardrails.redaction.folding import Folded, encodable, fold
from guardrails.redaction.policy import Policy

POLICY_CONFLICT = Code(
    name="policy-conflict",
    summary="The redaction policy takes out a name that drafts need, such as a release unit of the profile.",
    cure="Change the policy's entry or the profile's name: nothing is chosen silently.",
    section="evidraft",
)
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SEPARATORS: Final = re.compile(r"[\s_\-/&.]+")
_GAP: Final = re.compile(r"(?:[ \t_\-/&.\r]|\n[+\-#*>/]?){1,16}")
_HOST_START: Final = re.compile(r"[A-Za-z0-9_.\-]*")
_HOST_END: Final = re.compile(r"(?<![A-Za-z0-9_.\-])[A-Za-z0-9_.\-]*\Z")
_HOST_LENGTH: Final = 253


@dataclass(frozen=True, slots=True)
class Mention:
    """Where something that must go stands in a text: character offsets, the rule, and what counts as the same value."""

    start: int
    end: int
    rule: str
    """Also the kind of its placeholder: `term`, `host`, `person`, `pattern`, `withheld`, `secret:github-token`."""
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Term:
    """One literal: its folded words, and the rule it is reported as. `exact` keeps case, separators and length as they are."""

    rule: str
    literal: str = field(repr=False)
    exact: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The words in folded form; identifier parts count as words."""
        if self.exact:
            return (self.literal,)
        parts = _SEPARATORS.split(_CAMEL.sub(" ", fold(self.literal).text))
        return tuple(fold(part, case=True).text for part in parts if part)

    @property
    def key(self) -> str:
        """Equal for spellings of one term."""
        return " ".join(self.words)


class Lexicon:
    """All literals and patterns, ready to be looked for. Linear in the text whatever the literals are."""

    def __init__(self, terms: Iterable[Term], patterns: Iterable[str] = ()) -> None:
        """Prepare `terms`; `patterns` are RE2 expressions that `policy.read` has accepted."""
        self._has_exact = False
        self._terms: dict[str, list[tuple[Term, tuple[str, ...]]]] = {}
        for term in dict.fromkeys(terms):
            if words := term.words:
                self._terms.setdefault(words[0], []).append((term, words))
                self._has_exact |= term.exact
        self._anchors = list(self._terms)
        self._finder = ahocorasick_rs.AhoCorasick(self._anchors) if self._anchors else None
        self._patterns = [compiled(pattern) for pattern in patterns]

    def find(self, text: str) -> Iterator[Mention]:
        """Every mention in `text`, in no order; mentions may overlap."""
        if self._finder is None and not self._patterns:
            return
        text = encodable(text)
        if self._finder is not None:
            yield from self._literals(text, fold(text, case=True), exact=False)
            if self._has_exact:
                yield from self._literals(text, Folded.of([(text, 0, 1)]), exact=True)
        for pattern in self._patterns:
            for match in pattern.finditer(text):
                if match.end() > match.start():
                    yield Mention(match.start(), match.end(), "pattern", match.group())

    def _literals(self, text: str, folded: Folded, *, exact: bool) -> Iterator[Mention]:
        assert self._finder is not None  # noqa: S101 - narrowed by the caller
        for anchor, start, end in self._finder.find_matches_as_indexes(folded.text, overlapping=True):
            for term, words in self._terms[self._anchors[anchor]]:
                stop = _follow(folded.text, end, words) if term.exact is exact else None
                if stop is None:
                    continue
                raw_start, raw_end = folded.raw(start, stop)
                if term.rule == "host":
                    raw_start, raw_end = _whole_host(text, raw_start, raw_end)
                if _edge(text, raw_start) and _edge(text, raw_end):
                    yield Mention(raw_start, raw_end, term.rule, " ".join(words))


def policy_terms(policy: Policy) -> list[Term]:
    """The literals of `policy`: terms, exact terms, hosts and people."""
    return [
        *(Term("term", literal) for literal in policy.terms),
        *(Term("term", literal, exact=True) for literal in policy.exact),
        *(Term("host", literal.lstrip(".*")) for literal in policy.hosts),
        *(Term("person", literal) for literal in policy.people),
    ]


def conflicts(policy: Policy, needed: Mapping[str, str]) -> tuple[Finding, ...]:
    """Findings for names that a draft needs (`needed`: place to name) and that `policy` would take out."""
    lexicon = Lexicon(policy_terms(policy), policy.patterns)
    return tuple(
        POLICY_CONFLICT.at(where, f"got a name that a {mention.rule} of the redaction policy takes out, expected none")
        for where, name in needed.items()
        for mention in islice(lexicon.find(name), 1)
    )


def _follow(text: str, position: int, words: tuple[str, ...]) -> int | None:
    """Where the rest of `words` ends when it stands after `position`, joined directly or by separators; None otherwise."""
    for word in words[1:]:
        gap = _GAP.match(text, position)
        position = gap.end() if gap else position
        if not text.startswith(word, position):
            return None
        position += len(word)
    return position


def _edge(text: str, position: int) -> bool:
    """Whether an identifier part can begin or end at `position` of the raw text."""
    if position in {0, len(text)}:
        return True
    before, after = text[position - 1], text[position]
    if not (before.isalnum() and after.isalnum()):
        return True
    if before.isdigit() != after.isdigit():
        return True
    if after.isupper():
        return before.islower() or text[position + 1 : position + 2].islower()
    return _is_caseless(before) or _is_caseless(after)


def _is_caseless(character: str) -> bool:
    """Whether a letter is of a script that writes words without edges of ours, such as Han."""
    return character.isalpha() and character.upper() == character.lower()


def _whole_host(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen to the whole host name, at most as long as one can be, so that no subdomain is left over."""
    first, last = max(0, start - _HOST_LENGTH), end + _HOST_LENGTH
    before = _HOST_END.search(text[first:start])
    after = _HOST_START.match(text, end, last)
    return (first + before.start() if before else start), (after.end() if after else end)
