"""How a title is written: in sentence case, and in words instead of a branch name (Describe Changes: title)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.evidence.code_spans import code_spans
from guardrails.wording.words import words

_OPENERS: Final = words(
    "a accept add added adding adds adjust all allow allows an and apply avoid be better bug bugfix build bump bumps change",
    "changed changes check chore ci clean cleanup correct create creates deduplicate delete deprecate disable do docs document",
    "don't drop enable ensure error export extend feat feature fix fixed fixes fixing for format handle hide hotfix if ignore",
    "implement import improve improved improvements improves in include increase initial introduce it keep let limit log",
    "lower make makes merge minor misc more move moved moves new no now on only optimize parse perf please prefer prevent",
    "print raise read reduce refactor refactored release remove removed removes rename replace report restore return revert",
    "reverts rewrite run set show simplify skip small some sort speed split start stop style support supports switch test",
    "tests the this track try turn tweak typo unify update updated updates upgrade use uses validate when wip with write",
)
"""Words that open a title and are nobody's name."""
_FUNCTION: Final = words(
    "a about after all an and any are as at be before but by can do does each every for from has have if in into is it its",
    "may more no not of off on only or our out over per so than that the their them then this to under until up use via was",
    "when where which while will with without you your",
)
"""Words that no name begins with, and that Title Case leaves small."""
_TYPES: Final = "feature|feat|fix|bugfix|hotfix|chore|docs|refactor|release|topic|task|dependabot|renovate|wip|dev|user|users"
_BRANCH: Final = re.compile(
    rf"(?a:(?:{_TYPES})[/_-][\w./#@-]+|[\w.#@]+(?:[/_-][\w.#@]+){{2,20}}|main|master|trunk|develop|head)", re.IGNORECASE
)
_FROM_BRANCH: Final = re.compile(r"(?:feature|feat|bugfix|hotfix|dependabot|renovate)/\S", re.IGNORECASE)
_WORD: Final = re.compile(r"(?<![\w'’/.@#-])[^\W\d_]+(?:['’][^\W\d_]+)?(?![\w'’/@#(-]|\.\w)")
_QUOTED: Final = re.compile(r"\"[^\"]*\"|“[^”]*”")


def is_branch_name(title: str) -> bool:
    """Whether a title is the name of a branch, as it is or as a forge makes a title of it."""
    return _BRANCH.fullmatch(title) is not None or _FROM_BRANCH.match(title) is not None


def begins_small(title: str) -> bool | None:
    """Whether a title begins with a small letter: True for an ordinary word, None where it may be a name so spelled."""
    opening = title.split(maxsplit=1)[0].rstrip(":,") if title.strip() else ""
    if not opening[:1].islower():
        return False
    if opening.casefold() in _OPENERS and opening.islower():
        return True
    return None if opening.isalpha() and opening.islower() else False


def is_title_case(title: str) -> bool | None:
    """Whether Every Word is written large: True where small words are too, None where all of them may be names."""
    rest = list(_words(title))[1:]
    ordinary = [word for word in rest if word[1:].islower() or len(word) == 1]
    small = [word for word in ordinary if word.casefold() in _FUNCTION]
    large = [word for word in ordinary if word.casefold() not in _FUNCTION]
    if len(large) < 3 or not all(word[0].isupper() for word in large):
        return False
    return True if any(word[0].isupper() and len(word) > 1 for word in small) else None


def _words(title: str) -> Iterator[str]:
    """The plain words of a title: nothing in back ticks or quotation marks, no acronym's part, no identifier."""
    for span in reversed(tuple(code_spans(title))):
        title = f"{title[: span.start]}`{title[span.end :]}"
    yield from _WORD.findall(_QUOTED.sub('"', title))
