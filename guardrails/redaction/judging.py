"""One judgement for what comes in and what goes out: everything in a text that must not pass, and the text without it.

Redacting repeats until the engine finds nothing in its own output; a text that stays suspicious is replaced as a whole
(Intent Changesets 11.7).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeVar

import ahocorasick_rs

from guardrails.redaction import secrets
from guardrails.redaction.folding import encodable, fold
from guardrails.redaction.leaves import Form
from guardrails.redaction.naming import Names
from guardrails.redaction.neutralise import neutralise
from guardrails.redaction.people import People, is_bot
from guardrails.redaction.placeholders import PLACEHOLDER, Numbers, bare, rule_name
from guardrails.redaction.policy import Policy
from guardrails.redaction.secrets import SecretEngine
from guardrails.redaction.terms import Lexicon, Mention, policy_terms

_ROUNDS: Final = 3
_SHORTEST_KNOWN: Final = 8
_LONGEST_KNOWN_LINE: Final = 20
_IDENTIFYING: Final = ("-name", "-host", "-address")
"""Ends of kinds that engines find beside a secret: they go where they stand beside it, not wherever the word occurs."""
_LEAD: Final = {Form.HUNK: re.compile(r"[+\- \\]?[ \t]*")}
_INDENT: Final = re.compile(r"[ \t]*")
Judged = TypeVar("Judged")
_RANK: Final = {"withheld": 0, "secret": 1, "host": 3, "term": 3, "pattern": 3, "person": 4, "email": 5}


@dataclass(frozen=True, slots=True)
class Leaf:
    """One text and how it is written."""

    form: Form
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text that may pass, and how often each rule took something out of it."""

    text: str = field(repr=False)
    counts: Mapping[str, int]


_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})
"""What nearly every text has of counts: there are many, and most stay as they are."""


class Judge:
    """Everything that must not pass, in one place: withheld names, secrets, policy terms and people."""

    def __init__(self, policy: Policy, engine: SecretEngine, names: Names, spared: Collection[str]) -> None:
        """Prepare; `spared` are the run's own object names, which no generic secret rule takes."""
        self._engine = engine
        self._names = names
        self._spared = frozenset(spared)
        self._lexicon = Lexicon(policy_terms(policy), policy.patterns)
        self._known: dict[str, str] = {}
        self._finder: ahocorasick_rs.AhoCorasick | None = None
        self.people = None if policy.keep_people else People()
        self.numbers = Numbers()

    def fresh(self) -> Judge:
        """A judge of the same knowledge that may learn more without telling this one."""
        other = copy(self)
        other.detach()
        return other

    def detach(self) -> None:
        """Own what this judge learns."""
        self._known = dict(self._known)
        self.numbers = copy(self.numbers)
        self.people = copy(self.people)

    @property
    def known(self) -> int:
        """How many secrets it knows by now."""
        return len(self._known)

    def find(self, leaves: Sequence[Leaf]) -> list[list[Mention]]:
        """For each leaf what must go, merged, in order of place. Secrets that are found are known from then on."""
        return _each_once(self._find, leaves)

    def _find(self, leaves: Sequence[Leaf]) -> list[list[Mention]]:
        leaves = [_with(leaf, encodable(leaf.text)) for leaf in leaves]
        found = secrets.find([leaf.text for leaf in leaves], self._engine, self._spared)
        for at, leaf in enumerate(leaves):
            found[at] = _beside(found[at], _placeholders(leaf.text))
        self._remember(mention for mentions in found for mention in mentions)
        for at, leaf in enumerate(leaves):
            found[at] += self._elsewhere(leaf)
            found[at] = _merged(leaf.text, found[at])
        return found

    def clean(self, leaves: Sequence[Leaf]) -> list[Cleaned]:
        """The leaves without all that must go, neutralised; what was found anywhere is gone everywhere."""
        return _each_once(self._clean, leaves)

    def _clean(self, leaves: Sequence[Leaf]) -> list[Cleaned]:
        texts = [leaf.text for leaf in leaves]
        counts: dict[int, Counter[str]] = {}
        pending: Sequence[int] = range(len(leaves))
        if self.people is not None:
            for text in texts:
                self.people.learn_from(text)
        for _ in range(_ROUNDS):
            known = len(self._known)
            found = self._find([_with(leaves[index], texts[index]) for index in pending])
            changed = []
            for index, mentions in zip(pending, found, strict=True):
                text = neutralise(self._replaced(_with(leaves[index], texts[index]), mentions))
                if text != texts[index]:
                    counts.setdefault(index, Counter()).update(mention.rule for mention in mentions)
                    texts[index] = text
                    changed.append(index)
            if not changed:
                break
            seen_by_all = len(pending) == len(leaves) or len(self._known) == known
            pending = changed if seen_by_all else range(len(leaves))
        else:
            last = self._find([_with(leaves[index], texts[index]) for index in pending])
            for index, mentions in zip(pending, last, strict=True):
                if mentions:
                    whole = Mention(0, len(texts[index]), "withheld", "")
                    texts[index] = self._replaced(_with(leaves[index], texts[index]), [whole])
                    counts.setdefault(index, Counter())["withheld"] += 1
        return [Cleaned(text, counts.get(index, _NOTHING)) for index, text in enumerate(texts)]

    def _elsewhere(self, leaf: Leaf) -> Iterator[Mention]:
        """What must go besides secrets found by form: known secrets, withheld names, terms, people."""
        text = leaf.text
        if leaf.form is Form.PERSON and self.people is not None and not is_bot(text):
            if text.strip() and not PLACEHOLDER.fullmatch(text):
                yield Mention(0, len(text), "person", self.people.key(text))
            return
        if self._finder is not None:
            for _, start, end in self._finder.find_matches_as_indexes(text, overlapping=True):
                yield Mention(start, end, self._known[text[start:end]], text[start:end])
        yield from self._names.find(text)
        yield from self._lexicon.find(text)
        if self.people is not None:
            yield from self.people.find(text)

    def _remember(self, found: Iterable[Mention]) -> None:
        before = len(self._known)
        for mention in found:
            if mention.rule.endswith(_IDENTIFYING):
                continue
            lines = mention.value.split("\n")
            shortest = _SHORTEST_KNOWN if len(lines) == 1 else _LONGEST_KNOWN_LINE
            for line in lines:
                value = line.strip(" +-\t\r\"',;\\")
                if len(value) >= shortest and not value.startswith("-----") and not PLACEHOLDER.search(value):
                    self._known.setdefault(value, mention.rule)
        if len(self._known) > before:
            self._finder = ahocorasick_rs.AhoCorasick(list(self._known))

    def _replaced(self, leaf: Leaf, mentions: Sequence[Mention]) -> str:
        parts, done = [], 0
        for mention in mentions:
            placeholder = self.numbers.placeholder(rule_name(mention.rule), mention.value)
            if leaf.form in {Form.PATH, Form.RECORD}:
                placeholder = bare(placeholder)
            parts += [leaf.text[done : mention.start], _line_by_line(leaf, mention, placeholder)]
            done = mention.end
        return "".join((*parts, leaf.text[done:]))


