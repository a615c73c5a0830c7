"""The Intent Pull Requests record: the reviewed context of one integration, as its file says it (Intent Pull Requests)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from guardrails.findings import Finding
from guardrails.records.changeset import read_provenance
from guardrails.records.disclosure import FIELDS as DISCLOSURE_FIELDS
from guardrails.records.disclosure import Disclosure, read_disclosure
from guardrails.records.fields import Fields, open_record, ordered
from guardrails.strict_yaml import Document
from guardrails.strict_yaml import write as write_yaml

STATES: Final = ("draft", "ready", "merged", "closed")
FIELDS: Final = (
    "intent-pull-request",
    "id",
    "title",
    "state",
    "summary",
    "rationale",
    "approach",
    "trade-offs",
    "targets",
    "risks",
    "rollout",
    "rollback",
    "verification",
    "provenance",
    "disclosure",
    "base-revision",
    "evidence-revision",
)
TARGET_FIELDS: Final = ("release-unit", "stream", "impact", "migration")
CLAIM_FIELDS: Final = ("name", "status", "command", "evidence")


@dataclass(frozen=True, slots=True)
class Target:
    """What the integration means for one release unit in one stream."""

    release_unit: str
    stream: str
    impact: str
    migration: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Claim:
    """One verification: what was run, how it ended, and where that can be seen."""

    name: str
    status: str
    command: str | None = field(repr=False)
    evidence: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class PullRequest:
    """One record as its file says it: a view, the exact bytes (`document.data`), and the unknown root fields.

    Every field has its type; whether its value is allowed is for `pull_request_rules` to say.
    """

    version: str
    id: str
    title: str = field(repr=False)
    state: str
    summary: str = field(repr=False)
    rationale: str = field(repr=False)
    approach: str = field(repr=False)
    trade_offs: str = field(repr=False)
    targets: tuple[Target, ...] = field(repr=False)
    risks: tuple[str, ...] = field(repr=False)
    rollout: str | None = field(repr=False)
    rollback: str | None = field(repr=False)
    verification: tuple[Claim, ...] = field(repr=False)
    provenance: Mapping[str, tuple[str, ...]] = field(repr=False)
    disclosure: Disclosure = field(repr=False)
    base_revision: str
    evidence_revision: str
    unknown: Mapping[Any, Any] = field(repr=False)
    document: Document = field(repr=False)

    @property
    def is_draft(self) -> bool:
        """Whether it may still have gaps."""
        return self.state == "draft"

    @property
    def changesets(self) -> tuple[str, ...]:
        """The ids of the changesets that it links."""
        return self.provenance.get("changesets", ())


def read(data: bytes) -> PullRequest | tuple[Finding, ...]:
    """One record out of exact bytes, or a finding for each fault of form, with its line."""
    fields = open_record(data)
    if isinstance(fields, tuple):
        return fields
    record = PullRequest(
        version=fields.text("intent-pull-request"),
        id=fields.text("id"),
        title=fields.text("title"),
        state=fields.text("state"),
        summary=fields.text("summary"),
        rationale=fields.text("rationale"),
        approach=fields.text("approach"),
        trade_offs=fields.text("trade-offs"),
        targets=tuple(map(_read_target, fields.parts("targets"))),
        risks=fields.texts("risks"),
        rollout=fields.text_or_null("rollout"),
        rollback=fields.text_or_null("rollback"),
        verification=tuple(map(_read_claim, fields.parts("verification"))),
        provenance=read_provenance(fields.part("provenance")),
        disclosure=read_disclosure(fields.part("disclosure")),
        base_revision=fields.object_name("base-revision"),
        evidence_revision=fields.object_name("evidence-revision"),
        unknown=fields.unknown(FIELDS),
        document=fields.faults.document,
    )
    return tuple(fields.faults.findings) or record


def _read_target(fields: Fields) -> Target:
    return Target(fields.text("release-unit"), fields.text("stream"), fields.text("impact"), fields.text_or_null("migration"))


def _read_claim(fields: Fields) -> Claim:
    return Claim(fields.text("name"), fields.text("status"), fields.text_or_null("command"), fields.text("evidence"))


def write(record: Mapping[str, Any]) -> bytes:
    """A new file out of a record's fields: those of the specification in its order, unknown ones after them."""
    fields = ordered(record, FIELDS)
    if isinstance(fields.get("disclosure"), Mapping):
        fields["disclosure"] = ordered(fields["disclosure"], DISCLOSURE_FIELDS)
    for key, order in (("targets", TARGET_FIELDS), ("verification", CLAIM_FIELDS)):
        if isinstance(fields.get(key), list | tuple):
            fields[key] = [ordered(part, order) for part in fields[key]]
    return write_yaml(fields)
