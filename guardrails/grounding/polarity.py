"""A sentence does not turn its evidence round: negation, direction and opposites agree (Intent Changesets 11.3).

A sentence is compared with the evidence sentences that nearly say the same words; one of them that agrees is enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.evidence.identifiers import fold
from guardrails.findings import Code, Finding
from guardrails.grounding.citable import Citable
from guardrails.grounding.directions import pairs
from guardrails.grounding.items import Item, Part, content, parts
from guardrails.grounding.statements import Statement

NEGATION_DIFFERS = Code(
    name="negation-differs",
    summary="A sentence says the words of its evidence with a negation more or less.",
    cure="Restore or remove the negation as the evidence has it.",
    section="Intent Changesets 11.3",
)
DIRECTION_DIFFERS = Code(
    name="direction-differs",
    summary="A sentence tells a change from one value to another the wrong way round.",
    cure="Write the old value first and the new one second.",
    section="Intent Changesets 11.3",
)
OPPOSITE_WORD = Code(
    name="opposite-word",
    summary="A sentence says the words of its evidence with one word turned to its opposite.",
    cure="Use the word that the evidence has.",
    section="Intent Changesets 11.3",
)

_NEGATION: Final = re.compile(
    r"(?i:(?<![\w-])(?:not|no(?!-)|never|without|cannot|neither|nor|unable|nobody|nothing|hardly|barely|scarcely|unless"
    r"|(?-i:none)|none(?= of\b)"
    r"|(?:fail|ceas)(?:s|es|ed|ing|e)? to)\b|n't\b)"
)
_SOFT_NEGATION: Final = re.compile(
    r"(?i:\b(?:prevent|avoid|stop|fail(?!(?:s|ed|ing)? to\b)|remov|drop|delet|disabl|refus"
    r"|skip|omit|exclud|ignor|lack|missing|absent|invalid"
    r"|un(?:address|resolv|fix|support|avail|chang|affect|touch))\w*"
    r"|\binstead of\b|\brather than\b|(?<!\w)non-(?=\w)|\w-less\b)"
)
"""Words that may stand for a negation: without a schema is schema-less, and what is skipped is not read."""
_OPPOSITES: Final = tuple(
    (re.compile(rf"\b(?:{one})", re.IGNORECASE), re.compile(rf"\b(?:{other})", re.IGNORECASE))
    for one, other in (
        (r"increas|rais(?:e|ing)|grow", r"decreas|reduc|lower|shrink"),
        (r"add(?:s|ed|ing)?\b|introduc", r"remov|delet|drop(?:s|ped|ping)?\b"),
        (r"enabl", r"disabl"),
        (r"allow|permit|accept", r"forbid|den(?:y|ied|ies)|block|reject|refus|prohibit"),
        (
            r"start(?:s|ed|ing)?\b|resum|continu|recover|restor|ke(?:ep|pt)\b|retain|preserv",
            r"stop|halt|paus|interrupt|cancel|abort|discard|drop(?:s|ped|ping)?\b|los(?:es?|t|ing)\b|ignor|abandon|delet|remov",
        ),
        (r"fast|quick", r"slow"),
        (r"more\b", r"less\b|fewer\b"),
        (r"longer\b", r"shorter\b"),
        (r"before\b", r"after\b"),
        (r"always\b", r"never\b"),
        (r"includ", r"exclud|omit"),
        (r"open(?:s|ed|ing)?\b", r"clos(?:e|ing)"),
        (r"show", r"hid(?:e|ing|den)"),
        (r"requir|mandatory", r"optional"),
        (r"maxim", r"minim"),
        (r"upgrad", r"downgrad"),
        (r"first\b", r"last\b"),
        (r"synchron", r"asynchron"),
        (r"public", r"private"),
    )
)
_SIDES: Final = re.compile("|".join(side.pattern for pair in _OPPOSITES for side in pair), re.IGNORECASE)
"""Any word of any of them: most sentences have none, and that is seen at once."""
_PREVENTS: Final = re.compile(r"(?i:\b(?:prevent|avoid)\w*\b|\bstop\w* \w+ing\b|\bstop\w* (?:\w+ ){1,3}from\b)")
_ENDED: Final = re.compile(
    r"(?i:\b(?:was|were|had|did|could|would|used to|left|lost|against|safe\w*|fix\w*|cure\w*|solve\w*|repair\w*|correct\w*"
    r"|protect\w*|guard\w*|handl\w*|address\w*|eliminat\w*|catch\w*|suppress\w*|tolerat\w*|surviv\w*|mitigat\w*"
    r"|work\w* around|\w{3,}ed)\b)"
)
"""Words of what was, or of what ends it."""
_ENDS: Final = re.compile(r"(?i:\b(?:fix(?:e[sd]|ing)?|prevent\w*|avoid\w*|no longer|(?:any|no) ?more|used to)\b)")
"""What a sentence with these tells is the fault that is mended: its opposite is true now."""
_HEADER: Final = re.compile(r"[a-z]{1,20}(?:\([^()\n]{1,100}\))?!?:\s+")
_OPENINGS: Final = (".title", ".short_md")
_HALF: Final = 0.5
_NEARLY: Final = 0.75
_MOSTLY: Final = 0.6
_FEW: Final = 3
_FEWEST: Final = 2


def check(told: tuple[Statement, ...], citable: Citable) -> tuple[Finding, ...]:
    """Hold the sense of every statement against the cited parts that are near to it."""
    return tuple(
        finding
        for statement in told
        if not citable.copies(statement.text, statement.evidence)
        for finding in (*_sense(statement, citable), *_opening(statement, citable), *_direction(statement, citable))
    )


def _sense(statement: Statement, citable: Citable) -> Iterator[Finding]:
    whole = fold(statement.text)
    for part in parts(whole):
        shown = citable.parts(statement.evidence, part.content, _FEWEST)
        near = [other.text for other in shown if _is_near(part, other)]
        agrees = any(_agrees(text, other) for text in (part.text, whole) for other in near)
        if near and (not agrees or _lets_happen(statement, near)):
            message = "got a negation that the evidence does not have, or not one that it has"
            yield NEGATION_DIFFERS.at(statement.where, message, evidence=statement.evidence)
        if (turned := _turned(part, shown)) is not None:
            message = f"got {turned}, and the evidence says its opposite"
            yield OPPOSITE_WORD.at(statement.where, message, evidence=statement.evidence)


def _opening(statement: Statement, citable: Citable) -> Iterator[Finding]:
    """The verb that a short text opens with is none of those opposite to the verbs that near subjects open with."""
    if not statement.where.endswith(_OPENINGS):
        return
    verb, told = _head(statement.text)
    heads = [_head(item.sentences[0]) for item in citable.cited(statement.evidence) if item.prose and item.sentences]
    near = [other for other, shown in heads if len(told & shown) >= max(_FEWEST, _HALF * min(len(told), len(shown)))]
    for pair in _OPPOSITES if _SIDES.match(verb) else ():
        for mine, theirs in (pair, pair[::-1]):
            is_verb = mine.match(verb) and not (verb.endswith("ed") and theirs.search(statement.text))
            is_turned = is_verb and not any(mine.match(other) for other in near)
            if is_turned and any(theirs.match(other) for other in near):
                yield OPPOSITE_WORD.at(
                    statement.where, f"got {verb}, and the evidence says its opposite", evidence=statement.evidence
                )


def _head(sentence: str) -> tuple[str, frozenset[str]]:
    """The word that a subject or title opens with, behind a conventional header, and the content words after it."""
    verb, _, rest = _HEADER.sub("", sentence.strip()).partition(" ")
    return verb.casefold(), content(rest)


def _turned(told: Part, shown: tuple[Part, ...]) -> str | None:
    """The word of a part whose opposite all that tell the same tale in nearly its words have, if there is one."""
    if _SIDES.search(told.text) is None:
        return None
    nearly = [other.text for other in shown if _is_near(told, other, but_one=True)]
    return _opposite(told.text, [other for other in nearly if _is_same_tale(told.text, other)])


def _is_near(told: Part, shown: Part, *, but_one: bool = False) -> bool:
    """Whether the evidence says nearly the same words; `but_one` lets one word of a short sentence differ."""
    common = len(told.content & shown.content)
    enough = len(told.content) - 1 if but_one else max(_FEW, _NEARLY * len(told.content))
    return common >= _FEWEST and common >= enough and common >= _MOSTLY * len(shown.content)


def _direction(statement: Statement, citable: Citable) -> Iterator[Finding]:
    """Old and new values go the way they go in the evidence: in its words, or in the signs of a diff."""
    items = citable.cited(statement.evidence)
    for old, new in dict.fromkeys(pairs(fold(statement.text))):
        in_words = any((new, old) in item.pairs for item in items)
        in_diff = _only_on(new, 1, items) and _only_on(old, 0, items)
        if (old == new or in_words or in_diff) and not any(_goes(old, new, item) for item in items):
            message = f"got from {old} to {new}, and the evidence goes another way"
            yield DIRECTION_DIFFERS.at(statement.where, message, evidence=statement.evidence)


def _goes(old: str, new: str, item: Item) -> bool:
    """Whether one item alone says or shows that a value goes this way, whatever others do."""
    came, went = item.changed
    is_shown = old in went and new in came and not (old in came and new in went)
    return (old, new) in item.pairs or is_shown


def _only_on(word: str, side: int, items: tuple[Item, ...]) -> bool:
    """Whether a word stands in lines that came (0) or went (1), and in none of the other side."""
    return any(word in item.changed[side] for item in items) and not any(word in item.changed[1 - side] for item in items)


def _agrees(text: str, sentence: str) -> bool:
    """Whether a text denies what a sentence denies; an opposite word makes up for a negation: what is kept is not lost."""
    return _same_negation(text, sentence) or _opposite(text, [sentence]) is not None


def _lets_happen(statement: Statement, near: list[str]) -> bool:
    """Whether it tells as done what all the evidence near to it prevents. A rationale may tell the problem as it was."""
    if statement.where == "rationale" or not all(map(_PREVENTS.search, near)):
        return False
    return not any(pattern.search(fold(statement.text)) for pattern in (_NEGATION, _SOFT_NEGATION, _ENDED))


def _is_same_tale(text: str, sentence: str) -> bool:
    """Whether both deny as often, and the sentence tells of no fault that has gone: only then opposite words contradict."""
    is_odd = [len(_NEGATION.findall(words)) % 2 for words in (text, sentence)]
    return is_odd[0] == is_odd[1] and _ENDS.search(_HEADER.sub("", sentence.strip())) is None


def _same_negation(text: str, sentence: str) -> bool:
    """Two negations are none; words that deny softly may make up for one."""

    def odd(pattern: re.Pattern[str], words: str) -> bool:
        return len(pattern.findall(words)) % 2 == 1

    is_same = odd(_NEGATION, text) == odd(_NEGATION, sentence)
    return is_same or odd(_SOFT_NEGATION, text) != odd(_SOFT_NEGATION, sentence)


def _opposite(text: str, near: list[str]) -> str | None:
    if not near or _SIDES.search(text) is None:
        return None
    for pair in _OPPOSITES:
        for mine, theirs in (pair, pair[::-1]):
            if theirs.search(text):
                continue
            said = {match[0].casefold(): match[0] for match in mine.finditer(text)}
            for word, written in said.items():
                if all(_is_opposite(word, mine, theirs, sentence) for sentence in near):
                    return written
    return None


def _is_opposite(word: str, mine: re.Pattern[str], theirs: re.Pattern[str], sentence: str) -> bool:
    """Whether a sentence has the other side's words and not this one: both sides may stand in it, each of another thing."""
    own = content(" ".join(match[0] for match in mine.finditer(sentence)))
    return theirs.search(sentence) is not None and content(word).isdisjoint(own)
