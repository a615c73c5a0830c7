"""Bytes to text: the encodings that YAML has, and the characters that it does not (Intent Changesets 5 and 12)."""

from __future__ import annotations

import codecs
import re
from functools import cache
from typing import Final

from guardrails.strict_yaml.faults import YAML_BOUND, YAML_ENCODING, Bounds, YamlFault

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def encoding_of(data: bytes) -> tuple[bytes, str]:
    """The byte order mark that `data` begins with, which may be none, and the encoding that it says."""
    if data[:1] < b"\x80":
        return b"", "utf-8"
    return next((pair for pair in _BYTE_ORDER_MARKS if data.startswith(pair[0])), (b"", "utf-8"))


def decode(data: bytes, bounds: Bounds) -> str:
    """The text of `data` without its byte order mark.

    Raises:
        YamlFault: too many bytes, an unreadable encoding, or a character that YAML does not allow.
    """
    if len(data) > bounds.bytes:
        raise YamlFault(YAML_BOUND.at("", f"got {len(data)} bytes, expected at most {bounds.bytes}"))
    mark, encoding = encoding_of(data)
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise YamlFault(YAML_ENCODING.at("", f"got bytes that are no {encoding} text", line=line)) from None
    if not is_printed(text) and (found := _forbidden().search(text)):
        line = text.count("\n", 0, found.start()) + 1
        raise YamlFault(YAML_ENCODING.at("", f"got the character U+{ord(found[0]):04X}", line=line))
    return text


def is_printed(text: str) -> bool:
    """Whether it is made of line feeds, spaces and characters that can be seen, all of which YAML allows; told at once."""
    return text.replace("\n", "").isprintable()


@cache
def _forbidden() -> re.Pattern[str]:
    """Made when it is first needed: most texts are seen at once to have none, and it takes its time."""
    return re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
