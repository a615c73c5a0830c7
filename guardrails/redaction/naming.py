"""What names something withheld: ids, keys, addresses, paths, commit objects (Intent Changesets 6.9, 11.7)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from guardrails.redaction.folding import fold
from guardrails.redaction.terms import Lexicon, Mention, Term

_OBJECT: Final = re.compile(r"(?<![0-9A-Za-z])[0-9a-fA-F]{7,64}(?![0-9A-Za-z])")
_LINK: Final = re.compile(r"^[^\w\n]{0,8}change-?sets?[ \t]*[:=#][ \t]*(.+)$", re.IGNORECASE | re.MULTILINE)
_FORGE: Final = re.compile(r"/(?:-/)?(?:pull|pulls|issues|merge_requests|pull-requests|work_items)/([0-9]{1,9})(?:[/?#].*)?")


class Names:
    """Names of withheld things, each with the state that withholds it."""

    def __init__(self) -> None:
        """Know no name yet."""
        self.states: dict[str, str] = {}
        self.objects: dict[str, str] = {}
        self.ids: dict[str, str] = {}
        self._prefixes: frozenset[str] = frozenset()
        self._lexicon: Lexicon | None = None
        self._by_key: dict[str, str] = {}

    def learn(self, state: str, *, keys: Iterable[str] = (), ids: Iterable[str] = (), objects: Iterable[str] = ()) -> None:
        """Add names. A changeset id that is one plain word counts only where it stands in a `Changeset` trailer."""
        for key in keys:
            for name in (key.strip(), *_short_forms(key)):
                if sum(map(str.isalnum, name)) >= 2 or name.startswith(("#", "!")):
                    self.states.setdefault(name, state)
        for name in ids:
            self.ids.setdefault(_link(name), state)
            if not name.isalpha():
                self.states.setdefault(name, state)
        for oid in objects:
            self.objects.setdefault(oid, state)
        self._prefixes = frozenset(oid[:7] for oid in self.objects)
        self._lexicon = None

    def __len__(self) -> int:
        return len(self.states) + len(self.objects) + len(self.ids)

    def find(self, text: str) -> Iterator[Mention]:
        """Every place in `text` that names something withheld."""
        if self._lexicon is None:
            terms = {Term("withheld", name): state for name, state in self.states.items()}
            self._lexicon = Lexicon(terms)
            self._by_key = {term.key: state for term, state in terms.items()}
        yield from self._lexicon.find(text)
        if self._prefixes:
            for match in _OBJECT.finditer(text):
                if self._object(match[0].lower()) is not None:
                    yield Mention(*match.span(), "withheld", match[0].lower())

    def state_in(self, *texts: str) -> str | None:
        """The state of something withheld that one of `texts` names, None when they name nothing."""
        for text in texts:
            for mention in self.find(text):
                return self._object(mention.value) or self._by_key.get(mention.value, "embargoed")
        return None

    def state_linked(self, message: str) -> str | None:
        """The state of a withheld changeset that a commit message links; read leniently, so that a slip withholds too."""
        for match in _LINK.finditer(fold(message).text) if self.ids else ():
            for word in re.split(r"[\s,;]+", match[1]):
                if (state := self.ids.get(_link(word))) is not None:
                    return state
        return self.state_in(message)

    def _object(self, prefix: str) -> str | None:
        if prefix[:7] not in self._prefixes:
            return None
        return next((state for oid, state in self.objects.items() if oid.startswith(prefix)), None)


def _link(word: str) -> str:
    """A changeset id as people mistype it."""
    return word.strip("\"'`<>[](){}.,;:!*_ ").casefold().replace("_", "-")


def _short_forms(key: str) -> Iterator[str]:
    """How people cite a forge address in prose."""
    if match := _FORGE.search(key):
        yield f"#{match[1]}"
        if "merge_requests" in key:
            yield f"!{match[1]}"
