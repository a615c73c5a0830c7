"""Explaining: the sentences of messages, requests and issues that tell what users notice, why, and what stays open
(Describe Changes: medium_md, detail_md). They stand as they were written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from agent.model.extractive.deciding import belongs
from agent.model.extractive.leading import Told
from agent.model.extractive.reasons import is_doubtful, points_back, prose, reasons, usable
from agent.model.extractive.titles import Rule
from guardrails.drafts import register
from guardrails.drafts.page import Heading
from guardrails.drafts.sentences import sentences, sentences_of, word_count
from guardrails.drafts.sourced import Sentence
from guardrails.findings import Finding
from guardrails.grounding.guidance import is_actionable
from guardrails.grounding.reason import repeats
from guardrails.wording.activity import is_activity
from guardrails.wording.words import folded, phrases

_ORDER: Final = (None, *Heading)
_MOST: Final = 3
_FEWEST_WORDS: Final = 4
_PERSONAL: Final = re.compile(r"\b(?:I|I[’']m|I[’']ve|I[’']d|my|me)\b|https?://|(?<!\w)@\w|\?$")
"""What a writer says to other writers."""
_CODE: Final = re.compile(r"[a-z]\w*_\w|\w_\w*[a-z]|(?<!\w)__?\w|\w\(|::|\w\.\w+\(")
"""Names that only readers of the code know, whatever else a rule lets through."""
_LATER: Final = r"(?:(?:later|follow-?up|separate|future) (?:pr|pull request|commit|change|release|issue))"
_OPEN: Final = phrases(
    r"(?:does|do|did)(?: not|n[’']t) (?:yet )?(?:fix|address|solve|cover|handle|resolve)",
    r"(?:is|are)(?: not|n[’']t) (?:yet )?(?:fixed|addressed|solved|covered|handled)",
    r"(?:remains?|stays?|is still|are still|left) (?:open|unaddressed|unsolved|unfixed|unresolved|unsupported|missing|broken)",
    rf"left (?:for|to) (?:an? )?(?:{_LATER}|later|others?)|in an? {_LATER}|follow-?up (?:work|pr|pull request)",
    r"known (?:issue|limitation)s?|will be (?:addressed|fixed|handled|added) (?:in|by|later)",
)
_AWARE: Final = re.compile(r"(?:Note|Please note|Be aware|Beware|Caveat|Warning|Important)\b[:,]?\s")


def users_read(where: str, text: str) -> Iterator[Finding]:
    """What `register.medium` finds, and names of code that it takes for words."""
    yield from register.medium(where, text)
    if _CODE.search(text):
        yield register.MEDIUM_SYMBOL.at(where, "got a name of code, expected words that users know")


def for_users(told: Sequence[Told], lead: Told | None, *, requests_only: bool) -> tuple[Sentence, ...]:
    """At most three sentences that users can read, out of the first text that has any.

    A sentence that points back is taken only behind the one before it.
    """
    for one in _texts(told, lead):
        if requests_only and not _is_request(one):
            continue
        said = tuple(_readable(one, lead))[:_MOST]
        if said:
            return tuple(Sentence(text, (one.id,)) for text in said)
    return ()


def first_that_fits(told: Sequence[Told], rule: Rule) -> tuple[Sentence, ...]:
    """The first sentence of the first text that `rule` finds nothing wrong with."""
    for one in told:
        for text in _readable(one, None):
            if not tuple(rule("", text)):
                return (Sentence(text, (one.id,)),)
    return ()


def explained(told: Sequence[Told], lead: Told | None, *, is_revert: bool) -> tuple[Sentence, ...]:
    """The sentences of a page that no hunk carries: why, migration, what stays open; each once.

    Whatever the message of a revert says beside these is why something was taken back. A notice stands beside the reasons: what
    the change does needs a place, and a message has none.
    """
    texts = tuple(_texts(told, lead))
    found = (
        *_cued(texts, Heading.OPEN, _is_open),
        *_migration(told),
        *(_said(texts) if is_revert else _why(texts, lead)),
        *_cued(texts, Heading.WHY, _is_notice),
    )
    first: dict[str, Sentence] = {}
    for sentence in found:
        first.setdefault(folded(sentence.text), sentence)
    return tuple(sorted(first.values(), key=lambda sentence: _ORDER.index(sentence.heading)))


def _texts(told: Sequence[Told], lead: Told | None) -> Iterator[Told]:
    """The items whose texts speak of the change, requests first, then what leads."""
    ranked = sorted(told, key=lambda one: (not _is_request(one), lead is None or one.id != lead.id))
    yield from (one for one in ranked if lead is None or one.message is None or one.id == lead.id or lead.leads(one))


def _is_request(one: Told) -> bool:
    return one.is_title and one.message is None


def _readable(one: Told, lead: Told | None) -> Iterator[str]:
    """The sentences of a text that users can read and that say more than the statement."""
    summary = lead.statement if lead is not None else one.statement
    for place, (block, _) in enumerate(prose(one.body)):
        taken = place == 0 and bool(summary)
        for sentence in sentences_of(block):
            fits = (
                _is_told(sentence)
                and not _is_open(sentence)
                and not repeats(summary, sentence)
                and not tuple(users_read("", sentence))
            )
            taken = fits and (taken or not points_back(sentence))
            if taken:
                yield sentence


def _is_told(sentence: str) -> bool:
    """Whether a sentence can stand in a text at all."""
    return (
        usable(sentence)
        and word_count(sentence) >= _FEWEST_WORDS
        and sentence[-1] in ".!。！"
        and not _PERSONAL.search(sentence)
        and not is_doubtful(sentence)
        and not is_activity(sentence)
    )


def _why(texts: Sequence[Told], lead: Told | None) -> Iterator[Sentence]:
    """Reasons out of the first text that gives any of this change."""
    for one in texts:
        said = reasons(one.body, lead.statement if lead is not None else one.statement)
        if said and (lead is None or belongs(one, said, lead)):
            yield from (Sentence(text, (one.id,), Heading.WHY) for text in said)
            return


def _said(texts: Sequence[Told]) -> Iterator[Sentence]:
    """What the first text says at all."""
    for one in texts:
        said = [sentence for block, _ in prose(one.body) for sentence in sentences_of(block) if _is_told(sentence)]
        if said:
            yield from (Sentence(sentence, (one.id,), Heading.WHY) for sentence in said[:_MOST])
            return


def _migration(told: Sequence[Told]) -> Iterator[Sentence]:
    """What `BREAKING CHANGE` footers and `Migration` trailers say."""
    for one in told:
        if one.message is not None:
            guides = tuple(value for value in one.message.message.values("Migration") if is_actionable(value))
            for text in (*one.message.breaking_notes, *guides):
                yield from (
                    Sentence(sentence, (one.id,), Heading.MIGRATION) for sentence in sentences(text)[:_MOST] if usable(sentence)
                )


def _cued(texts: Sequence[Told], heading: Heading, is_cued: Callable[[str], bool]) -> Iterator[Sentence]:
    found = (
        Sentence(sentence, (one.id,), heading)
        for one in texts
        for block, _ in prose(one.body)
        for sentence in sentences_of(block)
        if is_cued(sentence) and usable(sentence) and not _PERSONAL.search(sentence)
    )
    yield from (sentence for _, sentence in zip(range(_MOST - 1), found, strict=False))


def _is_notice(sentence: str) -> bool:
    return _AWARE.match(sentence) is not None


def _is_open(sentence: str) -> bool:
    return _OPEN.search(folded(sentence)) is not None
