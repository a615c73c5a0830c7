"""The grammar of what a text can name: issue keys, numbers, commits, addresses, quantities (Intent Changesets 6.7, 11.3).

One pass over the text, linear in its length. Only declared trackers make an issue key: `UTF-8` and `SHA-256` look the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from guardrails.evidence import quantities
from guardrails.evidence.code_spans import code_spans


class IdentifierKind(StrEnum):
    """What kind of thing a mention names."""

    CODE = "code"
    """A code span; its value is the text between the back ticks."""
    URL = "url"
    QUOTE = "quote"
    EMAIL = "email"
    HOST = "host"
    """A host by its name: `db1.corp.internal`, `example.org`; short ones of endings that code has too are none: `java.io`."""
    ADVISORY = "advisory"
    DECISION = "decision"
    ISSUE_KEY = "issue-key"
    NUMBER = "number"
    """A pull request, merge request or issue number: `#12`, `!12`, `GH-12`, `owner/repo#12`."""
    DATE = "date"
    VERSION = "version"
    SHA = "sha"
    SYMBOL = "symbol"
    """A name of code without back ticks: `max_retries`, `run()`, `--force`, `@scope/package`."""
    PATH = "path"
    HANDLE = "handle"
    QUANTITY = "quantity"
    NAME = "name"
    """A proper word that letters and digits or inner capitals make: `SHA-256`, `HTTP2`, `PostgreSQL`."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One thing named in a text: the characters as written, its normal form for comparing, and where it stands."""

    kind: IdentifierKind
    text: str
    value: str
    start: int
    end: int


_LOOK_ALIKES: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТХУаеоѕіјрсухԁһΑΒΕΖΗΙΚΜΝΟΡΤΥΧονɡ‐‑‒–—−﹣“”„‟«»‘’‚‛",
    'ABESIJKMHOPCTXYaeosijpcyxdhABEZHIKMNOPTYXovg-------""""""\'\'\'\'',
)


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    digit = unicodedata.digit(character, None)
    if digit is not None:
        return str(digit)
    folded = unicodedata.normalize("NFKC", character)
    return folded if len(folded) == 1 else character


def fold(text: str) -> str:
    """`text` with look-alike letters, digits, dashes and quotation marks as ASCII; same length, so offsets stay right."""
    if text.isascii():
        return text
    return "".join(map(_plain, text.translate(_LOOK_ALIKES)))


_EXTENSIONS: Final = (
    "py|pyi|js|jsx|mjs|cjs|ts|tsx|mts|json|jsonc|json5|ya?ml|toml|ini|cfg|conf|env|lock|mdx?|rst|txt|adoc|html?|s?css|less|xml|svg|png"
    "|jpe?g|gif|pdf|csv|tsv|sql|sh|bash|zsh|fish|ps1|bat|cmd|go|rs|rb|java|kts?|scala|c|h|cc|cpp|hpp|cs|fs|vb|php|p[lm]|lua|r|jl"
    "|swift|mm?|dart|exs?|erl|hs|elm|clj|vue|svelte|astro|tf|hcl|proto|graphql|gql|gradle|properties|mod|sum|patch|diff|log|zip|gz"
    "|tgz|tar|jar|whl|exe|dll|so"
)
_PRODUCT: Final = re.compile(
    r"(?i:(?:node|vue|next|nuxt|react|express|three|d3|ember|backbone|moment|chart|p5|discord|electron)\.js"
    r"|socket\.io|(?:asp|vb)?\.net|e\.g|i\.e)"
)
_DECORATOR: Final = re.compile(
    r"(?i:property|staticmethod|classmethod|dataclass|override|deprecated|param|returns?|throws|see|since|author|version|media|import"
    r"|charset|keyframes|supports|font-face|apply|layer|type|ts-(?:ignore|expect-error)|nullable|nonnull|test|(?:before|after)(?:each)?"
    r"|component|injectable|input|output|entity|column|autowired|bean|service|controller)"
)
_MONTH: Final = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

