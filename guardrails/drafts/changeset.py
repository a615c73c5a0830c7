"""The draft of one Intent Changeset: fields by path, each with its source (Intent Changesets 5, 6, 11.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from guardrails.drafts.sourced import FieldValue, Prose, Sourced


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
