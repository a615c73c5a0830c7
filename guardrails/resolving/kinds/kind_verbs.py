"""What the words of a subject or title say of the kind: its first verb, the upkeep that it names (Describe Changes: kind).

Only words that leave one kind decide. `Use`, `Replace`, `Rename`, `Move`, `Remove` and `Update` tell what was done to the code
and not whether anybody meets it: they say nothing. So does any verb beside a word of the code's inside ("Fix a type hint").
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import dropwhile
from typing import Final

from guardrails.resolving.kinds.kind_words import BUG_FIX, DOCS, FEATURE, IMPROVEMENT, OPS
from guardrails.wording.activity import is_activity, is_upkeep
from guardrails.wording.words import words

_NOTHING: Final[frozenset[str]] = frozenset()
_VERBS: Final = {
    BUG_FIX: words(
        "fix fixes fixed fixing correct corrects corrected correcting prevent prevents prevented preventing repair repaired",
        "bugfix hotfix unbreak",
    ),
    FEATURE: words(
        "add adds added adding introduce introduces introduced introducing support supports supported supporting implement",
        "implements implemented implementing allow allows allowed allowing new",
    ),
    IMPROVEMENT: words(
        "improve improves improved improving enhance enhances enhanced optimize optimizes optimized optimise optimises",
        "optimised make makes made",
    ),
    DOCS: words("document documents documented documenting docs documentation"),
    OPS: words("refactor refactors refactored refactoring reformat lint"),
}
_PHRASES: Final = {
    IMPROVEMENT: re.compile(
        r"(?:speed(?:s|ed)? up|sped up)\b"
        r"|(?:better|clearer|faster) (?:[\w-]{1,40} ){0,2}(?:errors?|messages?|display|output|support|help)\b"
    ),
    FEATURE: re.compile(r"(?:the )?ability (?:to|for)\b"),
    DOCS: re.compile(
        r"(?:(?:fix(?:e[sd])?|correct(?:s|ed)?|minor|small|the) ){1,3}(?:docs?|documentation|docstrings?)"
        r"(?: (?:fix(?:es)?|corrections?))?(?: (?:of|in|for|on) .{1,200})?\.?$"
        r"|(?:add|extend|expand|rewrite|update|improve)(?:s|ed|d)? .{1,100} (?:docs|documentation)(?: \(#\d+\))?$"
    ),
    BUG_FIX: re.compile(
        r"(?:resolve[sd]?|address(?:es|ed)?) (?:an? |the )?(?:issue|bug|crash|regression)s?\b"
        r"|(?:correctly|properly) (?:handle|parse|read|render|show|pass|close|escape|encode|decode|set)s?\b"
    ),
    OPS: re.compile(
        r"fix(?:e[sd])?(?: for)?(?: the| some| new)? (?:black|clippy|eslint|flake8|mypy|pylint|pyright|rubocop|ruff)\b.{0,60}"
        r"\b(?:complaints?|errors?|failures?|issues?|violations?|warnings?)\b.{0,60}$"
        r"|(?:run|ran|apply|applied) (?:black|ruff|prettier|isort|gofmt|cog)\b|.{0,200}\brefactor(?:ing)?\.?(?: \(#\d+\))?$"
        r"|(?:(?:some|minor|small|more|code) ){0,3}clean(?:-| )?ups?\.?$"
        r"|move[sd]? .{1,120} from \S{1,80}\.(?:py|js|ts|go|rs|rb|java|kt) to \S{1,80}\.(?:py|js|ts|go|rs|rb|java|kt)\b"
    ),
}
_UNSPACED: Final = {
    FEATURE: re.compile(r"(?:添加|新增|增加|支持|实现)|.{0,200}(?:追加|に対応)$"),
    BUG_FIX: re.compile(r"(?:修复|修正|解决)|.{1,200}(?:修复|を修正)$"),
    IMPROVEMENT: re.compile(r"优化|.{1,200}(?:优化|を改善)$"),
}
"""The same in scripts that write no spaces, where the verb may come last."""
_OPEN: Final = re.compile(
    r"(?:make|makes|made) (?:sure|it|them)\b|[\w-]+ (?:an? |the |some )?missing\b"
    r"|add(?:s|ed|ing)? (?!.{0,200}\b(?:support|options?|param\w*|arg\w*|flags?|commands?|fields?|settings?|kwargs?)\b)"
    r"[^`]{1,200} to \w"
)
"""Openings that leave it open what was done: made sure, put where it was missing, added to something."""
_LEADING: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r":[a-z0-9_+-]{1,40}:\s*",
        r"\[[^\[\]\n]{1,60}\]\s*:?\s*(?=\S)",
        r"#?\d{1,10}\s*[:|-]\s+",
        r"[A-Z][A-Z0-9]{1,15}-\d{1,10}\s*[:|-]?\s+",
        r"(?i:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?) (?:issue )?#\d{1,10}\s*[:.,|-]\s*",
        r"[\w./-]{1,60}(?:\([^()\n]{0,80}\))?!?:\s+",
    )
)
"""What stands before a statement: marks, places, tickets and what is closed."""
_RELEASE: Final = re.compile(
    r"(?:(?:release|released|releasing|version|prepare|bump|tag|cut|start|set|update) ){0,3}"
    r"(?:(?:for|to|the|of|a|version|release) ){0,4}v?\d+(?:\.(?:\d+|x)){1,4}[\w.+-]{0,40}(?: release)?(?: \(#\d+\))?\.?"
    r"|(?:version packages|bump(?: the)? version|prepare (?:for )?(?:the )?(?:next )?release|draft release notes)\b.{0,100}"
    r"|release notes\b.{0,100}|release(?: \w+)?|(?:update|set) (?:the )?version for (?:\w+ ){0,3}release\.?"
    r"|v?\d+ release(?: \(#\d+\))?|update (?:final|next) release\.?"
    r"|this is v?\d+(?:\.\d+)*(?:[-.]?(?:dev|pre|alpha|beta|rc)\w{0,8})?"
    r"|(?:update|set|increment)(?: the)? version\.?"
    r"|(?:bump|update|go|change)(?:s|d|ed)? (?:to|for) (?:the )?(?:dev|development|final|next) version\.?"
)
"""The steps of making a release."""
_BOTS: Final = re.compile(r"(?:pre-commit autoupdate|auto fixes from pre-commit|apply suggestions from code review)\b.{0,100}")
_TOOLS: Final = words(
    "annotation annotations black clippy coverage eslint flake8 gofmt isort lint linter linting mypy prettier",
    "pylint pyright rubocop ruff rustfmt typecheck typechecking typehints whitespace",
)
"""What checks or lays out code and changes nothing that it does."""
_TESTS: Final = words("test tests testing unittest unittests ut uts")
_WRITTEN: Final = words(
    "changelog comment comments doc docs docstring docstrings documentation newsfragment newsfragments readme",
)
_INNER: Final = _TOOLS.union(
    _TESTS,
    _WRITTEN,
    words(
        "capitalization class dependencies dependency description descriptions example examples formatting function functions",
        "generics grammar helper helpers hint hinting hints import imports method methods misspelling naming names no-cover",
        "pragma refactor spelling tuple typing types typo typos util utils variable variables wording",
    ),
)
"""What tells of the code's inside, or of what goes along with any change."""
_UNSPACED_INNER: Final = re.compile("测试|注释|文档|说明|地址|重构|格式|规范|テスト|コメント|ドキュメント")
_TELLING: Final = words("bug bugs crash crashes error errors leak regression regressions")
"""What makes even a bare "fix the bug" a cure."""
_NAMED_TEST: Final = re.compile(r"\btest_\w|\w_tests?\b")
_CLOSING: Final = re.compile(r"\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)(?: issues?)?:? #\d", re.IGNORECASE)
_CURING: Final = re.compile(
    r"fix(?:e[sd])? (?:an? |the |some )?(?:\w{1,20} ){0,2}"
    r"(?:regressions?|bugs?|crash(?:es)?|deadlocks?|leaks?|race|issues? (?:where|that|when|with))\b"
)
_SUPPORTING: Final = re.compile(r"(?:(?:add|implement)(?:s|ed|ing)? )?support(?:s|ed|ing)? for\b")
_TEXTS: Final = _WRITTEN | words("grammar misspelling misspellings spelling typo typos wording")
"""What is read and not run."""
_WORD: Final = re.compile(r"[\w-]+")


