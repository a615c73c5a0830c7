"""A run that needs no Project Profile goes without the default one; one that is named, or is there, counts as ever."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent.collecting.gathering import gather
from agent.collecting.request import Gathered, Request
from agent.errors import ConfigurationFailure, Failure
from agent.tasks import CHANGESET
from guardrails.resolving.rules import Rules
from tests.agent.payments import MESSAGE, payments
from tests.guardrails.resolving.building import bundle
from tests.redacting import redacted
from tests.repositories import GitFolder

PROFILE_PATH = ".ack/profile.yaml"
RULES = '[rules]\ntrackers = ["DEVELOP"]\ndisclosure = "no-word-of-any-profile"\n'


@pytest.fixture
def bare(tmp_path: Path) -> GitFolder:
    """A repository without a profile, whose configuration has rules of its own."""
    folder = GitFolder.init(tmp_path / "bare")
    folder.commit("feat: begin", {"a.py": "a = 1\n", "evidraft.toml": RULES})
    folder.commit("fix: mend it", {"a.py": "a = 2\n"})
    return folder


def gathered(folder: GitFolder, **wishes: object) -> Gathered:
    request = Request(folder.path, "HEAD~1..HEAD", needs_profile=False, environ={})
    return gather(replace(request, **wishes))  # type: ignore[arg-type]


def test_a_run_that_needs_none_is_gathered_without_one(bare: GitFolder) -> None:
    run = gathered(bare)
    assert (run.profile, run.profile_path, run.profile_digest) == (None, "", None)
    assert run.rules.trackers == {"DEVELOP"}


def test_a_run_that_needs_one_fails_without_it(bare: GitFolder) -> None:
    with pytest.raises(ConfigurationFailure, match="there is no Project Profile"):
        gathered(bare, needs_profile=True)
    with pytest.raises(ConfigurationFailure, match="there is no Project Profile"):
        _ = gathered(bare).active


@pytest.mark.parametrize("named", ["by a flag", "by a variable", "by the configuration"])
def test_a_profile_that_is_named_and_missing_is_a_failure_all_the_same(bare: GitFolder, tmp_path: Path, named: str) -> None:
    missing = tmp_path / "nowhere.yaml"
    if named == "by the configuration":
        bare.commit("chore: configure", {"evidraft.toml": 'profile = "profiles/mine.yaml"\n'})
        bare.commit("fix: mend it again", {"a.py": "a = 3\n"})
    wishes: dict[str, dict[str, object]] = {
        "by a flag": {"profile": missing},
        "by a variable": {"environ": {"EVIDRAFT_PROFILE": str(missing)}},
        "by the configuration": {},
    }
    with pytest.raises(Failure, match=r"nowhere\.yaml|no Project Profile"):
        gathered(bare, **wishes[named])


def test_a_profile_that_is_there_counts(tmp_path: Path) -> None:
    folder = payments(tmp_path / "payments", MESSAGE + "Refs: DEVELOP-219\n")
    run = gathered(folder)
    assert run.active is run.profile
    assert (run.profile_path, run.profile_digest) == (PROFILE_PATH, run.active.digest)


def test_a_profile_that_the_change_takes_away_still_says_where_records_lie(tmp_path: Path) -> None:
    folder = payments(tmp_path / "payments", MESSAGE)
    record = folder.path / ".ack" / "changes" / "x.yaml"
    folder.commit("chore: record", {".ack/changes/x.yaml": "disclosure: {state: embargoed}\n"})
    assert record.exists()
    folder.commit("chore: drop the profile", {PROFILE_PATH: None})
    run = gathered(folder)
    assert run.profile is None
    assert "records=1" in repr(run.evidence)


def test_a_changeset_is_never_resolved_without_a_profile() -> None:
    with pytest.raises(ValueError, match="under a Project Profile"):
        CHANGESET.resolve(redacted(bundle("fix: x")), None, Rules())
