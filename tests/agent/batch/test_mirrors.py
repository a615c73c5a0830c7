"""Remote repositories: mirrored once, partly, and never as anybody but the person; used as they are where nothing answers."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import platformdirs
import pytest

from agent.batch import mirrors
from agent.batch.drafting import drafted
from agent.batch.planning import Plan, plan
from agent.batch.wish import Entry, Wish
from agent.collecting.gathering import gather
from agent.collecting.request import Request
from agent.errors import RepositoryFailure, UsageFailure
from agent.sources import mirroring
from agent.sources.git import Repository
from agent.sources.git_program import Git
from agent.sources.history import collect
from tests.agent.batch import releasing
from tests.agent.payments import PROFILE
from tests.repositories import GitFolder


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder of this test alone."""
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: tmp_path / "cache")
    return tmp_path / "cache" / "mirrors"


@pytest.fixture
def origin(tmp_path: Path) -> GitFolder:
    """A repository that gives out parts of itself, with a large file outside of the range v1.0..v1.1."""
    folder = GitFolder.init(tmp_path / "widgets")
    folder.git("config", "uploadpack.allowFilter", "true")
    folder.git("config", "uploadpack.allowAnySHA1InWant", "true")
    folder.commit("old", {"old.txt": "old\n", "large.txt": "large\n" * 1000})
    folder.commit("base", {"a.txt": "one\n", "evidraft.toml": "shape = 'itemized'\n"})
    folder.git("tag", "v1.0")
    folder.commit("change", {"a.txt": "two\n"})
    folder.git("tag", "v1.1")
    return folder


def planned(origin: GitFolder, *, offline: bool = False, tags: tuple[str, ...] = ("v1.1",)) -> Plan:
    return plan(Wish((Entry(f"file://{origin.path}", tags=tags),), offline=offline))


def here(cache: Path, origin: GitFolder, path: str, revision: str = "HEAD") -> bool:
    """Whether a content is in the mirror."""
    (folder,) = cache.glob("*.git")
    oid = origin.oid(f"{revision}:{path}")
    return Git.at(folder).ask("cat-file", "-e", oid).code == 0


def test_a_mirror_holds_what_a_range_needs_and_no_more(cache: Path, origin: GitFolder) -> None:
    (release,) = planned(origin).releases
    assert (release.spec, release.commits) == ("v1.0..v1.1", 1)
    contents = [("a.txt", "v1.0"), ("a.txt", "v1.1"), ("evidraft.toml", "v1.0"), ("large.txt", "v1.0"), ("old.txt", "v1.0")]
    assert [here(cache, origin, path, revision) for path, revision in contents] == [True, True, True, False, False]


def test_what_a_mirror_holds_can_be_drafted_from(origin: GitFolder) -> None:
    (release,) = planned(origin).releases
    collected = collect(Repository.open(Path(release.place)), release.spec, net=True)
    assert [hunk.text for change in collected.files() for hunk in change.hunks] == ["-one\n+two\n"]
    assert collected.notes == ()
    request = Request(Path(release.place), operand=release.spec, describes=True, needs_profile=False, environ={})
    assert gather(request).settings.shape == "itemized"


def test_a_draft_from_a_mirror_is_that_from_the_origin(tmp_path: Path) -> None:
    folder = releasing.history(tmp_path / "payments", 3, changes=2)
    folder.git("config", "uploadpack.allowFilter", "true")
    folder.git("revert", "--no-edit", "HEAD~1")
    folder.git("tag", "v4")
    answers = (("operation.repository", "example/payments"),)
    mirrored, own = (
        [
            drafted(release, releasing.CONDITIONS)
            for release in plan(Wish((Entry(place, tags=("v[1-4]",), answers=answers),))).releases
        ]
        for place in (f"file://{folder.path}", str(folder.path))
    )
    assert [one.name for one in mirrored] == ["v1", "v2", "v3", "v4"]
    assert [(one.status, one.envelope, one.commits, one.unresolved, one.findings) for one in mirrored] == [
        (one.status, one.envelope, one.commits, one.unresolved, one.findings) for one in own
    ]


