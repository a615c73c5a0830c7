"""How a title is written: in sentence case, and in words instead of a branch name (Describe Changes: title)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.evidence.code_spans import code_spans
from guardrails.wording.words import words

_OPENERS: Final = words(
    "a accept add added adding adds adjust all allow allows an and apply avoid be better bug bugfix build bump bumps cache",
    "change changed changes check chore ci clean cleanup close correct create creates deduplicate delete deprecate detect",
    "disable do docs document don't drop edit enable ensure error export expose extend feat feature fix fixed fixes fixing",
    "for format handle hide hotfix if ignore implement import improve improved improvements improves in include increase",
    "initial introduce it keep let limit load log lower make makes merge migrate minor misc more move moved moves new no",
    "now on only open optimize parse pass perf please prefer prepare prevent print publish raise read reduce refactor",
    "refactored release remove removed removes rename render replace report require restore return revert reverts rewrite",
    "run save send set show simplify skip small some sort speed split start stop store style support supports switch test",
    "tests the this track try turn tweak typo unify update updated updates upgrade use uses validate warn when wip with",
    "write",
)
"""Words that open a title and are nobody's name."""
_FUNCTION: Final = words(
    "a about after all an and any are as at be before but by can do does each every for from has have if in into is it its",
    "may more no not of off on only or our out over per so than that the their them then this to under until up use via was",
    "when where which while will with without you your",
)
"""Words that no name begins with, and that Title Case leaves small."""
_BEFORE_A_THING: Final = words("a an the all any each every its our their this these those when where")
"""Words that stand behind a verb and behind no name."""
_TYPES: Final = "feature|feat|fix|bugfix|hotfix|chore|docs|refactor|release|topic|task|dependabot|renovate|wip|dev|user|users"
_BRANCH: Final = re.compile(
    rf"(?a:(?:{_TYPES})[/_-][\w./#@-]+|[a-z0-9.#@]+(?:[/_-]+[a-z0-9.#@]+){{2,}}|main|master|trunk|develop|head)", re.IGNORECASE
)
_FROM_BRANCH: Final = re.compile(r"(?:feature|feat|bugfix|hotfix|dependabot|renovate)/\S", re.IGNORECASE)
_WORD: Final = re.compile(r"(?<![\w'’/.@#-])[^\W\d_]+(?:['’][^\W\d_]+)?(?![\w'’/@#(-]|\.\w)")
_QUOTED: Final = re.compile(r"\"[^\"]*\"|“[^“”]*”")


def is_branch_name(title: str) -> bool:
    """Whether a title is the name of a branch, as it is or as a forge makes a title of it."""
    return _BRANCH.fullmatch(title) is not None or _FROM_BRANCH.match(title) is not None


def begins_small(title: str) -> bool | None:
    """Whether a title begins with a small letter: True for an ordinary word, None where it may be a name so spelled."""
    opening, following = (*title.split(maxsplit=2), "", "")[:2]
    word = opening.rstrip(":,")
    if not word.replace("'", "").isalpha() or not word.islower():
        return False
    return True if word in _OPENERS or (word == opening and following in _BEFORE_A_THING) else None


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
