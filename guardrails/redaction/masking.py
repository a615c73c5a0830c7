"""Secrets taken out of results and of names, which tell of a change what is no evidence (Intent Changesets 11.7).

What is printed of a verdict is no evidence for a drafter: nobody refers to a placeholder, so that all secrets are shown alike.
Names of releases are told before any evidence is read: what a policy takes out of evidence goes out of them here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, Final, TypeVar, cast

from guardrails.redaction.judging import Judge, Leaf
from guardrails.redaction.leaves import Form
from guardrails.redaction.naming import Names
from guardrails.redaction.policy import Policy
from guardrails.redaction.secrets import SecretEngine
from guardrails.redaction.terms import Mention

_NAME: Final = r"(?:[0-9a-f]{64}|[0-9a-f]{40})"
_NAMES: Final = re.compile(rf"(?:[a-z][a-z0-9-]{{0,31}}:)*{_NAME}(?::{_NAME}|:sha256|:[0-9]{{1,9}})*")
"""Digests, object names, identities of sides and ids of facts: made of what they name, and never a secret."""
_DIGEST: Final = re.compile(r"\bsha256:[0-9a-f]{64}\b")
_OBJECT: Final = re.compile(rf"\b{_NAME}\b")
_ANYBODY: Final = Policy(keep_people=True)

Value = TypeVar("Value")


def masked(value: Value, engine: SecretEngine, ours: Collection[str] = (), policy: Policy = _ANYBODY) -> Value:
    """`value` with every secret in its texts masked, and what `policy` takes out; the very value where there is none.

    A value is made of texts, mappings, lists, tuples, sets and frozen dataclasses; keys of mappings are ours, and so are words
    of enumerations and those of `ours`. Digests and object names stay, alone or, where the value names them elsewhere too,
    within a text.
    """
    texts = [text for text in dict.fromkeys(texts_of(value)) if text not in ours]
    names = frozenset(name[0] for text in texts if _NAMES.fullmatch(text) for name in _OBJECT.finditer(text))
    told = [text for text in texts if not _NAMES.fullmatch(text)]
    shown = {text: new for text, new in zip(told, mask(told, engine, names, policy), strict=True) if new != text}
    return cast("Value", _mapped(value, shown.get)) if shown else value


def mask(texts: Sequence[str], engine: SecretEngine, names: Collection[str] = (), policy: Policy = _ANYBODY) -> list[str]:
    """Each text without the secrets of any of them, and without what `policy` takes out, all of it shown by its kind alone.

    Digests are no secrets, nor are the object names `names`.
    """
    found = Judge(policy, engine, Names(), names).find([Leaf(Form.PROSE, text) for text in texts])
    return [_without(text, mentions, names) if mentions else text for text, mentions in zip(texts, found, strict=True)]


def _without(text: str, mentions: Iterable[Mention], names: Collection[str]) -> str:
    kept = [found.span() for found in _DIGEST.finditer(text)]
    kept += [found.span() for found in _OBJECT.finditer(text) if found[0] in names]
    shown, done = [], 0
    for mention in mentions:
        if not any(start <= mention.start and mention.end <= end for start, end in kept):
            shown += [text[done : mention.start], f"[{mention.rule.partition(':')[0]}]"]
            done = mention.end
    return "".join((*shown, text[done:]))


def texts_of(value: object) -> Iterator[str]:
    """Every text that a value is made of, but for keys of mappings and words of enumerations."""
    if isinstance(value, str):
        if not isinstance(value, Enum):
            yield value
    elif isinstance(value, Mapping):
        for held in value.values():
            yield from texts_of(held)
    elif isinstance(value, list | tuple | frozenset):
        for held in value:
            yield from texts_of(held)
    elif is_dataclass(value):
        for field in fields(value):
            yield from texts_of(getattr(value, field.name))


def _mapped(value: Any, shown: Callable[[str], str | None]) -> Any:
    """`value` with other texts in the place of some."""
    if isinstance(value, str):
        return value if isinstance(value, Enum) else shown(value) or value
    if isinstance(value, Mapping):
        return {key: _mapped(held, shown) for key, held in value.items()}
    if isinstance(value, list | tuple | frozenset):
        return type(value)(_mapped(held, shown) for held in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: _mapped(getattr(value, field.name), shown) for field in fields(value)})
    return value
