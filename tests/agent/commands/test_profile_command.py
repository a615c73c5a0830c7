"""`evidraft profile`: validate tells every fault with its line; init proposes a profile that is valid at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.cli import main
from guardrails.records import profile as profiles
from guardrails.records.profile import Profile
from tests.repositories import GitFolder

CORPUS = Path(__file__).parents[2] / "cases" / "intent" / "profiles"


@pytest.mark.requirement("IC-10.1")
def test_a_valid_profile_exits_0_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "validate", str(CORPUS / "base.yaml")]) == 0
    assert capsys.readouterr().out == f"{CORPUS / 'base.yaml'}: valid Project Profile\n"


def test_every_fault_is_told_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (CORPUS / "base.yaml").read_text("utf-8")
    broken = tmp_path / "profile.yaml"
    broken.write_text(text.replace("max-header-length: 72", "max-header-length: -1") + "surprise: 1\n", "utf-8")
    assert main(["profile", "validate", str(broken)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 2
    number = 1 + broken.read_text("utf-8").splitlines().index("max-header-length: -1")
    assert any(line.startswith(f"{broken}:{number}: error profile-number max-header-length") for line in out)
    assert main(["profile", "validate", str(broken), "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert {finding["code"] for finding in document["findings"]} == {"profile-number", "unknown-profile-key"}


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\x00\xff\xfe", 1),
        (b"a: &x 1\nb: *x\n", 1),
        (b"", 1),
        (b"x: " + b"[" * 5_000, 1),
        (b"#" * 2_000_000, 1),
        (b"#" * 9_000_000, 2),
    ],
    ids=["binary", "alias", "empty", "deep", "larger than YAML may be", "larger than is read"],
)
def test_hostile_files_get_one_verdict_and_no_traceback(
    tmp_path: Path, content: bytes, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "profile.yaml"
    file.write_bytes(content)
    assert main(["profile", "validate", str(file)]) == code
    said = capsys.readouterr()
    assert len((said.out + said.err).splitlines()) == 1
    assert "internal fault" not in said.err


@pytest.mark.parametrize("name", ["missing.yaml", "."])
def test_what_cannot_be_read_exits_2(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "validate", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err.startswith("evidraft: ")


@pytest.fixture
def project(tmp_path: Path) -> GitFolder:
    made = GitFolder.init(tmp_path / "harvest")
    made.git("remote", "add", "origin", "git@git.example.org:orchard/harvest.git")
    made.commit("feat(worker): resume jobs (#12)\n\nRefs: DEVELOP-219\n", {"apps/worker/package.json": '{"name": "worker"}'})
    made.commit("fix(worker): again\n", {"package.json": '{"private": true, "workspaces": ["apps/*"]}'})
    made.git("tag", "v4.2.0")
    return made


def test_init_prints_a_profile_that_validates_as_it_stands(project: GitFolder, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "init", "--repo", str(project.path)]) == 0
    text = capsys.readouterr().out
    profile = profiles.read(text.encode())
    assert isinstance(profile, Profile)
    assert profile.repository == "https://git.example.org/orchard/harvest"
    assert list(profile.release_units) == ["apps/worker"]
    assert profile.release_units["apps/worker"].streams["stable"].release_line == "4"
    assert profile.unit_for("worker") == "apps/worker"
    assert "# seen: 1 of 2 commits" in text


def test_init_writes_a_new_file_with_its_folders_and_never_over_one(
    project: GitFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "new" / ".ack" / "profile.yaml"
    command = ["profile", "init", "--repo", str(project.path), "--output", str(file)]
    assert main(command) == 0
    before = file.read_bytes()
    assert main(["profile", "validate", str(file)]) == 0
    capsys.readouterr()
    assert main(command) == 2
    assert file.read_bytes() == before
    assert "stands there already" in capsys.readouterr().err


def test_init_changes_nothing_in_the_repository(project: GitFolder) -> None:
    before = project.git("status", "--porcelain", "--ignored"), sorted(project.path.iterdir())
    assert main(["profile", "init", "--repo", str(project.path)]) == 0
    assert (project.git("status", "--porcelain", "--ignored"), sorted(project.path.iterdir())) == before


def test_init_works_before_the_first_commit_and_in_a_bare_repository(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, options in (("unborn", ()), ("bare.git", ("--bare",))):
        folder = GitFolder.init(tmp_path / name, *options)
        assert main(["profile", "init", "--repo", str(folder.path)]) == 0
        profile = profiles.read(capsys.readouterr().out.encode())
        assert isinstance(profile, Profile)
        assert list(profile.release_units) == [name.removesuffix(".git")]


def test_init_never_prints_the_credentials_of_a_remote(project: GitFolder, capsys: pytest.CaptureFixture[str]) -> None:
    word = "not-for-you"
    project.git("remote", "set-url", "origin", f"https://rowan:{word}@git.example.org/orchard/harvest.git")
    assert main(["profile", "init", "--repo", str(project.path)]) == 0
    said = capsys.readouterr()
    assert word not in said.out + said.err


@pytest.mark.parametrize("content", ["{", " " * 17_000_000], ids=["broken", "larger than is read"])
def test_init_names_manifests_that_cannot_be_read(project: GitFolder, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    project.commit("fix: broken", {"package.json": content})
    assert main(["profile", "init", "--repo", str(project.path)]) == 0
    assert "# seen: package.json could not be read" in capsys.readouterr().out


def test_init_outside_of_a_repository_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "init", "--repo", str(tmp_path)]) == 2
    assert "not a git repository" in capsys.readouterr().err
