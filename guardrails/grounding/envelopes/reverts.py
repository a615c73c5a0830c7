"""A revert is told as one: it names what is taken back, says so, and does not tell it as in effect (Describe Changes)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from guardrails.drafts.sentences import sentences
from guardrails.evidence.identifiers import IdentifierKind, mentions
from guardrails.evidence.model import Commit
from guardrails.findings import Code, Finding
from guardrails.grounding.envelopes.pages import is_background, passages
from guardrails.grounding.items import content
from guardrails.records.plain_commit import read_any
from guardrails.wording.words import phrases


def _code(name: str, summary: str, cure: str) -> Code:
    return Code(name=name, summary=summary, cure=cure, section="Describe Changes: a revert")


REVERT_UNSAID = _code(
    "revert-unsaid",
    "Neither the title nor the short text of a revert says that something was taken back.",
    "Say that the earlier behaviour is restored.",
)
REVERT_UNNAMED = _code(
    "revert-unnamed",
    "The texts of a revert do not say what was reverted.",
    "Name it by its commit, its request or the words of its subject.",
)
REVERTED_IN_EFFECT = _code(
    "reverted-in-effect",
    "A sentence tells what was reverted as if it were in effect.",
    "Tell what holds now: the state before the reverted change.",
)

_LAYER: Final = re.compile(
    r"(?P<verb>revert|reapply)(?:ed|s)?(?:(?::?\s+)[\"“](?P<quoted>.+)[\"”]|(?:\([^()\n]{1,100}\))?!?:\s+(?P<typed>\S.*))",
    re.IGNORECASE,
)
_HEADER: Final = re.compile(r"[a-z]{1,20}(?:\([^()\n]{1,100}\))?!?:\s+")
"""Type and scope: they are no words of what was done."""
_BACK: Final = phrases(
    r"revert\w*|restor\w*|roll(?:s|ed|ing)?[ -]?back|rollback|back(?:s|ed)?[ -](?:out|to)|return(?:s|ed|ing)?",
    r"undo(?:es|ing|ne)?|undid|reinstat\w*|withdr[ae]w\w*|tak(?:es?|en|ing) back|(?:brings?|brought|put|goes|go|went) back",
    r"again|reset\w*",
)
_AGAIN: Final = phrases(
    r"re-?appl\w*|re-?introduc\w*|re-?add\w*|re-?land\w*|re-?enabl\w*|restor\w*|reinstat\w*|again|back|revert\w*|once more"
)
_PAST: Final = phrases(
    r"was|were|had|been|no longer|not|never|without|remov\w*|drop\w*|delet\w*|gone|before|old|former\w*|previous\w*|instead",
    r"caus\w*|broke\w*|earlier|anymore",
)
_NAMED: Final = 0.6
_TOLD: Final = 0.8
_FEWEST: Final = 2
_DEEPEST: Final = 8


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What one commit takes back: the subject that it quotes, the names of commits and requests that it gives.

    `again` says that it takes back a revert, so that the first change is in effect once more.
    """

    subject: str = field(repr=False)
    again: bool
    objects: tuple[str, ...]
    numbers: frozenset[str] = field(repr=False)


def taken_back(message: str, referenced: Mapping[str, Commit]) -> TakenBack | None:
    """What a message says that it takes back; None of any other message. `referenced` are commits by their object names."""
    said = read_any(message)
    subject, times = _innermost(message.partition("\n")[0].strip())
    if not times and not said.reverts:
        return None
    undone = [commit for name in said.reverts for oid, commit in referenced.items() if oid.startswith(name)]
    if not times and undone:
        subject, inner = _innermost(undone[0].subject)
        subject, times = subject or undone[0].subject, 1 + inner
    own = {f"#{one.number}" for one in said.citations}
    told = (message, *(commit.subject for commit in undone))
    numbers = {mention.value for text in told for mention in mentions(text) if mention.kind is IdentifierKind.NUMBER}
    is_again = bool(times) and times % 2 == 0
    return TakenBack(_HEADER.sub("", subject, count=1), is_again, said.reverts, frozenset(numbers - own))


def is_in_effect(sentence: str, undone: TakenBack) -> bool:
    """Whether a sentence tells what was taken back as if it were there.

    It is held against the subject alone: the body of what was taken back may tell the state before it, which holds again.
    """
    if undone.again or _BACK.search(sentence.casefold()) or _PAST.search(sentence.casefold()):
        return False
    wanted = content(undone.subject)
    return len(wanted) >= _FEWEST and len(wanted & content(sentence)) >= _TOLD * len(wanted)


def check(path: str, texts: Mapping[str, str], undone: Iterable[TakenBack]) -> Iterator[Finding]:
    """Hold the texts of one change object, by field, against what its commits take back; at least one thing."""
    told = tuple(undone)
    words = _AGAIN if all(one.again for one in told) else _BACK
    opening = f"{texts.get('title', '')}\n{texts.get('short_md', '')}"
    if not words.search(opening.casefold()):
        yield REVERT_UNSAID.at(
            f"{path}.title", "got no word of it in title and short text, expected one such as revert or restore"
        )
    whole = "\n".join(texts.values())
    for one in told:
        if not _names(whole, one):
            name = next(iter(one.objects), "")[:12] or one.subject[:60] or "it"
            yield REVERT_UNNAMED.at(f"{path}.short_md", f"got no name of what was reverted, expected {name}")
        yield from _in_effect(path, texts, one)


def _innermost(subject: str) -> tuple[str, int]:
    """The subject inside all layers of reverts, and how often it was taken back; reapplying is taking back twice."""
    times = 0
    while times < _DEEPEST and (layer := _LAYER.match(subject)) is not None:
        times += 2 if layer["verb"].casefold() == "reapply" else 1
        subject = (layer["quoted"] or layer["typed"]).strip()
    return (subject, times) if times else ("", 0)


def _names(text: str, undone: TakenBack) -> bool:
    named = {mention.value for mention in mentions(text)} | {word.strip("`.,;:()") for word in text.split()}
    if any(name[:7] == word[:7] for name in undone.objects for word in named) or not undone.numbers.isdisjoint(named):
        return True
    wanted = content(undone.subject)
    return not (wanted or undone.objects) or len(wanted & content(text)) >= max(1, _NAMED * len(wanted))


def _in_effect(path: str, texts: Mapping[str, str], undone: TakenBack) -> Iterator[Finding]:
    for name, text in texts.items():
        for sentence in _claims(name, text):
            if is_in_effect(sentence, undone):
                yield REVERTED_IN_EFFECT.at(f"{path}.{name}", f"got {sentence[:80]}, which was taken back")


def _claims(name: str, text: str) -> Iterator[str]:
    """The sentences that tell what holds now: not those of the background of a page."""
    if name != "detail_md":
        yield from sentences(text)
        return
    for passage in passages(text):
        if not is_background(passage.heading):
            yield from sentences(passage.text)
