"""`evidraft changelog`: the suite's words, exit codes and what each command leaves behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from guardrails.strict_yaml import read
from tests.agent.payments import Road

CORPUS = Path(__file__).parents[2] / "cases" / "intent"
CASES = [case for case in read((CORPUS / "cases.yaml").read_bytes()).value["cases"] if case["kind"] == "changelog"]


# check


@pytest.mark.requirement("IC-7.4")
@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_check_gives_the_suites_verdict_as_exit_code(case: dict[str, Any], road: Road) -> None:
    profile = ["--profile", str(CORPUS / case["profile"])] if case["profile"] else []
    ran = road.evidraft("changelog", "check", str(CORPUS / case["file"]), *profile)
    verdict = case["spec_verdict"] if case["certainty"] == "explicit" else case["peer_verdict"]
    assert (ran.code, ran.err) == (0 if verdict == "valid" else 1, "")


def test_a_bad_ledger_wins_over_a_bad_profile(road: Road, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.yaml")
    bad, good = CORPUS / "changelogs" / "date-short.yaml", CORPUS / "changelogs" / "unreleased.yaml"
    assert road.evidraft("changelog", "check", str(bad), "--profile", missing).code == 1
    assert road.evidraft("changelog", "check", str(good), "--profile", missing).code == 2


def test_findings_name_file_line_field_and_code(road: Road) -> None:
    bad = CORPUS / "changelogs" / "date-short.yaml"
    assert road.evidraft("changelog", "check", str(bad)).out.startswith(f"{bad}:8: error changelog-date date: ")
    told = road.evidraft("changelog", "check", str(bad), "--format", "json").json
    assert [(finding["code"], finding["line"]) for finding in told["findings"]] == [("changelog-date", 8)]
