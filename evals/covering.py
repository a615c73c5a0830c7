"""The independent check of coverage: each commit that git lists is in a change, or accounted for with a reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from evals.patches import RENAMES
from evals.placing import changes
from evals.selecting import git
from evals.shown import Shown

_KEYS = re.compile(r"[0-9a-f]{7,64}(?:\.\d+)?(?:, [0-9a-f]{7,64}(?:\.\d+)?)*")
_NOTHING = re.compile(r"changes nothing|.*: changes nothing by itself")
_HEADER = re.compile(r"(?:\+\+\+|---) (?:[ab]/|/dev/null|\")")
_UNDONE = re.compile(r"revert(?:s|ed by) .*|nothing of it remains between base and head")


def uncovered(receipt: Mapping[str, Any], document: Mapping[str, Any], shown: Shown) -> tuple[str, ...]:
    """Commits of which the receipt does not say where they went, or not the truth."""
    told = {item["locator"].removeprefix("git:"): item["id"] for item in receipt["evidence"] if item["kind"] == "commit"}
    keys = {match[1] for name in receipt["fields"] for match in [re.match(r"items\[([^\]]+)\]", name)] if match}
    where = {oid: receipt["coverage"].get(told.get(oid, ""), "") for oid in shown.parents}
    faults = [f"{oid}: {told_of!r}: {fault}" for oid, told_of in where.items() for fault in _faults(oid, told_of, keys, shown)]
    envelope = document.get("record") or document.get("partial") or {}
    items = len(changes(envelope))
    return (
        *faults,
        *([f"{len(keys)} keys, {items} items"] if envelope.get("shape") == "itemized" and len(keys) != items else ()),
    )


def _faults(oid: str, told: str, keys: set[str], shown: Shown) -> Iterator[str]:
    if _KEYS.fullmatch(told):
        yield from (f"no item {key}" for key in told.split(", ") if key not in keys)
    elif _NOTHING.fullmatch(told):
        yield from ["it does change something"] if _changes(oid, shown) else ()
    elif told != "change" and not _UNDONE.fullmatch(told):
        yield "no known reason"


def _changes(oid: str, shown: Shown) -> bool:
    """Whether a commit changes something; a merge, whether it has or lacks a line unlike all its parents."""
    if shown.repository is None:
        return False
    told = git(shown.repository, "diff-tree", "--cc", "-p", *RENAMES, "--root", "--no-commit-id", oid)
    parents = len(shown.parents[oid])
    if parents < 2:
        return bool(told.strip())
    own = (line for line in told.splitlines() if line[:parents] in {"+" * parents, "-" * parents})
    return "Binary files" in told or not all(map(_HEADER.match, own))
