"""Scenarios of facts that others pass over or do not read, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.cli import main
from tests.contract_scenarios import CASES, Scenario, scenarios
from tests.repositories import GitFolder


@pytest.mark.requirement("CC-12")
@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(
    "scenario", scenarios(*sorted(path.name for path in CASES.glob("*_facts.json"))), ids=lambda scenario: scenario.id
)
def test_a_scenario_ends_as_it_says(scenario: Scenario, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = scenario.written["expect"]
    code = main(scenario.lay(tmp_path))
    said = json.loads(capsys.readouterr().out)
    assert (said["status"], code) == (expected["verdict"], expected["exit"])
    assert [finding["id"] for finding in said.get("findings", ())] == expected["findings"]


LINKS = [("../src", "PASS"), ("m.ts", "PASS"), ("../../elsewhere", "UNKNOWN"), ("/usr/lib", "UNKNOWN")]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize("is_git", [False, True])
@pytest.mark.parametrize(("target", "status"), LINKS)
def test_a_link_matters_where_something_unread_may_lie_behind_it(
    target: str, status: str, is_git: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contract = tmp_path / "c.yaml"
    contract.write_text("schema: '0.1'\nchange: { name: t }\nforbids: [{ id: k, match: { kind: symbol, name: g } }]\n")
    repository = GitFolder.init(tmp_path / "head")
    for folder in ("src", "links"):
        (repository.path / folder).mkdir()
        (repository.path / folder / "m.ts").write_text("function f() {}\n")
    (repository.path / "links" / "there").symlink_to(target)
    (tmp_path / "base").mkdir()
    options = ["--base-dir", str(tmp_path / "base"), "--head-dir", str(repository.path)]
    if is_git:
        repository.git("add", "--all")
        commit = repository.commit("all")
        options = ["--repo", str(repository.path), "--base", commit, "--head", commit]
    main(["contract", "verify", "--format", "json", "--contract", str(contract), *options])
    assert json.loads(capsys.readouterr().out)["status"] == status
