"""The form of a drafted pull-request record: its fields, their order and its YAML (Intent Pull Requests 1.0.0).

Paths are as in the record: `id`, `state`, `summary`, `rationale`, `approach`, `trade-offs`, `targets[0].impact`, `risks`,
`rollout`, `rollback`, `verification[0].name`, `provenance.<kind>`, `disclosure.state`, `base-revision`, `evidence-revision`.
The title is put together out of `title.type`, `title.scope` and `title.description`. Each sentence of `risks` is one risk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from guardrails.drafts.changeset import PROVENANCE_KINDS
from guardrails.drafts.draft import Draft, place
from guardrails.drafts.sentences import sentences
from guardrails.drafts.sourced import Basis, FieldValue, Prose, Sentence, Sourced, plain
from guardrails.records import commit
from guardrails.records.commit import Message
from guardrails.records.disclosure import FIELDS as DISCLOSURE_FIELDS
from guardrails.records.fields import SUITE_VERSION
from guardrails.records.pull_request import CLAIM_FIELDS, FIELDS, TARGET_FIELDS, PullRequest, write

CHANGESETS: Final = "changesets"
KINDS: Final = (CHANGESETS, *PROVENANCE_KINDS)
TITLE_FIELDS: Final = ("type", "scope", "description")
MARKER: Final = FIELDS[0]
_PARTS: Final = {
    "title": TITLE_FIELDS,
    "targets": TARGET_FIELDS,
    "verification": CLAIM_FIELDS,
    "provenance": KINDS,
    "disclosure": DISCLOSURE_FIELDS,
}
_LISTED: Final = re.compile(r"(targets|verification)\[(0|[1-9][0-9]{0,5})\]\.([a-z-]+)")
_QUESTIONS: Final[Mapping[str, str]] = {
    "id": "What is the identifier of this request's record?",
    "title.description": "What does the request do, in the words of a commit header?",
    "summary": "What do its consumers notice of the request?",
    "rationale": "Why is it made, or why should its consumers care?",
    "approach": "How is it made?",
    "trade-offs": "What was weighed, and what was given up?",
    "risks": "What can go wrong?",
    "rollout": "How is it rolled out?",
    "rollback": "How is it taken back?",
    "provenance": "Which changeset, issue, pull request or decision does the request come from?",
}


class PullRequestForm:
    """The fields in the order of the specification, as YAML."""

    def part(self, _path: str) -> str:
        """A request is drafted as a whole."""
        return ""

    def order(self, path: str) -> tuple[int, int, int, str]:
        """A sort key that puts field paths in the order in which the record has them."""
        return place(path, FIELDS, _PARTS)

    def question(self, path: str) -> str:
        """What a person is asked for the field at `path`."""
        return _QUESTIONS.get(path, f"What is right for {path}?")

    def record(self, draft: Draft) -> dict[str, object]:
        """The record as JSON types, holding only the fields of which the draft has something."""
        found = ((name, _field(name, draft)) for name in FIELDS[1:])
        told = {name: value for name, value in found if value is not _ABSENT}
        return {MARKER: SUITE_VERSION, **told, **draft.extra}

    def write(self, record: Mapping[str, object]) -> str:
        """The record as the text of its file."""
        return write(record).decode()

    def pieces(self, record: Mapping[str, object]) -> Iterator[str]:
        """The whole text: it is short."""
        yield self.write(record)


PULL_REQUEST: Final = PullRequestForm()
_ABSENT: Final = object()


def listed_field(path: str) -> tuple[str, int, str] | None:
    """Split `verification[1].status` into ("verification", 1, "status"); None for a path outside a list."""
    match = _LISTED.fullmatch(path)
    return (match[1], int(match[2]), match[3]) if match else None


def _field(name: str, draft: Draft) -> object:
    """What the record has under `name`."""
    paths = {*draft.values, *draft.prose}
    if name == "title":
        return _title(draft) if {"title.type", "title.description"} <= paths else _ABSENT
    if name == "risks" and name in draft.prose:
        return [sentence.text for sentence in draft.prose[name].sentences]
    if name in paths:
        return plain(draft.get(name))
    if name in {"targets", "verification"}:
        places = [found[1] for path in paths if (found := listed_field(path)) and found[0] == name]
        return [_group(f"{name}[{index}]", _PARTS[name], draft) for index in range(1 + max(places))] if places else _ABSENT
    if name in {"provenance", "disclosure"}:
        inner = (path.partition(".")[2] for path in sorted(paths, key=PULL_REQUEST.order) if path.startswith(f"{name}."))
        return _group(name, inner, draft) or _ABSENT
    return _ABSENT


def _title(draft: Draft) -> str:
    type_, scope, description = (draft.get(f"title.{name}") for name in TITLE_FIELDS)
    return Message(str(type_), scope if isinstance(scope, str) else None, str(description)).header


def _group(prefix: str, names: Iterable[str], draft: Draft) -> dict[str, object]:
    paths = ((name, f"{prefix}.{name}") for name in names)
    return {name: plain(draft.get(path)) for name, path in paths if path in draft.values or path in draft.prose}


def given(record: PullRequest, evidence: tuple[str, ...]) -> Draft:
    """A record that someone else wrote, as a draft to be judged: values `given`, each sentence held against all `evidence`."""
    values = dict(_given_values(record))
    prose: dict[str, Prose] = {}
    told = {
        "summary": record.summary,
        "rationale": record.rationale,
        "approach": record.approach,
        "trade-offs": record.trade_offs,
        "rollout": record.rollout,
        "rollback": record.rollback,
        **{f"targets[{index}].migration": target.migration for index, target in enumerate(record.targets)},
    }
    title = commit.read(record.title)
    if isinstance(title, Message):
        values |= {"title.type": title.type, "title.scope": title.scope}
        told["title.description"] = title.description
    for path, text in told.items():
        if text is None or not text.strip():
            values[path] = text
        else:
            prose[path] = Prose(tuple(Sentence(one, evidence) for one in sentences(text)), Basis.GIVEN, text)
    if record.risks:
        prose["risks"] = Prose(tuple(Sentence(one, evidence) for one in record.risks), Basis.GIVEN)
    else:
        values["risks"] = ()
    return Draft(
        form=PULL_REQUEST,
        values={path: Sourced(value, Basis.GIVEN) for path, value in values.items()},
        prose=prose,
        extra={str(name): value for name, value in record.unknown.items()},
    )


def _given_values(record: PullRequest) -> Iterable[tuple[str, FieldValue]]:
    yield from (("id", record.id), ("state", record.state))
    yield from (("base-revision", record.base_revision), ("evidence-revision", record.evidence_revision))
    for index, target in enumerate(record.targets):
        facts = (target.release_unit, target.stream, target.impact)
        yield from ((f"targets[{index}].{name}", fact) for name, fact in zip(TARGET_FIELDS, facts, strict=False))
    for index, claim in enumerate(record.verification):
        said = (claim.name, claim.status, claim.command, claim.evidence)
        yield from ((f"verification[{index}].{name}", fact) for name, fact in zip(CLAIM_FIELDS, said, strict=True))
    yield from ((f"provenance.{kind}", references) for kind, references in record.provenance.items())
    yield from ((f"disclosure.{name}", value) for name, value in record.disclosure.as_mapping().items())
    if not record.verification:
        yield "verification", ()
    if not record.targets:
        yield "targets", ()
