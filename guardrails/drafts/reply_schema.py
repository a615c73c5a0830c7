"""The JSON Schema of a reply, narrowed to one prompt (Intent Changesets 11.4).

It is the small subset that every provider takes: a closed root object, all properties required, no references, lengths,
patterns or defaults; null by `anyOf`. Bounds are told in descriptions. Nothing relies on it: `guardrails.drafts.reply` reads
what comes back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from guardrails.drafts.reply import ProseReply

Schema: TypeAlias = dict[str, Any]
_Path: TypeAlias = tuple[str, ...]

_MOST: Final = 250
_LONGEST: Final = 7_500
"""So many words, and so many characters of them, every provider takes in a closed vocabulary."""
_NONE: Final[Mapping[str, Sequence[str]]] = MappingProxyType({})
_BOUNDS: Final = {
    "minLength": "at least {} character",
    "maxLength": "at most {} characters",
    "minItems": "at least {} item",
    "maxItems": "at most {} items",
}


def reply_schema(
    fields: Sequence[str],
    ids: Sequence[str],
    *,
    has_headings: bool = False,
    open_fields: Mapping[str, Sequence[str]] = _NONE,
    shown: Sequence[str] = (),
) -> Schema:
    """The schema of a reply about these `fields` that cites these `ids`, each a closed vocabulary where it is small enough.

    `open_fields` are those that suggestions may be for, with the words that they accept; `shown` what suggestions may cite.
    """
    words = {
        ("fields", "field"): fields,
        ("fields", "sentences", "evidence"): ids,
        ("suggestions", "field"): tuple(open_fields),
        ("suggestions", "value"): tuple(dict.fromkeys(word for accepts in open_fields.values() for word in accepts)),
        ("suggestions", "evidence"): shown,
    }
    asked = {("fields", "sentences", "heading"): has_headings, ("suggestions",): bool(open_fields)}
    left_out = frozenset(path for path, is_asked in asked.items() if not is_asked)
    return _Narrowing(words, left_out).narrowed(_whole(), ())


class _Narrowing:
    """A walk through the whole schema: `words` are closed vocabularies by path, `left_out` paths that are not asked."""

    def __init__(self, words: Mapping[_Path, Sequence[str]], left_out: frozenset[_Path]) -> None:
        self._words = {path: list(some) for path, some in words.items() if _is_small(some)}
        self._left_out = left_out

    def narrowed(self, node: Schema, path: _Path) -> Schema:
        """One node; lists stand at the path of what they hold."""
        if "anyOf" in node:
            return {**node, "anyOf": [self.narrowed(one, path) for one in node["anyOf"]]}
        if node["type"] == "array":
            return {**node, "items": self.narrowed(node["items"], path)}
        if node["type"] != "object":
            return {**node, "enum": self._words[path]} if path in self._words else dict(node)
        inner = {name: (*path, name) for name in node["properties"]}
        properties = {
            name: self.narrowed(node["properties"][name], at) for name, at in inner.items() if at not in self._left_out
        }
        return {**node, "properties": properties, "required": list(properties)}


@cache
def _whole() -> Schema:
    """The schema of the models in the subset, with nothing left out."""
    schema = ProseReply.model_json_schema()
    return _in_subset(schema, schema["$defs"])


def _in_subset(node: Schema, named: Mapping[str, Schema]) -> Schema:
    """One node of the models; `named` are those that it may refer to."""
    node = named[node["$ref"].rpartition("/")[2]] if "$ref" in node else node
    return _described(node) | _kept(node, named)


def _kept(node: Schema, named: Mapping[str, Schema]) -> Schema:
    if "anyOf" in node:
        return {"anyOf": [_in_subset(one, named) for one in node["anyOf"]]}
    if node["type"] == "array":
        return {"type": "array", "items": _in_subset(node["items"], named)}
    if node["type"] != "object":
        return {"type": node["type"], **({"enum": node["enum"]} if "enum" in node else {})}
    properties = {name: _in_subset(one, named) for name, one in node["properties"].items()}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _described(node: Schema) -> Schema:
    """What a node is for, and its bounds: no provider takes them as such."""
    bounds = ", ".join(told.format(node[name]) for name, told in _BOUNDS.items() if name in node)
    text = " ".join(filter(None, (node.get("description", ""), f"{bounds[:1].upper()}{bounds[1:]}." if bounds else "")))
    return {"description": text} if text else {}


def _is_small(words: Sequence[str]) -> bool:
    return 0 < len(words) <= _MOST and sum(map(len, words)) <= _LONGEST
