"""The form of a drafted envelope: its fields, their order and its JSON (Describe Changes: the change object, Shape A, Shape B).

Paths are as in the record: `shape`, `operation.type|id|repository`, `change.kind|title|short_md|medium_md|detail_md|refs`,
`change.relations.ticket|request|reporter`, `summary.title|short_md|medium_md`; an item's begin with `items[KEY].`, where KEY is
the name that its draft gave it, or in an envelope of somebody else its number. `items[KEY].migration` is no field of the
contract: what users must do stands on the page of the change, and there a draft puts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope import ChangeShape, Envelope, SingleEnvelope
from guardrails.drafts.relations import KEYS as RELATIONS
from guardrails.drafts.sentences import sentences
from guardrails.drafts.sourced import Basis, FieldValue, Prose, Sentence, Sourced, plain
from guardrails.evidence.references import Reference
from guardrails.indented_json import indented
from guardrails.shapes import StrictShape

CHANGE: Final = "change"
OPERATION_FIELDS: Final = ("type", "id", "repository")
SUMMARY_FIELDS: Final = ("title", "short_md", "medium_md")
TEXT_FIELDS: Final = (*SUMMARY_FIELDS, "detail_md")
CHANGE_FIELDS: Final = ("kind", *TEXT_FIELDS, "refs")
MIGRATION: Final = "migration"

_PARTS: Final = ("summary", "change", "items")
_HEADS: Final = ("shape", "operation", "summary", "change", "items")
_FIELDS: Final = ("", *OPERATION_FIELDS, *CHANGE_FIELDS, *(f"relations.{name}" for name in RELATIONS), MIGRATION)
_PATH: Final = re.compile(r"(?P<head>[a-z]+)(?:\[(?P<key>[0-9a-f.]{1,80})\])?(?:\.(?P<field>.+))?")
_QUESTIONS: Final[Mapping[str, str]] = {
    "shape": "Do you want one digest of the whole, or an itemized array of changes with a summary on top?",
    "operation.repository": "Which repository is this, as owner/name?",
    "kind": "Which kind of change is this?",
    "title": "What is a title for this change, in under 80 characters?",
    "short_md": "What does this change do, in at most 140 characters?",
    "medium_md": "What does this change mean for the person who uses the product, without paths and names of code?",
    "detail_md": "What changed, where, and why?",
    "migration": "What must those who use it do now, if anything?",
    "ticket": "Which ticket does this change belong to, if any?",
    "request": "Which pull request does this change belong to, if any?",
    "reporter": "Who reported what this change cures, if anybody?",
}


@dataclass(frozen=True, slots=True)
class EnvelopeForm:
    """The fields in the order of the contract, as JSON. `keys` are those of the items in order, () for a single change."""

    keys: tuple[str, ...] = ()
    _places: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Number the keys once: order is asked of thousands of paths."""
        object.__setattr__(self, "_places", {key: place for place, key in enumerate(self.keys)})

    def part(self, path: str) -> str:
        """The change object or summary that a field belongs to; "" for what tells of the envelope as a whole."""
        match = _PATH.fullmatch(path)
        if match is None or match["head"] not in _PARTS:
            return ""
        return match["head"] if match["key"] is None else f"{match['head']}[{match['key']}]"

    def order(self, path: str) -> tuple[int, int, int, str]:
        """A sort key that puts field paths in the order in which the envelope has them."""
        match = _PATH.fullmatch(path)
        head, key, name = match.group("head", "key", "field") if match else ("", "", "")
        return _place(_HEADS, head), self._places.get(key, len(self.keys)), _place(_FIELDS, name or ""), path

    def question(self, path: str) -> str:
        """What a person is asked for the field at `path`."""
        return _QUESTIONS.get(path) or _QUESTIONS.get(path.rpartition(".")[2], f"What is right for {path}?")

    def record(self, draft: Draft) -> dict[str, object]:
        """The envelope as JSON types, holding only the paths that the draft has."""
        parts = {
            "operation": _group(draft, "operation", OPERATION_FIELDS),
            "summary": _group(draft, "summary", SUMMARY_FIELDS),
            "change": _change(draft, CHANGE),
            "items": [item for path in self.changes() if path != CHANGE and (item := _change(draft, path))],
        }
        return {**_group(draft, "", ("shape",)), **{name: part for name, part in parts.items() if part}, **draft.extra}

    def write(self, record: Mapping[str, object]) -> str:
        """The envelope as the text of a file."""
        return "".join(self.pieces(record))

    def pieces(self, record: Mapping[str, object]) -> Iterator[str]:
        """The same text piece by piece: all of them at once take several times as much."""
        yield from indented(record)
        yield "\n"

    def changes(self) -> tuple[str, ...]:
        """The paths of its change objects, in order."""
        return tuple(f"items[{key}]" for key in self.keys) or (CHANGE,)


def changes(draft: Draft) -> tuple[str, ...]:
    """The paths of a draft's change objects, in order: `change`, or `items[KEY]` for each; none in a draft of another form."""
    return draft.form.changes() if isinstance(draft.form, EnvelopeForm) else ()


def given(envelope: Envelope, evidence: tuple[str, ...]) -> Draft:
    """An envelope of somebody else as a draft to be judged: values `given`, each sentence held against all `evidence`."""
    values: dict[str, FieldValue] = {"shape": envelope.shape, **_fields("operation", envelope.operation, OPERATION_FIELDS)}
    texts: dict[str, str | None] = {}
    told: tuple[ChangeShape, ...]
    if isinstance(envelope, SingleEnvelope):
        form, told = EnvelopeForm(), (envelope.change,)
    else:
        form, told = EnvelopeForm(tuple(map(str, range(len(envelope.items))))), envelope.items
        texts |= _fields("summary", envelope.summary, SUMMARY_FIELDS)
    for path, change in zip(form.changes(), told, strict=True):
        values |= _values(path, change)
        texts |= _fields(path, change, TEXT_FIELDS)
    values |= {path: None for path, text in texts.items() if text is None}
    return Draft(
        form,
        {path: Sourced(value, Basis.GIVEN) for path, value in values.items()},
        {path: _prose(text, evidence) for path, text in texts.items() if text is not None},
    )


def _fields(path: str, shape: StrictShape, names: Iterable[str]) -> dict[str, str | None]:
    return {f"{path}.{name}": getattr(shape, name) for name in names}


def _values(path: str, change: ChangeShape) -> dict[str, FieldValue]:
    places = tuple(Reference(ref.path, ref.range, ref.sha, ref.note) for ref in change.refs)
    return {f"{path}.kind": change.kind, f"{path}.refs": places, **_fields(f"{path}.relations", change.relations, RELATIONS)}


def _prose(text: str, evidence: tuple[str, ...]) -> Prose:
    return Prose(tuple(Sentence(sentence, evidence) for sentence in sentences(text)), Basis.GIVEN, text)


def _place(names: tuple[str, ...], name: str) -> int:
    return names.index(name) if name in names else len(names)


def _change(draft: Draft, path: str) -> dict[str, object]:
    relations = _group(draft, f"{path}.relations", RELATIONS)
    return {**_group(draft, path, CHANGE_FIELDS), **({"relations": relations} if relations else {})}


def _group(draft: Draft, path: str, names: Iterable[str]) -> dict[str, object]:
    """The fields below `path` that the draft has, as JSON types."""
    paths = {name: f"{path}.{name}" if path else name for name in names}
    return {name: plain(draft.get(at)) for name, at in paths.items() if at in draft.values or at in draft.prose}
