r"""Bytes to text without loss of news: what is no text in the declared encoding is shown as `\xNN` (Intent Changesets 11.1)."""

from __future__ import annotations

import codecs
from typing import Final

_ENCODINGS: Final = ("utf", "us-ascii", "ascii", "iso", "latin", "cp", "windows", "koi8", "mac", "gb", "big5", "euc", "shift")
"""How the names of character sets begin; Python's other codecs are no character sets, and some are slow on purpose."""


def readable(data: bytes) -> str:
    r"""`data` as UTF-8, with `\xNN` for every byte that is none."""
    return data.decode("utf-8", "backslashreplace")


def declared(data: bytes, encoding: str) -> tuple[str, bool]:
    """`data` in the encoding that a commit declares ("" is UTF-8), and whether all of it could be read so."""
    name = encoding.strip().lower() or "utf-8"
    try:
        codec = codecs.lookup(name) if name.startswith(_ENCODINGS) and name.isascii() else None
        return (data.decode(codec.name), True) if codec else (readable(data), False)
    except (LookupError, UnicodeError, ValueError):
        return readable(data), False