# Order decides where two kinds could start at one place. All repeats are bounded or end at a disjoint class.
_GRAMMAR: Final = r"""
  (?P<url>\b(?:https?|ftps?|ssh|git)://[^\s<>"`]{1,2000}|(?<![\w./@])www\.[\w-]{1,63}\.[^\s<>"`]{1,2000})
| (?P<quote>(?<![\w"])"(?=\S)[^"\n]{7,400}(?<=\S)"(?!\w)|(?<![\w'])'(?=\S)[^'\n]{7,400}(?<=\S)'(?!\w))
| (?P<email>(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w:]|-\w|\.\w))
| (?P<host>(?a:(?<![\w@/.:-])(?:
    (?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,8}(?:com|org|net)
    |(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){2,8}(?:io|dev|app|cloud|internal|intranet|corp|lan|local|localdomain)
    )(?![\w/(-]|\.\w)))
| (?P<advisory>(?a:(?<![\w-])(?:
    (?i:CVE|RUSTSEC|PYSEC|OSV|USN|RHSA|DSA|CWE)-\d{1,7}(?:[-:]\d{1,9})?
    |(?i:GHSA)(?:-[0-9A-Za-z]{4}){3})(?![\w-])))
| (?P<decision>(?a:(?<![\w-])(?:ADR[- ]?|adr-)\d{1,6}(?![\w-])))
| (?P<issue_key>(?a:<TRACKERS>))
| (?P<number>(?a:
    (?<![\w./-])[\w.-]{1,100}/[\w.-]{1,100}[#!]\d{1,9}(?!\w)
    |(?<![\w&#/!])[#!]\d{1,9}(?!\w|-\w)
    |(?<![\w-])GH-\d{1,9}(?![\w-])))
| (?P<date>(?a:
    (?<![\w.-])\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[ ]?[+-]\d{2}:?\d{2})?)?(?![\w-])
    |(?<![\w.-])\d{1,2}(?:st|nd|rd|th)?[ ]<MONTH>(?:,?[ ]\d{4})?(?!\w)
    |\b<MONTH>[ ]\d{1,2}(?:st|nd|rd|th)?(?:,?[ ]\d{4})?(?!\w)
    |\b<MONTH>,?[ ]\d{4}(?!\w)
    |(?i:\b(?:today|yesterday|tomorrow|tonight|(?:last|this|next)[ ](?:week|month|quarter|year))\b)))
| (?P<version>(?a:
    (?<![\w.-])[vV]?\d{1,10}(?:\.\d{1,10}){1,5}(?:\.?(?:a|b|rc|alpha|beta|dev|post)\d{1,9}){1,3}(?!\w)
    |(?<![\w.-])[vV]?\d{1,10}(?:\.\d{1,10}){2,5}(?:[-+][0-9A-Za-z]{1,40}(?:\.[0-9A-Za-z]{1,40}){0,6})?(?!\w)
    |(?<![\w.-])[vV]\d{1,10}(?:\.\d{1,10}){0,5}(?:-[0-9A-Za-z]{1,40}(?:\.[0-9A-Za-z]{1,40}){0,6})?(?!\w)))
| (?P<sha>(?a:
    (?<![\w./#-])(?=[0-9]{0,63}[a-fA-F])(?=[a-fA-F]{0,63}[0-9])[0-9a-fA-F]{7,64}(?![\w-])
    |(?:(?<=[cC]ommit[ ])|(?<=commits[ ])|(?<=revision[ ])|(?<=sha[ ])|(?<=SHA[ ]))[0-9a-fA-F]{7,64}(?![\w-])))
| (?P<symbol>
    (?<![\w@/.-])@[A-Za-z0-9][\w.-]{0,100}/[\w.-]{0,99}\w
    |(?<![\w-])--[A-Za-z][\w-]{0,80}
    |(?<![\w.])[A-Za-z_]\w{0,80}(?:\.\w{1,80}){0,8}\(\)
    |(?<![\w./-])_{0,2}[A-Za-z][A-Za-z0-9]{0,60}(?:_[A-Za-z0-9]{1,60}){1,12}_{0,2}(?![\w/]|\.\w))
| (?P<path>
    (?<![\w@/.~-])(?!(?:[A-Za-z]{1,12}/\d(?:\.\d)?|\d{1,9}(?:/\d{1,9}){1,2})(?![\w/]|\.\w))
      (?:~|\.{1,2})?/?(?:[\w@.+~-]{1,255}/){1,64}(?:[\w@.+~-]{0,254}[\w+~-])?
    |(?<![\w@/.~-])(?:[\w-]{1,100}\.){1,8}(?:<EXTENSIONS>)(?![\w/]|\.\w|\()
    |(?<![\w.)\]])\.[A-Za-z][\w-]{1,30}(?:\.[\w-]{1,30})?(?![\w/]))
| (?P<handle>(?<![\w/.@`])@[A-Za-z0-9][\w-]{0,38}(?![\w@/(]|\.\w))
| (?P<quantity>(?a:(?<![\w.])(?<![A-Za-z]-)(?:<IN_DIGITS>)(?!\w|\.\d)|<IN_WORDS>))
| (?P<name>
    (?<![\w-])[A-Za-z]{1,40}(?:-[A-Za-z]{1,40}){0,4}[-/]?\d[\w-]{0,60}(?:\.\d{1,10}){0,4}
    |(?<![\w.-])\d{1,20}[A-Za-z]\w{0,60}
    |(?<!\w)[A-Za-z]{0,40}[a-z][A-Z]\w{0,60})
"""


@lru_cache(maxsize=64)
def _grammar(trackers: frozenset[str]) -> re.Pattern[str]:
    keys = "|".join(re.escape(tracker) for tracker in sorted(trackers, key=lambda word: (-len(word), word)))
    parts = {
        "<TRACKERS>": rf"(?<![\w-])(?i:{keys})-\d{{1,9}}(?![\w-]|\.\d)" if keys else r"(?!)",
        "<MONTH>": _MONTH,
        "<EXTENSIONS>": _EXTENSIONS,
        "<IN_DIGITS>": quantities.IN_DIGITS,
        "<IN_WORDS>": quantities.IN_WORDS,
    }
    pattern = _GRAMMAR
    for mark, part in parts.items():
        pattern = pattern.replace(mark, part)
    return re.compile(pattern, re.VERBOSE)


