"""Reasons: the sentences of a message or document that say why and may stand in a draft as they are (Intent Changesets 6.5).

Passed over: doubts of the writer, lists of changes, templates, check lists, quotations, code, trailers, redacted text, and
sentences that talk to the tool. The last is hygiene only; what a draft may say is judged afterwards by rules that no sentence
can talk to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.drafts.sentences import Block, BlockKind, blocks, sentences_of
from guardrails.grounding.own_words import closes
from guardrails.grounding.reason import gives_reason, repeats
from guardrails.redaction.placeholders import PLACEHOLDER
from guardrails.wording.activity import is_activity
from guardrails.wording.placeholders import is_placeholder
from guardrails.wording.words import folded, phrases

MAX_SENTENCES: Final = 3
MAX_LENGTH: Final = 400

_WHY: Final = phrases(
    "why|motivation|reason|reasons|rationale|background|context|problem|purpose|goal|impact|justification|"
    "warum|grund|hintergrund|pourquoi|contexte|por qué|porqué|motivo|motivación|motivação|contexto"
)
_ASIDE: Final = phrases(
    r"check ?list|to ?do|test(?:s|ing|ed| plan)?|how (?:to|has|was|did|do)|screenshots?|type of change|types of changes|"
    r"what(?: has)? changed|changes|changelog|release notes?|steps|reproduc\w+|environment|versions?|logs?|"
    r"output|related|references|"
    r"links|reviewers?|review|deploy\w*|rollback|notes? for|additional|alternatives|considered|status|"
    r"out of scope|follow-?ups?"
)
_SHOWN_HIDDEN: Final = "\\u{"
"""How the redactor shows a hidden character."""
_TRAILER: Final = re.compile(
    r"(?:[A-Za-z]+(?:-[A-Za-z]+)+|fix(?:es)?|close[sd]?|resolve[sd]?|refs?|see(?: also)?|related|impact|affects|"
    r"migration|changeset|"
    r"reverts|breaking change|tested|issue|ticket|https?)\s*[:#]|this reverts commit|\(cherry picked",
    re.IGNORECASE,
)
_TO_THE_TOOL: Final = re.compile(
    r"\b(?:ignor|disregard|forget|overrid|bypass)\w* (?:all |any |every |the |these |those |this |your |"
    r"previous |prior |above |earlier )+"
    r"(?:instruction|rule|prompt|guideline|polic|guardrail)|"
    r"\b(?:set|mark|make|use|put|choose|report|declare) (?:the )?(?:release )?"
    r"(?:impact|disclosure(?: state)?|audiences?|migration|type) (?:to |as |= ?|: ?|is )?"
    r"[\"'`]?(?:none|patch|minor|major|public|embargoed|redacted|null|empty)\b|"
    r"\byou (?:are (?:now|an? (?:ai|assistant|model))|must (?:now )?(?:say|write|answer|output|reply|respond))\b|"
    r"\bas an? (?:ai|language model)\b|\b(?:dear|hey|hello|attention) (?:ai|assistant|model|bot|llm)\b|"
    r"\bsystem prompt\b|^(?:system|developer|assistant) ?:|<\|?/?(?:im_start|im_end|system|assistant|evidence|"
    r"instructions?)\b|"
    r"\b(?:output|respond|reply|answer) (?:only |exactly )?with (?:only |exactly )?(?:the (?:word|text|phrase)|"
    r"json|yes|ok)\b|"
    r"\bdo not mention (?:this|it|the)\b"
)
_DOUBT: Final = phrases(
    r"i (?:do not|don[’']t) (?:think|know|understand)|i(?: am|[’']m) not|not (?:sure|certain)|no idea|i guess|hopefully|for now"
)
"""The writer is not sure."""
_POINTS_BACK: Final = re.compile(
    r"(?:This|That|These|Those|It|They|Therefore|Thus|So|Hence|Otherwise|As a result|But|However|Yet|And)\b"
)
"""How a sentence begins that is not understood without the one before it."""


def usable(text: str) -> bool:
    """Whether a sentence may be chosen at all: whole, not redacted, no trailer, no template, not addressed to the tool,
    and closing no issue where a forge shows it.
    """
    plain = folded(text)
    return (
        len(text) <= MAX_LENGTH
        and any(character.isalpha() for character in text)
        and not plain.endswith((":", ",", "..."))
        and "<!--" not in text
        and _SHOWN_HIDDEN not in text
        and not PLACEHOLDER.search(text)
        and not _TRAILER.match(plain)
        and not _TO_THE_TOOL.search(plain)
        and not is_placeholder(text)
        and not closes(text)
    )


def reasons(body: str, summary: str) -> tuple[str, ...]:
    """At most three sentences of `body` that give a reason and say more than `summary`, in order.

    A first sentence that points back ("This led to ...") brings the sentence before it along.
    """
    chosen: list[str] = []
    for block, asked in prose(body):
        before = ""
        for sentence in sentences_of(block):
            if _is_reason(sentence, summary, asked=asked):
                if points_back(sentence) and before and before not in chosen and usable(before):
                    chosen.append(before)
                chosen.append(sentence)
            before = sentence
    return tuple(dict.fromkeys(chosen))[:MAX_SENTENCES]


def _is_reason(sentence: str, summary: str, *, asked: bool) -> bool:
    """`asked` is whether the sentence stands under a heading that asks why, where it needs no cue of its own."""
    says_why = (asked or gives_reason(sentence)) and not is_doubtful(sentence)
    return usable(sentence) and says_why and not is_activity(sentence) and not repeats(summary, sentence)


def points_back(sentence: str) -> bool:
    """Whether a sentence is not understood without the one before it."""
    return _POINTS_BACK.match(sentence) is not None


def is_doubtful(sentence: str) -> bool:
    """Whether the writer of a sentence is not sure of it."""
    return _DOUBT.search(folded(sentence)) is not None


def prose(body: str) -> Iterator[tuple[Block, bool]]:
    """The blocks that may hold a reason, and whether their heading asks why. List items count only under such a heading."""
    asked, aside = False, False
    for block in blocks(body):
        if block.kind is BlockKind.HEADING or _is_bold_heading(block):
            title = folded(block.text)
            asked = _WHY.search(title) is not None
            aside = not asked and _ASIDE.search(title) is not None
        elif not aside and (block.kind is BlockKind.PARAGRAPH or (asked and block.kind is BlockKind.ITEM)):
            yield block, asked


def _is_bold_heading(block: Block) -> bool:
    text = block.text.rstrip(":")
    return block.kind is BlockKind.PARAGRAPH and text.startswith("**") and text.endswith("**") and text.count("**") == 2
