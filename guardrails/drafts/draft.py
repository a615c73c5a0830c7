"""A draft: fields by path, each with its source, and the form that tells how its record looks (Intent Changesets 11.4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol, TypeAlias

from guardrails.drafts.reply import ProseReply, SentenceReply
from guardrails.drafts.sourced import Basis, FieldValue, Prose, Sentence, Sourced

PAGE: Final = "detail_md"
"""The last part of the path of a text that has headings."""
Place: TypeAlias = tuple[int | str, ...]
"""Where a field stands in its record, as a sort key."""
_STEP: Final = re.compile(r"([^\[\]]*)(?:\[(0|[1-9][0-9]{0,5})\])?")


class Form(Protocol):
    """One kind of record: the order of its fields, and how it is put together and written."""

    def part(self, path: str) -> str:
        """The part of the record that is drafted by itself and holds the field at `path`; "" for the record as a whole."""
        ...

    def order(self, path: str) -> Place:
        """A sort key that puts field paths in the order in which the record has them."""
        ...

    def question(self, path: str) -> str:
        """What a person is asked for the field at `path`."""
        ...

    def record(self, draft: Draft) -> dict[str, object]:
        """The record as JSON types in the order of its fields, holding only the paths that the draft has."""
        ...

    def write(self, record: Mapping[str, object]) -> str:
        """The record as the text of a file."""
        ...

    def pieces(self, record: Mapping[str, object]) -> Iterator[str]:
        """The same text piece by piece, where a record may be long."""
        ...


@dataclass(frozen=True, slots=True)
class Draft:
    """A whole or partial draft. Paths are as in the record: `targets[0].impact`, `change.relations.ticket`.

    `values` holds decisions, `prose` the texts; a path is in one of both. `coverage` maps each selected commit id to its part
    in the draft or to why it has none. `extra` holds unknown fields of a draft that someone else wrote (only `evidraft verify`
    has any).
    """

    form: Form
    values: Mapping[str, Sourced[FieldValue]]
    prose: Mapping[str, Prose]
    coverage: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, object] = field(default_factory=dict, repr=False)

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of all its fields, in the order of the record."""
        return tuple(sorted({*self.values, *self.prose}, key=self.form.order))

    def get(self, path: str) -> FieldValue:
        """What stands at a field path, prose as one text; None when nothing does."""
        if path in self.prose:
            return self.prose[path].text
        return self.values[path].value if path in self.values else None

    def record(self) -> dict[str, object]:
        """The record that it stands for, as JSON types."""
        return self.form.record(self)


def combine(draft: Draft, reply: ProseReply | None, asked: Iterable[str]) -> Draft:
    """The draft with what a drafter wrote besides; fields of the reply that were not `asked` for are dropped."""
    wanted = frozenset(asked)
    written = {
        answer.field: Prose(tuple(_sentence(said, answer.field) for said in answer.sentences), Basis.SYNTHESIS)
        for answer in (reply.fields if reply else ())
        if answer.sentences and answer.field in wanted
    }
    return replace(draft, prose={**written, **draft.prose})


def place(path: str, heads: Sequence[str], parts: Mapping[str, Sequence[str]]) -> tuple[int, int, int, str]:
    """A sort key for `path`: by its head among `heads`, by its index, then among the `parts` that its head has."""
    head, _, rest = path.partition(".")
    step = _STEP.fullmatch(head)
    name, index = (step[1], int(step[2] or 0)) if step is not None else (head, 0)
    order = parts.get(name, ())
    inner = order.index(rest) if rest in order else len(order) if rest else -1
    return heads.index(name) if name in heads else len(heads), index, inner, path


def without(draft: Draft, paths: Iterable[str]) -> Draft:
    """The draft with the fields at `paths` taken out."""
    gone = frozenset(paths)
    return replace(
        draft,
        values={path: value for path, value in draft.values.items() if path not in gone},
        prose={path: text for path, text in draft.prose.items() if path not in gone},
    )


def _sentence(said: SentenceReply, field: str) -> Sentence:
    """A heading that is given where there are none says nothing: the schema of a reply lets all sentences have one."""
    once = tuple(dict.fromkeys(said.evidence))
    return Sentence(said.text, said.evidence if once == said.evidence else once, said.heading if field.endswith(PAGE) else None)
