"""JSON as people read it: indented, each character as it is, made piece by piece (evidraft design 2).

It is what `json.dumps(value, indent=2, ensure_ascii=False)` gives, in less time and without all of it being there at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from json.encoder import encode_basestring
from typing import Any, Final

_LEVELS: Final = 2
"""So deep, long documents have many entries; each of them is written at once."""
_STEP: Final = "  "


def indented(value: object) -> Iterator[str]:
    """The JSON of a value (JSON types), in pieces of whole tokens.

    Raises:
        TypeError: it holds something else.
    """
    return _pieces(value, "\n", _LEVELS)


def _pieces(value: Any, line: str, levels: int) -> Iterator[str]:
    """`line` is a line break with the indent of what holds the value."""
    if not levels or not value or not isinstance(value, dict | list | tuple):
        yield _text(value, line)
        return
    inner = line + _STEP
    opens, closes = "{}" if isinstance(value, dict) else "[]"
    entries = ((_name(name), item) for name, item in value.items()) if isinstance(value, dict) else (("", one) for one in value)
    before = opens
    for name, item in entries:
        yield f"{before}{inner}{name}"
        yield from _pieces(item, inner, levels - 1)
        before = ","
    yield f"{line}{closes}"


def _name(name: object) -> str:
    """A name that is no text is written as one."""
    return f"{encode_basestring(name if isinstance(name, str) else json.dumps(name))}: "


def _text(value: Any, line: str) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    inner = line + _STEP
    if isinstance(value, dict) and value:
        told = f",{inner}".join([f"{_name(name)}{_text(item, inner)}" for name, item in value.items()])
        return f"{{{inner}{told}{line}}}"
    if isinstance(value, list | tuple) and value:
        return f"[{inner}{f',{inner}'.join([_text(item, inner) for item in value])}{line}]"
    return json.dumps(value)
