"""Answers that are none: what a drafter gave instead of a reply (Intent Changesets 11.6).

Each leaves the fields that were asked open. Nothing of such an answer is used or quoted.
"""

from __future__ import annotations

from typing import Final

from guardrails.findings import Code, Severity

_AGAIN: Final = "Nothing for a person to do at first: the drafter is asked again. Where it fails again, answer the field."


def _code(name: str, summary: str, cure: str) -> Code:
    return Code(name=name, summary=summary, cure=cure, section="Intent Changesets 11.6", severity=Severity.NEEDS_INPUT)


REPLY_SHAPE: Final = _code("reply-shape", "The drafter's reply does not have the required shape.", _AGAIN)
REPLY_EMPTY: Final = _code("reply-empty", "The drafter gave no answer at all.", _AGAIN)
REPLY_CUT_OFF: Final = _code(
    "reply-cut-off",
    "The drafter's answer was cut off before its end.",
    "Describe a smaller range, or take a drafter that may write longer answers; or answer the field.",
)
REPLY_REFUSED: Final = _code(
    "reply-refused",
    "The drafter refused to answer.",
    "Answer the field, or take another drafter; the evidence is not at fault.",
)
REPLY_FILTERED: Final = _code(
    "reply-filtered",
    "The provider's content filter stopped the answer.",
    "Answer the field, or take another drafter; the evidence is not at fault.",
)
REPLY_TOOL_CALL: Final = _code("reply-tool-call", "The drafter called a tool, and none was offered.", _AGAIN)

UNUSABLE: Final = (REPLY_SHAPE, REPLY_EMPTY, REPLY_CUT_OFF, REPLY_REFUSED, REPLY_FILTERED, REPLY_TOOL_CALL)
FINAL: Final = frozenset((REPLY_REFUSED, REPLY_FILTERED))
"""What asking once more with the same evidence does not cure."""
