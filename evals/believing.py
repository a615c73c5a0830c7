"""What a drafter's raw replies would have had people believe: names and ids that nothing shows, before any check of ours."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from agent.model.client import Model, Prompt, Reply
from evals.grepping import names
from guardrails.drafts import reply as replies

_KINDS: Final[Mapping[str, re.Pattern[str]]] = {
    "address": re.compile(r"https?://.*"),
    "reference": re.compile(r"[#!]\d+|[A-Z]{2,}-\d+"),
    "number": re.compile(r"v?[\d.]+"),
    "object": re.compile(r"[0-9a-f]{7,64}"),
    "path": re.compile(r".*/.*"),
    "handle": re.compile(r"@.*"),
}
"""What a name is, the first that fits; the others are names of code."""
_CODE: Final = "code"
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_EXAMPLE: Final = re.compile(r"^    .*\n?", re.MULTILINE)
_BOUNDS: Final[Mapping[str, Mapping[str, object]]] = {
    "sentences": {"maxItems": 1},
    "text": {"minLength": 24, "maxLength": 100},
    "evidence": {"minItems": 1, "maxItems": 1},
}
"""What a small model is held to, by the name of the property."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One call: the prompt that a drafter was sent, and what it said."""

    prompt: Prompt
    reply: Reply

    @property
    def fault(self) -> str:
        """Why it is no reply: the code that the client gave it, or that its shape is none; "" where it is one."""
        if self.reply.fault is not None:
            return self.reply.fault.name
        parsed = replies.parse(self.reply.text)
        return parsed[0].code if isinstance(parsed, tuple) else ""

    def invented(self, known: str, ids: frozenset[str]) -> Iterator[tuple[str, str]]:
        """What it invented, as the function of this name tells it."""
        return invented(self.reply.text, known, ids, {one.field: frozenset(one.sources) for one in self.prompt.requests})


def invented(text: str, known: str, ids: frozenset[str], allowed: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    """Kind and text of each name in a reply that is not `known`, of each sentence that is mostly of unknown words, and of each
    id that is none, or not `allowed` to its field.
    """
    for field, words, cited in said(text):
        yield from ((kind_of(name), name) for name in names(words) if name not in known)
        yield from [("sentence", words)] if _is_foreign(words, known) else ()
        yield from (("id", one) for one in cited if one not in ids)
        yield from (("id of another field", one) for one in cited if one in ids - allowed.get(field, frozenset()))


class Listening(Model):
    """A drafter that another one stands behind; it keeps what is asked and said."""

    def __init__(self, model: Model, *, is_small: bool = False) -> None:
        """Listen to `model`.

        One that `is_small` finds no end by itself and says examples after: it is held to few sentences by the schema, and the
        examples are left away.
        """
        self._model = model
        self._is_small = is_small
        self.asked: list[Asked] = []

    @property
    def name(self) -> str:
        """The one of the other."""
        return self._model.name

    @property
    def parameters(self) -> Mapping[str, object]:
        """Those of the other."""
        return self._model.parameters

    async def room(self) -> int | None:
        """As much as the other has."""
        return await self._model.room()

    async def draft(self, prompt: Prompt) -> Reply:
        """Ask the other, and keep both sides."""
        if self._is_small:
            schema = bounded(prompt.schema, len(prompt.requests))
            prompt = replace(prompt, schema=schema, instructions=_EXAMPLE.sub("", prompt.instructions))
        reply = await self._model.draft(prompt)
        self.asked.append(Asked(prompt, reply))
        return reply

    async def close(self) -> None:
        """Let the other let go."""
        await self._model.close()


def bounded(schema: Mapping[str, object], fields: int) -> dict[str, object]:
    """The schema of a reply that gives each of so many fields once, with a sentence for each."""
    bounds: Mapping[str, Mapping[str, object]] = {**_BOUNDS, "fields": {"minItems": fields, "maxItems": fields}}

    def within(value: Any, name: str = "") -> Any:
        if isinstance(value, list):
            return [within(one, name) for one in value]
        if not isinstance(value, dict):
            return value
        inner = {key: within(one, key if key in bounds else name if key == "anyOf" else "") for key, one in value.items()}
        return inner | dict(bounds[name]) if name and "anyOf" not in value and value.get("type") != "null" else inner

    found: dict[str, object] = within(dict(schema))
    return found


def _is_foreign(text: str, known: str) -> bool:
    """Whether at most half of the longer words stand in what is known."""
    told, words = known.casefold(), _WORD.findall(text.casefold())
    return bool(words) and sum(word in told for word in words) * 2 <= len(words)


def kind_of(name: str) -> str:
    """What a name names."""
    return next((kind for kind, form in _KINDS.items() if form.fullmatch(name)), _CODE)


def said(text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Field, text and cited ids of each sentence of a reply, as far as there are any: it may have any shape."""
    try:
        told: Any = json.loads(text)
    except json.JSONDecodeError:
        return
    for field in _list(told, "fields"):
        for sentence in _list(field, "sentences"):
            words = sentence.get("text") if isinstance(sentence, dict) else None
            if isinstance(words, str):
                yield str(field.get("field")), words, tuple(map(str, _list(sentence, "evidence")))


def _list(value: Any, name: str) -> list[Any]:
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []
