"""`evidraft changelog`: the suite's words, exit codes and what each command leaves behind."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from guardrails.strict_yaml import read, write
from tests.agent.payments import RECORD, Ran, Road, payments, program
from tests.guardrails.records.test_changelog import entry, ledger
from tests.intent_scenarios import assert_like_peer, named, play
from tests.repositories import GitFolder

ROOT = Path(__file__).parents[3]
CORPUS = ROOT / "tests" / "cases" / "intent"
CASES = [case for case in read((CORPUS / "cases.yaml").read_bytes()).value["cases"] if case["kind"] == "changelog"]
LEDGER = ".ack/changelog/worker.yaml"
OF_WORKER = ledger(
    **{
        "release": "1.4.0",
        "source-repository": "https://github.com/example/payments",
        "release-line": "1",
        "date": None,
    }
)
"""A ledger as the seed's profile has it."""


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


# init


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """The seed's repository, without a record."""
    return payments(tmp_path / "payments", None)


def init(road: Road, folder: GitFolder, *words: str, unit: str = "apps/worker", stream: str = "stable") -> Ran:
    owner = ("--release-unit", unit, "--stream", stream)
    return road.evidraft("changelog", "init", "--repo", str(folder.path), *owner, *words)


def test_a_ledger_is_begun_where_the_profile_has_it_and_never_over_another_file(folder: GitFolder, road: Road) -> None:
    ran = init(road, folder, "--release", "1.4.0")
    assert (ran.code, ran.out) == (0, f"created {LEDGER}\n")
    text = (folder.path / LEDGER).read_text("utf-8")
    assert text.endswith("channel: general\ndate: null\nentries: []\namendments: []\n")
    assert road.evidraft("changelog", "check", str(folder.path / LEDGER), "--profile", profile_of(folder)).code == 0
    again = init(road, folder, "--release", "1.5.0")
    assert (again.code, "a file stands there already" in again.err) == (2, True)
    assert (folder.path / LEDGER).read_text("utf-8") == text


def test_json_tells_whose_ledger_was_begun(folder: GitFolder, road: Road) -> None:
    ran = init(road, folder, "--release", "1.4.0", "--format", "json")
    assert ran.json == {"file": LEDGER, "release-unit": "apps/worker", "stream": "stable", "release": "1.4.0"}


@pytest.mark.parametrize(
    ("words", "owner", "said"),
    [
        (("--release", "1"), {"unit": "apps/other"}, "one of: apps/worker"),
        (("--release", "1"), {"stream": "lts"}, "one of: stable"),
        (("--release", " "), {}, "--release"),
        ((), {}, "--release"),
    ],
)
def test_a_ledger_of_nobody_is_not_begun(
    folder: GitFolder, road: Road, words: tuple[str, ...], owner: dict[str, str], said: str
) -> None:
    ran = init(road, folder, *words, **owner)
    assert (ran.code, said in ran.err) == (2, True)
    assert not (folder.path / LEDGER).exists()


