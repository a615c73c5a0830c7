"""An address leads to where the forge shows a thing; where nobody says how it builds addresses, none is made up."""

from __future__ import annotations

import pytest

from agent.render.forge_links import Links, Style
from guardrails.evidence.references import Reference

GITHUB = Links.of("github.com", "acme/widgets", trackers={"PROJ": "https://tracker.example/browse/{key}"})
GITLAB = Links.of("gitlab.example.com:8443", "acme/tools/widgets")
HUB, LAB = "https://github.com/acme/widgets", "https://gitlab.example.com:8443/acme/tools/widgets/-"

PLACES = [
    (Reference("src/a.py", "41-78", "9f2c1ab"), f"{HUB}/blob/9f2c1ab/src/a.py#L41-L78", f"{LAB}/blob/9f2c1ab/src/a.py#L41-78"),
    (Reference("src/a.py", "7", "9f2c1ab"), f"{HUB}/blob/9f2c1ab/src/a.py#L7", f"{LAB}/blob/9f2c1ab/src/a.py#L7"),
    (Reference("a.py", None, "9f2c1ab"), f"{HUB}/blob/9f2c1ab/a.py", f"{LAB}/blob/9f2c1ab/a.py"),
    (
        Reference("docs/A.MD", "7", "9f2c1ab"),
        f"{HUB}/blob/9f2c1ab/docs/A.MD?plain=1#L7",
        f"{LAB}/blob/9f2c1ab/docs/A.MD?plain=1#L7",
    ),
    (
        Reference("a b/#?é.py", None, "9f2c1ab"),
        f"{HUB}/blob/9f2c1ab/a%20b/%23%3F%C3%A9.py",
        f"{LAB}/blob/9f2c1ab/a%20b/%23%3F%C3%A9.py",
    ),
    (Reference("a.py", "7", None), None, None),
]


@pytest.mark.requirement("DC-11")
@pytest.mark.parametrize(("reference", "github", "gitlab"), PLACES, ids=[row[0].place() for row in PLACES])
def test_a_reference_leads_to_its_lines_at_its_commit(reference: Reference, github: str | None, gitlab: str | None) -> None:
    assert GITHUB is not None
    assert GITLAB is not None
    assert (GITHUB.place(reference), GITLAB.place(reference)) == (github, gitlab)


IDENTIFIERS = [
    ("#12", f"{HUB}/issues/12", f"{LAB}/issues/12"),
    ("!12", None, f"{LAB}/merge_requests/12"),
    ("GH-12", f"{HUB}/issues/12", f"{LAB}/issues/12"),
    ("a/b#1", "https://github.com/a/b/issues/1", "https://gitlab.example.com:8443/a/b/-/issues/1"),
    ("a/../b#1", None, None),
    ("9f2c1ab", f"{HUB}/commit/9f2c1ab", f"{LAB}/commit/9f2c1ab"),
    ("PROJ-412", "https://tracker.example/browse/PROJ-412", None),
    ("OTHER-412", None, None),
    ("https://x.example", None, None),
]


@pytest.mark.requirement("DC-08")
@pytest.mark.parametrize(("text", "github", "gitlab"), IDENTIFIERS, ids=[row[0] for row in IDENTIFIERS])
def test_an_identifier_leads_to_what_it_names(text: str, github: str | None, gitlab: str | None) -> None:
    assert GITHUB is not None
    assert GITLAB is not None
    assert (GITHUB.identifier(text), GITLAB.identifier(text)) == (github, gitlab)


def test_a_range_and_a_person_are_seen_on_the_forge() -> None:
    assert GITHUB is not None
    assert GITHUB.comparison("v2.3.0", "feature/a b") == f"{HUB}/compare/v2.3.0...feature/a%20b"
    assert GITHUB.person("octo-cat") == "https://github.com/octo-cat"
    assert GITHUB.person("Octo Cat <octo@example.org>") is None


@pytest.mark.parametrize(
    ("host", "repository", "style", "known"),
    [
        ("github.com", "acme/widgets", None, Style.GITHUB),
        ("GitHub.com", "acme/widgets", None, Style.GITHUB),
        ("gitlab.example.com", "a/b/c", None, Style.GITLAB),
        ("git.example.com", "acme/widgets", None, None),
        ("git.example.com", "acme/widgets", Style.GITLAB, Style.GITLAB),
        ("notgithub.com", "acme/widgets", None, None),
        ("github.com", "widgets", None, None),
        ("github.com", "", None, None),
        ("github.com", "acme/..", None, None),
        ("github.com", "acme/wid gets", None, None),
        ("github.com/x", "acme/widgets", None, None),
        ("me@github.com", "acme/widgets", None, None),
    ],
)
def test_no_forge_is_guessed(host: str, repository: str, style: Style | None, known: Style | None) -> None:
    links = Links.of(host, repository, style=style)
    assert (links and links.style) == known


@pytest.mark.parametrize(
    ("address", "is_here"),
    [
        ("https://github.com", True),
        ("https://GITHUB.com/other/repo", True),
        ("https://tracker.example/browse/PROJ-1", True),
        ("http://github.com", False),
        ("https://github.com.evil.example", False),
        ("https://github.com@evil.example", False),
        ("https://me@github.com", False),
        ("https://github.com:444", False),
        ("//github.com", False),
        ("javascript:alert(1)", False),
        ("https://[", False),
        ("docs/a.md", False),
    ],
)
def test_links_stay_on_the_forge_and_its_trackers(address: str, is_here: bool) -> None:
    assert GITHUB is not None
    assert GITHUB.lead_to(address) is is_here
