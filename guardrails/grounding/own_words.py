"""How a drafter writes: plain sentences that act on nobody, hide nothing and speak of the change (Intent Changesets 11, 12).

Only a drafter's own words are judged here; what people wrote or handed in is theirs, and so is what is copied from it, but for
words that a forge would act on.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from guardrails import markdown
from guardrails.drafts.draft import PAGE, Draft
from guardrails.drafts.register import MARKUP, PLACEHOLDER_TEXT, is_empty
from guardrails.drafts.sourced import Basis
from guardrails.evidence.code_spans import code_spans, without_code
from guardrails.evidence.identifiers import IdentifierKind, fold, mentions
from guardrails.evidence.references import place_of
from guardrails.findings import Code, Finding
from guardrails.grounding import overlap
from guardrails.grounding.citable import Citable
from guardrails.grounding.items import as_copied, content, flat, stands_in
from guardrails.grounding.statements import Statement, statements
from guardrails.markdown import BlockKind, InlineKind
from guardrails.wording.placeholders import is_placeholder
from guardrails.wording.words import phrases


def _code(name: str, summary: str, cure: str, section: str = "Intent Changesets 11") -> Code:
    return Code(name=name, summary=summary, cure=cure, section=section)


CLOSING_WORD = _code(
    "closing-word",
    "A drafter writes a word and an issue that together close the issue where a forge shows them.",
    "Name the issue without such a word; a person decides what is closed.",
    "Describe Changes: relations",
)
DRAFTING_TALK = _code(
    "drafting-talk",
    "A sentence speaks of the drafting: of the evidence, the instructions or the answer.",
    "Tell the change, not how it came to be told.",
)
LOOK_ALIKE = _code(
    "look-alike",
    "A word is written with characters that only look like its letters, or that strike it out.",
    "Write the word with the letters that the evidence has.",
    "Intent Changesets 12",
)
OTHER_SCRIPT = _code(
    "other-script",
    "A sentence is in another script than its evidence, so that nothing in it can be compared.",
    "Keep the language of the evidence, or answer the field.",
    "Intent Changesets 11.3",
)
SAID_AGAIN = _code("said-again", "A text says the same again and again.", "Say it once.", "evidraft")
SENTENCE_LENGTH = _code(
    "sentence-too-long", "A sentence is longer than anyone reads.", "Say it in several sentences.", "evidraft"
)
PLACE_OF_DRAFTER = _code(
    "place-of-drafter",
    "A drafter writes a path with lines by itself.",
    "Cite the hunk that shows it: the program writes the place beside the sentence.",
    "Describe Changes: detail_md",
)

_DRAFTED: Final = frozenset({Basis.SYNTHESIS, Basis.EVIDENCE})
_LONGEST: Final = 600
_LONGEST_WITH_CODE: Final = 3_000
_RUN: Final = 4
_OFTEN: Final = 2
_OFTEN_ON_A_PAGE: Final = 3
_FEWEST: Final = 2
_PLAIN: Final = frozenset({InlineKind.TEXT, InlineKind.CODE, InlineKind.BREAK, InlineKind.EMPHASIS, InlineKind.STRONG})
_CLOSES: Final = re.compile(
    r"(?i:(?<![\w-])(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):?\s{1,4}"
    r"(?:issues?\s|[#!])?)$"
)
_CITES: Final = frozenset({IdentifierKind.ISSUE_KEY, IdentifierKind.NUMBER, IdentifierKind.URL})
_STANDS_IN: Final = re.compile(
    r"\((?:please )?(?:see|refer to|check) [^()]{1,60}\)|(?<!\w)(?:TODO|TBD|TBA|FIXME|XXX)(?!\w)"
    r"|^[\[{<][^\[\]{}<>]{1,40}[\]}>]\.?$|\{[a-z_]{1,30}\}|^An? (?:short )?sentence\.?$"
)
"""What stands for words beside those of `is_placeholder`, within a sentence as well."""
_TALK: Final = phrases(
    r"(?:the|this|provided|given|supplied|cited|available|following) (?:\w+ )?evidence|no evidence",
    "evidence (?:does|says|shows|states)",
    r"as (?:requested|instructed)|as you asked|(?:the|this|your|my) (?:prompt|fence|json|schema|instructions?)",
    r"(?:the|this) (?:hunk|diff|commit message|commit) (?:says|shows|states|does not)",
)
_ARTICLE: Final = re.compile(r"^(?:the|this) (?=(?:prompt|fence|json|schema|instructions?|evidence)\b)")
"""A change may be about such a thing: then the evidence names it, with an article or without."""
_OPENS: Final = re.compile(
    r"(?:sure|certainly|of course|okay|ok|here (?:is|are)|once more|system|assistant|drafter|answer)\s*[,:!]"
)
_ENTITY: Final = re.compile(r"&(?:[A-Za-z]{2,8}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_LETTERS: Final = frozenset({"Lu", "Ll"})
_DISGUISED: Final = ("FULLWIDTH ", "MATHEMATICAL ", "CIRCLED ", "PARENTHESIZED ")
_STRUCK: Final = re.compile("[\u0334-\u0338\u20d2\u20d3\u20e5]")


def check(draft: Draft, citable: Citable) -> Iterator[Finding]:
    """Hold how each sentence of a drafter is written; what it says is held elsewhere."""
    own = {path: text for path, text in draft.prose.items() if text.basis in _DRAFTED}
    told = statements(own, citable)
    yield from _again(told)
    for statement in told:
        yield from _closing(statement, citable)
        yield from _blank(statement)
        if not citable.copies(statement.text, statement.evidence):
            yield from (finding for rule in _RULES for finding in rule(statement, citable))


def _again(told: tuple[Statement, ...]) -> Iterator[Finding]:
    """The same sentence on the same evidence twice in a field, or the same words over and over in one: a page may list what
    happened in several places, between semicolons, and code is not words.
    """
    for statement, times in Counter(told).items():
        words = without_code(statement.text).casefold()
        is_page = statement.where.endswith(PAGE)
        often = _OFTEN_ON_A_PAGE if is_page else _OFTEN
        if times > 1 or any(_runs(part) >= often for part in (words.split(";") if is_page else [words])):
            yield SAID_AGAIN.at(statement.where, "got the same words again and again", evidence=statement.evidence)


def _runs(text: str) -> int:
    """How often the words in a row come that come most often, code aside."""
    words = text.split()
    runs = Counter(run for run in zip(*(words[start:] for start in range(_RUN)), strict=False) if "`" not in "".join(run))
    return max(runs.values(), default=0)


def closes(text: str, trackers: frozenset[str] = frozenset()) -> bool:
    """Whether a text has a word and an issue that together close the issue where a forge shows them."""
    cited = (one.start for one in mentions(text, trackers=trackers) if one.kind in _CITES)
    return any(_CLOSES.search(text, max(0, at - 40), at) for at in cited)


def _closing(statement: Statement, citable: Citable) -> Iterator[Finding]:
    if closes(statement.text, citable.trackers):
        yield CLOSING_WORD.at(statement.where, "got a word that closes an issue", evidence=statement.evidence)


def _blank(statement: Statement) -> Iterator[Finding]:
    if is_empty(statement.text):
        yield PLACEHOLDER_TEXT.at(statement.where, "got nothing, expected words", evidence=statement.evidence)


def _length(statement: Statement, _citable: Citable) -> Iterator[Finding]:
    words = len(without_code(statement.text).replace(" ", ""))
    if words > _LONGEST or len(statement.text) > _LONGEST_WITH_CODE:
        message = f"got {len(statement.text)} characters, expected at most {_LONGEST} besides code"
        yield SENTENCE_LENGTH.at(statement.where, message, evidence=statement.evidence)


def _markup(statement: Statement, _citable: Citable) -> Iterator[Finding]:
    """A sentence is words and inline code: a program sets headings, lists and places around it."""
    found = markdown.blocks(statement.text[:_LONGEST])
    kinds = {piece.kind.value for piece in markdown.inlines(found) if piece.kind not in _PLAIN}
    kinds |= {block.kind.value for block in found if block.kind is not BlockKind.PARAGRAPH}
    kinds |= {container.kind.value for block in found for container in block.within}
    kinds |= {"entity"} if _ENTITY.search(without_code(statement.text)) else set()
    for kind in sorted(kinds):
        message = f"got markup of kind {kind}, expected words and inline code"
        yield MARKUP.at(statement.where, message, evidence=statement.evidence)


def _placeholder(statement: Statement, citable: Citable) -> Iterator[Finding]:
    said = without_code(statement.text)
    stands_for = [match[0] for match in _STANDS_IN.finditer(said.strip())]
    if is_placeholder(statement.text) or any(not _is_said(words, statement, citable) for words in stands_for):
        yield PLACEHOLDER_TEXT.at(statement.where, "got a placeholder, expected text", evidence=statement.evidence)


def _talk(statement: Statement, citable: Citable) -> Iterator[Finding]:
    said = without_code(statement.text).casefold()
    spoken = [_ARTICLE.sub("", match[0]) for match in (*_TALK.finditer(said), _OPENS.match(said)) if match is not None]
    if any(not _is_said(words, statement, citable) for words in spoken):
        yield DRAFTING_TALK.at(statement.where, "got words about the drafting", evidence=statement.evidence)


def _look_alike(statement: Statement, citable: Citable) -> Iterator[Finding]:
    if statement.text.isascii():
        return
    raw = [item.raw for item in citable.cited(statement.evidence)]
    words = [word for word in re.findall(r"[^\W\d_]+", statement.text) if not word.isascii()]
    disguised = any(_is_disguised(word) and not any(word in text for text in raw) for word in words)
    if disguised or _STRUCK.search(statement.text):
        message = "got letters that look like others, expected those of the evidence"
        yield LOOK_ALIKE.at(statement.where, message, evidence=statement.evidence)


def _is_disguised(word: str) -> bool:
    """Whether letters that look like ASCII ones stand among ASCII ones, or are variants that only style has."""
    odd = [letter for letter in word if not letter.isascii() and unicodedata.category(letter) in _LETTERS]
    styled = any(unicodedata.name(letter, "").startswith(_DISGUISED) for letter in odd)
    mixed = any(map(str.isascii, word)) and any(fold(letter).isascii() for letter in odd)
    return styled or mixed


def _script(statement: Statement, citable: Citable) -> Iterator[Finding]:
    said = content(without_code(statement.text))
    if len(said) >= _FEWEST and not overlap.comparable(said, citable.cited(statement.evidence)):
        yield OTHER_SCRIPT.at(statement.where, "got a script that the evidence does not have", evidence=statement.evidence)


def _place(statement: Statement, citable: Citable) -> Iterator[Finding]:
    cited = citable.cited(statement.evidence)
    for span in code_spans(statement.text) if "`" in statement.text else ():
        place = place_of(span.inner)
        if place is not None and place.range and not any(stands_in(flat(span.inner), item.text) for item in cited):
            message = "got a path with lines, expected the id of the hunk that shows it"
            yield PLACE_OF_DRAFTER.at(statement.where, message, evidence=statement.evidence)


def _is_said(words: str, statement: Statement, citable: Citable) -> bool:
    """Whether the evidence has such words itself: then the change is about them."""
    said = as_copied(words).strip()
    return bool(said) and any(said in as_copied(item.raw) for item in citable.cited(statement.evidence))


_RULES: Final[tuple[Callable[[Statement, Citable], Iterator[Finding]], ...]] = (
    _length,
    _markup,
    _placeholder,
    _talk,
    _look_alike,
    _script,
    _place,
)
