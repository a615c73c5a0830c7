"""Words and phrases as tables, and the normal form of a text: what wording rules are made of (Intent Changesets 6.4 to 6.6)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from snowballstemmer import stemmer


def words(*lines: str) -> frozenset[str]:
    """The words of some lines, as one table."""
    return frozenset(word for line in lines for word in line.split())


def phrases(*alternatives: str) -> re.Pattern[str]:
    """A pattern for any of `alternatives` (regular expressions without nested quantifiers) as whole words."""
    return re.compile(r"(?<!\w)(?:" + "|".join(alternatives) + r")(?!\w)")


STOPWORDS = words(
    "a an and are as at be been but by for from had has have he her his i in into is it its of off on or our out per she",
    "so than that the their them then there these they this those to too via was we were which will with you your der die",
    "das den dem des ein eine und im in zu von für mit le la les l un une des du de d et à au aux en el los las y del al",
    "o os e",
)
_FILLING = words(
    "this change changes commit patch pr now new also simply just make makes made can could do does did not",
)
_LEXEME = re.compile(r"[぀-ヿ㐀-鿿]|[^\W぀-ヿ㐀-鿿]+")


def folded(text: str) -> str:
    """`text` in one case, one form of each character, and single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def stems(text: str) -> frozenset[str]:
    """The content words of `text`: folded, stemmed as English, without stop words and filling; Han and kana one by one."""
    return frozenset(_stem(word) for word in set(_LEXEME.findall(folded(text))) - STOPWORDS - _FILLING)


@lru_cache(maxsize=1 << 13)
def _stem(word: str) -> str:
    stem: str = stemmer("english").stemWord(word)
    return stem
