"""Scenarios of facts that others pass over or do not read, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.cli import main
from tests.contract_scenarios import Scenario, scenarios


@pytest.mark.requirement("CC-12")
@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize("scenario", scenarios("ours_facts.json"), ids=lambda scenario: scenario.id)
def test_a_scenario_ends_as_it_says(scenario: Scenario, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = scenario.written["expect"]
    code = main(scenario.lay(tmp_path))
    said = json.loads(capsys.readouterr().out)
    assert (said["status"], code) == (expected["verdict"], expected["exit"])
    assert [finding["id"] for finding in said.get("findings", ())] == expected["findings"]