def of_statement(text: str, *, touches_product: bool) -> frozenset[str]:
    """The kinds that a statement may mean; none where it says nothing. `touches_product` tells what it is said of."""
    said = _opening(text)
    folded = said.casefold()
    if _RELEASE.fullmatch(folded) or _BOTS.fullmatch(folded):
        return frozenset((OPS,))
    if is_upkeep(said):
        return _of_upkeep(frozenset(_WORD.findall(folded)), touches_product=touches_product)
    kinds = verbs(text)
    is_plain = kinds <= {OPS} or _PHRASES[DOCS].match(folded) is not None
    return _NOTHING if touches_product and not is_plain and _is_open(said) else kinds


def verbs(text: str) -> frozenset[str]:
    """What the first words of a statement mean by themselves, whatever they are said of."""
    folded = _opening(text).casefold()
    phrases = (*_PHRASES.items(), *(() if folded.isascii() else _UNSPACED.items()))
    phrase = next((kind for kind, pattern in phrases if pattern.match(folded)), None)
    kind = phrase or next((kind for kind, known in _VERBS.items() if first_word(folded) in known), None)
    return _NOTHING if kind is None else frozenset((kind,))


def first_word(text: str) -> str:
    """The word that opens a statement, in small letters; "" for none."""
    word = _WORD.match(_opening(text).casefold())
    return word[0] if word is not None else ""


