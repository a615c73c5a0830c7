"""Which way values go: pairs of old and new in words, and the words of lines that came and went (Intent Changesets 11.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.evidence.code_spans import code_spans

_ARROW: Final = re.compile(r"\s?(?:→|⇒|->|=>|➜)\s?")
_FROM_TO: Final = re.compile(r"\bfrom ([^\s,;]{1,60})(?: [^\s,;.]{1,40}){0,2}? to ([^\s,;]{1,60})", re.IGNORECASE)
_PAIR: Final = re.compile(r"([^\s,;()]{1,60}) <to> ([^\s,;()]{1,60})")
_TOKEN: Final = re.compile(r"[\w.%-]+")


def pairs(text: str) -> Iterator[tuple[str, str]]:
    """Old and new value of every `from … to …` and arrow in a folded text; an arrow within code is code."""
    arrows = _ARROW.sub(" <to> ", _without_coded_arrows(text))
    for pattern in (_FROM_TO, _PAIR):
        for match in pattern.finditer(arrows):
            yield _bare(match[1]), _bare(match[2])


def changed(code: str, sign: str) -> frozenset[str]:
    """The words of the lines of a folded diff that begin with a sign."""
    lines = (line[1:] for line in code.splitlines() if line.startswith(sign))
    return frozenset(_bare(word) for line in lines for word in _TOKEN.findall(line))


def _without_coded_arrows(text: str) -> str:
    coded = [span for span in code_spans(text) if _ARROW.search(span.inner)] if "`" in text else []
    for span in reversed(coded):
        text = f"{text[: span.start]}``{text[span.end :]}"
    return text


def _bare(word: str) -> str:
    return word.strip("`'\".,:;()^~=").casefold()
