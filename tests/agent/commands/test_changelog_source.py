"""`evidraft changelog source`: markdown for writers, in which no commit's text does anything, and no ledger."""

from __future__ import annotations

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from agent.commands.schemas import SCHEMAS
from guardrails import markdown
from tests.agent.payments import MESSAGE, RECORD, Road, payments
from tests.repositories import GitFolder

PENDING = ".ack/changes/resume-settlement-jobs.yaml"
SCHEMA = Draft202012Validator(SCHEMAS["changelog-source"].document())
TOKEN = "glpat-" + "k3j9x7q2m5v8n1b4z6c0"


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """The seed's repository and its record, linked by the last commit."""
    made = payments(tmp_path / "payments")
    made.write({PENDING: RECORD})
    return made


def test_commits_stand_by_impact_newest_first_with_what_they_say(folder: GitFolder, road: Road) -> None:
    link = "Changeset: resume-settlement-jobs\n"
    big = folder.commit(
        f"fix(apps/worker): ask for more\n\nTarget-Impact: apps/worker=major\nMigration: Do it\n  at once\n{link}"
    )
    last = folder.commit(f"fix(settlement): mend it\n\nTarget-Migration: apps/worker@stable=Wait\n{link}")
    before, first = folder.oid("HEAD~2"), folder.oid("HEAD~3")
    ran = road.evidraft("changelog", "source", "--repo", str(folder.path))
    assert (
        ran.out
        == f"""\
# Changelog source

Drawn from commit messages; no release record.

## Major

- **fix** `apps/worker`: ask for more (`{big[:12]}`)
  - Impact for `apps/worker`: major
  - Migration: Do it at once

## Patch

- **fix** `settlement`: mend it (`{last[:12]}`)
  - Migration for `apps/worker@stable`: Wait
- **fix** `apps/worker`: resume interrupted settlement jobs (`{before[:12]}`)

## No release impact

- **chore** `apps/worker`: add the settlement worker (`{first[:12]}`)
"""
    )
    assert (ran.code, ran.err) == (0, "")
    told = road.evidraft("changelog", "source", "--repo", str(folder.path), "--format", "json").json
    SCHEMA.validate(told)
    assert [group["impact"] for group in told["impacts"]] == ["major", "patch", "none"]
    assert told["impacts"][0]["commits"][0]["target-impacts"] == {"apps/worker": "major"}


def test_a_commit_that_is_not_valid_exits_1_and_the_others_are_told(folder: GitFolder, road: Road) -> None:
    oid = folder.commit("Merge it")
    ran = road.evidraft("changelog", "source", "--repo", str(folder.path), "HEAD~2..")
    assert ran.code == 1
    assert ran.out.endswith(f"## Not classified\n\n- `{oid[:12]}`\n")
    assert "resume interrupted" in ran.out
    assert "malformed-message" in ran.err
    told = road.evidraft("changelog", "source", "--repo", str(folder.path), "HEAD~2..", "--format", "json").json
    SCHEMA.validate(told)
    assert [one["code"] for one in told["findings"]] == ["malformed-message"]


@pytest.mark.requirement("IC-11.7")
@pytest.mark.parametrize("form", ["text", "json"])
def test_nothing_of_a_commit_whose_decision_is_embargoed_is_told(folder: GitFolder, road: Road, form: str) -> None:
    shut = RECORD.replace("state: public", "state: embargoed").replace("policy: null", "policy: advisory")
    folder.write({PENDING: shut})
    ran = road.evidraft("changelog", "source", "--repo", str(folder.path), "--format", form)
    assert ran.code == 0
    assert "add the settlement worker" in ran.out
    assert not any(word in ran.out + ran.err for word in ("interrupted", "resume", folder.oid("HEAD")[:12]))
    bare = RECORD.replace("state: public", "state: redacted").replace("placeholder: null", "placeholder: Something *safe*")
    folder.write({PENDING: bare})
    ran = road.evidraft("changelog", "source", "--repo", str(folder.path), "--format", form)
    if form == "json":
        SCHEMA.validate(ran.json)
    assert ("- Something \\*safe\\*\n" if form == "text" else "Something *safe*") in ran.out
    assert not any(word in ran.out + ran.err for word in ("interrupted", "resume", folder.oid("HEAD")[:12]))


@pytest.mark.requirement("IC-11.7")
@pytest.mark.parametrize("operand", ["HEAD", "HEAD~1..HEAD"])
def test_what_reverts_a_commit_of_an_embargoed_decision_is_not_told(folder: GitFolder, road: Road, operand: str) -> None:
    reverted = folder.oid("HEAD")
    folder.write({PENDING: RECORD.replace("state: public", "state: embargoed").replace("policy: null", "policy: advisory")})
    folder.commit(f"chore(apps/worker): take resuming back\n\nImpact: none\nReverts: {reverted}\n")
    ran = road.evidraft("changelog", "source", "--repo", str(folder.path), operand)
    assert ran.code == 0
    assert "resum" not in ran.out + ran.err
    assert "left out" in ran.err


def test_the_text_of_a_commit_is_read_and_does_nothing(folder: GitFolder, road: Road) -> None:
    text = f"[x](https://evil.example) <img src=x> @ada closes #1 `a` *b*\u202e {TOKEN}"
    folder.commit(f"chore(apps/worker): {text}\n\nImpact: none\n")
    out = road.evidraft("changelog", "source", "--repo", str(folder.path), "HEAD~1..").out
    assert TOKEN not in out
    assert "\u202e" not in out
    (line,) = (line for line in out.splitlines() if line.startswith("- "))
    assert "`@ada`" in line
    assert "](https" not in line.replace("\\]", "")
    assert "<img" not in line.replace("\\<", "")
    assert markdown.blocks(out)


def test_without_a_profile_what_links_is_left_out(folder: GitFolder, road: Road) -> None:
    folder.commit("chore: go on\n\nImpact: none\n", {".ack/profile.yaml": None})
    ran = road.evidraft("changelog", "source", "--repo", str(folder.path), "HEAD~2..")
    assert ran.code == 1
    assert "go on" in ran.out
    assert MESSAGE.partition(": ")[2].partition("\n")[0] not in ran.out + ran.err
    assert "unknown-changeset" in ran.err
    told = road.evidraft("changelog", "source", "--repo", str(folder.path), "--format", "json").json
    SCHEMA.validate(told)
    assert not SCHEMA.is_valid({**told, "surprise": 1})


def test_a_commit_that_states_no_impact_is_told_as_one(folder: GitFolder, road: Road) -> None:
    folder.commit("fix: mend it\n", {".ack/profile.yaml": None})
    told = road.evidraft("changelog", "source", "--repo", str(folder.path), "HEAD~1..", "--format", "json").json
    assert [group["impact"] for group in told["impacts"]] == [None]
    SCHEMA.validate(told)
