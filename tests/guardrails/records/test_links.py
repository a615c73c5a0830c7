"""Messages of a history against the decisions they link: every contradiction told once, with both sides and their places."""

from __future__ import annotations

import pytest

from guardrails.findings import Finding
from guardrails.records.changeset import Changeset, read
from guardrails.records.decisions import of_changeset
from guardrails.records.linking import LinkFinding, Said, links_of, validate_links
from tests.guardrails.resolving.building import PROFILE, record, target

PATH = ".ack/changes/resume-settlement-jobs.yaml"
LINK = "Changeset: resume-settlement-jobs"


def changeset(*targets: dict[str, object]) -> Changeset:
    decision = read(record(1, targets=list(targets) or [target()]).data)
    assert isinstance(decision, Changeset)
    return decision


def said(*messages: str) -> tuple[Said, ...]:
    return tuple(Said.of(f"{number:040x}", message) for number, message in enumerate(messages, 1))


def brief(found: tuple[LinkFinding, ...]) -> list[tuple[int, str]]:
    return [(int(one.oid, 16), one.finding.code) for one in found]


@pytest.mark.requirement("IC-8.1")
def test_commits_that_link_and_hold_are_told_apart_from_those_that_do_not() -> None:
    commits = said(
        f"fix(apps/worker): hold\n\n{LINK}",
        "fix(apps/worker): link nothing",
        f"fix(apps/worker): ask for more\n\nImpact: minor\n{LINK}",
        f"no header\n\n{LINK}",
        f"fix(apps/worker): be twice\n\nImpact: patch\nImpact: patch\n{LINK}",
        f"fix(apps/worker): hold too\n\n{LINK}\nChangeset: other-one",
    )
    oids, found = links_of(commits, changeset(), PROFILE, PATH)
    assert [int(oid, 16) for oid in oids] == [1, 6]
    assert brief(found) == [(3, "impact-conflict"), (5, "duplicate-impact")]
    conflict = found[0]
    assert (conflict.path, conflict.changeset, conflict.finding.where) == (PATH, changeset().id, "targets[0].impact")
    assert isinstance(conflict.finding, Finding)
    assert conflict.finding.line is not None


@pytest.mark.requirement("IC-7.1")
def test_an_id_that_no_record_has_is_unknown() -> None:
    commits = said(f"fix(apps/worker): link it\n\n{LINK}\nChangeset: no-such-one")
    found = tuple(validate_links(commits, {changeset().id: of_changeset(changeset(), PATH)}, PROFILE))
    assert [(one.finding.code, one.changeset, one.path) for one in found] == [("unknown-changeset", "no-such-one", "")]
