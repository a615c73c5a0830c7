"""A new YAML document in the style of the seeds' examples: block mappings, short flow lists, no needless quotes, nothing folded
(Intent Changesets 5).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from guardrails.strict_yaml.core_schema import resolve

_WIDTH: Final = 100
"""A list that would pass this column is written one item a line."""
_PLAIN: Final = re.compile(r"(?:[^\s\-?:,\[\]{}#&*!|>'\"%@`]|[-?](?=[A-Za-z0-9]))[^\n]*")
_NEVER_PLAIN: Final = re.compile(r": |:$| #| $")
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}
_FLOW_MARKS: Final = frozenset(",[]{}:?")
"""Characters that some readers do not take in a plain scalar of a flow list."""


def write(value: Mapping[str, Any]) -> bytes:
    """One document, UTF-8, with a final line feed. Values are those that `read` gives (tuples pass as lists).

    Raises:
        TypeError: a value or key that YAML's Core Schema does not know.
        UnicodeEncodeError: half a surrogate pair in a text.
    """
    lines = _mapping(value, "") if value else ("{}",)
    return "".join(f"{line}\n" for line in lines).encode()


def entries(value: Mapping[Any, Any] | Sequence[Any], indent: str) -> list[str]:
    """The lines of a mapping's or list's entries, which begin at `indent`."""
    return list(_mapping(value, indent) if isinstance(value, Mapping) else _list(value, indent))


def flow(value: Any) -> str:
    """A value on one line, as it may stand inside a flow collection."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{flow(key)}: {flow(item)}' for key, item in value.items())}}}"
    if _is_list(value):
        return f"[{', '.join(map(flow, value))}]"
    word = _scalar(value)
    return word if word[0] == '"' or _FLOW_MARKS.isdisjoint(word) else _quoted(word)


def _mapping(value: Mapping[Any, Any], indent: str) -> Iterator[str]:
    for key, item in value.items():
        yield from _under(f"{indent}{_key(key)}:", item, indent)


def _list(value: Sequence[Any], indent: str) -> Iterator[str]:
    for item in value:
        if isinstance(item, Mapping) and item:
            first, *rest = _mapping(item, f"{indent}  ")
            yield f"{indent}- {first.lstrip(' ')}"
            yield from rest
        else:
            yield from _under(f"{indent}-", item, indent)


def _under(lead: str, item: Any, indent: str) -> Iterator[str]:
    """What follows a key or a dash: on the same line when it fits there, below and two deeper otherwise."""
    if isinstance(item, Mapping) and item:
        yield lead
        yield from _mapping(item, f"{indent}  ")
    elif _is_list(item) and not (short := _short(item, len(lead))):
        yield lead
        yield from _list(item, f"{indent}  ")
    elif _is_list(item):
        yield f"{lead} {short}"
    elif isinstance(item, str) and (head := _literal_head(item)):
        yield f"{lead} {head}"
        yield from (f"{indent}  {line}" if line else "" for line in item.removesuffix("\n").split("\n"))
    else:
        yield f"{lead} {_scalar(item)}"


def _is_list(item: Any) -> bool:
    return isinstance(item, Sequence) and not isinstance(item, str | bytes)


def _short(items: Sequence[Any], start: int) -> str | None:
    """A short list of plain scalars on one line, None for any other list."""
    if any(isinstance(item, Mapping) or _is_list(item) for item in items):
        return None
    words = [_scalar(item) for item in items]
    short = f"[{', '.join(words)}]"
    plain = all(word[0] != '"' and _FLOW_MARKS.isdisjoint(word) for word in words)
    return short if plain and start + 1 + len(short) <= _WIDTH else None


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return value if _is_plain(value) else _quoted(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else {"inf": ".inf", "-inf": "-.inf"}.get(str(value), ".nan")
    if isinstance(value, Mapping):
        return "{}"
    raise TypeError(f"YAML's Core Schema has no {type(value).__name__}")


def _quoted(text: str) -> str:
    return f'"{_escaped().sub(_escape, text)}"'


def _key(key: Any) -> str:
    if isinstance(key, str) and len(key) > 1_000:
        raise TypeError("a key of more than 1000 characters is not portable YAML")
    return _scalar(key)


def _is_plain(text: str) -> bool:
    return (
        _PLAIN.fullmatch(text) is not None
        and not _NEVER_PLAIN.search(text)
        and not _unprintable().search(text)
        and isinstance(resolve(text), str)
        and text != "<<"
    )


def _literal_head(text: str) -> str | None:
    """The mark of a literal block for a text of several lines; None where a block would not give the text back."""
    body = text.removesuffix("\n")
    lines = body.split("\n")
    if len(lines) < 2 or not lines[-1] or lines[0][:1] in ("", " ") or any(map(_unprintable().search, lines)):
        return None
    return "|" if body != text else "|-"


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    return _ESCAPES.get(character) or (f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}")


@cache
def _unprintable() -> re.Pattern[str]:
    """What YAML does not print, and the marks that turn the order of what is read; made when something is written."""
    return re.compile(
        "[^\\x20-\\x7e\\xa0-\\u200d\\u2010-\\u2027\\u202f-\\u2065\\u206a-\\ud7ff"
        "\\ue000-\\ufefe\\uff00-\\ufffd\\U00010000-\\U0010ffff]"
    )


@cache
def _escaped() -> re.Pattern[str]:
    return re.compile(f'["\\\\]|{_unprintable().pattern}')
