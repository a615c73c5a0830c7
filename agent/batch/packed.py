"""A long text that is kept small: packed while it is made, and unpacked where it is written (evidraft design 3)."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

_LEVEL: Final = 1
"""The quickest: a draft record is mostly digests, which no other packs better."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A text that is never there as a whole until somebody asks for it. Equal texts made in equal pieces are equal."""

    data: bytes = field(default=b"", repr=False)

    @classmethod
    def of(cls, pieces: Iterable[str]) -> Packed:
        """Take the pieces of a text in, one after the other; one of no characters is the same as none."""
        packer = zlib.compressobj(_LEVEL)
        packed = [packer.compress(piece.encode()) for piece in pieces if piece]
        return cls(b"".join((*packed, packer.flush()))) if packed else cls()

    def __bool__(self) -> bool:
        """Whether there is any text."""
        return bool(self.data)

    def encode(self) -> bytes:
        """The text in UTF-8, as a text itself gives it."""
        return zlib.decompress(self.data) if self.data else b""

    @property
    def text(self) -> str:
        """The text."""
        return self.encode().decode()
