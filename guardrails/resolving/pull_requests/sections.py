"""What a text says under a heading or label that is called like a field of the record (Intent Pull Requests 1.0.0).

`## Rollback`, `**Risks**`, `Trade-offs: more memory is used.` tell that the words behind them are for that field; a word in
running text does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from guardrails.drafts.sentences import Block, BlockKind, blocks, sentences_of
from guardrails.wording.words import folded

_NAMES: Final = {
    "approach": r"approach|solution|implementation|design|how(?: it works| this works)?",
    "trade-offs": r"trade-?offs?|downsides?|drawbacks?|alternatives|limitations",
    "risks": r"risks?|what can go wrong|concerns",
    "rollout": r"roll-?out|deployment|deploying|release plan",
    "rollback": r"roll-?back|rolling back|back-?out|how to revert",
}
_AROUND: Final = (
    r"(?:known |possible |potential )?(?:{})(?: plan| strategy| notes?| considered| details| assessment| and mitigations?)?"
)
_HEADINGS: Final = {name: re.compile(_AROUND.format(words)) for name, words in _NAMES.items()}
_LABEL: Final = re.compile(r"\**([A-Za-z][A-Za-z -]{2,40}?)\**:\**\s+(?=\S)")
_STEMS: Final = {
    "trade-offs": ("trade-off", "tradeoff", "alternative", "downside", "drawback", "at the cost of", "instead of"),
    "risks": ("risk", "danger", "can break", "may break", "could break"),
    "rollout": ("rollout", "roll out", "rolled out", "deploy", "feature flag", "gradually"),
    "rollback": ("rollback", "roll back", "rolled back", "back out", "revert"),
}
_NOTHING: Final = re.compile(
    r"(?:there (?:is|are) )?(?:none|no|nothing|n/?a|not applicable|no (?:known )?\w+)(?: known)?[.! ]*"
)
_TOLD: Final = frozenset({BlockKind.PARAGRAPH, BlockKind.ITEM})


@dataclass(frozen=True, slots=True)
class Section:
    """What is said for a field: its sentences, none where the text says that there is nothing."""

    sentences: tuple[str, ...]


def section(text: str, name: str) -> Section | None:
    """What `text` says for the field `name`; None where no heading and no label of it is called so."""
    found = tuple(_under(text, _HEADINGS[name]))
    if not found:
        return None
    said = (sentence for block in found for sentence in sentences_of(block))
    return Section(tuple(sentence for sentence in said if not _NOTHING.fullmatch(folded(sentence))))


def mentions(text: str, name: str) -> bool:
    """Whether running text may say something for the field `name`."""
    plain = text.casefold()
    return any(stem in plain for stem in _STEMS[name])


def _under(text: str, heading: re.Pattern[str]) -> Iterator[Block]:
    """The paragraphs and items below the heading, or behind the label."""
    inside = False
    for block in blocks(text):
        if block.kind is BlockKind.HEADING or _is_bold(block):
            inside = _is_called(block.text.strip("*"), heading)
        elif block.kind in _TOLD:
            label = _LABEL.match(block.text)
            if label is not None and any(_is_called(label[1], one) for one in _HEADINGS.values()):
                inside = False
                if _is_called(label[1], heading):
                    yield Block(block.kind, block.text[label.end() :])
            elif inside:
                yield block


def _is_bold(block: Block) -> bool:
    text = block.text.rstrip(":")
    return block.kind is BlockKind.PARAGRAPH and len(text) > 4 and text.startswith("**") and text.endswith("**")


def _is_called(text: str, heading: re.Pattern[str]) -> bool:
    return heading.fullmatch(folded(text).strip(" *:?#")) is not None
