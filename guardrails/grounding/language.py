"""A drafter speaks the language of what it cites (evidraft).

Many repositories mix languages, and names and code belong to none. What is told is a sentence that is clearly in one script
or language and cites what is clearly in others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis
from guardrails.findings import Code, Finding
from guardrails.grounding.citable import Citable
from guardrails.grounding.items import Item
from guardrails.wording.speech import ENGLISH, LATIN, Speech, words

WRONG_LANGUAGE = Code(
    name="wrong-language",
    summary="A sentence is in another language or script than the evidence that it cites.",
    cure="Say it in the language of the evidence.",
    section="evidraft",
)
_CODE: Final = re.compile(r"`[^`]*`")
_OWN: Final = 12
"""So many letters in words that stand in nothing it cites make a sentence foreign: names and terms travel."""
_RARE: Final = 4
"""Where a language has a fourth of the small words of another, both are spoken."""


def check(draft: Draft, citable: Citable) -> Iterator[Finding]:
    """Each field with a drafter's sentence in another script or language than what it cites. People write as they like."""
    voices = _Voices(citable)
    for where, prose in draft.prose.items():
        if prose.basis is Basis.SYNTHESIS:
            foreign = next((one for one in prose.sentences if voices.lack(one.text, one.evidence)), None)
            if foreign is not None:
                message = "got a sentence in another language than what it cites"
                yield WRONG_LANGUAGE.at(where, message, evidence=foreign.evidence)


@dataclass(frozen=True)
class _Voices:
    """Who speaks what in the evidence."""

    citable: Citable

    def lack(self, text: str, ids: Iterable[str]) -> bool:
        """Whether nobody cited speaks the script or the language of `text`."""
        told = _CODE.sub(" ", text)
        said = Speech.of(told)
        if said.script is None:
            return False
        cited = [item for item in self.citable.cited(ids) if item.id]
        shows_code = any(item.code for item in cited)
        own = Speech.together(_spoken(item.prose) for item in cited)
        if not self._speaks_script(said.script, own, shows_code=shows_code):
            return _is_its_own(told, said.script, cited)
        language = said.language
        return language is not None and not self._speaks_language(language, own, shows_code=shows_code)

    def _speaks_script(self, script: str, own: Speech, *, shows_code: bool) -> bool:
        """Code is told of in Latin letters, or in those in which people write elsewhere."""
        if script in own.scripts or not (own.letters or self._all.letters):
            return True
        return (shows_code or not own.letters) and (script == LATIN or script in self._all.scripts)

    def _speaks_language(self, language: str, own: Speech, *, shows_code: bool) -> bool:
        """Code is told of in English, or in the language in which people write elsewhere."""
        if not own.letters or (shows_code and _is_other(language, own)):
            return language == ENGLISH or not _is_other(language, self._all)
        return not _is_other(language, own)

    @cached_property
    def _all(self) -> Speech:
        """All that people wrote."""
        return Speech.together(_spoken(item.prose) for item in self.citable.shown())


@lru_cache(maxsize=1024)
def _spoken(prose: str) -> Speech:
    return Speech.of(prose)


def _is_other(language: str, speech: Speech) -> bool:
    """Whether people clearly speak another language."""
    main = speech.language
    return main not in {None, language} and _RARE * speech.small[language] < speech.small[str(main)]


def _is_its_own(text: str, script: str, cited: Iterable[Item]) -> bool:
    """Whether enough of a text in that script are words that stand in nothing it cites."""
    texts = [item.caseless for item in cited]
    strange = (word for word in words(text) if not any(word.casefold() in one for one in texts))
    return Speech.of(" ".join(strange)).letters[script] >= _OWN
