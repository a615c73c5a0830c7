"""`evidraft commit`: the suite's words, keys and exit codes, for one message and for a range."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from agent.cli import main
from guardrails.strict_yaml import read
from tests.repositories import GitFolder

CORPUS = Path(__file__).parents[2] / "cases" / "intent"
BASE = CORPUS / "profiles" / "base.yaml"
STRICTER = {
    "cm-target-major-with-migration": "a target that is major requires a changeset, whatever the overall impact (section 7)",
}
"""Vectors that the specification leaves open and that we refuse otherwise than the peer."""
CASES = [case for case in read((CORPUS / "cases.yaml").read_bytes()).value["cases"] if case["kind"] == "commit"]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_check_gives_the_vectors_verdict_as_exit_code(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    expected = case["peer_verdict"] if case["certainty"] == "open" else case["spec_verdict"]
    expected = "invalid" if case["id"] in STRICTER else expected
    profile = ["--profile", str(CORPUS / case["profile"])] if case["profile"] else []
    assert main(["commit", "check", str(CORPUS / case["file"]), *profile]) == (0 if expected == "valid" else 1)


def report(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


def check(tmp_path: Path, text: str, *options: str) -> int:
    file = tmp_path / "message.txt"
    file.write_text(text, "utf-8")
    return main(["commit", "check", "--format", "json", *options, str(file)])


@pytest.mark.requirement("IC-13.3")
def test_the_report_of_a_clean_message_has_null_diagnostics_and_maps_by_selector(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        "add(svc/intake): take parcels\n\nBecause.\n\nImpact: major\nMigration: Drain first.\nAffects: lib/codec\n"
        "Changeset: take-parcels\n"
        "Target-Impact: svc/intake@lts=patch\nTarget-Migration: lib/codec=Rebuild.\n"
    )
    assert check(tmp_path, text, "--profile", str(BASE)) == 0
    assert report(capsys) == {
        "effective_impact": "major",
        "effective_impacts": {"svc/intake": "major", "lib/codec": "major", "svc/intake@lts": "patch"},
        "effective_migrations": {"svc/intake": "Drain first.", "lib/codec": "Rebuild."},
        "diagnostics": None,
    }


@pytest.mark.parametrize(
    ("text", "impact", "codes"),
    [
        ("no header", "", ["malformed-message"]),
        ("fix: a thing\n", "unspecified", []),
        ("fix: a thing\n\nImpact: huge\n", "huge", ["invalid-impact"]),
    ],
)
def test_without_a_profile_the_maps_are_left_out(
    tmp_path: Path, text: str, impact: str, codes: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(tmp_path, text) == (1 if codes else 0)
    document = report(capsys)
    assert document.keys() == {"effective_impact", "diagnostics"}
    assert document["effective_impact"] == impact
    assert [found["code"] for found in document["diagnostics"] or ()] == codes
    assert all(found.keys() == {"code", "severity", "message"} for found in document["diagnostics"] or ())


def test_standard_input_is_a_file_called_dash(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"fix: a thing\n")))
    assert main(["commit", "check", "-"]) == 0
    assert capsys.readouterr().out == "standard input: valid Intent Commits message\n"


def test_a_bad_message_wins_over_a_bad_profile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = str(tmp_path / "missing.yaml")
    assert check(tmp_path, "no header", "--profile", missing) == 1
    assert check(tmp_path, "fix: a thing", "--profile", missing) == 2


@pytest.mark.parametrize(("name", "code"), [("COMMIT_EDITMSG", 0), ("message.txt", 1)])
def test_remarks_for_the_author_are_left_out_of_gits_own_file_and_of_no_other(tmp_path: Path, name: str, code: int) -> None:
    file = tmp_path / name
    file.write_text(
        "add(svc/intake): take parcels\n\nWhy.\n\nChangeset: take-parcels\n# Please enter the commit message\n"
        "# ------------------------ >8 ------------------------\ndiff --git a/x b/x\n",
        "utf-8",
    )
    assert main(["commit", "check", str(file), "--profile", str(BASE)]) == code


@pytest.mark.parametrize("data", [b"fix: a\xff thing", b"fix: a\0 thing", b"#" * 9_000_000], ids=["bytes", "nul", "huge"])
def test_what_is_no_text_exits_2_with_one_line(tmp_path: Path, data: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "message"
    file.write_bytes(data)
    assert main(["commit", "check", str(file)]) == 2
    said = capsys.readouterr()
    assert (said.out, len(said.err.splitlines())) == ("", 1)


@pytest.mark.parametrize("name", ["missing", "."])
def test_a_missing_file_or_a_folder_exits_2(tmp_path: Path, name: str) -> None:
    assert main(["commit", "check", str(tmp_path / name)]) == 2


@pytest.fixture
def project(tmp_path: Path) -> GitFolder:
    made = GitFolder.init(tmp_path / "harvest")
    made.commit("add(svc/intake): take parcels\n\nWhy.\n\nChangeset: take-parcels\n", {"a": "1\n"})
    made.commit("Merge by hand", {"b": "1\n"})
    made.commit("mend(svc/billing): round up\n\nWhy.\n", {"c": "x\n" * 401})
    return made


def lint(project: GitFolder, *words: str) -> int:
    return main(["commit", "lint", "--repo", str(project.path), *words])


@pytest.mark.requirement("IC-13.3")
def test_lint_reports_every_commit_oldest_first(project: GitFolder, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint(project, "--format", "json", "--profile", str(BASE), "HEAD~2..HEAD") == 1
    merged, mended = json.loads(capsys.readouterr().out)
    assert merged == {
        "hash": project.oid("HEAD~1"),
        "header": "Merge by hand",
        "report": {
            "effective_impact": "",
            "diagnostics": [
                {
                    "code": "malformed-message",
                    "severity": "error",
                    "message": "got another first line, expected `type(scope): description`",
                }
            ],
        },
    }
    assert mended["header"] == "mend(svc/billing): round up"
    assert mended["report"]["effective_impacts"] == {"svc/billing": "patch"}
    assert [(one["code"], one["severity"]) for one in mended["report"]["diagnostics"]] == [("large-diff-low-impact", "warning")]


def test_advice_never_changes_the_exit_code(project: GitFolder, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint(project, "--profile", str(BASE), "HEAD") == 0
    assert "warning large-diff-low-impact" in capsys.readouterr().out


def test_the_text_form_names_the_commit_above_its_findings(project: GitFolder, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint(project, "HEAD~2..HEAD") == 1
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == f"{project.oid('HEAD~1')[:12]} Merge by hand"
    assert said.out.splitlines()[1].startswith("  1: error malformed-message")
    assert said.err == "not valid: 1 of 2 commits\n"


def test_valid_and_empty_ranges_are_told_apart(project: GitFolder, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint(project, "HEAD~2") == 0
    assert capsys.readouterr().out == "valid Intent Commits messages: 1\n"
    assert lint(project, "HEAD..HEAD") == 0
    assert capsys.readouterr().out == "no commit in this range\n"


def test_without_an_operand_the_branch_is_linted_against_its_only_base(
    project: GitFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    project.branch("topic")
    project.commit("fix: on the branch\n")
    assert lint(project, "--format", "json") == 0
    assert [one["header"] for one in json.loads(capsys.readouterr().out)] == ["fix: on the branch"]
    project.switch("main")
    assert lint(project) == 2


def test_what_is_read_otherwise_than_written_is_noted_on_stderr(project: GitFolder, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint(project, "HEAD~1...HEAD") == 0
    assert capsys.readouterr().err.startswith("note: symmetric-range: ")


@pytest.mark.parametrize("operand", ["nope", "nope..HEAD", "--output=x", "HEAD:a"])
def test_an_operand_that_means_no_commits_exits_2(project: GitFolder, operand: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint(project, "--", operand) == 2
    said = capsys.readouterr()
    assert (said.out, len(said.err.splitlines())) == ("", 1)


def test_a_base_that_a_shallow_clone_hides_is_a_failure_and_no_success(
    project: GitFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = project.oid("HEAD~2")
    clone = GitFolder.clone(project, tmp_path / "shallow", "--depth=1")
    assert lint(clone, f"{base}..HEAD") == 2
    assert "git fetch --unshallow" in capsys.readouterr().err


def test_control_characters_of_a_header_do_not_reach_the_terminal(
    project: GitFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    project.commit("evil \x1b[2J \u202e header")
    assert lint(project, "HEAD") == 1
    out = capsys.readouterr().out
    assert not {"\x1b", "\u202e"} & set(out)
