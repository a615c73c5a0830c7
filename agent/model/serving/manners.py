"""What a server is asked in, plainer each time it refuses: servers know different parts of the chat interface (evidraft)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final, TypeAlias

from agent.model.client import Prompt

_NAME: Final = "reply"
_ITEMS: Final = 32
_CHARACTERS: Final = 500
"""As many sentences and ids, and as long a sentence, as a good reply has."""
_BOUNDS: Final[Mapping[object, tuple[str, int]]] = {"array": ("maxItems", _ITEMS), "string": ("maxLength", _CHARACTERS)}
_TOLD: Final = 4_000
"""How much of a refusal is read."""
REFUSALS: Final = frozenset((400, 404, 422, 500, 501))
"""The statuses with which servers refuse a part of a request; templates that fail are a 500 with some."""


class Shape(Enum):
    """How the shape of a reply is asked for, from the strictest to none."""

    BOUNDED = "json_schema with bounds"
    SCHEMA = "json_schema"
    OPEN_SCHEMA = "json_schema without lists of ids"
    OBJECT = "json_object"
    FREE = "none"


@dataclass(frozen=True, slots=True)
class Manner:
    """One way to ask: the shape of the reply, what its limit is called ("" for none), and what may be said besides."""

    shape: Shape = Shape.BOUNDED
    limit: str = "max_tokens"
    has_temperature: bool = True
    has_system: bool = True

    def request(self, prompt: Prompt, model: str, output: int) -> dict[str, object]:
        """The body of a request for at most `output` tokens."""
        body: dict[str, object] = {"model": model, "messages": self._messages(prompt)}
        if self.limit:
            body[self.limit] = output
        if self.has_temperature:
            body["temperature"] = 0
        form = self._form(prompt.schema)
        return body if form is None else {**body, "response_format": form}

    def plainer(self, told: str) -> Manner | None:
        """The way to ask after a refusal that said `told`; None where nothing in it is about the way we ask."""
        words = told[:_TOLD].lower()
        for pattern, step in _STEPS:
            if pattern.search(words) and (other := step(self)) != self:
                return other
        return None

    def unheeded(self) -> Manner:
        """The way to ask a server that took a schema and answered with something that is no JSON."""
        return replace(self, shape=Shape.OBJECT) if self.shape in _SCHEMAS else self

    def _messages(self, prompt: Prompt) -> list[dict[str, str]]:
        if self.has_system:
            return [{"role": message.role, "content": message.content} for message in prompt.messages]
        return [{"role": "user", "content": "\n\n".join(message.content for message in prompt.messages)}]

    def _form(self, schema: Mapping[str, object]) -> dict[str, object] | None:
        if self.shape is Shape.FREE:
            return None
        if self.shape is Shape.OBJECT or not schema:
            return {"type": "json_object"}
        asked = _FORMS[self.shape](schema)
        return {"type": "json_schema", "json_schema": {"name": _NAME, "strict": True, "schema": asked}}


_Step: TypeAlias = Callable[[Manner], Manner]


def _other_limit(manner: Manner) -> Manner:
    return replace(manner, limit="max_completion_tokens" if manner.limit == "max_tokens" else "")


def _no_temperature(manner: Manner) -> Manner:
    return replace(manner, has_temperature=False)


def _no_system(manner: Manner) -> Manner:
    return replace(manner, has_system=False)


def _simpler_schema(manner: Manner) -> Manner:
    shapes = list(Shape)
    return replace(manner, shape=shapes[min(shapes.index(manner.shape) + 1, len(shapes) - 1)])


def _no_schema(manner: Manner) -> Manner:
    return replace(manner, shape=Shape.OBJECT if manner.shape in _SCHEMAS else Shape.FREE)


def _barest(manner: Manner) -> Manner:
    return replace(_no_schema(manner), has_temperature=False)


_STEPS: Final[tuple[tuple[re.Pattern[str], _Step], ...]] = (
    (re.compile(r"max_(completion_|output_|new_)?tokens"), _other_limit),
    (re.compile(r"temperature"), _no_temperature),
    (
        re.compile(
            r"\bsystem\b.{0,40}\b(role|message|prompt)|role.{0,40}\bsystem\b|roles? must alternate|only user.{0,40}role"
        ),
        _no_system,
    ),
    (
        re.compile(r"response_format\b.{0,20}\btype|response_format.{0,60}(support|unknown|unrecogni[sz]ed|unavailable)"),
        _no_schema,
    ),
    (re.compile(r"grammar|schema|\benum|guided|sampler|structured|regex|compile"), _simpler_schema),
    (re.compile(r"response_format|json_object|json mode"), _no_schema),
    (re.compile(r"extra (inputs|fields)|(unknown|unsupported|unrecogni[sz]ed|unexpected) (param|arg|field|key|prop)"), _barest),
)
"""What words in a refusal are about, and what is asked without after them: the narrower words first."""


def bounded(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with an end to every list and text that has none: a small model finds none by itself."""
    told = {key: value if type(value) is str else _bounded(value) for key, value in schema.items()}
    kind = told.get("type")
    key, most = _BOUNDS.get(kind if type(kind) is str else "", ("", 0))
    return {key: most, **told} if key and "enum" not in told else told


def _bounded(value: object) -> object:
    if isinstance(value, dict):
        return bounded(value)
    if not isinstance(value, list | tuple):
        return value
    return [one if type(one) is str else _bounded(one) for one in value]


def without_lists(schema: Mapping[str, object]) -> dict[str, object]:
    """The schema with plain strings for each list of strings: engines that compile a schema may choke on thousands of ids."""
    return {key: _without_lists(value) for key, value in schema.items() if key != "enum" or not _are_texts(value)}


def _without_lists(value: object) -> object:
    if isinstance(value, dict):
        return without_lists(value)
    return [_without_lists(one) for one in value] if isinstance(value, list | tuple) else value


_FORMS: Final[Mapping[Shape, Callable[[Mapping[str, object]], Mapping[str, object]]]] = {
    Shape.BOUNDED: bounded,
    Shape.SCHEMA: dict,
    Shape.OPEN_SCHEMA: without_lists,
}
_SCHEMAS: Final = frozenset(_FORMS)


def _are_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