def is_of_texts(text: str) -> bool:
    """Whether a statement tells of what is read and not run, wherever that stands: documents, comments, spelling."""
    return not _TEXTS.isdisjoint(_WORD.findall(_opening(text).casefold()))


def is_release(text: str) -> bool:
    """Whether a statement is a step of making a release."""
    return _RELEASE.fullmatch(_opening(text).casefold()) is not None


def _of_upkeep(said: frozenset[str], *, touches_product: bool) -> frozenset[str]:
    """Tests, texts and tools: where the product changed too, only what tools do is surely nothing that a user meets."""
    if not said.isdisjoint(_TOOLS):
        return frozenset((OPS,))
    if not said.isdisjoint(_WRITTEN) and said.isdisjoint(_TESTS):
        return frozenset((DOCS,))
    return _NOTHING if touches_product else frozenset((OPS,))


def _is_open(said: str) -> bool:
    """Whether more is to be known than a verb tells."""
    folded = said.casefold()
    tokens = frozenset(_WORD.findall(folded))
    is_clear = _CLOSING.search(said) or _SUPPORTING.match(folded) or _CURING.match(folded)
    if is_clear and tokens.isdisjoint(_TEXTS | _TOOLS | _TESTS):
        return False
    is_bare = is_activity(said) and tokens.isdisjoint(_TELLING)
    names = _NAMED_TEST.search(folded) or (None if folded.isascii() else _UNSPACED_INNER.search(folded))
    return is_bare or not tokens.isdisjoint(_INNER) or names is not None or _OPEN.match(folded) is not None


@lru_cache(maxsize=1024)
def _opening(text: str) -> str:
    """`text` without the marks, tickets and places that stand before what it states."""
    for _ in range(6):
        shorter = "".join(dropwhile(_is_ornament, text))
        mark = next((found for pattern in _LEADING if (found := pattern.match(shorter)) is not None), None)
        shorter = shorter[mark.end() :] if mark is not None and mark.end() < len(shorter) else shorter
        if shorter == text:
            break
        text = shorter
    return text


def _is_ornament(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) in {"So", "Sk", "Mn", "Cf"}
