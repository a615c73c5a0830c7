"""Every scenario of change contracts ends as it is to end, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from agent.cli import main
from guardrails.contracts import json_schemas
from tests.contract_scenarios import Scenario, scenarios

TOLD = Draft202012Validator(json_schemas.verification())
AGREED = scenarios("scenarios.json")
OURS = scenarios("ours.json")
"""What was agreed says nothing about these, or the tool that it was agreed for passes over them."""


@pytest.mark.requirement("CC-01")
@pytest.mark.requirement("CC-02")
@pytest.mark.requirement("CC-03")
@pytest.mark.requirement("CC-04")
@pytest.mark.requirement("CC-05")
@pytest.mark.requirement("CC-06")
@pytest.mark.requirement("CC-07")
@pytest.mark.requirement("CC-08")
@pytest.mark.requirement("CC-09")
@pytest.mark.requirement("CC-10")
@pytest.mark.requirement("CC-11")
@pytest.mark.requirement("CC-14")
@pytest.mark.requirement("CC-15")
@pytest.mark.requirement("CC-16")
@pytest.mark.parametrize("scenario", [*AGREED, *OURS], ids=lambda scenario: scenario.id)
def test_a_scenario_ends_as_it_says(scenario: Scenario, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = scenario.written["expect"]
    code = main(scenario.lay(tmp_path))
    said = json.loads(capsys.readouterr().out)
    TOLD.validate(said)
    assert (said["status"], code) == (expected["verdict"], expected["exit"])
    assert sorted(finding["id"] for finding in said.get("findings", ())) == sorted(expected["findings"])


def test_there_are_as_many_scenarios_as_were_agreed() -> None:
    assert len({scenario.id for scenario in AGREED}) == len(AGREED) == 87
    assert len({scenario.id for scenario in OURS}) == len(OURS)
