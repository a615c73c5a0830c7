"""The summary of an itemized envelope, computed from its items: counts and their own words (Describe Changes: Shape B)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from guardrails.drafts import register
from guardrails.drafts.sourced import Sentence
from guardrails.evidence.model import Document, Operation, OperationType

_MOST: Final = 4
"""How many items the paragraph tells by their own words; all breaking and security ones are told."""
_URGENT: Final = ("breaking", "security")
_NAMES: Final = {
    "breaking": "breaking change",
    "security": "security change",
    "feature": "feature",
    "bug_fix": "fix",
    "improvement": "improvement",
    "ops": "ops change",
    "docs": "docs change",
}
"""What one item of a kind is called in a count, in the order in which counts name them."""
_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_VERSION: Final = re.compile(r"(?:[\w.@/-]{0,80}[@/_-])?v?(\d+(?:\.\d+){1,3}(?:[-+.]?[0-9A-Za-z]{1,20}){0,4})")
_CALLED: Final = {OperationType.COMMIT: "commit", OperationType.PULL_REQUEST: "request", OperationType.RANGE: "range"}
_SHORT_OID: Final = 7


@dataclass(frozen=True, slots=True)
class Item:
    """What a summary is made of: an item's kind, its title and short text as written, and the ids that carry them."""

    kind: str
    title: Sentence
    short: Sentence | None


def title(operation: Operation | None, spec: str, request: Document | None, items: Sequence[Item]) -> Sentence:
    """What to call the whole: the title of a request; `Release 2.4.0` where a range ends at a version; else by its names.

    `spec` is the selection in a person's words. Names that could not stand in a title are not used.
    """
    what = operation.type if operation is not None else OperationType.RANGE
    count = f"{_opening(counted(len(items), 'change'))} in this {_CALLED[what]}"
    named = [Sentence(text, _evidence(items)) for text in (*names(operation, spec), count)]
    own = [Sentence(request.title, (request.id,))] if what is OperationType.PULL_REQUEST and request is not None else []
    return next((one for one in (*own, *named) if not any(register.title("", one.text))), named[-1])


def names(operation: Operation | None, spec: str) -> Iterator[str]:
    """The titles that say no more of a whole than which operation it is; `spec` is the selection in a person's words."""
    what = operation.type if operation is not None else OperationType.RANGE
    if what is OperationType.PULL_REQUEST and operation is not None:
        yield f"Changes in request {operation.id}"
    elif what is OperationType.COMMIT and operation is not None:
        yield f"Changes in {operation.id[:_SHORT_OID]}"
    else:
        if (version := _VERSION.fullmatch(spec.rpartition("..")[2].lstrip("."))) is not None:
            yield f"Release {version[1]}"
        yield f"Changes in {spec}"


def short(items: Sequence[Item]) -> Sentence:
    """`Nine changes: one breaking change, three fixes, …`; the counts are those of the items, by kind, terser where many."""
    kinds = Counter(item.kind for item in items)
    total = f"{_opening(counted(len(items), 'change'))}: "
    parts = ([style(kinds[kind], name) for kind, name in _NAMES.items() if kinds[kind]] for style in _STYLES)
    told = [total + ", ".join(some) for some in parts]
    fitting = next((text for text in told if not any(register.short("", text))), told[-1])
    return Sentence(fitting, _evidence(items))


def medium(items: Sequence[Item]) -> tuple[Sentence, ...]:
    """A paragraph of the most significant items' own words; `items` stand in order of significance."""
    told = [item for item in items if item.kind in _URGENT]
    told += [item for item in items if item.kind not in _URGENT][: max(0, _MOST - len(told))]
    said = [sentence for item in told if (sentence := _plain(item)) is not None]
    rest = len(items) - len(said)
    if not said:
        return (Sentence(f"{_opening(counted(len(items), 'change'))} in all.", _evidence(items)),)
    if rest:
        verb = "is" if rest == 1 else "are"
        said.append(Sentence(f"{_opening(counted(rest, 'further change'))} {verb} listed.", _evidence(items)))
    return tuple(said)


def _plain(item: Item) -> Sentence | None:
    """The item's short text or its title as a sentence of the paragraph: without paths and names of code."""
    for sentence in (item.short, item.title):
        if sentence is not None and not any(register.medium("", sentence.text)):
            text = sentence.text.rstrip()
            return Sentence(text if text[-1:] in ".!?" else f"{text}.", sentence.evidence)
    return None


def counted(number: int, name: str) -> str:
    """`three fixes`, `11 fixes`, `one fix`."""
    return f"{_WORDS[number] if number < len(_WORDS) else number} {_named(number, name)}"


def _named(number: int, name: str) -> str:
    plural = name + ("es" if name.endswith("x") else "s")
    return name if number == 1 else plural


_STYLES: Final[tuple[Callable[[int, str], str], ...]] = (
    counted,
    lambda number, name: f"{number} {_named(number, name)}",
    lambda number, name: f"{number} {name.removesuffix(' change')}" if " " in name else f"{number} {_named(number, name)}",
)
"""How the kinds are counted: `three fixes`, `3 docs changes`, `3 docs`."""


def _opening(text: str) -> str:
    return text[:1].upper() + text[1:]


def _evidence(items: Iterable[Item]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item_id for item in items for item_id in item.title.evidence))