def test_everything_up_to_a_tag_brings_everything(cache: Path, origin: GitFolder) -> None:
    (release,) = planned(origin, tags=("v1.0",)).releases
    assert release.base == ""
    assert here(cache, origin, "large.txt", "v1.0")


def test_records_that_a_profile_places_elsewhere_come_along(cache: Path, origin: GitFolder) -> None:
    places = PROFILE.replace("directory: .ack/changes\n", "directory: decisions\n")
    assert places != PROFILE
    origin.commit("profile", {".ack/profile.yaml": places, "decisions/one.yaml": "x\n", "elsewhere/two.yaml": "y\n"})
    origin.git("tag", "v1.2")
    origin.commit("later", {"b.txt": "b\n"})
    origin.git("tag", "v1.3")
    planned(origin, tags=("v1.3",))
    assert here(cache, origin, "decisions/one.yaml")
    assert not here(cache, origin, "elsewhere/two.yaml")


def test_a_mirror_follows_its_origin(origin: GitFolder) -> None:
    assert len(planned(origin, tags=("*",)).releases) == 2
    origin.commit("more", {"a.txt": "three\n"})
    origin.git("tag", "v1.2")
    origin.git("tag", "-d", "v1.0")
    assert [one.spec for one in planned(origin, tags=("*",)).releases] == ["v1.1", "v1.1..v1.2"]


def test_head_is_that_of_the_origin(origin: GitFolder) -> None:
    origin.branch("next")
    origin.commit("next", {"n.txt": "n\n"})
    made = plan(Wish((Entry(f"file://{origin.path}", ranges=("v1.1..",)),)))
    assert [one.head for one in made.releases] == [origin.oid("next")]


@pytest.mark.parametrize("offline", [True, False])
def test_a_mirror_is_used_as_it_is_where_nothing_answers(origin: GitFolder, offline: bool) -> None:
    first = planned(origin)
    origin.path.rename(origin.path.with_name("moved"))
    again = planned(origin, offline=offline)
    assert again.releases == first.releases
    (note,) = again.notes
    assert re.search(r"(?:does not answer|not asked); what was mirrored before is used", note)


@pytest.mark.parametrize(("offline", "what"), [(True, "is not mirrored yet"), (False, "cannot be reached")])
def test_without_a_mirror_and_an_origin_nothing_is_planned(tmp_path: Path, offline: bool, what: str) -> None:
    made = planned(GitFolder(tmp_path / "gone"), offline=offline)
    assert not made.releases
    assert what in made.failures[0].failure


def test_offline_lacks_what_an_earlier_range_did_not_need(origin: GitFolder) -> None:
    planned(origin)
    made = planned(origin, offline=True, tags=("*",))
    assert [one.name for one in made.releases] == ["v1.1"]
    assert [one.name for one in made.failures] == ["v1.0"]
    assert "contents are missing from its mirror" in made.failures[0].failure


@pytest.mark.parametrize(("unit", "names"), [("apps/worker", ["apps/worker/v1.2"]), ("apps/wroker", [])])
def test_a_release_unit_is_held_against_the_profile_of_a_mirror(origin: GitFolder, unit: str, names: list[str]) -> None:
    origin.commit("profile", {".ack/profile.yaml": PROFILE})
    origin.git("tag", "v1.2")
    made = plan(Wish((Entry(f"file://{origin.path}", tags=("v1.2",), units=(unit,)),)))
    assert [one.name for one in made.releases] == names
    assert [one.failure for one in made.failures] == [
        "--unit apps/wroker: the Project Profile declares no such release unit (one of: apps/worker)"
    ][: 1 - len(names)]


def test_what_an_interrupted_clone_left_is_made_anew(cache: Path, origin: GitFolder) -> None:
    where = mirrors.address(f"file://{origin.path}")
    assert where is not None
    folder = mirrors.place(where)
    cache.mkdir(parents=True)
    mirroring.begin(folder, where.url)
    (folder / "packed-refs.lock").write_text("")
    assert len(planned(origin).releases) == 1


