"""Where an operation is read: git, a payload, the event of a CI run, a forge, documents; all of it is evidence, none obeyed."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import respx

from tests.agent.describe.widgets import ORIGIN, REQUEST, pull, request
from tests.agent.forges.forge import API, LAB, TOKEN, Forge
from tests.agent.payments import Ran, Road
from tests.repositories import GitFolder

SINGLE: Final = ("--shape", "single")
FEATURE: Final = "change.kind=feature"
HUB: Final = f"{API}/repos/acme/widgets"
MERGE: Final = f"{LAB}/projects/acme%2Fwidgets/merge_requests/5"


@pytest.fixture(autouse=True)
def _no_run_around(monkeypatch: pytest.MonkeyPatch) -> None:
    """No CI run around, whatever runs these tests."""
    names = ("GITHUB_EVENT_PATH", "GITHUB_EVENT_NAME", "GITHUB_REPOSITORY", "CI_MERGE_REQUEST_IID", "CI_COMMIT_SHA")
    for name in (*names, "CI_PROJECT_PATH", "GH_TOKEN", "GITHUB_TOKEN", "GITLAB_TOKEN", "CI_JOB_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    return request(tmp_path / "widgets")


@pytest.fixture
def forge() -> Iterator[Forge]:
    """A network on which nothing answers but what a test says."""
    with respx.mock(using="httpcore2", assert_all_called=False) as router:
        yield Forge(router)


def laid(tmp_path: Path, value: object) -> str:
    file = tmp_path / "event.json"
    file.write_text(json.dumps(value), "utf-8")
    return str(file)


def change(ran: Ran) -> Any:
    assert ran.code == 0, ran
    return ran.json["change"]


def operation(ran: Ran) -> Any:
    assert ran.code == 0, ran
    return ran.json["operation"]


REQUESTED: Final = {"type": "pull_request", "id": "12", "repository": "acme/widgets"}

# Payloads


@pytest.mark.requirement("DC-14")
def test_a_payload_comes_from_a_file_or_standard_input(
    folder: GitFolder, road: Road, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_file = road.describe(folder, "--payload", laid(tmp_path, pull(folder)), *SINGLE)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(pull(folder)).encode())))
    by_input = road.describe(folder, "--payload", "-", *SINGLE)
    assert operation(by_file) == REQUESTED
    assert by_input.out == by_file.out


def test_what_a_request_was_based_on_may_have_moved_on(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    ran = road.describe(folder, "--payload", laid(tmp_path, pull(folder)), *SINGLE)
    assert "docs/us.md" not in ran.out


def test_a_range_of_one_s_own_is_read_beside_a_payload(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    ran = road.describe(folder, "csv~1..csv", "--payload", laid(tmp_path, pull(folder)), *SINGLE, answers=[FEATURE])
    assert [ref["path"] for ref in change(ran)["refs"]] == ["tests/test_report.py"]
    assert operation(ran) == REQUESTED


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (b"{", "this is not JSON"),
        (b"[]", "a list of 0, expected one pull request"),
        (b'{"a": 1, "a": 2}', "event.json: "),
        (b'{"issue": {"number": 3, "title": "x"}}', "an issue describes no change (hand it over as evidence instead"),
        (b"{}", "no pull request, merge request or push of a known shape"),
        (b"\xff\xfe", "event.json"),
    ],
    ids=["no JSON", "a list", "key twice", "an issue", "empty", "no UTF-8"],
)
def test_a_payload_that_tells_no_change_is_one_message(
    folder: GitFolder, road: Road, tmp_path: Path, value: bytes, said: str
) -> None:
    file = tmp_path / "event.json"
    file.write_bytes(value)
    ran = road.describe(folder, "--payload", str(file), *SINGLE)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err


@pytest.mark.parametrize(
    "words", [("--event", "--pr", "12"), ("--payload", "-", "--event"), ("--payload", "x.json", "--pr", "1")]
)
def test_one_operation_has_one_source(folder: GitFolder, road: Road, words: tuple[str, ...]) -> None:
    ran = road.describe(folder, *words)
    assert (ran.code, ran.out) == (2, "")
    assert "several sources for one operation (name one of them)" in ran.err


@pytest.mark.parametrize("other", ["--answers", "--evidence", "--config", "--policy"])
def test_standard_input_is_read_for_one_thing(folder: GitFolder, road: Road, other: str) -> None:
    ran = road.describe(folder, "--payload", "-", other, "-", *SINGLE)
    assert (ran.code, ran.out) == (2, "")
    assert "several inputs are to be read from standard input (read all but one from files)" in ran.err


@pytest.mark.parametrize("words", [("--pr", "0"), ("--pr", "x"), ("--payload", "nowhere.json"), ("--event",)])
def test_a_source_that_is_not_there_is_one_message(folder: GitFolder, road: Road, words: tuple[str, ...]) -> None:
    ran = road.describe(folder, *words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)


# Events of CI runs


def test_the_event_of_a_github_run_is_described(
    folder: GitFolder, road: Road, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_EVENT_NAME", "pull_request")
    monkeypatch.setenv("GITHUB_EVENT_PATH", laid(tmp_path, pull(folder)))
    assert operation(road.describe(folder, "--event", *SINGLE)) == REQUESTED
    monkeypatch.setenv("GITHUB_EVENT_NAME", "schedule")
    ran = road.describe(folder, "--event", *SINGLE)
    assert (ran.code, ran.out) == (2, "")
    assert "an event 'schedule' describes no change" in ran.err


@pytest.mark.requirement("DC-15")
def test_the_event_of_a_push_is_a_range(folder: GitFolder, road: Road, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pushed = {
        "ref": "refs/heads/csv",
        "before": folder.oid("csv~2"),
        "after": folder.oid("csv"),
        "commits": [],
        "repository": {"full_name": "acme/widgets"},
    }
    monkeypatch.setenv("GITHUB_EVENT_NAME", "push")
    monkeypatch.setenv("GITHUB_EVENT_PATH", laid(tmp_path, pushed))
    ran = road.describe(folder, "--event", *SINGLE)
    span = f"{folder.oid('csv~2')}..{folder.oid('csv')}"
    assert operation(ran) == {"type": "range", "id": span, "repository": "acme/widgets"}


def test_the_variables_of_a_gitlab_run_are_described(folder: GitFolder, road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {
        "IID": "5",
        "TITLE": "Export reports as CSV",
        "DESCRIPTION": REQUEST,
        "DIFF_BASE_SHA": folder.oid("csv~2"),
        "SOURCE_BRANCH_SHA": folder.oid("csv"),
        "PROJECT_PATH": "acme/widgets",
        "PROJECT_URL": "https://gitlab.com/acme/widgets",
    }
    for name, value in told.items():
        monkeypatch.setenv(f"CI_MERGE_REQUEST_{name}", value)
    ran = road.describe(folder, "--event", *SINGLE)
    assert operation(ran) == {"type": "pull_request", "id": "5", "repository": "acme/widgets"}
    assert change(ran)["relations"]["request"] == "!5"


# Forges


def hub(forge: Forge, folder: GitFolder) -> None:
    forge.answers(f"{HUB}/pulls/12", pull(folder)["pull_request"])
    review = {"user": {"login": "bob"}, "body": "Accountants asked for semicolons.", "html_url": "https://github.com/x/y"}
    forge.answers(f"{HUB}/pulls/12/reviews", [review])
    for path in ("pulls/12/comments", "issues/12/comments", "pulls/12/commits", "pulls/12/files"):
        forge.answers(f"{HUB}/{path}", [])
    issue = {"number": 31, "title": "Export", "html_url": "https://github.com/acme/widgets/issues/31", "body": "Please."}
    forge.answers(f"{HUB}/issues/31", {**issue, "user": {"login": "octocat"}, "labels": []})
    compared = f"{folder.oid('main')}...{folder.oid('csv')}"
    forge.answers(f"{HUB}/compare/{compared}", {"merge_base_commit": {"sha": folder.oid("csv~2")}})


@pytest.mark.requirement("DC-14", "DC-08")
def test_a_request_is_asked_from_its_forge_only_for_what_git_lacks(
    folder: GitFolder, road: Road, forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub(forge, folder)
    monkeypatch.setenv("GH_TOKEN", TOKEN)
    ran = road.describe(folder, "--pr", "12", *SINGLE, "--verbose")
    assert operation(ran) == REQUESTED
    assert change(ran)["relations"] == {"ticket": "#31", "request": "#12", "reporter": "octocat"}
    assert {asked.partition("?")[0].partition("/pulls/12")[2] for asked in forge.asked} >= {"", "/reviews", "/comments"}
    assert not [asked for asked in forge.asked if "/commits" in asked or "/files" in asked]
    assert TOKEN not in ran.out + ran.err


@pytest.mark.requirement("DC-21")
def test_what_git_lacks_is_asked_too(tmp_path: Path, road: Road, forge: Forge) -> None:
    folder = request(tmp_path / "widgets")
    hub(forge, folder)
    patch = "@@ -1,2 +1,3 @@\n def table(rows):\n     return rows\n+LIMIT = 10\n"
    forge.answers(f"{HUB}/pulls/12/files", [{"filename": "src/report.py", "status": "modified", "patch": patch}])
    other = GitFolder.init(tmp_path / "other")
    other.git("remote", "add", "origin", ORIGIN)
    ran = road.describe(other, "--pr", "12", *SINGLE, answers=[FEATURE])
    assert change(ran)["refs"] == [{"path": "src/report.py", "range": "3", "sha": folder.oid("csv")}]
    assert [asked for asked in forge.asked if "/files" in asked]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_forge_that_refuses_is_one_message_without_a_token(
    folder: GitFolder, road: Road, forge: Forge, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv("GH_TOKEN", TOKEN)
    forge.answers(f"{HUB}/pulls/12", respx.MockResponse(status, json={"message": f"no, {TOKEN}"}))
    ran = road.describe(folder, "--pr", "12", *SINGLE)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert TOKEN not in ran.err


def test_a_clone_that_came_from_nowhere_has_no_requests(tmp_path: Path, road: Road) -> None:
    other = GitFolder.init(tmp_path / "other")
    ran = road.describe(other, "--pr", "12")
    assert (ran.code, ran.out) == (2, "")
    assert "nothing says which forge is meant" in ran.err


# Documents and reviews


@pytest.mark.requirement("DC-08")
def test_an_issue_that_is_handed_over_tells_who_reported_it(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    issue = {
        "number": 31,
        "title": "Accountants copy reports by hand",
        "html_url": "https://github.com/acme/widgets/issues/31",
        "body": "It takes them hours.",
        "user": {"login": "octocat"},
        "labels": [],
        "state": "open",
    }
    file = tmp_path / "issue.json"
    file.write_text(json.dumps(issue), "utf-8")
    words = ("--payload", laid(tmp_path, pull(folder)), "--evidence", str(file), *SINGLE)
    assert change(road.describe(folder, *words))["relations"]["reporter"] == "octocat"
    assert change(road.describe(folder, *words[:2], *SINGLE))["relations"]["reporter"] is None


def test_review_threads_are_evidence_of_their_own(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    thread = {"user": {"login": "bob"}, "body": "Semicolons, please.", "html_url": "https://github.com/acme/widgets/pull/12#r1"}
    words = ("--payload", laid(tmp_path, pull(folder, reviews=[thread])), *SINGLE, "--dry-run", "--format", "json")
    ran = road.describe(folder, *words)
    assert {"id": "R1", "kind": "review"}.items() <= next(item for item in ran.json["items"] if item["id"] == "R1").items()
    assert "Semicolons, please." in json.dumps(ran.json)


OURS: Final = """\
Reports can be exported.

<!-- evidraft:begin -->

The watermark makes it three times faster. Closes #9.

<!-- evidraft:end -->
"""


@pytest.mark.requirement("DC-21")
def test_what_an_earlier_run_wrote_into_the_body_is_no_evidence(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    value = pull(folder)
    pulled = value["pull_request"]
    assert isinstance(pulled, dict)
    pulled["body"] = OURS
    for more in ((), ("--dry-run",)):
        ran = road.describe(folder, "--payload", laid(tmp_path, value), *SINGLE, *more)
        assert ran.code == 0
        assert "faster" not in ran.out
        assert "#9" not in ran.out
    assert "Reports can be exported." in ran.out
