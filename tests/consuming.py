"""A project with three ledgers and a decision that has a target in each, as values and as a tree of files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guardrails.records import changelog, changeset, profile
from guardrails.records.consuming import Plan, Refusal, plan
from guardrails.records.profile import Profile
from guardrails.records.stored import Records, Stored
from guardrails.strict_yaml import read
from tests.agent.payments import GATEWAY, PROFILE, RECORD

ID = "resume-settlement-jobs"
PENDING = f".ack/changes/{ID}.yaml"
ARCHIVED = f".ack/archive/{ID}.yaml"
LTS = """\
      lts:
        release-line: "0"
        channel: general
        changelog: .ack/changelog/lts/worker.yaml
        manifests: .ack/releases/worker-lts
"""
TARGETS = {
    ("apps/worker", "stable"): ".ack/changelog/worker.yaml",
    ("apps/worker", "lts"): ".ack/changelog/lts/worker.yaml",
    ("apps/gateway", "stable"): ".ack/changelog/gateway.yaml",
}
WORKER, OLD_WORKER, GATE = TARGETS.values()
POLICY = PROFILE.replace("ledger-directory:", f"{LTS}{GATEWAY}ledger-directory:")
OTHER_TARGETS = """\
  - release-unit: apps/worker
    stream: lts
    type: reliability
    impact: none
    audiences: [operators, end-users]
    migration: null
  - release-unit: apps/gateway
    stream: stable
    type: security
    impact: major
    audiences: [end-users]
    migration: |
      Deploy twice.
      Then look: it works.
provenance:"""
THREE = RECORD.replace("provenance:", OTHER_TARGETS)
"""The seed's record with two more targets."""


def policy(after: str = "archive", more: str = POLICY) -> Profile:
    """The project's profile, under which consumed records are archived, deleted or kept."""
    found = profile.read(more.replace("after-consumption: archive", f"after-consumption: {after}").encode())
    assert isinstance(found, Profile), found
    return found


def ledger(unit: str, stream: str, *, entries: str = "entries: []", date: str = "null", release: str = "2.0.0") -> str:
    """A ledger with a remark and an unknown key, whose bytes nobody but us would write so."""
    line = "0" if stream == "lts" else "1"
    return (
        f"# of {unit}\nintent-changelog: 1.0.0\nrelease-unit: {unit}\nrelease: {release}   # next\n"
        f"source-repository: https://github.com/example/payments\nstream: {stream}\nrelease-line: '{line}'\n"
        f"channel: general\ndate: {date}\n{entries}\namendments: []\nx-curator:   rowan\n"
    )


LEDGERS = {path: ledger(*owner) for owner, path in TARGETS.items()}


def entry(**changes: str) -> str:
    """The entry of the seed's record in the ledger of the worker, as people may write it; `changes` are whole lines by key."""
    lines = {
        "id": f"id: {ID}",
        "summary": "summary: Resume settlement jobs interrupted during shutdown",
        "rationale": "rationale: Avoid manual recovery when deployments interrupt long jobs",
        "impact": "impact: patch",
        "type": "type: reliability",
        "audiences": "audiences: [operators]",
        "migration": "migration: null",
        "affects": "affects: [apps/worker]",
        "provenance": f"provenance: {{changesets: [{ID}], issues: [DEVELOP-219]}}",
        "relations": "relations: {supersedes: [], reverts: []}",
        "disclosure": "disclosure: {state: public}",
    } | changes
    first, *rest = lines.values()
    return f"entries:   # reviewed\n  - {first}\n" + "".join(f"    {line}\n" for line in rest).rstrip("\n")


@dataclass(frozen=True)
class World:
    """The files of a work tree by path."""

    files: Mapping[str, str]
    profile: Profile

    def below(self, directory: str | None) -> list[tuple[str, bytes]]:
        return sorted((path, text.encode()) for path, text in self.files.items() if path.startswith(f"{directory}/"))

    @property
    def records(self) -> Records:
        """What a reader gives of it."""
        changes = self.profile.changesets
        pending, archived = (
            tuple(Stored(path, data, changeset.read(data)) for path, data in self.below(place))
            for place in (changes.directory, changes.archive_directory)
        )
        ledgers = tuple(Stored(path, data, changelog.read(data)) for path, data in self.below(self.profile.ledger_directory))
        return Records(pending, archived, ledgers)

    def plan(
        self, links: Mapping[str, tuple[str, ...]] | None = None, spent: Mapping[str, str] | None = None, only: str = ""
    ) -> Plan | tuple[Refusal, ...]:
        """How to consume all that is pending, or what stands at the path `only`."""
        records = self.records
        chosen = [stored for stored in records.pending if not only or stored.path == only]
        if only and not chosen:
            data = self.files[only].encode()
            chosen = [Stored(only, data, changeset.read(data))]
        return plan(self.profile, chosen, records, links or {}, spent or {})

    def done(self, links: Mapping[str, tuple[str, ...]] | None = None) -> World:
        """The world after everything pending was consumed, as a plan says it."""
        planned = self.plan(links)
        assert isinstance(planned, Plan), planned
        files = dict(self.files)
        for write in planned.ledgers:
            assert files[write.path].encode() == write.before
            files[write.path] = write.after.decode()
        for one in planned.disposals:
            assert files.pop(one.path).encode() == one.data
            if one.archive is not None:
                files[one.archive] = one.data.decode()
        return World(files, self.profile)


def world(*changes: tuple[str, str | None], after: str = "archive") -> World:
    """The seed's record pending, and three empty ledgers, with other files in their place or beside them; None for none."""
    files: dict[str, str | None] = {**LEDGERS, PENDING: RECORD, **dict(changes)}
    return World({path: text for path, text in files.items() if text is not None}, policy(after))


def lay(root: Path, files: Mapping[str, str]) -> None:
    """Write the files below a folder."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())


def laid(root: Path, path: str) -> dict[str, str]:
    """The files below one folder of a work tree, by their path from its root."""
    found = ((file.relative_to(root).as_posix(), file) for file in (root / path).rglob("*") if file.is_file())
    return {name: file.read_bytes().decode() for name, file in found}


def entries(text: str) -> list[dict[str, Any]]:
    """The entries of a ledger."""
    return list(read(text.encode()).value["entries"])


def codes(planned: Plan | tuple[Refusal, ...]) -> list[tuple[str, str, str]]:
    """File, code and field of each refusal."""
    assert not isinstance(planned, Plan), planned
    return [(one.path, one.finding.code, one.finding.where) for one in planned]