@pytest.mark.requirement("IC-12.4")
def test_a_ledger_is_not_begun_through_a_link_out_of_the_repository(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    (folder.path / ".ack" / "changelog").symlink_to(away)
    assert init(road, folder, "--release", "1.4.0").code == 2
    assert list(away.iterdir()) == []


# render


RENDERED = "render-disclosure"


@pytest.mark.requirement("IC-6.9", "IC-12.5")
@pytest.mark.parametrize("form", ["markdown", "text", "json"])
def test_no_form_shows_an_embargoed_entry_and_each_shows_the_placeholder_of_a_redacted_one(form: str, tmp_path: Path) -> None:
    """The peer prints one fixed sentence for every redacted entry, and ignores its placeholder."""
    played = play(RENDERED, tmp_path, ("--format", form))
    (ran,) = played.runs
    assert (ran.code, played.changed) == (0, [])
    assert "A correction was shipped" in ran.out
    assert ran.out.count("Intake jobs that are running finish") == 1
    assert not any(word in ran.out for word in ("hidden-one", "veiled-one", "later"))


def test_markdown_is_what_is_rendered_by_itself(tmp_path: Path) -> None:
    (by_itself,) = play(RENDERED, tmp_path / "one").runs
    (asked,) = play(RENDERED, tmp_path / "two", ("--format", "markdown")).runs
    assert by_itself.out == asked.out
    assert by_itself.out.startswith("# svc/intake 4.2.0\n\nNot released · stream stable")


@pytest.mark.requirement("IC-6.9")
@pytest.mark.parametrize("disclosure", ["{state: redacted}", "{state: secret}", "{state: embargoed}"])
def test_a_ledger_that_does_not_tell_what_may_be_shown_is_not_rendered(road: Road, tmp_path: Path, disclosure: str) -> None:
    file = tmp_path / "ledger.yaml"
    told = entry(summary="Kaputte Sperre", disclosure="@")
    file.write_bytes(write(ledger(told)).replace(b'"@"', disclosure.encode()))
    for form in ("markdown", "text", "json"):
        ran = road.evidraft("changelog", "render", str(file), "--format", form)
        assert (ran.code, "Kaputte" in ran.out + ran.err, "disclosure" in ran.out) == (1, False, True)


def test_a_secret_in_a_ledger_and_what_steers_a_terminal_are_not_printed(road: Road, tmp_path: Path) -> None:
    token = "gh" + "p_" + "q7Rk2Xw9Lm4Tz8Vb3Nc6Hd1Js5Pf0Gy7Ka2Ue"[:36]
    file = tmp_path / "ledger.yaml"
    file.write_bytes(write(ledger(entry(summary=f"Stop \u202e printing {token} at night"))))
    for form in ("markdown", "text", "json"):
        ran = road.evidraft("changelog", "render", str(file), "--format", form)
        assert (ran.code, token in ran.out, "\u202e" in ran.out, "at night" in ran.out) == (0, False, False, True)


# publish


@pytest.mark.requirement("IC-9.2")
@pytest.mark.parametrize("name", named("publish-"))
def test_a_scenario_of_publication_ends_as_the_peers(name: str, tmp_path: Path) -> None:
    played = play(name, tmp_path)
    assert_like_peer(played)
    assert {path: played.files[path] for path in played.peer} == played.peer


def unreleased(folder: GitFolder, *entries: dict[str, Any], **changes: object) -> str:
    """A ledger of the worker in its place; the file's name."""
    folder.write({LEDGER: write({**OF_WORKER, "entries": list(entries), **changes})})
    return str(folder.path / LEDGER)


def profile_of(folder: GitFolder) -> str:
    return str(folder.path / ".ack" / "profile.yaml")


def publish(road: Road, folder: GitFolder, *words: str) -> Ran:
    file = str(folder.path / LEDGER)
    return road.evidraft("changelog", "publish", file, "--repo", str(folder.path), "--profile", profile_of(folder), *words)


@pytest.mark.requirement("IC-9.1", "IC-9.2")
def test_publishing_waits_for_the_gate_and_changes_the_date_alone(folder: GitFolder, road: Road) -> None:
    file = Path(unreleased(folder))
    file.chmod(0o640)
    folder.write({".ack/changes/resume-settlement-jobs.yaml": RECORD})
    before = file.read_bytes()
    ran = publish(road, folder, "--date", "2026-12-01")
    assert (ran.code, "target-not-consumed" in ran.out, file.read_bytes()) == (1, True, before)
    unreleased(folder, entry())
    before = file.read_bytes()
    ran = publish(road, folder, "--date", "2026-12-01")
    assert (ran.code, ran.out) == (0, f"{file}: published 1.4.0 on 2026-12-01\n")
    assert file.read_bytes() == before.replace(b"date: null", b"date: 2026-12-01")
    assert file.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.requirement("IC-9.2")
def test_the_gate_is_not_left_out_where_no_profile_is_named(folder: GitFolder, road: Road) -> None:
    file = unreleased(folder)
    folder.write({".ack/changes/resume-settlement-jobs.yaml": RECORD})
    Path(folder.path, ".ack/profile.yaml").write_bytes(Path(profile_of(folder)).read_bytes())
    words = ("changelog", "publish", file, "--repo", str(folder.path), "--date", "2026-12-01")
    ran = road.evidraft(*words)
    assert (ran.code, "target-not-consumed" in ran.out) == (1, True)
    unreleased(folder, entry())
    assert road.evidraft(*words).code == 0


def test_json_is_one_document_whether_published_or_refused(folder: GitFolder, road: Road) -> None:
    file = unreleased(folder, entry())
    told = publish(road, folder, "--date", "2026-12-01", "--format", "json").json
    assert told == {"file": file, "release": "1.4.0", "date": "2026-12-01", "findings": []}
    told = publish(road, folder, "--date", "2026-12-02", "--format", "json").json
    assert (told["file"], [one["code"] for one in told["findings"]]) == (file, ["already-released"])


def test_without_a_date_it_is_that_of_today(folder: GitFolder, road: Road) -> None:
    before = datetime.now().astimezone().date()
    file = unreleased(folder, entry())
    assert road.evidraft("changelog", "publish", file).code == 0
    published = read(Path(file).read_bytes()).value["date"]
    assert published in {before.isoformat(), datetime.now().astimezone().date().isoformat()}


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"release": "soon"}, "release-name"), ({"channel": "beta"}, "ledger-conflict"), ({"stream": "lts"}, "not-in-profile")],
)
def test_with_a_profile_its_policy_holds_and_each_finding_is_told_once(
    folder: GitFolder, road: Road, changes: dict[str, str], code: str
) -> None:
    unreleased(folder, entry(), **changes)
    folder.write({".ack/changes/resume-settlement-jobs.yaml": RECORD})
    ran = publish(road, folder, "--date", "2026-12-01")
    assert (ran.code, ran.out.count(code)) == (1, 1)


