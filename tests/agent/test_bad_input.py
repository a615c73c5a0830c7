"""Whatever the world hands over: one clear message, the right exit code, no trace of Python, and files as they were."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.agent.payments import ANSWERS, MENDED, MESSAGE, PROFILE, RECORD, RULES, Ran, Road, payments, program
from tests.repositories import GitFolder

LAST = "HEAD~1..HEAD"
SAID = [word for answer in ANSWERS for word in ("--answer", answer)]
NOBODY = 65534
BOMB = "a: &a [x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n"
DEEP = "".join(f"{'  ' * level}a:\n" for level in range(200)) + "  " * 200 + "x\n"


def one_message(ran: Ran, *, where: str = "", code: int = 2) -> str:
    """The one message of a failed run, which has to name a place, when one is expected."""
    assert (ran.code, ran.out) == (code, ""), ran
    (line,) = ran.err.splitlines()
    assert line.startswith("evidraft: ")
    assert where in line
    assert not re.search(r"Traceback|internal fault|File \"|\.py:\d", line)
    return line


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """The seed's repository, with one commit to describe."""
    return payments(tmp_path / "payments")


# The repository


def test_what_is_no_repository_is_named(tmp_path: Path, road: Road) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    for place in (tmp_path, tmp_path / "file", tmp_path / "missing"):
        one_message(road.draft(place, LAST), where=str(place))


@pytest.mark.parametrize(
    "revision",
    [
        "no-such-branch",
        "HEAD~99",
        "v1..v2",
        "HEAD..no-such-branch",
        "--",
        "-x",
        "HEAD^{tree}",
        "a b",
        "HEAD:x",
        "\udcff",
        pytest.param("x" * 5_000, id="long"),
    ],
)
def test_an_unknown_revision_is_named(folder: GitFolder, road: Road, revision: str) -> None:
    ran = road.draft(folder, "--", revision) if revision.startswith("-") else road.draft(folder, revision)
    assert len(one_message(ran)) < 1_100


def test_an_ambiguous_revision_is_told_with_what_it_may_mean(folder: GitFolder, road: Road) -> None:
    names = {folder.commit(f"chore: number {number}")[:4] for number in range(40)}
    short = next((name for name in names if folder.git("rev-parse", "--verify", "-q", name, fails=None) == b""), None)
    while short is None:
        name = folder.commit("chore: more")[:4]
        short = name if folder.git("rev-parse", "--verify", "-q", name, fails=None) == b"" else None
    assert "say which" in one_message(road.draft(folder, short), where=short)


def test_a_range_whose_history_is_cut_off_says_what_to_fetch(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    shallow = GitFolder.clone(folder, tmp_path / "shallow", "--depth", "1")
    line = one_message(road.draft(shallow, f"{folder.oid('HEAD~1')}..HEAD"))
    assert "git fetch" in line or "unshallow" in line


def test_damaged_objects_are_one_message(folder: GitFolder, road: Road) -> None:
    name = folder.oid("HEAD^{tree}")
    damaged = folder.path / ".git" / "objects" / name[:2] / name[2:]
    damaged.chmod(0o644)
    damaged.write_bytes(b"damaged")
    one_message(road.draft(folder, LAST))


def test_git_that_is_missing_is_named(folder: GitFolder) -> None:
    done = program(["draft-changeset", "--repo", str(folder.path), LAST], environment={"PATH": "/nowhere"})
    one_message(Ran(done.returncode, done.stdout.decode(), done.stderr.decode()), where="git was not found")


# Profile, rules, policy, answers, evidence


def test_without_a_profile_the_way_to_one_is_told(tmp_path: Path, road: Road) -> None:
    folder = payments(tmp_path / "payments", profile=None)
    line = one_message(road.draft(folder, LAST), where=".ack/profile.yaml")
    assert "evidraft profile init" in line


BROKEN: dict[str, bytes] = {
    "empty": b"",
    "text": b"just text\n",
    "no YAML": b"a: [\n",
    "not UTF-8": b"\xff\xfe\x00",
    "NUL": b"a: \x00\n",
    "aliases": BOMB.encode(),
    "deep": DEEP.encode(),
    "deep flow": b"a: " + b"[" * 5_000,
    "two documents": b"a: 1\n---\nb: 2\n",
    "twice": b"a: 1\na: 2\n",
    "tag": b"a: !!python/object/apply:os.system [ls]\n",
    "long key": b"k" * 200_000 + b": 1\n",
    "many keys": b"".join(b"k%d: 1\n" % number for number in range(60_000)),
}


@pytest.mark.requirement("IC-12.1", "IC-12.2")
@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("option", ["--profile", "--policy", "--answers", "--evidence"])
def test_a_hostile_file_is_one_message_wherever_it_is_given(
    folder: GitFolder, road: Road, tmp_path: Path, option: str, name: str
) -> None:
    file = tmp_path / "hostile.yaml"
    file.write_bytes(BROKEN[name])
    line = one_message(road.draft(folder, LAST, option, str(file)), where="hostile.yaml")
    assert len(line) < 600


@pytest.mark.parametrize(
    "text", ["[rules", "rules = 1", "colour = 'red'", "[rules]\ntypes = 1\n", "[rules.types]\nfix = 'nonsense'\n", "model = ''"]
)
def test_broken_settings_are_one_message(folder: GitFolder, road: Road, tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, "utf-8")
    one_message(road.draft(folder, LAST, "--config", str(file)), where="mine.toml")


def test_a_policy_that_takes_out_what_a_draft_must_name_is_refused_without_naming_it(
    folder: GitFolder, road: Road, tmp_path: Path
) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text("terms: [worker]\n", "utf-8")
    assert "worker" not in one_message(road.draft(folder, LAST, "--policy", str(policy)), where="release-units[0]")


@pytest.mark.requirement("IC-12.2")
@pytest.mark.parametrize("option", ["--profile", "--policy", "--answers", "--evidence", "--config"])
def test_a_file_of_300_megabytes_is_not_read(folder: GitFolder, road: Road, tmp_path: Path, option: str) -> None:
    file = tmp_path / "huge.yaml"
    with file.open("wb") as huge:
        huge.truncate(300 * 1024 * 1024)
    one_message(road.draft(folder, LAST, option, str(file)), where="huge.yaml")


def loop(path: Path) -> None:
    path.symlink_to(path)


PLACES: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: None,
    "a folder": Path.mkdir,
    "a link to nothing": lambda path: path.symlink_to(path.parent / "nothing"),
    "a link to itself": loop,
}


