"""One request fetched: only what is needed is asked for, and what could not be had is named while the rest stands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agent.errors import ForgeFailure
from agent.forges.fetching import fetch
from agent.forges.github import MAX_ISSUES
from agent.forges.places import ForgeRequest
from agent.sources import payload
from tests.agent.forges.forge import API, ENVIRON, LAB, Forge, refusal

ROOT = Path(__file__).parents[3]
CASES = ROOT / "tests" / "cases" / "payloads"
HUB = f"{API}/repos/acme/widgets"
PROJECT = f"{LAB}/projects/acme%2Ftools%2Fwidgets"
AT = f"{PROJECT}/merge_requests/5"
ON_HUB = ForgeRequest("github.com", "acme/widgets", 12)
ON_LAB = ForgeRequest("gitlab.com", "acme/tools/widgets", 5)


def having(commit: str) -> bool:
    return len(commit) == 40


def lacking(commit: str) -> bool:
    return False


def case(name: str) -> dict[str, Any]:
    value = json.loads((CASES / name).read_text("utf-8"))
    assert isinstance(value, dict)
    return value


def github(forge: Forge, **instead: object) -> dict[str, Any]:
    """Let GitHub answer with the parts of a case, or with something `instead` of one; give the case."""
    value = case("github-gathered.json")
    issues = {str(issue["number"]): issue for issue in value["issues"]}
    answers = {
        "pulls/12": value["pull_request"],
        "pulls/12/reviews": value["reviews"],
        "pulls/12/comments": value["review_comments"],
        "issues/12/comments": value["comments"],
        "issues/7": issues["7"],
        "pulls/12/commits": value["commits"],
        "pulls/12/files": value["files"],
        "compare/1405df66cbe219b0bf6355bc3d60361a8376b6b4...1a954628a960aaef81d7b2d4521929579f3541e6": {
            "merge_base_commit": {"sha": value["merge_base"]}
        },
    }
    for path, answer in answers.items():
        forge.answers(f"{HUB}/{path}", instead.get(path.replace("/", "_"), answer))
    return value


def gitlab(forge: Forge) -> dict[str, Any]:
    value = case("gitlab-gathered.json")
    parts = {
        "": "merge_request",
        "/discussions": "discussions",
        "/closes_issues": "issues",
        "/commits": "commits",
        "/diffs": "diffs",
    }
    for path, key in parts.items():
        forge.answers(f"{AT}{path}", value[key])
    return value


def test_a_pull_request_is_fetched_as_the_payload_that_tells_it(forge: Forge) -> None:
    expected = github(forge)
    found = fetch(ON_HUB, ENVIRON, lacking, forge.sleep)
    assert found == {key: value for key, value in expected.items() if key != "left_out"}
    assert payload.told(found, "x").operation.id == "12"


def test_a_merge_request_is_fetched_as_the_payload_that_tells_it(forge: Forge) -> None:
    expected = gitlab(forge)
    found = fetch(ON_LAB, ENVIRON, lacking, forge.sleep)
    assert found == expected
    assert payload.told(found, "x").operation.repository == "acme/tools/widgets"


def test_what_git_knows_is_not_asked_for(forge: Forge) -> None:
    github(forge)
    fetch(ON_HUB, ENVIRON, having, forge.sleep)
    assert [question.removeprefix(f"GET {HUB}/").partition("?")[0] for question in forge.asked] == [
        *("pulls/12", "pulls/12/reviews", "pulls/12/comments", "issues/12/comments", "issues/7"),
    ]


def test_no_comment_is_asked_for_where_there_is_none(forge: Forge) -> None:
    pull = case("github-gathered.json")["pull_request"] | {"comments": 0, "review_comments": 0, "body": None}
    github(forge, pulls_12=pull)
    assert fetch(ON_HUB, ENVIRON, having, forge.sleep) == {
        "pull_request": pull,
        "reviews": case("github-gathered.json")["reviews"],
        "issues": [],
    }
    assert len(forge.asked) == 2


def test_an_issue_that_is_a_request_in_truth_is_no_issue(forge: Forge) -> None:
    github(forge, issues_7={"number": 7, "title": "x", "pull_request": {}})
    assert fetch(ON_HUB, ENVIRON, having, forge.sleep)["issues"] == []


def test_issues_are_asked_for_up_to_a_bound(forge: Forge) -> None:
    body = "\n".join(f"Fixes #{number}" for number in range(1, MAX_ISSUES + 3))
    github(forge, pulls_12=case("github-gathered.json")["pull_request"] | {"body": body})
    for number in range(1, MAX_ISSUES + 1):
        forge.answers(f"{HUB}/issues/{number}", {"number": number, "title": "x", "html_url": "", "body": ""})
    found = fetch(ON_HUB, ENVIRON, having, forge.sleep)
    assert len(found["issues"]) == MAX_ISSUES
    assert found["left_out"] == [
        {"what": "issues", "why": f"{MAX_ISSUES + 2} are closed, the first {MAX_ISSUES} were asked for"}
    ]


@pytest.mark.requirement("DC-21")
def test_what_could_not_be_had_is_named_and_the_rest_stands(forge: Forge) -> None:
    github(forge, issues_12_comments=refusal(403), pulls_12_files=refusal(403), issues_7=refusal(410))
    found = fetch(ON_HUB, ENVIRON, lacking, forge.sleep)
    assert [left["what"] for left in found["left_out"]] == ["comments", "issue #7", "files"]
    told = payload.told(found, "x")
    assert told.files is None
    assert [note.code for note in told.notes if note.code == "forge-left-out"] == ["forge-left-out"] * 3
    assert len(told.commits) == 2


@pytest.mark.parametrize("answer", [refusal(404), refusal(401), refusal(429, **{"Retry-After": "900"}), refusal(500)])
def test_without_the_request_itself_there_is_nothing(forge: Forge, answer: object) -> None:
    forge.answers(f"{HUB}/pulls/12", answer)
    with pytest.raises(ForgeFailure) as caught:
        fetch(ON_HUB, ENVIRON, lacking, forge.sleep)
    assert caught.value.where == "github.com/repos/acme/widgets/pulls/12"
    assert caught.value.cure


@pytest.mark.parametrize("name", ["widgets", "acme/tools/widgets", "acme/..", "acme/wid gets", "acme/widgets?x=1"])
def test_what_is_no_repository_is_not_asked_for(forge: Forge, name: str) -> None:
    with pytest.raises(ForgeFailure, match="got no repository of GitHub"):
        fetch(ForgeRequest("github.com", name, 1), {}, having, forge.sleep)
    assert forge.asked == []


def test_without_a_token_a_public_request_is_fetched_all_the_same(forge: Forge) -> None:
    github(forge)
    fetch(ON_HUB, {}, having, forge.sleep)
    assert all("Authorization" not in call.request.headers for call in forge.router.calls)


def test_a_base_that_is_told_in_another_form_is_not_compared(forge: Forge) -> None:
    pull = case("github-gathered.json")["pull_request"]
    github(forge, pulls_12={**pull, "base": {**pull["base"], "sha": "../../x"}})
    assert "merge_base" not in fetch(ON_HUB, ENVIRON, lacking, forge.sleep)


def test_the_network_is_not_loaded_before_it_is_asked() -> None:
    program = "import sys, agent.forges.fetching, agent.forges.posting; print({'httpx2', 'tenacity'} & sys.modules.keys())"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert told.stdout == "set()\n"
