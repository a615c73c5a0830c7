"""The form of a drafted Intent Changeset: its fields, their order and its YAML (Intent Changesets 5, 6, 11.4).

Paths are as in the record: `id`, `source-repository`, `summary`, `rationale`,
`targets[0].release-unit|stream|type|impact|audiences|migration`, `provenance.<kind>`, `relations.reverts|supersedes`,
`disclosure.state|not-before|policy|placeholder`. Texts are `summary`, `rationale` and `targets[i].migration`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from guardrails.drafts.draft import Draft, place
from guardrails.drafts.sentences import sentences
from guardrails.drafts.sourced import Basis, FieldValue, Prose, Sentence, Sourced, plain
from guardrails.records.changeset import FIELDS, RELATION_FIELDS, TARGET_FIELDS, Changeset, write
from guardrails.records.disclosure import FIELDS as DISCLOSURE_FIELDS
from guardrails.records.fields import SUITE_VERSION

PROVENANCE_KINDS = ("issues", "pull-requests", "decisions", "incidents", "advisories")
"""The kinds that tools know, in the order in which a record shows them; others follow by name."""
TEXT_FIELDS = ("id", "source-repository", "summary", "rationale")

_PARTS: Final = {
    "targets": TARGET_FIELDS,
    "provenance": PROVENANCE_KINDS,
    "relations": RELATION_FIELDS,
    "disclosure": DISCLOSURE_FIELDS,
}
_TARGET = re.compile(r"targets\[(0|[1-9][0-9]{0,5})\]\.([a-z-]+)")
_QUESTIONS: Final[Mapping[str, str]] = {
    "id": "What is the identifier of this decision?",
    "summary": "What do its consumers notice of this change?",
    "rationale": "Why was the change made, or why should its consumers care?",
    "provenance": "Which issue, pull request, decision, incident or advisory does the change come from?",
}


class ChangesetForm:
    """The fields in the order of Intent Changesets 5, as YAML."""

    def part(self, _path: str) -> str:
        """A changeset is one decision, and is drafted as a whole."""
        return ""

    def order(self, path: str) -> tuple[int, int, int, str]:
        """A sort key that puts field paths in the order in which the record has them."""
        return field_order(path)

    def question(self, path: str) -> str:
        """What a person is asked for the field at `path`."""
        return _QUESTIONS.get(path, f"What is right for {path}?")

    def record(self, draft: Draft) -> dict[str, object]:
        """The record as JSON types, holding only the paths that the draft has."""
        return _record(draft)

    def write(self, record: Mapping[str, object]) -> str:
        """The record as the text of a changeset file."""
        return write(record).decode()

    def pieces(self, record: Mapping[str, object]) -> Iterator[str]:
        """The whole text: it is short."""
        yield self.write(record)


CHANGESET: Final = ChangesetForm()


def target_field(path: str) -> tuple[int, str] | None:
    """Split `targets[2].impact` into (2, "impact"); None for any other path."""
    match = _TARGET.fullmatch(path)
    return (int(match[1]), match[2]) if match else None


def field_order(path: str) -> tuple[int, int, int, str]:
    """A sort key that puts field paths in the order in which the record has them."""
    return place(path, FIELDS, _PARTS)


def _record(draft: Draft) -> dict[str, object]:
    paths = {*draft.values, *draft.prose}

    def told(path: str) -> object:
        return plain(draft.get(path))

    def group(prefix: str, names: Iterable[str]) -> dict[str, object]:
        return {name: told(f"{prefix}.{name}") for name in names if f"{prefix}.{name}" in paths}

    record: dict[str, object] = {"intent-changeset": SUITE_VERSION}
    record.update({name: told(name) for name in TEXT_FIELDS if name in paths})
    count = 1 + max((target[0] for path in paths if (target := target_field(path))), default=-1)
    if count:
        record["targets"] = [group(f"targets[{index}]", TARGET_FIELDS) for index in range(count)]
    kinds = [path.partition(".")[2] for path in sorted(draft.values, key=field_order) if path.startswith("provenance.")]
    groups = {"provenance": kinds, "relations": RELATION_FIELDS, "disclosure": DISCLOSURE_FIELDS}
    filled = {name: inner for name, names in groups.items() if (inner := group(name, names))}
    return {**record, **filled, **draft.extra}


def given(record: Changeset, evidence: tuple[str, ...]) -> Draft:
    """A record that someone else wrote, as a draft to be judged: values `given`, each sentence held against all `evidence`."""
    values: dict[str, FieldValue] = {"id": record.id, "source-repository": record.source_repository}
    prose = {"summary": record.summary, "rationale": record.rationale}
    for index, target in enumerate(record.targets):
        at = f"targets[{index}]"
        facts = (target.release_unit, target.stream, target.type, target.impact, target.audiences)
        values.update({f"{at}.{name}": value for name, value in zip(TARGET_FIELDS, facts, strict=False)})
        if target.migration is None:
            values[f"{at}.migration"] = None
        else:
            prose[f"{at}.migration"] = target.migration
    values.update({f"provenance.{kind}": references for kind, references in record.provenance.items()})
    values.update({"relations.reverts": record.relations.reverts, "relations.supersedes": record.relations.supersedes})
    values.update({f"disclosure.{name}": value for name, value in record.disclosure.as_mapping().items()})
    return Draft(
        form=CHANGESET,
        values={path: Sourced(value, Basis.GIVEN) for path, value in values.items()},
        prose={
            path: Prose(tuple(Sentence(sentence, evidence) for sentence in sentences(text)), Basis.GIVEN)
            for path, text in prose.items()
        },
        extra={str(name): value for name, value in record.unknown.items()},
    )
