"""Which forge a host is, and that a token never goes to a host that it is not meant for."""

from __future__ import annotations

import pytest

from agent.errors import ForgeFailure
from agent.forges.places import Kind, place

ALL = {
    "GH_TOKEN": "gh",
    "GITHUB_TOKEN": "job",
    "GH_ENTERPRISE_TOKEN": "enterprise",
    "GITLAB_TOKEN": "lab",
    "CI_JOB_TOKEN": "lab-job",
}
ENTERPRISE = {"GITHUB_SERVER_URL": "https://git.example.com", "GITHUB_API_URL": "https://git.example.com/api/v3"}
RUNNER = {"CI_SERVER_HOST": "lab.example.com", "CI_API_V4_URL": "https://lab.example.com/api/v4"}
PLACES = {
    "github": ("github.com", {}, "https://api.github.com", "Bearer gh"),
    "github, any case": ("GitHub.com", {}, "https://api.github.com", "Bearer gh"),
    "github from a job of an own server": ("github.com", ENTERPRISE, "https://api.github.com", "Bearer gh"),
    "github's cloud for one company": ("acme.ghe.com", {}, "https://api.acme.ghe.com", "Bearer gh"),
    "an own server of github, in its job": (
        "git.example.com",
        ENTERPRISE,
        "https://git.example.com/api/v3",
        "Bearer enterprise",
    ),
    "an own server of github, by name": (
        "git.example.com",
        {"GH_HOST": "git.example.com"},
        "https://git.example.com/api/v3",
        "Bearer enterprise",
    ),
    "gitlab": ("gitlab.com", {}, "https://gitlab.com/api/v4", "lab"),
    "an own gitlab, in its job": ("lab.example.com", RUNNER, "https://lab.example.com/api/v4", "lab"),
    "an own gitlab, by name": (
        "lab.example.com",
        {"GITLAB_HOST": "https://lab.example.com"},
        "https://lab.example.com/api/v4",
        "lab",
    ),
    "gitlab from a job of an own one": ("gitlab.com", RUNNER, "https://gitlab.com/api/v4", None),
}


@pytest.mark.parametrize(("host", "environ", "api", "token"), PLACES.values(), ids=PLACES)
def test_a_host_is_asked_where_its_interface_stands_and_with_its_own_token(
    host: str, environ: dict[str, str], api: str, token: str | None
) -> None:
    found = place(host, {**ALL, **environ})
    assert found.api == api
    assert (found.headers.get("Authorization") or found.headers.get("PRIVATE-TOKEN")) == token
    assert found.anonymous is (token is None)


def test_the_token_of_a_github_job_goes_to_the_server_of_that_job_alone() -> None:
    job = {"GITHUB_TOKEN": "job"}
    assert place("github.com", job).headers["Authorization"] == "Bearer job"
    assert place("github.com", {**job, **ENTERPRISE}).anonymous
    assert place("git.example.com", {**job, **ENTERPRISE}).headers["Authorization"] == "Bearer job"
    assert place("git.example.com", {**job, "GH_HOST": "git.example.com"}).anonymous


def test_the_token_of_a_gitlab_job_is_sent_as_such_and_to_its_own_server_alone() -> None:
    job = {"CI_JOB_TOKEN": "job", **RUNNER}
    assert place("lab.example.com", job).headers["JOB-TOKEN"] == "job"
    assert place("gitlab.com", job).anonymous


def test_an_empty_variable_holds_no_token() -> None:
    assert place("github.com", {"GH_TOKEN": "", "GITHUB_TOKEN": "job"}).headers["Authorization"] == "Bearer job"


def test_a_host_that_nobody_named_is_not_asked() -> None:
    with pytest.raises(ForgeFailure, match="nothing says which forge this is") as caught:
        place("evil.example", ALL)
    assert "GH_HOST or GITLAB_HOST" in caught.value.cure


def test_an_interface_in_the_open_is_not_asked() -> None:
    with pytest.raises(ForgeFailure, match="does not begin with https"):
        place("lab.example.com", {**RUNNER, "CI_API_V4_URL": "http://lab.example.com/api/v4"})


@pytest.mark.requirement("AI-7")
def test_a_place_shows_no_token() -> None:
    assert "gh" not in repr(place("github.com", {"GH_TOKEN": "ghp_gh"})).replace("github", "").replace("GH_TOKEN", "").replace(
        "GitHub", ""
    )


def test_whose_interface_it_is_can_be_told() -> None:
    assert [place(host, {}).kind for host in ("github.com", "gitlab.com")] == [Kind.GITHUB, Kind.GITLAB]
