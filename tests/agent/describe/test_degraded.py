"""Without a diff the contract still holds, with its exact substitutions; what may not be told is in no part of an outcome."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.agent.describe import widgets
from tests.agent.describe.widgets import CANARIES, HIDDEN, ORIGIN, pull, release, request, secretive
from tests.agent.payments import PROFILE, Ran, Road
from tests.repositories import GitFolder

FEATURE: Final = "change.kind=feature"
SINGLE: Final = ("--shape", "single")


def told(tmp_path: Path, folder: GitFolder, **parts: object) -> tuple[str, ...]:
    """The option that hands over what the forge tells of the request."""
    file = tmp_path / "event.json"
    file.write_text(json.dumps(pull(folder, **parts)), "utf-8")
    return ("--payload", str(file))


def unconfigured(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "none.toml").write_text("", "utf-8")
    return ("--config", str(tmp_path / "none.toml"))


def change(ran: Ran) -> Any:
    assert ran.code == 0, ran
    return ran.json["change"]


def substituted(one: Any) -> bool:
    return one["detail_md"] is None and one["refs"] == []


@pytest.mark.requirement("DC-21", "DC-05", "DC-06")
def test_a_request_without_a_repository_is_described_by_its_body_alone(tmp_path: Path, road: Road) -> None:
    words = told(tmp_path, request(tmp_path / "widgets"))
    ran = road.describe(tmp_path, *words, *SINGLE, answers=[FEATURE])
    assert change(ran) == {
        "kind": "feature",
        "title": "Export reports as CSV",
        "short_md": "Export reports as CSV",
        "medium_md": "Reports can be exported as CSV, so that accountants need not copy them by hand.",
        "detail_md": None,
        "refs": [],
        "relations": {"ticket": "#31", "request": "#12", "reporter": None},
    }
    assert "note: degraded: 12: only what the forge tells was read: is not a git repository" in ran.err
    assert "git fetch origin main pull/12/head" in ran.err


@pytest.mark.requirement("DC-21", "DC-22")
@pytest.mark.parametrize("body", ["", "See the diff.", "TODO", "<!-- Describe your change -->"])
def test_a_body_that_says_nothing_gives_null_and_no_placeholder(tmp_path: Path, road: Road, body: str) -> None:
    words = told(tmp_path, folder := request(tmp_path / "widgets"))
    value = pull(folder)
    pulled = value["pull_request"]
    assert isinstance(pulled, dict)
    pulled["body"] = body
    Path(words[1]).write_text(json.dumps(value), "utf-8")
    one = change(road.describe(tmp_path, *words, *SINGLE, answers=[FEATURE]))
    assert substituted(one)
    assert one["medium_md"] is None
    assert "diff" not in json.dumps(one)


@pytest.mark.requirement("DC-21")
def test_a_clone_without_the_commits_tells_what_the_forge_tells_and_how_to_get_them(tmp_path: Path, road: Road) -> None:
    words = told(tmp_path, request(tmp_path / "widgets"))
    other = GitFolder.init(tmp_path / "other")
    other.commit("chore: begin", {"a.py": "a = 1\n"})
    ran = road.describe(other, *words, *SINGLE, answers=[FEATURE])
    assert substituted(change(ran))
    assert "is no commit of this repository; to read the diff: git fetch origin main pull/12/head" in ran.err


@pytest.mark.requirement("DC-21")
def test_with_the_commits_the_same_request_has_its_diff(tmp_path: Path, road: Road) -> None:
    folder = request(tmp_path / "widgets")
    ran = road.describe(folder, *told(tmp_path, folder), *SINGLE)
    assert [ref["path"] for ref in change(ran)["refs"]] == ["src/report.py", "tests/test_report.py"]
    assert "degraded" not in ran.err


@pytest.mark.parametrize(
    ("laid", "flag"), [({"evidraft.toml": widgets.RULES}, "--config"), ({".ack/profile.yaml": PROFILE}, "--profile")]
)
def test_a_clone_without_the_commits_does_not_go_without_what_it_was_reviewed_by(
    tmp_path: Path, road: Road, laid: dict[str | bytes, str | bytes | None], flag: str
) -> None:
    words = told(tmp_path, request(tmp_path / "widgets"))
    other = GitFolder.init(tmp_path / "other")
    other.commit("chore: begin", laid)
    ran = road.describe(other, *words, *SINGLE, answers=[FEATURE])
    assert (ran.code, ran.out) == (2, "")
    assert f"run: git fetch origin main pull/12/head; or give it with {flag} FILE" in ran.err


# Shallow and partial clones (cases 46, 48)


def shallow(folder: GitFolder, path: Path, *options: str) -> GitFolder:
    clone = GitFolder.clone(folder, path, "--depth", "1", *options)
    clone.git("remote", "set-url", "origin", ORIGIN)
    return clone


@pytest.mark.requirement("DC-21", "DC-22")
def test_the_commit_at_which_history_is_cut_off_has_no_diff(tmp_path: Path, road: Road) -> None:
    clone = shallow(release(tmp_path / "widgets"), tmp_path / "clone")
    ran = road.describe(clone, "HEAD", *SINGLE, *unconfigured(tmp_path))
    one = change(ran)
    assert (one["title"], one["medium_md"], substituted(one)) == ("Escape names in mails", None, True)
    assert "run: git fetch --unshallow --tags" in ran.err


@pytest.mark.requirement("DC-21")
@pytest.mark.parametrize("operand", ["v2.4.0..HEAD", "HEAD~1..HEAD", "HEAD~1...HEAD"])
def test_a_range_whose_base_is_cut_off_is_asked_with_the_command_that_gets_it(tmp_path: Path, road: Road, operand: str) -> None:
    clone = shallow(release(tmp_path / "widgets"), tmp_path / "clone")
    ran = road.describe(clone, operand, *unconfigured(tmp_path), json=True)
    (question,) = ran.json["unresolved"]
    assert (ran.code, question["reason"], ran.json["partial"]) == (3, "nothing-to-describe", {})
    assert "run: git fetch --unshallow --tags. Which changes are meant?" in question["question"]


def test_a_configuration_that_is_cut_off_is_not_gone_without(tmp_path: Path, road: Road) -> None:
    clone = shallow(release(tmp_path / "widgets"), tmp_path / "clone")
    ran = road.describe(clone, "HEAD", *SINGLE)
    assert (ran.code, ran.out) == (2, "")
    assert "run: git fetch --unshallow --tags; or give it with --config FILE" in ran.err


@pytest.mark.requirement("DC-21")
def test_a_request_that_a_shallow_clone_cuts_off_is_told_as_its_forge_tells_it(tmp_path: Path, road: Road) -> None:
    folder = request(tmp_path / "widgets")
    clone = shallow(folder, tmp_path / "clone", "--branch", "csv")
    words = (*told(tmp_path, folder), *SINGLE, *unconfigured(tmp_path))
    ran = road.describe(clone, *words, answers=[FEATURE])
    assert substituted(change(ran))
    assert "to read the diff: git fetch --unshallow origin main pull/12/head" in ran.err
    patch = "@@ -1,2 +1,3 @@\n def table(rows):\n     return rows\n+LIMIT = 10\n"
    words = (*told(tmp_path, folder, files=[{"filename": "src/report.py", "status": "modified", "patch": patch}]), *words[2:])
    one = change(road.describe(clone, *words, answers=[FEATURE]))
    assert one["refs"] == [{"path": "src/report.py", "range": "3", "sha": folder.oid("csv")}]


def test_what_a_partial_clone_lacks_has_a_path_and_no_range(tmp_path: Path, road: Road) -> None:
    folder = release(tmp_path / "widgets")
    folder.git("config", "uploadpack.allowFilter", "true")
    clone = GitFolder.clone(folder, tmp_path / "clone", "--filter=blob:none", "--no-checkout")
    words = ("v2.4.0..HEAD", *unconfigured(tmp_path))
    ran = road.describe(clone, *words, answers=["operation.repository=acme/widgets"])
    assert ran.code == 0, ran
    refs = [ref for item in ran.json["items"] for ref in item["refs"]]
    assert [(ref["path"], "range" in ref) for ref in refs] == [("src/queue/escape.ts", False), ("docs/export.md", False)]
    assert "missing-object" in ran.err
    failed = road.describe(clone, "v2.4.0..HEAD")
    assert (failed.code, failed.out) == (2, "")
    assert "git fetch --refetch --no-filter origin" in failed.err


# Withheld by disclosure


WISHES: Final = {
    "itemized": ("base..HEAD",),
    "single": ("base..HEAD", "--shape", "single", "--answer", "change.title=Export reports, and accept addresses"),
    "outcome": ("base..HEAD", "--format", "json"),
    "markdown": ("base..HEAD", "--render", "markdown"),
    "text": ("base..HEAD", "--render", "text", "--verbose"),
    "dry run": ("base..HEAD", "--dry-run"),
    "dry run as JSON": ("base..HEAD", "--dry-run", "--format", "json"),
    "alone": ("HEAD~1", "--shape", "single"),
    "its record alone": ("HEAD~1..HEAD~1", "--shape", "single"),
}


@pytest.mark.requirement("DC-21")
@pytest.mark.parametrize("words", WISHES.values(), ids=WISHES)
def test_nothing_of_an_embargoed_change_is_told(tmp_path: Path, road: Road, words: tuple[str, ...]) -> None:
    folder, receipt, body = secretive(tmp_path / "widgets"), tmp_path / "receipt.json", tmp_path / "body.md"
    more = () if "--dry-run" in words else ("--record", str(receipt), "--write-body", str(body))
    ran = road.describe(folder, *words, *more)
    written = [path.read_text("utf-8") for path in (receipt, body) if path.exists()]
    everything = "\n".join((ran.out, ran.err, *written))
    assert ran.code in {0, 3}
    assert [canary for canary in CANARIES if canary in everything] == []


@pytest.mark.requirement("DC-21")
def test_what_is_not_embargoed_is_described(tmp_path: Path, road: Road) -> None:
    folder = secretive(tmp_path / "widgets")
    ran = road.describe(folder, "base..HEAD")
    assert ran.code == 0, ran
    assert sorted(item["title"] for item in ran.json["items"]) == ["Accept addresses with a plus sign", "Export reports as CSV"]
    assert ran.json["summary"]["short_md"] == "Two changes: one feature, one fix"
    alone = road.describe(folder, "HEAD~1", *SINGLE, json=True)
    assert (alone.code, [one["reason"] for one in alone.json["unresolved"]]) == (3, ["withheld"])


@pytest.mark.requirement("DC-21")
def test_what_a_forge_tells_of_an_embargoed_change_is_withheld_where_the_clone_has_its_record(
    tmp_path: Path, road: Road
) -> None:
    asked = request(tmp_path / "widgets")
    message = f"fix: the zebra cipher is broken\n\nChangeset: {HIDDEN}"
    commits = [{"sha": asked.oid("csv"), "commit": {"message": message}}]
    words = (*told(tmp_path, asked, commits=commits), "--profile", str(tmp_path / "clone" / ".ack" / "profile.yaml"))
    secretive(tmp_path / "clone")
    for more in (SINGLE, ("--shape", "itemized"), ("--dry-run",)):
        ran = road.describe(tmp_path / "clone", *words, *more, answers=[FEATURE])
        assert ran.code in {0, 3}
        assert [canary for canary in CANARIES if canary in ran.out + ran.err] == []