def mentions(text: str, *, trackers: frozenset[str] = frozenset()) -> tuple[Mention, ...]:
    """All that `text` names, in order, without overlaps. `trackers` are the issue key prefixes that count."""
    return _known_mentions(text, trackers) if len(text) <= _SENTENCE else _mentions(text, trackers)


def issue_keys(text: str, trackers: frozenset[str]) -> tuple[Mention, ...]:
    """The keys of these trackers that `text` names; a project without trackers has none."""
    named = mentions(text, trackers=trackers) if trackers else ()
    return tuple(mention for mention in named if mention.kind is IdentifierKind.ISSUE_KEY)


_SENTENCE: Final = 1000
"""Shorter texts are sentences, which every rule reads anew."""


@lru_cache(maxsize=4096)
def _known_mentions(text: str, trackers: frozenset[str]) -> tuple[Mention, ...]:
    return _mentions(text, trackers)


def _mentions(text: str, trackers: frozenset[str]) -> tuple[Mention, ...]:
    folded = fold(text)
    found: list[Mention] = []
    prose: list[str] = []
    done = 0
    for span in code_spans(folded):
        written = text[span.start : span.end]
        found.append(Mention(IdentifierKind.CODE, written, " ".join(span.inner.split()), span.start, span.end))
        prose += (folded[done : span.start], "\n" * len(written))  # a quotation ends at a line end, so none runs over code
        done = span.end
    prose.append(folded[done:])
    for match in _grammar(trackers).finditer("".join(prose)):
        kind = IdentifierKind(str(match.lastgroup).replace("_", "-"))
        written = _TRIM[kind](match[0]) if kind in _TRIM else match[0]
        if written:
            start, end = match.start(), match.start() + len(written)
            found.append(Mention(kind, text[start:end], _value(kind, written), start, end))
    return tuple(sorted(found, key=lambda mention: mention.start))


def _trim_url(text: str) -> str:
    """A sentence's own punctuation and closing brackets without an opening one are no part of an address."""
    while text and (text[-1] in ".,;:!?'*_~" or (text[-1] in ")]}" and text.count(text[-1]) > text.count(_OPEN[text[-1]]))):
        text = text[:-1]
    return text


_OPEN: Final = {")": "(", "]": "[", "}": "{"}
_PLAIN_WORDS: Final = re.compile(r"[^\W\d_]+(?:/[^\W\d_]+)?")


def _trim_path(text: str) -> str:
    """`and/or`, `CI/CD` and `Node.js` are words; `24/7` is no path."""
    text = text.rstrip(".")
    if _PLAIN_WORDS.fullmatch(text) or _PRODUCT.fullmatch(text) or not any(map(str.isalpha, text)):
        return ""
    return text


def _trim_host(text: str) -> str:
    return "" if _PRODUCT.fullmatch(text) else text


def _trim_handle(text: str) -> str:
    return "" if _DECORATOR.fullmatch(text[1:]) else text


_TRIM: Final[Mapping[IdentifierKind, Callable[[str], str]]] = {
    IdentifierKind.URL: _trim_url,
    IdentifierKind.HOST: _trim_host,
    IdentifierKind.PATH: _trim_path,
    IdentifierKind.HANDLE: _trim_handle,
}


def _date(text: str) -> str:
    """Whole dates as ISO 8601 without the time; others as written."""
    words = re.findall(r"\d+|[A-Za-z]+", text)
    numbers = [word for word in words if word.isdigit()]
    months = [word[:3].casefold() for word in words if word[:3].casefold() in _MONTHS]
    if len(numbers) == 2 and len(numbers[1]) == 4 and months:
        return f"{numbers[1]}-{_MONTHS.index(months[0]) + 1:02}-{int(numbers[0]):02}"
    return text[:10] if text[:4].isdigit() else " ".join(text.casefold().split())


def _number_value(text: str) -> str:
    return f"#{text[3:]}" if text.startswith("GH-") else text.casefold()


_VALUES: Final[Mapping[IdentifierKind, Callable[[str], str]]] = {
    IdentifierKind.ISSUE_KEY: str.upper,
    IdentifierKind.ADVISORY: str.upper,
    IdentifierKind.DECISION: lambda text: f"ADR-{text[3:].lstrip('- ').lstrip('0') or '0'}",
    IdentifierKind.NUMBER: _number_value,
    IdentifierKind.SHA: str.casefold,
    IdentifierKind.EMAIL: str.casefold,
    IdentifierKind.HOST: str.casefold,
    IdentifierKind.HANDLE: str.casefold,
    IdentifierKind.NAME: lambda text: re.sub("[-/]", "", text).casefold(),
    IdentifierKind.VERSION: lambda text: text.casefold().removeprefix("v"),
    IdentifierKind.DATE: _date,
    IdentifierKind.QUANTITY: quantities.normal,
    IdentifierKind.QUOTE: lambda text: " ".join(text[1:-1].split()),
}


def _value(kind: IdentifierKind, written: str) -> str:
    return _VALUES[kind](written) if kind in _VALUES else written