def _each_once(judge: Callable[[Sequence[Leaf]], list[Judged]], leaves: Sequence[Leaf]) -> list[Judged]:
    """What `judge` gives for each leaf, each different one judged once: commits and their net change share most."""
    different = list(dict.fromkeys(leaves))
    judged = dict(zip(different, judge(different), strict=True))
    return [judged[leaf] for leaf in leaves]


def _with(leaf: Leaf, text: str) -> Leaf:
    """The leaf with this text; the very leaf where it is its own."""
    return leaf if leaf.text is text else Leaf(leaf.form, text)


def _placeholders(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in PLACEHOLDER.finditer(text)] if "[" in text or "<" in text else []


def _beside(mentions: list[Mention], places: list[tuple[int, int]]) -> list[Mention]:
    """The mentions that do not lie in a placeholder: `[secret:` reads like a name with a value."""
    if not places:
        return mentions
    starts = [start for start, _ in places]
    kept = []
    for mention in mentions:
        nearest = bisect_right(starts, mention.start) - 1
        if nearest < 0 or places[nearest][1] < mention.end or places[nearest][1] <= mention.start:
            kept.append(mention)
    return kept


def _line_by_line(leaf: Leaf, mention: Mention, placeholder: str) -> str:
    """The placeholder on each line that the mention covers: line numbers, signs and indents stay."""
    lines = leaf.text[mention.start : mention.end].split("\n")
    lead = _LEAD.get(leaf.form, _INDENT)
    shown = []
    for number, line in enumerate(lines):
        fresh = number > 0 or mention.start == 0 or leaf.text[mention.start - 1] == "\n"
        match = lead.match(line) if fresh else None
        kept = match[0] if match else ""
        shown.append(kept + (placeholder if line[len(kept) :].strip() else line[len(kept) :]))
    return "\n".join(shown)


def _merged(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Overlapping mentions become one of the gravest rule; placeholders that are there already are left alone.

    An e-mail address that holds something graver only loses that: what is left of it is no address any more.
    """
    if not mentions:
        return []
    merged = _joined(mention for mention in mentions if mention.rule != "email")
    starts = [mention.start for mention in merged]
    for mention in _joined(mention for mention in mentions if mention.rule == "email"):
        before = bisect_left(starts, mention.end) - 1
        if before < 0 or merged[before].end <= mention.start:
            merged.append(mention)
    return [
        Mention(start, end, mention.rule, _value(mention, text[start:end]))
        for mention in sorted(merged, key=lambda mention: mention.start)
        for start, end in _around_placeholders(text, mention)
    ]


def _joined(mentions: Iterable[Mention]) -> list[Mention]:
    joined: list[Mention] = []
    for mention in sorted(mentions, key=lambda mention: (mention.start, -mention.end)):
        last = joined[-1] if joined else None
        if last is None or mention.start >= last.end:
            joined.append(mention)
        else:
            first = min(last, mention, key=_gravity)
            joined[-1] = Mention(last.start, max(last.end, mention.end), first.rule, first.value)
    return joined


def _gravity(mention: Mention) -> tuple[int, bool]:
    prefix, _, _ = mention.rule.partition(":")
    return _RANK[prefix], secrets.is_generic(mention.rule)


def _value(mention: Mention, text: str) -> str:
    """What counts as the same: a secret's characters as a reader sees them; else the rule's own key."""
    return fold(text).text if mention.rule.startswith("secret:") else mention.value


def _around_placeholders(text: str, mention: Mention) -> Iterator[tuple[int, int]]:
    start = mention.start
    near = text[max(0, start - 160) : mention.end + 160]
    if "[" in near or "<" in near:
        offset = max(0, start - 160)
        for match in PLACEHOLDER.finditer(near):
            first, last = match.start() + offset, match.end() + offset
            if last <= start or first >= mention.end:
                continue
            if any(map(str.isalnum, text[start:first])):
                yield start, first
            start = last
    if start < mention.end and (start == mention.start or any(map(str.isalnum, text[start : mention.end]))):
        yield start, mention.end
