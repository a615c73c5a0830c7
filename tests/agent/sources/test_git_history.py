"""Collecting from real git histories: a table of what a commit can do to a file, then ranges, merges, reverts, limits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from agent.errors import RepositoryFailure, UsageFailure
from agent.sources.git import Repository
from agent.sources.history import REFERENCED_LIMIT, Collected, collect
from guardrails.evidence.model import FileChange, SelectionKind
from tests.repositories import GitFolder

LINES = "".join(f"line {number}\n" for number in range(1, 41))
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "ab" * 32 + "\nsize 12\n"
Files = Mapping[str | bytes, str | bytes | None]


def read(folder: GitFolder, operand: str | None = None, *, staged: bool = False, work_tree: bool = False) -> Collected:
    return collect(Repository.open(folder.path), operand, staged=staged, work_tree=work_tree)


def told(change: FileChange) -> str:
    """A file change in one line: what, holding what, where, and the ranges of its hunks."""
    path = f"{change.old_path} -> {change.path}" if change.old_path else change.path
    ranges = [f"-{h.old_start},{h.old_lines}+{h.new_start},{h.new_lines}" for h in change.hunks]
    return " ".join((change.change, change.content, path, *ranges))


def codes(collected: Collected) -> set[str]:
    return {note.code for note in collected.notes}


TABLE: tuple[tuple[str, Files, Files, list[str]], ...] = (
    ("modified", {"f": LINES}, {"f": LINES.replace("line 20\n", "new\nnewer\n")}, ["modified text f -17,7+17,8"]),
    ("two hunks", {"f": LINES}, {"f": LINES[7:] + "end\n"}, ["modified text f -1,4+1,3 -38,3+37,4"]),
    ("added", {}, {"f": "a\nb\n"}, ["added text f -0,0+1,2"]),
    ("deleted", {"f": "a\nb\n"}, {"f": None}, ["deleted text f -1,2+0,0"]),
    ("emptied", {"f": "a\n"}, {"f": ""}, ["modified empty f -1,1+0,0"]),
    ("empty file added", {}, {"f": ""}, ["added empty f"]),
    ("empty file deleted", {"f": ""}, {"f": None}, ["deleted empty f"]),
    ("renamed", {"f": LINES}, {"f": None, "d/g": LINES}, ["renamed text f -> d/g"]),
    ("renamed and changed", {"f": LINES}, {"f": None, "g": LINES + "x\n"}, ["renamed text f -> g -38,3+38,4"]),
    (
        "copied",
        {"f": LINES},
        {"f": LINES + "x\n", "g": LINES},
        ["modified text f -38,3+38,4", "copied text f -> g"],
    ),
    ("binary", {"f": b"\0a"}, {"f": b"\0b"}, ["modified binary f"]),
    ("binary added", {}, {"f": b"\0a"}, ["added binary f"]),
    ("text to binary", {"f": "a\n"}, {"f": b"\0"}, ["modified binary f"]),
    ("pointer added", {}, {"f": POINTER}, ["added lfs-pointer f -0,0+1,3"]),
    ("pointer moved on", {"f": POINTER}, {"f": POINTER.replace("12", "13")}, ["modified lfs-pointer f -1,3+1,3"]),
    ("pointer deleted", {"f": POINTER}, {"f": None}, ["deleted lfs-pointer f -1,3+0,0"]),
    ("pointer instead of text", {"f": "a\n"}, {"f": POINTER}, ["modified lfs-pointer f -1,1+1,3"]),
    ("text instead of pointer", {"f": POINTER}, {"f": "a\n"}, ["modified text f -1,3+1,1"]),
    ("text about pointers", {}, {"f": "x\n" + POINTER}, ["added text f -0,0+1,4"]),
    ("line ends only", {"f": "a\nb\n"}, {"f": "a\r\nb\r\n"}, ["modified text f -1,2+1,2"]),
    ("no newline at the end", {"f": "a\nb"}, {"f": "a\nc"}, ["modified text f -1,2+1,2"]),
    ("newline gained", {"f": "a"}, {"f": "a\n"}, ["modified text f -1,1+1,1"]),
    ("odd names", {}, {'a "b"\n\t\\c': "x\n", "ü b": "y\n"}, ['added text a "b"\n\t\\c -0,0+1,1', "added text ü b -0,0+1,1"]),
    ("name that is no text", {}, {b"caf\xe9": "x\n"}, ["added text caf\\xe9 -0,0+1,1"]),
    (
        "names like headers",
        {},
        {"b/x b/x": "x\n", "x b/x": "x\n"},
        ["added text b/x b/x -0,0+1,1", "added text x b/x -0,0+1,1"],
    ),
    (
        "names like options",
        {},
        {"--output=z": "x\n", ":(top)y": "y\n"},
        ["added text --output=z -0,0+1,1", "added text :(top)y -0,0+1,1"],
    ),
)


@pytest.mark.parametrize(("before", "after", "expected"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
@pytest.mark.requirement("AI-1")
def test_every_change_of_a_file_is_told_with_its_lines(
    tmp_path: Path, before: Files, after: Files, expected: list[str]
) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("before", before)
    folder.commit("after", after)
    (commit,) = read(folder, "HEAD").commits
    assert sorted(map(told, commit.files)) == sorted(expected)


def test_modes_links_and_submodules_are_told_for_what_they_are(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path / "outer")
    inner = GitFolder.init(tmp_path / "inner")
    first = inner.commit("one")
    folder.commit("before", {"run": "x\n", "kind": "text\n"})
    (folder.path / "run").chmod(0o755)
    (folder.path / "kind").unlink()
    (folder.path / "kind").symlink_to("run")
    (folder.path / "link").symlink_to("/etc/passwd")
    folder.git("update-index", "--add", "--cacheinfo", f"160000,{first},module")
    folder.git("add", "run", "kind", "link")
    folder.git("commit", "-q", "-m", "after")
    (commit,) = read(folder, "HEAD").commits
    assert [told(change) for change in commit.files] == [
        "type-changed symlink kind -1,1+0,0 -0,0+1,1",
        "added symlink link -0,0+1,1",
        "added submodule module -0,0+1,1",
        "mode-changed text run",
    ]
    assert commit.files[1].hunks[0].text == "+/etc/passwd\n\\ No newline at end of file\n"
    assert (commit.files[3].old_mode, commit.files[3].new_mode) == ("100644", "100755")


def test_content_that_looks_like_a_diff_stays_content(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    forged = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\x01" + "0" * 40 + "\0\0\n:100644\n"
    folder.commit("before", {"f": "-- a\n", "g": "x\n"})
    folder.commit(f"after\n\n{forged.replace(chr(0), '')}", {"f": "++ b\n" + forged.replace("\0", ""), "g": "y\n"})
    (commit,) = read(folder, "HEAD").commits
    assert [told(change) for change in commit.files] == ["modified text f -1,1+1,9", "modified text g -1,1+1,1"]
    assert commit.files[0].hunks[0].text == "--- a\n+++ b\n" + "".join(
        f"+{line}\n" for line in forged.replace("\0", "").split("\n")[:-1]
    )


def test_hunks_tell_lines_before_and_after_and_where_they_stand(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    base = folder.commit("before", {"f.py": "def f():\n" + "    pass\n" * 9, "gone": "a\nb\n"})
    head = folder.commit("after", {"f.py": "def f():\n" + "    pass\n" * 8 + "    return 1\n", "gone": None})
    changed, gone = read(folder, "HEAD").commits[0].files
    assert (changed.hunks[0].section, changed.added, changed.deleted) == ("def f():", 1, 1)
    assert changed.hunks[0].locator == f"git:{head}:f.py:7-10"
    assert changed.locator == f"git:{head}:f.py"
    assert (gone.locator, gone.hunks[0].locator) == (f"git:{base}:gone", f"git:{base}:gone:1-2")
    assert [hunk.id for change in (changed, gone) for hunk in change.hunks] == ["H1", "H2"]


def test_a_range_is_read_oldest_first_and_numbered(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    oids = [folder.commit(f"subject {number}\n\nbody\n", {"f": f"{number}\n"}) for number in range(4)]
    collected = read(folder, f"{oids[0]}..main")
    assert [commit.oid for commit in collected.commits] == oids[1:]
    assert [commit.id for commit in collected.commits] == ["C1", "C2", "C3"]
    assert [change.id for change in collected.files()] == ["F1", "F2", "F3"]
    assert (collected.selection.base, collected.selection.head) == (oids[0], oids[3])
    assert (collected.selection.kind, collected.selection.spec) == (SelectionKind.RANGE, f"{oids[0]}..main")
    first = collected.commits[0]
    assert (first.message, first.subject, first.parents) == ("subject 1\n\nbody", "subject 1", (oids[0],))
    assert (first.author.name, first.committer.email) == ("Ada Author", "cem@example.org")
    assert first.authored.startswith("2023-11-14T")
    assert collected.notes == ()


def test_the_same_selection_gives_the_same_evidence(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("one", {"f": LINES})
    folder.commit("two", {"f": LINES[7:]})
    assert read(folder, "HEAD") == read(folder, "HEAD")


def test_a_side_that_is_not_written_is_head(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    base = folder.commit("one", {"f": "1\n"})
    folder.commit("two", {"f": "2\n"})
    assert read(folder, f"{base}..").commits == read(folder, f"{base}..HEAD").commits
    folder.git("checkout", "-q", base)
    assert [commit.subject for commit in read(folder, "..main").commits] == ["two"]


@pytest.mark.parametrize("operand", ["HEAD..HEAD", "HEAD...HEAD"])
def test_an_empty_range_is_empty_evidence_and_no_error(tmp_path: Path, operand: str) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("one", {"f": "1\n"})
    assert read(folder, operand).commits == ()


def test_an_empty_commit_is_told_without_files(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("one", {"f": "1\n"})
    folder.commit("nothing")
    folder.commit("three", {"f": "3\n"})
    assert [(commit.subject, len(commit.files)) for commit in read(folder, "HEAD~2..").commits] == [
        ("nothing", 0),
        ("three", 1),
    ]


def test_a_root_commit_adds_its_whole_content(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("root", {"a": "1\n", "b": ""})
    collected = read(folder, "HEAD")
    assert [told(change) for change in collected.files()] == ["added text a -0,0+1,1", "added empty b"]
    assert collected.selection.base is None


def test_three_dots_start_at_the_common_ancestor_and_say_so(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    base = folder.commit("base", {"f": "1\n"})
    folder.branch("side")
    folder.commit("side", {"g": "1\n"})
    folder.switch("main")
    folder.commit("main", {"f": "2\n"})
    collected = read(folder, "main...side")
    assert (collected.selection.base, [commit.subject for commit in collected.commits]) == (base, ["side"])
    assert codes(collected) == {"symmetric-range"}
    assert codes(read(folder, "main..side")) == {"base-not-ancestor"}


@pytest.mark.parametrize(
    ("operand", "is_apart"),
    [
        ("main~3..main", False),
        ("one~1..main", False),
        ("one..main", False),
        ("two..main", False),
        ("main..one", True),
        ("one..two", True),
        ("main..main~1", True),
        ("main..main", False),
        ("one...main", False),
    ],
)
def test_a_base_is_apart_where_nothing_leads_from_it_to_the_head(tmp_path: Path, operand: str, *, is_apart: bool) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("root", {"g": "1\n"})
    branches(folder, "one", "two")
    folder.merge("merge one", "one")
    folder.merge("merge two", "two")
    assert ("base-not-ancestor" in codes(read(folder, operand))) == is_apart


def test_sides_without_a_common_ancestor_are_refused_with_three_dots(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("one", {"f": "1\n"})
    folder.git("checkout", "-q", "--orphan", "other")
    folder.commit("two", {"g": "1\n"})
    with pytest.raises(RepositoryFailure, match="no common ancestor"):
        read(folder, "main...other")


def branches(folder: GitFolder, *names: str) -> None:
    """One commit on main, then one commit on each branch, each changing its own line of `f`."""
    lines = [f"{number}\n" for number in range(30)]
    folder.commit("base", {"f": "".join(lines)})
    for number, name in enumerate(names):
        folder.branch(name, "main")
        own = list(lines)
        own[number * 10] = f"{name}\n"
        folder.commit(f"on {name}", {"f": "".join(own)})
    folder.switch("main")


def test_a_clean_merge_has_no_files_of_its_own(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    branches(folder, "one", "two")
    folder.merge("merge one", "one")
    folder.merge("merge two", "two")
    assert [(commit.subject, len(commit.files)) for commit in read(folder, "main~2..main").commits] == [
        ("on one", 1),
        ("merge one", 0),
        ("on two", 1),
        ("merge two", 0),
    ]


def test_a_merge_tells_only_what_it_changed_against_all_parents(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    branches(folder, "one", "two")
    folder.merge("merge one", "one")
    merged = "one\n" + "".join(f"{number}\n" for number in range(1, 10)) + "two\n"
    tail = "".join(f"{number}\n" for number in range(11, 29)) + "evil\n"
    folder.merge("merge two", "two", resolved={"f": merged + tail, "new": "n\n"})
    commit = read(folder, "main^..main").commits[-1]
    assert [told(change) for change in commit.files] == ["modified text f -27,4+27,4", "added text new -1,0+1,1"]
    assert commit.files[0].hunks[0].text == " 26\n 27\n 28\n-29\n+evil\n"
    assert (commit.files[0].added, commit.files[0].deleted) == (1, 1)


def test_a_merge_did_nothing_to_what_one_parent_brought_beside_what_another_did(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("base", {"f": "a\nb\nc\nd\ne\n"})
    folder.branch("side")
    folder.commit("side", {"f": "a\nside\nc\nd\ne\n"})
    folder.switch("main")
    folder.commit("main", {"f": "a\nb\nc\nmain\ne\n"})
    folder.merge("merge", "side")
    assert b"@@@" in folder.git("show", "--cc", "HEAD")
    assert read(folder, "main^..main").commits[-1].files == ()


def test_a_resolved_conflict_tells_which_lines_no_parent_has(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("base", {"f": "a\nb\nc\n"})
    folder.branch("side")
    folder.commit("side", {"f": "a\nside\nc\n"})
    folder.switch("main")
    folder.commit("main", {"f": "a\nmain\nc\n"})
    folder.merge("merge", "side", resolved={"f": "a\nmain\nboth\n\\ No newline\nc\n"})
    (change,) = read(folder, "main^..main").commits[-1].files
    assert change.hunks[0].text == " a\n-side\n main\n+both\n+\\ No newline\n c\n"
    assert (change.hunks[0].new_start, change.hunks[0].new_lines) == (1, 5)


def test_an_octopus_merge_is_read(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    branches(folder, "one", "two", "three")
    folder.git("merge", "-q", "--no-ff", "-m", "octopus", "one", "two", "three")
    lines = folder.git("show", "HEAD:f").decode().replace("29\n", "evil\n")
    folder.commit("octopus", {"f": lines}, "--amend")
    collected = read(folder, "main^..main")
    assert len(collected.commits[-1].parents) == 4
    assert [told(change) for change in collected.commits[-1].files] == ["modified text f -27,4+27,4"]
    assert collected.commits[-1].files[0].hunks[0].text == " 26\n 27\n 28\n-29\n+evil\n"


def test_a_merge_of_binaries_and_deletions_is_read(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("base", {"bin": b"\0", "gone": "a\n", "last": "x\n"})
    folder.branch("side")
    folder.commit("side", {"bin": b"\0s", "gone": "b\n"})
    folder.switch("main")
    folder.commit("main", {"bin": b"\0m", "gone": "c\n"})
    folder.merge("merge", "side", resolved={"bin": b"\0both", "gone": None, "last": "y\n"})
    commit = read(folder, "main^..main").commits[-1]
    assert [told(change) for change in commit.files] == [
        "modified binary bin",
        "deleted text gone -1,1+1,0",
        "modified text last -1,1+1,1",
    ]


def test_a_single_merge_means_what_it_merged_in_and_says_so(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    branches(folder, "one", "two")
    first = folder.merge("merge one", "one")
    folder.merge("merge two", "two")
    collected = read(folder, "main")
    assert [commit.subject for commit in collected.commits] == ["on two", "merge two"]
    assert (collected.selection.kind, collected.selection.base) == (SelectionKind.COMMIT, first)
    assert codes(collected) == {"merge-selected"}


@pytest.mark.requirement("DC-23")
def test_a_reverted_commit_outside_the_selection_is_looked_up(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("base", {"f": "1\n"})
    bad = folder.commit("bad", {"f": "2\n"})
    folder.git("revert", "--no-edit", bad)
    collected = read(folder, "HEAD")
    assert [commit.oid for commit in collected.referenced] == [bad]
    assert collected.referenced[0].id == "C2"
    assert read(folder, "HEAD~2..HEAD").referenced == ()


def test_a_reverts_trailer_is_looked_up_and_what_is_missing_is_noted(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    base = folder.commit("base", {"f": "1\n"})
    folder.commit(f"change\n\nReverts: {base[:12]}\nReverts: {'0' * 40}\n", {"f": "2\n"})
    collected = read(folder, "HEAD")
    assert [commit.oid for commit in collected.referenced] == [base]
    assert [note.where for note in collected.notes if note.code == "referenced-missing"] == ["0" * 40]


def test_a_message_that_names_a_thousand_commits_is_bounded(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("".join(f"This reverts commit {number:040x}.\n" for number in range(1000)))
    collected = read(folder, "HEAD")
    assert "referenced-limit" in codes(collected)
    assert sum(note.code == "referenced-missing" for note in collected.notes) == REFERENCED_LIMIT


ENCODED: tuple[tuple[str, str, bytes, str, set[str]], ...] = (
    ("declared", "cp1252", "Gr\xfc\xdfe \u2014 ok".encode("cp1252"), "Gr\xfc\xdfe \u2014 ok", set()),
    ("byte that the declared encoding lacks", "cp1252", b"a\x9db", "a\\x9db", {"undecodable-message"}),
    ("undeclared", "UTF-8", b"a\xe9b", "a\\xe9b", {"undecodable-message"}),
    ("unknown name", "no-such-thing", b"a\xe9b", "a\\xe9b", {"undecodable-message"}),
    ("codec that is no character set", "punycode", b"ab-\xe9", "ab-\\xe9", {"undecodable-message"}),
    ("shift-jis", "shift_jis", "\u65e5\u672c".encode("shift_jis"), "\u65e5\u672c", set()),
)


@pytest.mark.parametrize(("encoding", "data", "text", "noted"), [row[1:] for row in ENCODED], ids=[row[0] for row in ENCODED])
def test_messages_are_read_in_their_own_encoding_and_nothing_is_lost(
    tmp_path: Path, encoding: str, data: bytes, text: str, noted: set[str]
) -> None:
    folder = GitFolder.init(tmp_path)
    tree = folder.git("write-tree").strip()
    head = b"tree %b\nauthor A <a@b> 1700000000 +0200\ncommitter A <a@b> 1700000000 +0200\nencoding %b\n\n%b\n"
    oid = (
        folder.git("hash-object", "-t", "commit", "-w", "--stdin", given=head % (tree, encoding.encode(), data))
        .decode()
        .strip()
    )
    collected = read(folder, oid)
    assert collected.commits[0].message == text
    assert codes(collected) == noted


def test_mixed_encodings_in_one_diff_are_shown_byte_for_byte(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("base", {"f": b"\xe9\n"})
    folder.commit("next", {"f": b"\xc3\xa9\n\xe9\r\n"})
    assert read(folder, "HEAD").commits[0].files[0].hunks[0].text == "-\\xe9\n+\xe9\n+\\xe9\r\n"


def test_a_name_that_is_no_text_is_noted(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("one", {b"caf\xe9": "x\n"})
    assert codes(read(folder, "HEAD")) == {"undecodable-path"}


@pytest.mark.parametrize("name", ["a\\b", "a\nb"])
def test_a_name_that_no_reference_may_have_is_noted(tmp_path: Path, name: str) -> None:
    repo = GitFolder.init(tmp_path)
    repo.commit("Start", {"f": "a\n"})
    repo.commit("Change", {name: "b\n"})
    assert codes(read(repo, "HEAD")) == {"path-not-citable"}


@pytest.mark.parametrize(
    ("budget", "limit", "kept", "noted"),
    [
        (10_000, 10_000, [True, True], set()),
        (0, 10_000, [False, False], {"text-budget"}),
        (100, 10_000, [False, True], {"text-budget"}),
        (10_000, 100, [False, True], {"hunk-limit"}),
    ],
)
def test_text_beyond_the_limits_is_left_out_visibly_and_its_lines_stay(
    tmp_path: Path, budget: int, limit: int, kept: list[bool], noted: set[str]
) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("one", {"big": LINES, "small": "1\n"})
    collected = collect(Repository.open(folder.path), "HEAD", text_budget=budget, hunk_text_limit=limit)
    hunks = [hunk for change in collected.files() for hunk in change.hunks]
    assert [hunk.text is not None for hunk in hunks] == kept
    assert [hunk.new_lines for hunk in hunks] == [40, 1]
    assert codes(collected) == noted


def test_text_that_was_left_out_has_the_digest_of_its_bytes(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("one", {"f": "".join(f"{'x' * number}\n" for number in range(0, 140_000, 20_000))})
    repository = Repository.open(folder.path)
    whole, none = (next(collect(repository, "HEAD", hunk_text_limit=limit).files()).hunks for limit in (1_000_000, 10))
    assert (whole[0].text is None, none[0].text) == (False, None)
    assert whole[0].digest == none[0].digest


def test_what_nobody_wrote_keeps_its_lines_and_loses_its_text(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("one", {"web/package-lock.json": "{}\n", "vendor/x.go": "x\n", "app.min.js": "y\n", "src/lock.py": "z\n"})
    collected = read(folder, "HEAD")
    assert [(change.path, change.hunks[0].text is None) for change in collected.files()] == [
        ("app.min.js", True),
        ("src/lock.py", False),
        ("vendor/x.go", True),
        ("web/package-lock.json", True),
    ]
    assert {note.where for note in collected.notes} == {"app.min.js", "vendor/x.go", "web/package-lock.json"}


def test_a_thousand_notes_are_a_hundred_and_a_count(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("one", {f"vendor/{number}": "x\n" for number in range(150)})
    notes = read(folder, "HEAD").notes
    assert (len(notes), notes[-1].message) == (101, "and 50 more like these")


@pytest.mark.parametrize("options", [{}, {"operand": "HEAD", "staged": True}, {"staged": True, "work_tree": True}])
def test_exactly_one_thing_is_selected(tmp_path: Path, options: dict[str, str]) -> None:
    folder = GitFolder.init(tmp_path)
    with pytest.raises(UsageFailure):
        read(folder, **options)  # type: ignore[arg-type]


def test_a_range_is_told_as_one_diff_too_when_that_is_asked_for(tmp_path: Path) -> None:
    repo = GitFolder.init(tmp_path)
    repo.commit("Start", {"f": "a\n", "g": "a\n"})
    repo.commit("Change", {"f": "b\n", "g": "b\n"})
    repo.commit("Change back", {"g": "a\n"})
    collected = collect(Repository.open(tmp_path), "HEAD~2..HEAD", net=True)
    assert collected.net is not None
    assert [told(change) for change in collected.net] == ["modified text f -1,1+1,1"]
    ids = [item for change in (*collected.files(), *collected.net) for item in (change.id, *(hunk.id for hunk in change.hunks))]
    assert len(ids) == len(set(ids)) == 8
    assert collected.net[0].locator == f"git:{collected.selection.head}:f"


def test_one_commit_needs_no_diff_of_its_own_as_a_whole(tmp_path: Path) -> None:
    repo = GitFolder.init(tmp_path)
    repo.commit("Start", {"f": "a\n"})
    repo.commit("Change", {"f": "b\n"})
    assert collect(Repository.open(tmp_path), "HEAD", net=True).net is None
    assert collect(Repository.open(tmp_path), "HEAD~1..HEAD", net=True).net is None
    assert collect(Repository.open(tmp_path), "HEAD~1..HEAD").net is None


def test_a_commit_whose_history_is_cut_off_says_that_its_diff_is_not_known(tmp_path: Path) -> None:
    origin = GitFolder.init(tmp_path / "origin")
    origin.commit("Start", {"f": "a\n"})
    origin.commit("Change", {"f": "b\n"})
    shallow = GitFolder.clone(origin, tmp_path / "shallow", "--depth=1")
    assert [commit.diff_known for commit in read(shallow, "HEAD").commits] == [False]
    assert [commit.diff_known for commit in read(origin, "HEAD").commits] == [True]


def test_everything_up_to_a_revision_is_told_with_its_change_from_nothing(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    first = folder.commit("first", {"a": "1\n", "gone": "x\n"})
    second = folder.commit("second", {"a": "2\n", "gone": None})
    folder.commit("later", {"b": "3\n"})
    told_ = collect(Repository.open(tmp_path), second, from_root=True, net=True)
    assert [commit.oid for commit in told_.commits] == [first, second]
    assert (told_.selection.kind, told_.selection.base, told_.selection.head) == (SelectionKind.RANGE, None, second)
    assert told_.net is not None
    assert [told(change) for change in told_.net] == ["added text a -0,0+1,1"]


def test_everything_up_to_a_range_is_no_selection(tmp_path: Path) -> None:
    folder = GitFolder.init(tmp_path)
    folder.commit("first")
    with pytest.raises(UsageFailure, match="expected one revision"):
        collect(Repository.open(tmp_path), "HEAD..HEAD", from_root=True)
