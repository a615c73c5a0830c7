"""People in evidence: authors, committers, those whom trailers thank, and e-mail addresses in text (Intent Changesets 11.7).

Names and addresses are personal data that no draft needs; each person keeps one alias within a bundle. The account of a bot, as
forges mark it (`dependabot[bot]`), is nobody: its name stays, its address goes as any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import re2

from guardrails.redaction.folding import encodable
from guardrails.redaction.placeholders import PLACEHOLDER
from guardrails.redaction.terms import Lexicon, Mention, Term

_EMAIL: Final = re2.compile(r"[A-Za-z0-9_][A-Za-z0-9._%+\-]*@(?:[A-Za-z0-9\-]+\.)+[A-Za-z]{2,}")
_PICTURES: Final = ("avif", "bmp", "gif", "ico", "jpeg", "jpg", "pdf", "png", "svg", "tif", "tiff", "webp")
_TEXTS: Final = ("css", "csv", "htm", "html", "js", "json", "jsx", "mjs", "toml", "ts", "tsx", "txt", "xml", "yaml", "yml")
_FILES: Final = frozenset((*_PICTURES, *_TEXTS))
"""Ends of the names of files that are no top-level domains: `logo@2x.png` is a picture."""
_VERSIONED: Final = re2.compile(r"@[0-9]+\.[0-9]+\.[0-9]+[+\-]")
"""A package with its version: `widgets@2.0.0-rc.beta` reads like an address."""
_TRAILER: Final = re2.compile(
    r"(?im)^[ \t+\-]{0,8}(?:co-authored|signed-off|reviewed|reported|acked|tested|suggested|helped|approved|requested|mentored"
    r"|authored|committed|merged|original-patch)-(?:and-[a-z]+-)?by[ \t]*:[ \t]*([^\n]*[^\s])[ \t\r]*$"
    r"|^[ \t]{0,4}(?:cc|author|commit|committer|thanks-to)[ \t]*:[ \t]*([^\n<]*<[^\n>]*>)[ \t\r]*$"
)


class People:
    """Everybody whom a bundle names, each under one key."""

    def __init__(self) -> None:
        """Know nobody yet."""
        self._keys: dict[str, str] = {}
        self._names: set[str] = set()
        self._lexicon: Lexicon | None = None

    def __copy__(self) -> People:
        other = People()
        other._keys, other._names, other._lexicon = dict(self._keys), set(self._names), self._lexicon
        return other

    def key(self, name: str, email: str = "") -> str:
        """The key of a person known by either; both are remembered for the texts."""
        known = [part for part in (_plain(email), _plain(name)) if part]
        key = next((self._keys[part] for part in known if part in self._keys), known[0] if known else "")
        for part in known:
            self._keys.setdefault(part, key)
        if name not in self._names and _is_telling(name):
            self._names.add(name)
            self._lexicon = None
        return key

    def learn_from(self, text: str) -> None:
        """Remember the people of the trailers in `text`, so that their names are found elsewhere too."""
        for _ in self._thanked(encodable(text)):
            pass

    def find(self, text: str) -> Iterator[Mention]:
        """Every mention of a person, and every e-mail address. `git@host:` is an address of a repository, not of a person."""
        if self._names and self._lexicon is None:
            self._lexicon = Lexicon(Term("person", name) for name in self._names)
        if self._lexicon is not None:
            for mention in self._lexicon.find(text):
                yield Mention(mention.start, mention.end, "person", self._keys.get(mention.value, mention.value))
        if ":" in text:
            yield from self._thanked(text)
        for start, end in _addresses(text):
            address = text[start:end].lower()
            if not (address.startswith("git@") and text[end : end + 1] in {":", "/"}):
                key = self._keys.get(address)
                yield Mention(start, end, "person" if key else "email", key or address)

    def _thanked(self, text: str) -> Iterator[Mention]:
        for match in _TRAILER.finditer(text):
            group = 1 if match.group(1) is not None else 2
            whole = match.group(group)
            name, _, rest = whole.partition("<")
            if not PLACEHOLDER.fullmatch(whole.strip()) and not is_bot(name):
                yield Mention(match.start(group), match.end(group), "person", self.key(name.strip(), rest.partition(">")[0]))


def has_address(text: str) -> bool:
    """Whether an e-mail address stands in a text."""
    return next(_addresses(text), None) is not None


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    """Where e-mail addresses stand. `logo@2x.png` is none; `ann@example.org.csv` is a file that is named after one."""
    for match in _EMAIL.finditer(text) if "@" in text else ():
        address, _, ending = match.group().rpartition(".")
        if _VERSIONED.search(address):
            continue
        if ending.lower() not in _FILES:
            yield match.span()
        elif _EMAIL.fullmatch(address):
            yield match.start(), match.start() + len(address)


def is_bot(name: str) -> bool:
    """Whether a name is that of a bot's account."""
    return name.strip().endswith("[bot]")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _is_telling(name: str) -> bool:
    """Whether a name may be looked for in prose: a full name or a handle, no single word such as `root` or `will`."""
    is_full = len(name) >= 5 and (" " in name.strip() or name.startswith("@"))
    return is_full and not is_bot(name) and not PLACEHOLDER.search(name)
