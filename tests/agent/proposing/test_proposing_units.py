"""The repository's address and the words for its units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.proposing.manifests import Manifest
from agent.proposing.units import release_units, repository_uri, unit_word
from guardrails.records.fields import is_absolute_uri, is_unit


@pytest.mark.parametrize(
    ("remote", "uri"),
    [
        ("https://git.example.org/orchard/harvest.git", "https://git.example.org/orchard/harvest"),
        ("https://rowan:s3cr3t@git.example.org/orchard/harvest", "https://git.example.org/orchard/harvest"),
        ("http://git.example.org:8080/orchard/harvest/", "https://git.example.org:8080/orchard/harvest"),
        ("git@git.example.org:orchard/harvest.git", "https://git.example.org/orchard/harvest"),
        ("git.example.org:/orchard/harvest.git", "https://git.example.org/orchard/harvest"),
        ("ssh://git@git.example.org:2222/orchard/harvest.git", "https://git.example.org/orchard/harvest"),
        ("git://GIT.example.org/orchard/harvest?x=1#y", "https://git.example.org/orchard/harvest"),
        ("/srv/git/harvest.git", None),
        ("../harvest", None),
        ("file:///srv/git/harvest.git", None),
        ("C:\\work\\harvest", None),
        ("https://[broken/x", None),
        ("https://git.example.org/", None),
        ("ext::sh -c touch% /tmp/x", None),
        ("", None),
    ],
)
def test_a_remote_becomes_an_https_address_without_credentials_or_nothing(remote: str, uri: str | None) -> None:
    assert repository_uri(remote) == uri


@given(st.text(max_size=60))
def test_whatever_a_remote_is_called_the_address_is_an_absolute_uri_without_user(remote: str) -> None:
    uri = repository_uri(remote)
    assert uri is None or (is_absolute_uri(uri) and "@" not in uri.split("/")[2])


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("apps/worker", "apps/worker"),
        ("Apps/My Worker", "apps/my-worker"),
        ("pydantic_ai", "pydantic-ai"),
        ("../x/./-y-", "x/y"),
        ("日本", ""),
        ("..", ""),
    ],
)
def test_a_folder_becomes_a_unit_word(text: str, word: str) -> None:
    assert unit_word(text) == word


@given(st.text(max_size=40))
def test_a_unit_word_is_empty_or_one_that_a_profile_takes(text: str) -> None:
    word = unit_word(text)
    assert word == "" or (is_unit(word) and ".." not in word.split("/"))


def manifest(folder: str, package: str) -> Manifest:
    return Manifest(f"{folder}/package.json".lstrip("/"), folder, package)


def test_units_are_called_by_their_folder_the_root_by_its_package() -> None:
    units = release_units([manifest("", "@acme/web"), manifest("apps/Worker", "w")], "harvest")
    assert [(unit.word, unit.folder) for unit in units] == [("web", ""), ("apps/worker", "apps/Worker")]


@pytest.mark.parametrize(("name", "word"), [("harvest", "harvest"), ("日本", "main")])
def test_without_a_package_there_is_one_unit_called_as_the_repository(name: str, word: str) -> None:
    assert [unit.word for unit in release_units([], name)] == [word]


def test_two_folders_that_would_get_one_word_give_one_unit() -> None:
    assert [unit.folder for unit in release_units([manifest("A", "a"), manifest("a", "b")], "x")] == ["A"]
