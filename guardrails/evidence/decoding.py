r"""Bytes to text without loss of news: what is no text in the declared encoding is shown as `\xNN` (Intent Changesets 11.1)."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

_ENCODINGS: Final = ("utf", "us-ascii", "ascii", "iso", "latin", "cp", "windows", "koi8", "mac", "gb", "big5", "euc", "shift")
"""How the names of character sets begin; Python's other codecs are no character sets, and some are slow on purpose."""


def readable(data: bytes) -> str:
    r"""`data` as UTF-8, with `\xNN` for every byte that is none."""
    return data.decode("utf-8", "backslashreplace")


def declared(data: bytes, encoding: str) -> tuple[str, bool]:
    """A commit's text as git gave it, and whether all of it could be read.

    Git turns it into UTF-8 where it can, and gives the bytes as they are where it cannot: then they are in the encoding that
    the commit declares, if in any.
    """
    for name in ("utf-8", encoding.strip().lower()):
        with suppress(LookupError, ValueError):
            if name.isascii() and name.startswith(_ENCODINGS):
                return data.decode(name), True
    return readable(data), False
