"""What of a changeset file is shown: the fields of the specification; unknown ones stay on disk (Intent Changesets 5, 12)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from guardrails.digests import sha256
from guardrails.evidence.model import ExistingRecord
from guardrails.records import changeset, disclosure

_NESTED: Final = {"relations": changeset.RELATION_FIELDS, "disclosure": disclosure.FIELDS}


def without_unknown_fields(record: ExistingRecord) -> ExistingRecord:
    """The record as it is when it holds nothing unknown or is no changeset, else written anew from what is known."""
    read = changeset.read(record.data)
    if not isinstance(read, changeset.Changeset):
        return record
    value = read.document.value
    known = _of(value, changeset.FIELDS)
    known |= {key: _of(known[key], order) for key, order in _NESTED.items()}
    known["targets"] = [_of(target, changeset.TARGET_FIELDS) for target in known["targets"]]
    if known == value:
        return record
    data = changeset.write(known)
    return replace(record, data=data, digest=sha256(data))


def _of(mapping: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: mapping[name] for name in names if name in mapping}
