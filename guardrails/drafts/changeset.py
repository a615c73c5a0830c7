"""The draft of one Intent Changeset: fields by path, each with its source (Intent Changesets 5, 6, 11.4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from guardrails.drafts.reply import ChangesetReply
from guardrails.drafts.sentences import sentences
from guardrails.drafts.sourced import Basis, FieldValue, Prose, Sentence, Sourced
from guardrails.records.changeset import RELATION_FIELDS, TARGET_FIELDS, Changeset
from guardrails.records.disclosure import FIELDS as DISCLOSURE_FIELDS
from guardrails.records.fields import SUITE_VERSION

PROVENANCE_KINDS = ("issues", "pull-requests", "decisions", "incidents", "advisories")
"""The kinds that tools know, in the order in which a record shows them; others follow by name."""
TEXT_FIELDS = ("id", "source-repository", "summary", "rationale")

_TARGET = re.compile(r"targets\[(0|[1-9][0-9]{0,5})\]\.([a-z-]+)")


@dataclass(frozen=True, slots=True)
class ChangesetDraft:
    """A whole or partial draft. Paths are as in the record: `id`, `source-repository`, `summary`, `rationale`,
    `targets[0].release-unit|stream|type|impact|audiences|migration`, `provenance.<kind>`, `relations.reverts|supersedes`,
    `disclosure.state|not-before|policy|placeholder`.

    `values` holds decisions, `prose` the texts (`summary`, `rationale`, `targets[i].migration`); a path is in one of both.
    `coverage` maps each selected commit id to "decision" or to why it has no part in it.
    `extra` holds unknown fields of a draft that someone else wrote (only `evidraft verify` has any).
    """

    values: Mapping[str, Sourced[FieldValue]]
    prose: Mapping[str, Prose]
    coverage: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, object] = field(default_factory=dict, repr=False)

    def get(self, path: str) -> FieldValue | list[str]:
        """What stands at a field path, prose as one text; None when nothing does."""
        if path in self.prose:
            return self.prose[path].text
        return self.values[path].value if path in self.values else None


def target_field(path: str) -> tuple[int, str] | None:
    """Split `targets[2].impact` into (2, "impact"); None for any other path."""
    match = _TARGET.fullmatch(path)
    return (int(match[1]), match[2]) if match else None


def field_order(path: str) -> tuple[int, int, int, str]:
    """A sort key that puts field paths in the order in which the record has them."""
    head, _, rest = path.partition(".")
    heads = ("id", "source-repository", "summary", "rationale", "targets", "provenance", "relations", "disclosure")
    name = head.split("[", 1)[0]
    place = heads.index(name) if name in heads else len(heads)
    target = target_field(path)
    if target:
        return place, target[0], TARGET_FIELDS.index(target[1]) if target[1] in TARGET_FIELDS else len(TARGET_FIELDS), path
    groups = {"provenance": PROVENANCE_KINDS, "relations": RELATION_FIELDS, "disclosure": DISCLOSURE_FIELDS}
    orders = groups.get(name, ())
    return place, 0, orders.index(rest) if rest in orders else len(orders), path


def combine(
    values: Mapping[str, Sourced[FieldValue]],
    prose: Mapping[str, Prose],
    coverage: Mapping[str, str],
    reply: ChangesetReply | None,
    asked: Iterable[str],
) -> ChangesetDraft:
    """Join what is resolved with what a drafter wrote; fields of the reply that were not `asked` for are dropped."""
    wanted = frozenset(asked)
    written = {
        answer.field: Prose(
            tuple(Sentence(sentence.text, tuple(sentence.evidence)) for sentence in answer.sentences), Basis.SYNTHESIS
        )
        for answer in (reply.fields if reply else ())
        if answer.sentences and answer.field in wanted
    }
    return ChangesetDraft(values=values, prose={**written, **prose}, coverage=coverage)


def without(draft: ChangesetDraft, paths: Iterable[str]) -> ChangesetDraft:
    """The draft with the fields at `paths` taken out."""
    gone = frozenset(paths)
    return ChangesetDraft(
        values={path: value for path, value in draft.values.items() if path not in gone},
        prose={path: text for path, text in draft.prose.items() if path not in gone},
        coverage=draft.coverage,
        extra=draft.extra,
    )


def to_record(draft: ChangesetDraft) -> dict[str, object]:
    """The record in the field order of Intent Changesets 5, holding only the paths that the draft has."""
    paths = {*draft.values, *draft.prose}

    def plain(path: str) -> object:
        value = draft.get(path)
        return list(value) if isinstance(value, tuple) else value

    def group(prefix: str, names: Iterable[str]) -> dict[str, object]:
        return {name: plain(f"{prefix}.{name}") for name in names if f"{prefix}.{name}" in paths}

    record: dict[str, object] = {"intent-changeset": SUITE_VERSION}
    record.update({name: plain(name) for name in TEXT_FIELDS if name in paths})
    count = 1 + max((place[0] for path in paths if (place := target_field(path))), default=-1)
    if count:
        record["targets"] = [group(f"targets[{index}]", TARGET_FIELDS) for index in range(count)]
    kinds = [path.partition(".")[2] for path in sorted(draft.values, key=field_order) if path.startswith("provenance.")]
    groups = {"provenance": kinds, "relations": RELATION_FIELDS, "disclosure": DISCLOSURE_FIELDS}
    filled = {name: inner for name, names in groups.items() if (inner := group(name, names))}
    return {**record, **filled, **draft.extra}


def given(record: Changeset, evidence: tuple[str, ...]) -> ChangesetDraft:
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
    return ChangesetDraft(
        values={path: Sourced(value, Basis.GIVEN) for path, value in values.items()},
        prose={
            path: Prose(tuple(Sentence(sentence, evidence) for sentence in sentences(text)), Basis.GIVEN)
            for path, text in prose.items()
        },
        extra={str(name): value for name, value in record.unknown.items()},
    )
