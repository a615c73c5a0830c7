"""The Intent Changelog entries of one release, out of reviewed decisions (Intent Changesets 8).

Type, impact and audiences are decisions: they are copied from the changeset or the ledger that people reviewed, and never made
up. Where a change that is told has no such decision there are no entries at all, for some would look like all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Final

from guardrails import strict_yaml
from guardrails.evidence.model import Bundle
from guardrails.grounding.releases.accounts import keys
from guardrails.records.changeset import Target
from guardrails.records.plain_commit import read_any
from guardrails.resolving.decisions import Decision, decisions

_HEAD: Final = """\
# Entries for the ledgers of these release units, out of the decisions that their changes were reviewed with. A ledger that has
# an entry of the same id already has its own, perhaps edited, words.
"""


def entries(bundle: Bundle, accounts: Mapping[str, str], unit: str) -> str:
    """The entries of a release as YAML, by release unit and stream; "" where a change has no public decision for `unit`.

    `accounts` tells for each commit, by its full name, the keys of the items that tell it, or why none does.
    """
    known = {name: one for name, one in decisions(bundle, unit).items() if one.targets and one.record.disclosure.is_public}
    told, linked = _linked(bundle, accounts)
    if not told or not all(known.keys() >= set(names) and names for names in told.values()):
        return ""
    ledgers: dict[tuple[str, str | None], list[dict[str, object]]] = {}
    for name in dict.fromkeys(name for names in told.values() for name in names):
        for target in known[name].targets:
            entry = _entry(known[name], target, linked[name])
            ledgers.setdefault((target.release_unit, target.stream), []).append(entry)
    document = [{"release-unit": of, "stream": stream, "entries": own} for (of, stream), own in ledgers.items()]
    return _HEAD + strict_yaml.write({"ledgers": document}).decode()


def _linked(bundle: Bundle, accounts: Mapping[str, str]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The decisions that the commits of each item link, and the commits that link each decision."""
    told: dict[str, list[str]] = {}
    linked: dict[str, list[str]] = {}
    for commit in bundle.commits:
        names = read_any(commit.message).message.values("Changeset")
        for key in keys(accounts.get(commit.oid, "")):
            told.setdefault(key, []).extend(names)
        for name in names:
            linked.setdefault(name, []).append(commit.oid)
    return told, linked


def _entry(decision: Decision, target: Target, commits: Sequence[str]) -> dict[str, object]:
    """One entry: what consuming the decision transfers, its id under `changesets`, and the commits that link it."""
    record = decision.record
    provenance = {kind: list(references) for kind, references in record.provenance.items()}
    for kind, more in (("changesets", [decision.id]), ("commits", commits)):
        provenance[kind] = list(dict.fromkeys([*provenance.get(kind, ()), *more]))
    return {
        "id": decision.id,
        "type": target.type,
        "summary": record.summary,
        "rationale": record.rationale,
        "impact": target.impact,
        "audiences": list(target.audiences),
        "migration": target.migration,
        "affects": [target.release_unit],
        "provenance": provenance,
        "relations": {name: list(ids) for name, ids in asdict(record.relations).items()},
        "disclosure": record.disclosure.as_mapping(),
    }
