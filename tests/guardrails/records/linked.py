"""Decisions in files and ledgers, and commits that link them, for tests of links."""

from __future__ import annotations

from collections.abc import Iterable

from guardrails.records import changelog
from guardrails.records.changelog import Changelog
from guardrails.records.changeset import Changeset, read
from guardrails.records.decisions import decisions
from guardrails.records.linking import LinkFinding, Said, validate_links
from guardrails.records.profile import Profile
from guardrails.records.stored import Records, Stored
from guardrails.strict_yaml import write
from tests.guardrails.resolving.building import PROFILE, record, target

ID = "resume-settlement-jobs"
PATH = f".ack/changes/{ID}.yaml"
ARCHIVE = f".ack/archive/{ID}.yaml"
LINK = f"Changeset: {ID}"
HIDDEN = "Nobody may know that the key was lost"
EMBARGOED = {"state": "embargoed", "not-before": None, "policy": "advisory", "placeholder": None}
LEDGERS = {
    ("apps/gateway", "stable"): "led/gs.yaml",
    ("apps/gateway", "lts"): "led/gl.yaml",
    ("apps/worker", "stable"): "led/ws.yaml",
}


def changeset(*targets: dict[str, object], **changes: object) -> Changeset:
    decision = read(record(1, targets=list(targets) or [target()], **changes).data)
    assert isinstance(decision, Changeset)
    return decision


def stored(decision: Changeset, path: str = PATH) -> Stored[Changeset]:
    return Stored(path, decision.document.data, decision)


def ledgers(decision: Changeset, **changes: object) -> tuple[Stored[Changelog], ...]:
    """The ledgers that a decision was consumed into, after an entry that tells another one."""
    return tuple(
        ledger(unit, stream, *(entry(unit, "other-one"), *entries(decision, unit, stream, changes)))
        for unit, stream in dict.fromkeys((one.release_unit, str(one.stream)) for one in decision.targets)
    )


def entries(decision: Changeset, unit: str, stream: str, changes: dict[str, object]) -> Iterable[dict[str, object]]:
    for one in decision.targets:
        if (one.release_unit, one.stream) == (unit, stream):
            yield {**entry(unit, decision.id), "impact": one.impact, "migration": one.migration, **changes}


def entry(unit: str, name: str) -> dict[str, object]:
    return {
        "id": name,
        "type": "reliability",
        "summary": "Settlement jobs go on",
        "rationale": "They were lost",
        "impact": "patch",
        "audiences": ["operators"],
        "migration": None,
        "affects": [unit],
        "provenance": {"changesets": [name]},
        "relations": {"reverts": [], "supersedes": []},
        "disclosure": {"state": "public"},
    }


def ledger(unit: str, stream: str, *told: dict[str, object]) -> Stored[Changelog]:
    head = {"intent-changelog": "1.0.0", "release-unit": unit, "release": "1", "source-repository": PROFILE.repository}
    place = {"stream": stream, "release-line": "1", "channel": "general", "date": None}
    data = write({**head, **place, "entries": list(told), "amendments": []})
    read_one = changelog.read(data)
    assert isinstance(read_one, Changelog)
    return Stored(LEDGERS[unit, stream], data, read_one)


def said(*messages: str) -> tuple[Said, ...]:
    return tuple(Said.of(f"{number:040x}", message) for number, message in enumerate(messages, 1))


def brief(found: Iterable[LinkFinding]) -> list[tuple[int, str]]:
    return [(int(one.oid, 16), one.finding.code) for one in found]


def found(records: Records, *messages: str, profile: Profile = PROFILE) -> tuple[LinkFinding, ...]:
    return tuple(validate_links(said(*messages), decisions(records), profile))


GATEWAY = target(**{"release-unit": "apps/gateway"})
STREAMLESS = {key: value for key, value in GATEWAY.items() if key != "stream"}
LTS = target(**{"release-unit": "apps/gateway"}, stream="lts", impact="none")