@pytest.mark.parametrize("make", PLACES.values(), ids=PLACES.keys())
@pytest.mark.parametrize("option", ["--profile", "--policy", "--answers", "--evidence", "--config"])
def test_what_cannot_be_read_is_named(
    folder: GitFolder, road: Road, tmp_path: Path, option: str, make: Callable[[Path], object]
) -> None:
    place = tmp_path / "place"
    make(place)
    one_message(road.draft(folder, LAST, option, str(place)), where=str(place))


@pytest.mark.requirement("IC-12.4")
@pytest.mark.parametrize("words", [["--work-tree"], ["--staged"]])
def test_a_profile_behind_a_link_out_of_the_repository_is_not_read(
    folder: GitFolder, road: Road, tmp_path: Path, words: list[str]
) -> None:
    outside = tmp_path / "profile.yaml"
    outside.write_text(PROFILE, "utf-8")
    inside = folder.path / ".ack" / "profile.yaml"
    inside.unlink()
    inside.symlink_to(outside)
    folder.write({"apps/worker/more.py": "x = 1\n"})
    folder.git("add", "apps")
    one_message(road.draft(folder, *words), where=".ack/profile.yaml")
    record = tmp_path / "record.yaml"
    record.write_text(RECORD, "utf-8")
    one_message(road.evidraft("changeset", "create", str(record), "--repo", str(folder.path)), where=".ack/profile.yaml")


def test_a_file_without_permission_is_named(tmp_path: Path) -> None:
    file = tmp_path / "draft.yaml"
    file.write_text(RECORD, "utf-8")
    # Root may read everything, so the program gives up its rights, once it has loaded all that it needs for a first run.
    before = (
        "import contextlib, io, os\nfrom agent.cli import main\n"
        f"with contextlib.redirect_stdout(io.StringIO()):\n    assert main(['changeset', 'check', {str(file)!r}]) == 0\n"
        f"os.chmod({str(file)!r}, 0)\nif os.geteuid() == 0:\n    os.seteuid({NOBODY})"
    )
    done = program(["evidraft", "changeset", "check", str(file)], before=before)
    assert "Permission denied" in one_message(Ran(done.returncode, done.stdout.decode(), done.stderr.decode()), where=str(file))


# Writing


@pytest.mark.parametrize("option", ["--output", "--record"])
@pytest.mark.parametrize("place", ["missing/draft", "folder", "/dev/full", "folder/" + "x" * 300])
def test_what_cannot_be_written_is_named(folder: GitFolder, road: Road, tmp_path: Path, option: str, place: str) -> None:
    (tmp_path / "folder").mkdir()
    where = str(tmp_path / place)
    one_message(road.draft(folder, LAST, "--write", option, where, answers=ANSWERS), where=where[:200])
    assert not (folder.path / ".ack" / "changes").exists()


