"""What of an answer may be put on a disk: nothing that the redactor would take out, however it is written (evidraft)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from agent.model.client import Reply
from guardrails.redaction.redact import Guard

_ESCAPE: Final = re.compile(r"\\u([0-9a-fA-F]{4})")
_LONGEST: Final = 200
"""Names and words of a provider are shorter."""


def reply(guard: Guard, given: Reply) -> Reply:
    """`given` as it may be written down: the text cleaned, and of what else it says only plain words."""
    text = _encodable(given.text)
    words = tuple(map(_short, (given.model, given.request_id, given.stop)))
    # Most replies hold nothing of the kind, and that is seen at once for all of it.
    if any(guard.leaks_of([form for told in (text, *words) for form in _forms(told)])):
        text, words = cleaned(guard, text), tuple(word(guard, told) for told in words)
    model, request_id, stop = words
    return replace(given, text=text, model=model, request_id=request_id, stop=stop)


def leaks(guard: Guard, text: str) -> bool:
    """Whether `text` holds what may not leave: as it stands, in a string of it where it is JSON, or over several of them."""
    return any(guard.leaks_of(_forms(text)))


def cleaned(guard: Guard, text: str) -> str:
    """`text` without that, as it is where it holds none; what UTF-8 cannot hold is escaped."""
    text = _encodable(text)
    if not leaks(guard, text):
        return text
    content = _json(text)
    if content is None:
        return guard.clean(_unescaped(text))
    again = json.dumps(_mapped(content, guard.clean))
    # What only several strings together give away cannot be taken out of one of them.
    return "" if leaks(guard, again) else again


def word(guard: Guard, text: str) -> str:
    """A short word of a provider, such as the name of a model, without that."""
    short = _short(text)
    return "" if leaks(guard, short) else short


def _encodable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _short(text: str) -> str:
    return "".join(filter(str.isprintable, text[:_LONGEST]))


def _forms(text: str) -> list[str]:
    """All that `text` can be read as, each once."""
    strings = list(_strings(text))
    return list(dict.fromkeys((text, *strings, "".join(strings), " ".join(strings))))


def _json(text: str) -> object:
    """None where it is no JSON."""
    try:
        content: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return content


def _strings(text: str) -> Iterator[str]:
    content = _json(text)
    if content is None:
        yield _unescaped(text)
        return
    found: list[str] = []

    def seen(string: str) -> str:
        found.append(string)
        return string

    _mapped(content, seen)
    yield from found


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)


def _mapped(content: object, change: Callable[[str], str]) -> object:
    """JSON with each of its strings changed, also the names of fields."""
    if isinstance(content, str):
        return change(content)
    if isinstance(content, list):
        return [_mapped(one, change) for one in content]
    if isinstance(content, dict):
        return {change(name): _mapped(one, change) for name, one in content.items()}
    return content
