"""Where a clone came from: host and path of every form of address, and nothing of its credentials."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.sources import remotes
from agent.sources.git import Repository
from agent.sources.remotes import Remote
from tests.repositories import GitFolder

ADDRESSES = {
    "https://github.com/acme/widgets.git": Remote("github.com", "acme/widgets"),
    "https://github.com/acme/widgets": Remote("github.com", "acme/widgets"),
    "https://github.com/acme/widgets/": Remote("github.com", "acme/widgets"),
    "https://ada:ghp_secret@GitHub.com/acme/widgets.git": Remote("github.com", "acme/widgets"),
    "https://x-access-token:ghp_secret@github.com/acme/widgets": Remote("github.com", "acme/widgets"),
    "http://gitlab.example.com:8080/acme/tools/widgets.git": Remote("gitlab.example.com:8080", "acme/tools/widgets"),
    "git@github.com:acme/widgets.git": Remote("github.com", "acme/widgets"),
    "github.com:acme/widgets": Remote("github.com", "acme/widgets"),
    "git@gitlab.example.com:acme/tools/widgets.git": Remote("gitlab.example.com", "acme/tools/widgets"),
    "ssh://git@gitlab.example.com:2222/acme/widgets.git": Remote("gitlab.example.com", "acme/widgets"),
    "ssh://git@ssh.github.com:443/acme/widgets.git": Remote("github.com", "acme/widgets"),
    "git://example.com/acme/widgets": Remote("example.com", "acme/widgets"),
    "git+ssh://git@example.com/acme/widgets": Remote("example.com", "acme/widgets"),
}
NONE = (
    *("/srv/git/widgets.git", "../widgets", "./acme/widgets", "file:///srv/git/widgets", "C:/work/widgets", "C:acme/widgets"),
    *(
        "https://github.com/widgets",
        "https://github.com/",
        "",
        "ext::sh -c x",
        "https://[bad/acme/widgets",
        "https://h:99999/a/b",
    ),
    *(
        "https://github.com/acme/../widgets",
        "https://github.com/acme/wid gets",
        "git@github.com:~ada/widgets",
        "--upload-pack=x",
    ),
)


@pytest.mark.parametrize(("address", "remote"), ADDRESSES.items(), ids=ADDRESSES)
@pytest.mark.requirement("DC-14")
def test_an_address_gives_host_and_path_and_no_credentials(address: str, remote: Remote) -> None:
    assert remotes.read(address) == remote


@pytest.mark.parametrize("address", NONE)
def test_a_folder_and_what_is_no_address_give_nothing(address: str) -> None:
    assert remotes.read(address) is None


@given(st.text(max_size=60) | st.text("https://@:gitab.c/", max_size=60))
def test_any_text_can_be_read(address: str) -> None:
    found = remotes.read(address)
    assert found is None or ("@" not in found.host and "@" not in found.path)


def test_the_origin_of_a_clone_is_asked_of_git(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path / "clone")
    assert remotes.origin(Repository.open(folder.path)) is None
    folder.git("remote", "add", "origin", "https://ada:secret@github.com/acme/widgets.git")
    assert remotes.origin(Repository.open(folder.path)) == Remote("github.com", "acme/widgets")


def test_the_origin_may_be_named_in_short(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path / "clone")
    folder.git("config", "url.https://github.com/.insteadOf", "gh:")
    folder.git("remote", "add", "origin", "gh:acme/widgets")
    assert remotes.origin(Repository.open(folder.path)) == Remote("github.com", "acme/widgets")