@pytest.mark.parametrize("name", [".ack/changelog/other.yaml", "elsewhere.yaml", "../outside.yaml"])
def test_with_a_profile_only_the_ledger_in_its_place_is_published(folder: GitFolder, road: Road, name: str) -> None:
    unreleased(folder, entry())
    copy = folder.path / name
    copy.write_bytes((folder.path / LEDGER).read_bytes())
    words = ("--repo", str(folder.path), "--profile", profile_of(folder), "--date", "2026-12-01")
    ran = road.evidraft("changelog", "publish", str(copy), *words)
    assert (ran.code, "foreign-ledger" in ran.out) == (1, True)
    assert b"date: null" in copy.read_bytes()


@pytest.mark.requirement("IC-12.4")
@pytest.mark.parametrize("linked", [LEDGER, ".ack/changelog", ".ack"])
@pytest.mark.parametrize("is_inside", [True, False], ids=["from inside", "from elsewhere"])
@pytest.mark.parametrize("has_profile", [True, False], ids=["profile", "no profile"])
def test_no_ledger_is_changed_through_a_link_out_of_the_repository(
    folder: GitFolder, tmp_path: Path, linked: str, is_inside: bool, has_profile: bool
) -> None:
    file = Path(unreleased(folder, entry()))
    if not has_profile:
        Path(profile_of(folder)).unlink()
    here, away = folder.path / linked, tmp_path / "away"
    here.rename(away)
    here.symlink_to(away)
    name = LEDGER if is_inside else str(file)
    cwd = folder.path if is_inside else tmp_path
    profile = ["--repo", str(folder.path), "--profile", profile_of(folder)] if has_profile else []
    for date, words in (
        ("null", ["publish", name, "--date", "2026-12-01", *profile]),
        ("2026-12-01", ["amend", name, "--id", "a", "--summary", "S", "--reference", "issues=A-1"]),
    ):
        file.write_bytes(write({**OF_WORKER, "entries": [entry()], "date": None if date == "null" else date}))
        before = file.read_bytes()
        done = program(["evidraft", "changelog", *words], cwd=cwd)
        assert (done.returncode, b"lies outside the repository" in done.stderr) == (2, True), done.stderr
        assert file.read_bytes() == before


def test_without_a_profile_a_ledger_may_be_a_link_that_stays_inside_and_remains_one(folder: GitFolder, road: Road) -> None:
    Path(profile_of(folder)).unlink()
    file = Path(unreleased(folder, entry()))
    kept = folder.path / "kept.yaml"
    file.rename(kept)
    file.symlink_to(kept)
    assert road.evidraft("changelog", "publish", str(file), "--date", "2026-12-01").code == 0
    assert amend(road, str(file), "--reference", "issues=A-1").code == 0
    assert file.is_symlink()
    assert read(kept.read_bytes()).value["amendments"]