@pytest.mark.parametrize("words", [["--output", "draft.yaml"], ["--record", "draft.yaml"], ["--write"]])
def test_a_disk_that_is_full_leaves_everything_as_it_was(folder: GitFolder, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "draft.yaml").write_text("old", "utf-8")
    before = snapshot(tmp_path)
    limit = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))"
    done = program(["draft-changeset", "--repo", str(folder.path), LAST, *SAID, "--quiet", *words], cwd=tmp_path, before=limit)
    one_message(Ran(done.returncode, done.stdout.decode(), done.stderr.decode()), where="could not be written")
    assert snapshot(tmp_path) == before


def snapshot(folder: Path) -> dict[str, bytes | None]:
    """Every file and folder outside git's own."""
    found = (path for path in folder.rglob("*") if ".git" not in path.parts)
    return {str(path): path.read_bytes() if path.is_file() else None for path in found}


@pytest.mark.parametrize(
    "words",
    [
        [LAST, "--work-tree"],
        ["--staged", "--work-tree"],
        [LAST, "HEAD"],
        [LAST, "--format", "xml"],
        [LAST, "--answer", "nonsense"],
        [LAST, "--answer", "summary=a", "--answer", "summary=b"],
        [LAST, "--model", "oracle"],
        [LAST, "--interactive"],
        ["--no-such-option"],
    ],
)
def test_a_command_line_without_sense_is_one_message(folder: GitFolder, road: Road, words: list[str]) -> None:
    one_message(road.draft(folder, *words))


def test_a_variable_of_ours_that_is_unknown_is_named(folder: GitFolder) -> None:
    done = program(["draft-changeset", "--repo", str(folder.path), LAST], environment={"EVIDRAFT_MODLE": "x"})
    line = one_message(Ran(done.returncode, done.stdout.decode(), done.stderr.decode()), where="EVIDRAFT_MODLE")
    assert "EVIDRAFT_MODEL" in line


# Size


@pytest.mark.requirement("IC-12.2")
def test_a_blob_of_100_megabytes_is_counted_and_not_read(tmp_path: Path, road: Road) -> None:
    folder = payments(tmp_path, None)
    folder.commit(MESSAGE, {"apps/worker/settlement.py": MENDED, "apps/worker/table.bin": b"\0\1" * (50 * 1024 * 1024)})
    ran = road.draft(folder, LAST, answers=ANSWERS)
    assert (ran.code, ran.out) == (0, RECORD)


@pytest.mark.requirement("IC-12.2")
def test_a_text_of_100_megabytes_in_one_line_is_left_out_and_that_is_said(tmp_path: Path, road: Road) -> None:
    folder = payments(tmp_path, None)
    folder.commit(MESSAGE, {"apps/worker/settlement.py": MENDED, "apps/worker/table.json": b"7" * (100 * 1024 * 1024)})
    ran = road.draft(folder, LAST, answers=ANSWERS)
    assert (ran.code, ran.out) == (0, RECORD)
    assert "apps/worker/table.json" in ran.err


def test_a_commit_of_10000_files_is_drafted(tmp_path: Path, road: Road) -> None:
    folder = payments(tmp_path, None)
    head = f"commit refs/heads/main\ncommitter C <c@example.org> 1700000100 +0000\ndata {len(MESSAGE)}\n{MESSAGE}"
    stream = [f"{head}from {folder.oid('HEAD')}\n"]
    stream += [f"M 100644 inline apps/worker/part{number}.py\ndata 6\nx = 1\n\n" for number in range(10_000)]
    folder.git("fast-import", "--quiet", given="".join(stream).encode())
    ran = road.draft(folder, LAST, answers=ANSWERS)
    assert (ran.code, ran.out) == (0, RECORD)


def test_hostile_names_and_messages_do_not_steer_the_terminal(tmp_path: Path, road: Road) -> None:
    folder = payments(tmp_path, None, rules=RULES)
    folder.commit(
        MESSAGE.replace("Prevent", "\x1b[31mPrevent\u202e"),
        {b"apps/worker/\x1b]0;x\x07\xff.py": MENDED, "apps/worker/a\nb.py": MENDED},
    )
    for words in ([LAST], [LAST, "--dry-run"], [LAST, "--format", "json"]):
        ran = road.draft(folder, *words)
        assert ran.code in {0, 3}
        assert not re.search("[\x1b\x07\u202e]", ran.out + ran.err)
