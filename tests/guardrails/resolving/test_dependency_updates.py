"""Dependencies that were brought to a version are one change, from the first old version to the last new one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.resolving.grouping.dependency_updates import Update, is_update, updates
from guardrails.resolving.grouping.grouping import group
from tests.guardrails.resolving.building import bundle, commit
from tests.guardrails.resolving.changes import NUMBERED, grouped

SUBJECTS = {
    "Bump lodash from 4.17.20 to 4.17.21": ("lodash", "4.17.20", "4.17.21"),
    "Bump @babel/core from 7.26.10 to 7.28.5 (#1771)": ("@babel/core", "7.26.10", "7.28.5"),
    "build(deps): bump golang.org/x/net from 0.1.0 to 0.7.0 in /tools": ("golang.org/x/net", "0.1.0", "0.7.0"),
    "Update black requirement from ~=22.0 to ~=23.1": ("black", "~=22.0", "~=23.1"),
    "Update pytest from 7.4.0 to 7.4.2": ("pytest", "7.4.0", "7.4.2"),
    "chore(deps): update dependency typescript to v5.4.2": ("typescript", "", "v5.4.2"),
    "fix(deps): update rust crate serde to 1.0.197": ("serde", "", "1.0.197"),
    "Update actions/checkout action to v4": ("actions/checkout", "", "v4"),
    "chore(deps): bump clap": ("clap", "", ""),
    "chore(deps): bump the patch group with 4 updates (#1214)": ("", "", ""),
    "chore(deps): lock file maintenance": ("", "", ""),
    "Update dependencies": ("", "", ""),
    "Scheduled weekly dependency update for week 12": ("", "", ""),
    "[pre-commit.ci] pre-commit autoupdate (#652)": ("", "", ""),
    "⬆️ Bump ruff from 0.1.0 to 0.2.0": ("ruff", "0.1.0", "0.2.0"),
}


@pytest.mark.parametrize(("subject", "expected"), SUBJECTS.items(), ids=SUBJECTS)
def test_what_bots_write_is_an_update(subject: str, expected: tuple[str, str, str]) -> None:
    one = commit(1, subject, "pyproject.toml", "poetry.lock", ".github/workflows/ci.yml", "docs/requirements.txt")
    assert is_update(one)
    assert updates([one]) == (Update(*expected, ("C1",)),)


OTHERS = {
    "Bump version to 1.2.0": ("pyproject.toml",),
    "Bump lodash from 4.17.20 to 4.17.21": ("package.json", "src/index.ts"),
    "Raise the limit from 10 to 40": ("pyproject.toml",),
    "Update the client": ("pyproject.toml",),
    "Bump lodash from 4.17.20 to 4.17.21 [security]": ("package.json",),
    "Bump lodash from 1.0 to 1.1 (fixes CVE-2026-1234)": ("package.json",),
    "Update dependencies that the client needs": ("package.json",),
    "Bump lodash from 1.0 to 1.1": (),
}


@pytest.mark.parametrize(("subject", "paths"), OTHERS.items(), ids=OTHERS)
def test_what_does_more_or_less_is_no_update(subject: str, paths: tuple[str, ...]) -> None:
    assert not is_update(commit(1, subject, *paths))


def test_an_update_whose_diff_nobody_knows_is_told_by_its_subject() -> None:
    assert is_update(replace(commit(1, "Bump lodash from 1.0 to 1.1"), diff_known=False))


def test_several_steps_of_one_dependency_are_one_step() -> None:
    steps = ("Bump x from 1.0 to 1.1", "Bump y from 2.0 to 2.1", "Bump x from 1.1 to 1.2")
    found = updates([commit(place, subject, "package.json") for place, subject in enumerate(steps, 1)])
    assert found == (Update("x", "1.0", "1.2", ("C1", "C3")), Update("y", "2.0", "2.1", ("C2",)))


@pytest.mark.requirement("DC-18")
def test_all_updates_are_one_change_whatever_request_they_were() -> None:
    commits = [
        commit(1, "Bump x from 1.0 to 1.1 (#1)", "package.json"),
        commit(2, "Add retries to the client", "client.ts", "package.json"),
        commit(3, "[pre-commit.ci] pre-commit autoupdate (#2)", ".pre-commit-config.yaml"),
    ]
    assert grouped(*commits) == [
        "dependency-update: Bump x from 1.0 to 1.1 (#1) + [pre-commit.ci] pre-commit autoupdate (#2)",
        "single: Add retries to the client",
    ]
    assert [one.why for one in group(bundle(commits[0]), NUMBERED).groups] == ["dependency-update"]


def test_an_update_that_code_was_adapted_to_is_a_change_of_its_own() -> None:
    commits = (
        commit(1, "Bump x from 1.0 to 2.0 (#1)", "package.json"),
        commit(2, "Call the client as x 2 wants it (#1)", "client.ts"),
        commit(3, "Bump y from 1.0 to 2.0 (#2)", "package.json"),
    )
    assert grouped(*commits) == [
        "pull-request: Bump x from 1.0 to 2.0 (#1) + Call the client as x 2 wants it (#1)",
        "dependency-update: Bump y from 1.0 to 2.0 (#2)",
    ]
