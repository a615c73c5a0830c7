"""`evidraft release-notes` from the outside: a folder of pages, nothing lost, nothing done twice, nothing invented."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.agent.batch.releasing import history
from tests.agent.payments import Ran, Road
from tests.repositories import GitFolder

PAGES = {"changelog.md", "coverage.md", "envelope.json", "notes.md", "notes.txt", "record.json", "release-body.md"}


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """Tags v0 to v3, each with a change that says what it does."""
    return history(tmp_path / "payments", 3)


def drafted(road: Road, folder: GitFolder, out: Path, *words: str) -> Ran:
    where = ("--repo", str(folder.path), "--output", str(out), "--processes", "1")
    return road.evidraft("release-notes", *where, *words)


def files(out: Path) -> dict[str, bytes]:
    return {str(file.relative_to(out)): file.read_bytes() for file in sorted(out.rglob("*")) if file.is_file()}


def test_each_tag_has_its_pages_and_every_commit_is_told(road: Road, folder: GitFolder, tmp_path: Path) -> None:
    ran = drafted(road, folder, out := tmp_path / "out", "--tags", "v[12]")
    assert ran.code == 0, ran.err
    assert "2 releases: 2 drafted" in ran.err
    for name in ("v1", "v2"):
        assert {file.name for file in (out / name).iterdir()} == PAGES
        envelope = json.loads((out / name / "envelope.json").read_text())
        assert envelope["operation"]["repository"] == "example/payments"
    index = json.loads((out / "index.json").read_text())
    assert [one["commits"] for one in index["releases"]] == [{"told": 1, "in-range": 1}] * 2
    assert not (out / "needs-input.yaml").exists()


def test_what_was_drafted_is_gone_on_with_and_not_drafted_again(road: Road, folder: GitFolder, tmp_path: Path) -> None:
    events = tmp_path / "events"
    ran = drafted(road, folder, out := tmp_path / "out", "--tags", "v[12]")
    assert ran.code == 0, ran.err
    before = files(out)
    refused = drafted(road, folder, out, "--tags", "v?")
    assert refused.code == 2
    assert "--resume" in refused.err
    assert files(out) == before
    ran = drafted(road, folder, out, "--tags", "v[123]", "--resume", "--events", str(events))
    assert ran.code == 0, ran.err
    told = [json.loads(line) for line in events.read_text().splitlines()]
    assert {one["name"]: one["resumed"] for one in told if one["event"] == "finished"} == {"v1": True, "v2": True, "v3": False}
    after = files(out)
    own = {name for name in before if name.startswith("v")}
    assert {name: after[name] for name in own} == {name: before[name] for name in own}
    assert drafted(road, folder, tmp_path / "anew", "--tags", "v[123]").code == 0
    assert files(tmp_path / "anew") == after


def test_open_fields_of_all_releases_are_asked_in_one_sheet_and_taken_back(
    road: Road, folder: GitFolder, tmp_path: Path
) -> None:
    folder.commit(
        "Tidy ledgers\n\nLedgers were hard to read for accountants.\n", {"src/tidy.py": "def tidy(book):\n    pass\n"}
    )
    folder.git("tag", "v4")
    ran = drafted(road, folder, out := tmp_path / "out", "--tags", "v[34]")
    assert ran.code == 3
    assert json.loads((out / "index.json").read_text())["counts"]["NEEDS_INPUT"] == 1
    assert not (out / "v4" / "notes.md").exists()
    sheet = (out / "needs-input.yaml").read_text()
    assert "accepts: [feature, bug_fix" in sheet
    (filled := tmp_path / "filled.yaml").write_text(sheet.replace("# answer:", "answer: improvement", 1))
    ran = drafted(road, folder, out, "--tags", "v[34]", "--resume", "--answers", str(filled))
    assert ran.code in {0, 3}
    kinds = (
        [item["kind"] for item in json.loads((out / "v4" / "envelope.json").read_text())["items"]] if ran.code == 0 else None
    )
    assert kinds in (None, ["improvement"])
    assert "].kind" not in (sheet_again(out))


def sheet_again(out: Path) -> str:
    """What is asked still, without what was answered."""
    sheet = out / "needs-input.yaml"
    asked = sheet.read_text() if sheet.exists() else ""
    return "\n".join(block for block in asked.split("\n    items") if "# answer:" in block)


def test_a_dry_run_says_what_would_be_drafted_and_writes_nothing(road: Road, folder: GitFolder, tmp_path: Path) -> None:
    ran = road.evidraft("release-notes", "v0..v2", "v2..v3", "--repo", str(folder.path), "--dry-run")
    assert ran.code == 0, ran.err
    assert [line.split()[:2] for line in ran.out.splitlines()[:2]] == [["v0..v2", "v0..v2"], ["v2..v3", "v2..v3"]]
    assert "extractive: no calls" in ran.out
    ran = road.evidraft("release-notes", "v0..v2", "--repo", str(folder.path), "--dry-run", "--format", "json")
    assert [(one["range"], one["commits"]) for one in ran.json["releases"]] == [("v0..v2", 2)]
    assert not (tmp_path / "XDG_STATE_HOME").exists()


@pytest.mark.parametrize("model", ["openai:gpt-x", "http://127.0.0.1:9/v1#small"])
def test_a_dry_run_without_a_key_or_a_server_tells_the_plan_and_why_there_is_no_estimate(
    road: Road, folder: GitFolder, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ran = road.evidraft("release-notes", "v0..v2", "--repo", str(folder.path), "--dry-run", "--model", model)
    assert ran.code == 0, ran.err
    assert "no estimate: " in ran.out
    assert "v0..v2" in ran.out


def test_a_manifest_names_repositories_and_one_that_is_missing_ends_no_other(
    road: Road, folder: GitFolder, tmp_path: Path
) -> None:
    (manifest := tmp_path / "batch.yaml").write_text(
        f"evidraft-manifest: 1.0.0\nentries:\n  - {{repository: {folder.path}, name: payments, tags: [v1]}}\n"
        "  - {repository: nowhere, name: lost, tags: ['v*']}\n"
    )
    ran = road.evidraft("release-notes", "--manifest", str(manifest), "-o", str(out := tmp_path / "out"), "--format", "json")
    assert ran.code == 2
    assert ran.json["counts"]["DRAFTED"] == 1
    assert list(ran.json["failures"]) == ["lost"]
    assert (out / "payments" / "v1" / "notes.md").exists()


def test_where_nothing_was_handed_over_there_is_nothing_to_call_off(
    road: Road, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none-is-needed")
    ran = road.evidraft("release-notes", "-o", str(tmp_path / "out"), "--call-off", "--model", "openai:gpt-x")
    assert (ran.code, ran.out) == (0, "no batch of this run is under way\n")
    assert road.evidraft("release-notes", "-o", str(tmp_path / "out"), "--call-off").code == 2


CONFUSED = {
    "nothing named": (["--output", "out"], "nothing to draft"),
    "no folder": (["v0..v1"], "--output"),
    "two ways to go on": (["v0..v1", "--output", "out", "--resume", "--fresh"], "--resume, --fresh"),
    "a manifest and ranges": (["v0..v1", "--output", "out", "--manifest", "batch.yaml"], "--manifest"),
    "batch and cluster": (["v0..v1", "--output", "out", "--batch", "--cluster", "tcp://127.0.0.1:1"], "--batch, --cluster"),
    "two documents on one stream": (["v0..v1", "--output", "out", "--events", "-", "--format", "json"], "--events -"),
    "batches of a drafter without any": (["v0..v1", "--output", "out", "--batch"], "batch"),
    "no such drafter": (["v0..v1", "--output", "out", "--model", "gpt"], "no such drafter"),
    "no such range": (["v0..v9", "--output", "out"], "v9"),
    "no tag that fits": (["--tags", "w*", "--output", "out"], "w*"),
}


@pytest.mark.parametrize(("words", "said"), CONFUSED.values(), ids=CONFUSED)
def test_a_command_line_that_makes_no_sense_says_so_and_writes_no_page(
    road: Road, folder: GitFolder, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(folder.path.parent)
    ran = road.evidraft("release-notes", "--repo", str(folder.path), *words)
    assert ran.code == 2
    assert said in ran.err
    assert not list(folder.path.parent.rglob("notes.md"))


def test_a_place_that_cannot_hold_the_notes_is_refused_before_anything_is_drafted(
    road: Road, folder: GitFolder, tmp_path: Path
) -> None:
    (out := tmp_path / "out").write_text("mine")
    events = tmp_path / "events"
    ran = drafted(road, folder, out, "--tags", "v1", "--events", str(events))
    assert (ran.code, out.read_text()) == (2, "mine")
    assert not events.exists()