def test_a_broken_mirror_is_made_anew(cache: Path, origin: GitFolder) -> None:
    first = planned(origin)
    (folder,) = cache.glob("*.git")
    origin.commit("more", {"a.txt": "three\n"})
    (folder / "packed-refs.lock").write_text("")
    for ref in (folder / "refs").rglob("*"):
        if ref.is_file():
            ref.with_name(f"{ref.name}.lock").write_text("")
    (folder / "refs/heads/main.lock").write_text("")
    assert planned(origin).releases == first.releases
    assert not (folder / "refs/heads/main.lock").exists()


def test_an_origin_that_gives_out_no_parts_gives_all(cache: Path, origin: GitFolder) -> None:
    origin.git("config", "uploadpack.allowFilter", "false")
    assert len(planned(origin).releases) == 1
    assert here(cache, origin, "large.txt")


def test_two_runs_at_once_make_one_mirror(cache: Path, origin: GitFolder) -> None:
    made: list[Plan] = []
    runs = [threading.Thread(target=lambda: made.append(planned(origin))) for _ in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert len(list(cache.glob("*.git"))) == 1
    assert made[0].releases == made[1].releases == made[2].releases != ()


def test_nothing_of_an_origin_runs(tmp_path: Path, origin: GitFolder) -> None:
    """Hooks and settings of an origin stay there; those of a template are not taken over."""
    ran = tmp_path / "ran"
    hook = origin.path / ".git/hooks/post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    planned(origin)
    assert not ran.exists()


def test_a_mirror_is_closed_to_everyone_else(cache: Path, origin: GitFolder) -> None:
    planned(origin)
    assert cache.stat().st_mode & 0o777 == 0o700


ADDRESSES = {
    "https://example.org/acme/widgets.git": "example.org/acme/widgets",
    "ssh://git@example.org/acme/widgets": "example.org/acme/widgets",
    "git@example.org:acme/widgets.git": "example.org/acme/widgets",
}


@pytest.mark.parametrize(("said", "shown"), ADDRESSES.items())
def test_an_address_is_shown_by_host_and_path(said: str, shown: str) -> None:
    where = mirrors.address(said)
    assert where is not None
    assert (where.shown, where.protocols) == (shown, "https:ssh")
    assert re.fullmatch(r"[0-9a-f]{32}\.git", mirrors.place(where).name)


@pytest.mark.parametrize("said", ["../widgets", "/srv/widgets", "widgets", "-oProxyCommand=x:y"])
def test_a_path_is_no_address(said: str) -> None:
    assert mirrors.address(said) is None


@pytest.mark.parametrize(
    "said",
    [
        *("http://example.org/acme/widgets", "git://example.org/acme/widgets", "ext::sh -c id ://x"),
        *("https://canary@example.org/acme/widgets", "https://me:canary@example.org/acme/widgets"),
        *("ssh://me:canary@example.org/acme/widgets", "https:///canary", "ssh://-oProxyCommand=canary/acme/widgets"),
    ],
)
def test_an_address_that_is_not_safe_is_refused_without_telling_it(said: str) -> None:
    with pytest.raises(UsageFailure) as raised:
        mirrors.address(said)
    assert "canary" not in str(raised.value)
    (failure,) = plan(Wish((Entry(said, tags=("*",)),))).failures
    assert "canary@" not in failure.name
    assert "canary" not in failure.failure


def test_only_the_protocol_of_the_address_runs(tmp_path: Path, cache: Path) -> None:
    """An address that a person's own settings turn into a command is not followed."""
    folder = tmp_path / "mirror.git"
    mirroring.begin(folder, f"ext::touch {tmp_path / 'ran'}")
    assert mirroring.remote_head(folder, "https:ssh") is None
    assert not (tmp_path / "ran").exists()


def test_what_is_missing_is_said_by_number_alone(cache: Path, origin: GitFolder) -> None:
    planned(origin)
    (folder,) = cache.glob("*.git")
    with pytest.raises(RepositoryFailure, match="1 contents are missing"):
        mirroring.complete(Repository.open(folder), "file", ["0" * 39 + "1"])