@pytest.mark.requirement("IC-9.2")
@pytest.mark.parametrize("is_linked", [False, True], ids=["by its path", "by a link from outside"])
def test_the_gate_is_that_of_the_repository_around_the_ledger_wherever_it_is_published_from(
    folder: GitFolder, tmp_path: Path, is_linked: bool
) -> None:
    file = Path(unreleased(folder))
    folder.write({".ack/changes/resume-settlement-jobs.yaml": RECORD})
    named = tmp_path / "ledger.yaml" if is_linked else file
    if is_linked:
        named.symlink_to(file)
    words = ["evidraft", "changelog", "publish", str(named), "--date", "2026-12-01"]
    done = program(words, cwd=tmp_path)
    assert (done.returncode, b"target-not-consumed" in done.stdout) == (1, True)
    unreleased(folder, entry())
    assert program(words, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("date", ["2026-02-30", "1.12.2026", "2026-12-01T10:00:00Z", ""])
def test_what_is_no_day_publishes_nothing(folder: GitFolder, road: Road, date: str) -> None:
    file = unreleased(folder, entry())
    assert road.evidraft("changelog", "publish", file, "--date", date).code == 2
    assert b"date: null" in Path(file).read_bytes()


def test_a_ledger_from_standard_input_goes_to_standard_output(tmp_path: Path) -> None:
    text = write({**OF_WORKER, "entries": [entry()]})
    done = program(["evidraft", "changelog", "publish", "-", "--date", "2026-12-01"], given=text, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, text.replace(b"date: null", b"date: 2026-12-01"))
    assert done.stderr == b"published 1.4.0 on 2026-12-01\n"


@pytest.mark.parametrize("has_profile", [True, False], ids=["profile", "no profile"])
def test_publishing_waits_for_whoever_consumes_and_sees_what_they_wrote(folder: GitFolder, has_profile: bool) -> None:
    file = Path(unreleased(folder))
    folder.write({".ack/changes/resume-settlement-jobs.yaml": RECORD})
    profile = ["--repo", str(folder.path), "--profile", profile_of(folder)] if has_profile else []
    if not has_profile:
        Path(profile_of(folder)).unlink()
    words = ("changelog", "publish", str(file), *profile, "--date", "2026-12-01")
    told = out_of_turn(folder, words, lambda: unreleased(folder, entry()))
    assert b"published 1.4.0" in told
    assert read(file.read_bytes()).value["entries"] == [entry()]


def test_amending_waits_for_whoever_is_at_the_ledgers_and_keeps_what_they_wrote(folder: GitFolder, road: Road) -> None:
    file = unreleased(folder, entry(), date="2026-12-01")
    once = amend(road, file, "--reference", "issues=A-1")
    done = Path(file).read_bytes()
    unreleased(folder, entry(), date="2026-12-01")
    words = ("changelog", "amend", file, "--id", "more", "--summary", "S", "--reference", "issues=A-2")
    told = out_of_turn(folder, words, lambda: Path(file).write_bytes(done))
    assert (once.code, b"added the amendment more" in told) == (0, True)
    assert [one["id"] for one in read(Path(file).read_bytes()).value["amendments"]] == ["fix-wording", "more"]


def out_of_turn(folder: GitFolder, words: Sequence[str], meanwhile: Callable[[], object]) -> bytes:
    """What a command prints that has to wait until somebody else at the ledgers has done something."""
    with (folder.path / ".git" / "evidraft-consuming.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = [sys.executable, "-c", f"import sys; from agent.cli import main; sys.exit(main({[*words]!r}))"]
        started = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert started.stderr is not None
        assert started.stderr.readline() == b"waiting for another process that is consuming here\n"
        meanwhile()
    out, _ = started.communicate(timeout=60)
    assert started.returncode == 0
    return out


# amend


def amend(road: Road, file: str, *words: str) -> Ran:
    told = ("--id", "fix-wording", "--summary", "The entry named the wrong audience", "--date", "2026-12-02")
    return road.evidraft("changelog", "amend", file, *told, *words)


def test_an_amendment_is_added_to_a_released_ledger_and_rendered(folder: GitFolder, road: Road) -> None:
    file = unreleased(folder, entry(), date="2026-12-01")
    before = Path(file).read_text("utf-8")
    ran = amend(road, file, "--reference", "issues=A-1", "--reference", "issues=A-2", "--reference", "decisions=ADR=7")
    assert (ran.code, ran.out) == (0, f"{file}: added the amendment fix-wording\n")
    assert Path(file).read_text("utf-8") == before.replace(
        "amendments: []\n",
        "amendments:\n  - id: fix-wording\n    date: 2026-12-02\n    summary: The entry named the wrong audience\n"
        "    provenance:\n      issues: [A-1, A-2]\n      decisions: [ADR=7]\n",
    )
    page = road.evidraft("changelog", "render", file).out
    assert page.endswith("## Amendments\n\n- **2026-12-02** — The entry named the wrong audience\n")


def test_an_amendment_needs_a_released_ledger_and_a_reference(folder: GitFolder, road: Road) -> None:
    file = unreleased(folder, entry())
    ran = amend(road, file, "--reference", "issues=A-1", "--format", "json")
    assert (ran.code, [one["code"] for one in ran.json["findings"]]) == (1, ["not-released"])
    assert amend(road, file).code == 2
    assert amend(road, file, "--reference", "A-1").code == 2
    assert amend(road, file, "--reference", "issues=").code == 2
