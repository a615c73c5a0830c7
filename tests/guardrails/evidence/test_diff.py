"""The diff parser: what it tells agrees with the hunks applied, and nothing in any text passes for structure."""

from __future__ import annotations

import difflib
import hashlib
import io
from contextlib import suppress
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.evidence.diff import Entry, Patch, read_entries, read_patches, whole_file
from guardrails.evidence.generated import is_generated
from guardrails.evidence.hunks import TextBudget
from guardrails.evidence.tape import PIECE, MalformedDiff, Tape

ZERO, ONE, TWO = "0" * 40, "1" * 40, "2" * 40
NAMES = st.binary(min_size=1, max_size=12).filter(lambda name: b"\0" not in name and not is_generated(name))
SPOOFS = (
    b"@@ -1 +1 @@",
    b"diff --git a/f b/f",
    b"--- a/f",
    b"-- ",
    b"\\ No newline at end of file",
    b"\x01" + b"0" * 40,
    b"\0",
)
LINE = st.one_of(st.binary(max_size=6).map(lambda line: line.replace(b"\n", b"")), st.sampled_from(SPOOFS))
Row: TypeAlias = tuple[bytes, list[bytes], list[bytes]]
LINES = st.lists(LINE, max_size=12)


def budget(hunk_limit: int = 1 << 20, remaining: int = 1 << 20) -> TextBudget:
    return TextBudget(hunk_limit, remaining)


def raw(entry: Entry) -> bytes:
    """An entry as git prints it with `-z`."""
    letter = f"{entry.status}100" if entry.status in {"R", "C"} else entry.status
    meta = f":{entry.old_mode} {entry.new_mode} {entry.old_object} {entry.new_object} {letter}".encode()
    return b"\0".join((meta, *filter(None, (entry.old_path, entry.path)), b""))


def quoted(name: bytes) -> bytes:
    """A name as git's documentation of core.quotePath says it is written."""
    table = {0x22: b'\\"', 0x5C: b"\\\\", **{7 + number: b"\\" + bytes((letter,)) for number, letter in enumerate(b"abtnvfr")}}
    out = b"".join(table.get(b, b"\\%03o" % b if b < 32 or b == 127 else bytes((b,))) for b in name)
    return b'"' + out + b'"' if out != name else out


def patch_text(entry: Entry, old: list[bytes], new: list[bytes], context: int) -> bytes:
    """A patch as git would print it, hunks made by another diff than git's."""
    head = b"diff --git %b %b\n" % (quoted(b"a/" + (entry.old_path or entry.path)), quoted(b"b/" + entry.path))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    hunks = [_hunk(old, new, group) for group in matcher.get_grouped_opcodes(context)]
    return head + b"index 1..2 100644\n--- a/x\n+++ b/x\n" * bool(hunks) + b"".join(hunks)


def _hunk(old: list[bytes], new: list[bytes], group: list[tuple[str, int, int, int, int]]) -> bytes:
    body = b""
    for tag, i1, i2, j1, j2 in group:
        if tag == "equal":
            body += b"".join(b" " + line + b"\n" for line in old[i1:i2])
        else:
            body += b"".join(b"-" + line + b"\n" for line in old[i1:i2]) + b"".join(b"+" + line + b"\n" for line in new[j1:j2])
    i1, i2, j1, j2 = group[0][1], group[-1][2], group[0][3], group[-1][4]
    sides = (sign + b"%d,%d" % (start + (end > start), end - start) for sign, start, end in ((b"-", i1, i2), (b"+", j1, j2)))
    return b"@@ " + b" ".join(sides) + b" @@ section\n" + body


def parse(data: bytes, texts: TextBudget | None = None, *, complete: bool = True) -> tuple[Patch, ...]:
    tape = Tape(io.BufferedReader(io.BytesIO(data)))
    patches = tuple(read_patches(tape, read_entries(tape), texts or budget()))
    assert tape.ended() or not complete
    return patches


@settings(deadline=None)
@given(st.lists(st.tuples(NAMES, LINES, LINES), max_size=4, unique_by=lambda row: row[0]), st.integers(0, 3))
def test_hunks_applied_to_the_old_lines_give_the_new_ones(rows: list[Row], context: int) -> None:
    entries = [Entry("M", "100644", "100644", ONE, TWO, name) for name, _, _ in rows]
    data = b"".join(map(raw, entries)) + b"\0" * bool(rows)
    data += b"".join(patch_text(entry, old, new, context) for entry, (_, old, new) in zip(entries, rows, strict=True))
    patches = parse(data)
    assert [patch.entry.path for patch in patches] == [name for name, _, _ in rows]
    for patch, (_, old, new) in zip(patches, rows, strict=True):
        lines = list(old)
        for hunk in reversed(patch.hunks):
            assert hunk.text is not None
            body = hunk.text.split(b"\n")[:-1]
            before, after = ([line[1:] for line in body if line[:1] in signs] for signs in ((b" ", b"-"), (b" ", b"+")))
            start = hunk.old_start - bool(hunk.old_lines)
            assert (lines[start : start + hunk.old_lines], len(after)) == (before, hunk.new_lines)
            assert new[hunk.new_start - bool(hunk.new_lines) :][: hunk.new_lines] == after
            assert hunk.added - hunk.deleted == hunk.new_lines - hunk.old_lines
            assert hunk.digest == "sha256:" + hashlib.sha256(hunk.text).hexdigest()
            lines[start : start + hunk.old_lines] = after
        assert lines == new


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_bytes_that_git_never_wrote_are_refused_or_read_but_never_crash(data: bytes) -> None:
    with suppress(MalformedDiff):
        assert len(parse(b":" + data, complete=False)) < len(data)


@settings(deadline=None)
@given(LINES, LINES, st.data())
def test_a_stream_that_breaks_off_within_a_hunk_is_refused(old: list[bytes], new: list[bytes], data: st.DataObject) -> None:
    entry = Entry("M", "100644", "100644", ONE, TWO, b"f")
    whole = raw(entry) + b"\0" + patch_text(entry, old, [*new, b"end"], 3)
    body = whole.index(b"@@ section\n") + len(b"@@ section\n") if b"@@ section\n" in whole else None
    if body is not None and len(parse(whole)[0].hunks) == 1:
        cut = data.draw(st.integers(body, len(whole) - len(b"\n") - 1))
        with pytest.raises(MalformedDiff):
            parse(whole[: whole.rindex(b"\n", 0, cut + 1) + 1])


@settings(deadline=None)
@given(NAMES, st.binary(max_size=40))
def test_a_new_file_is_told_as_the_lines_that_it_has(name: bytes, data: bytes) -> None:
    patch = whole_file(name, "100644", ONE, data, budget())
    if b"\0" in data:
        assert (patch.binary, patch.hunks) == (True, ())
        return
    lines = b"".join(hunk.text or b"" for hunk in patch.hunks).split(b"\n")[:-1]
    ended = not lines or not lines[-1].startswith(b"\\")
    added = [line[1:] for line in lines if line.startswith(b"+")]
    assert b"\n".join(added) + b"\n" * (ended and bool(added)) == data
    assert sum(hunk.new_lines for hunk in patch.hunks) == len(data.split(b"\n")) - (data[-1:] in {b"\n", b""})


REFUSED = (
    ("hunk shorter than it says", b"@@ -1,2 +1,2 @@\n a\n", "shorter|ends"),
    ("hunk with a foreign line", b"@@ -1,2 +1,2 @@\n a\nx\n b\n", "shorter"),
    ("hunk with too many removed", b"@@ -1,1 +1,2 @@\n-a\n-b\n+c\n", "longer|ends"),
    ("header that is none", b"@@ -1,x +1 @@\n a\n", "header"),
    ("patch without an entry", b"@@ -1 +1 @@\n a\ndiff --git a/g b/g\n", "no raw entry"),
)


@pytest.mark.parametrize(("body", "message"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_git_does_not_write_is_refused(body: bytes, message: str) -> None:
    entry = Entry("M", "100644", "100644", ONE, TWO, b"f")
    with pytest.raises(MalformedDiff, match=message):
        parse(raw(entry) + b"\0diff --git a/f b/f\n--- a/f\n+++ b/f\n" + body)


BROKEN = (b":", b":100644 100644 1 2 M", b":100644 100644 1 M\0f\0", b"::1 2 3 4 5 MM\0f\0", b":1 2 3 4 \0f\0")


@pytest.mark.parametrize("meta", BROKEN)
def test_a_broken_raw_entry_is_refused(meta: bytes) -> None:
    with pytest.raises(MalformedDiff):
        parse(meta)


@pytest.mark.parametrize("size", [PIECE - 3, PIECE - 2, PIECE - 1, PIECE, 3 * PIECE])
def test_a_line_of_any_length_is_one_line(size: int) -> None:
    entry = Entry("M", "100644", "100644", ONE, TWO, b"f")
    old, new = [b"+" * size, b"-" * size, b"end"], [b"-" * size, b" " * size, b"end"]
    data = raw(entry) + b"\0" + patch_text(entry, old, new, 3)
    (kept,), (let_go,) = (parse(data, budget(limit))[0].hunks for limit in (1 << 22, 10))
    assert kept.text is not None
    assert (let_go.text, let_go.digest) == (None, kept.digest)
    assert (kept.old_lines, kept.new_lines, kept.added, kept.deleted) == (3, 3, 1, 1)


def test_a_hunk_of_a_merge_keeps_its_new_lines_and_one_sign_a_line() -> None:
    data = (
        b"::100644 100644 100644 1 2 3 MM\0f\0\0diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n"
        b"@@@ -1,4 -1,2 +1,4 @@@ f()\n  both\n +ours\n- lost\n++made\n  end\n@@@ -9 -8 +10 @@@\n--gone\n++here\n"
    )
    first, second = parse(data)[0].hunks
    assert (first.text, first.section) == (b" both\n ours\n-lost\n+made\n end\n", b"f()")
    assert (first.new_start, first.new_lines, first.added, first.deleted) == (1, 4, 1, 1)
    assert (first.old_start, first.old_lines) == (1, 4)
    assert (second.text, second.new_start) == (b"-gone\n+here\n", 10)


RUNS: tuple[tuple[str, bytes, bytes, bytes | None], ...] = (
    ("one parent goes on without it", b"@@@ -1,2 -1 +1 @@@", b"- lost\n  end\n", None),
    ("another parent put something in its place", b"@@@ -1,2 -1,2 +1,2 @@@", b"- lost\n+ theirs\n  end\n", None),
    ("each parent goes on without the other's", b"@@@ -1,2 -1,2 +1 @@@", b"- ours\n -theirs\n  end\n", None),
    ("every parent lost it", b"@@@ -1,3 -1,2 +1 @@@", b"- ours\n--both\n  end\n", b"-ours\n-both\n end\n"),
    ("a line of its own stands there", b"@@@ -1,2 -1 +1,2 @@@", b"- lost\n++made\n  end\n", b"-lost\n+made\n end\n"),
    (
        "a line of its own stands elsewhere",
        b"@@@ -1,2 -1 +1,2 @@@",
        b"- lost\n  end\n++made\n",
        b" end\n+made\n",
    ),
)


@pytest.mark.parametrize(("header", "body", "told"), [row[1:] for row in RUNS], ids=[row[0] for row in RUNS])
def test_a_merge_lost_only_what_it_took_out_itself(header: bytes, body: bytes, told: bytes | None) -> None:
    (patch,) = parse(b"::100644 100644 100644 1 2 3 MM\0f\0\0diff --cc f\n" + header + b"\n" + body)
    assert [hunk.text for hunk in patch.hunks] == ([] if told is None else [told])
    assert patch.announced is (told is not None)


def test_a_stretch_of_a_merge_that_is_too_long_to_keep_is_counted_as_it_comes() -> None:
    lines = b"".join(b"- %d\n" % number for number in range(100))
    data = b"::100644 100644 100644 1 2 3 MM\0f\0\0diff --cc f\n@@@ -1,101 -1 +1 @@@\n" + lines + b"  end\n"
    (hunk,) = parse(data, budget(10))[0].hunks
    assert (hunk.text, hunk.added) == (None, 0)
    assert hunk.deleted > 0


HIDDEN: tuple[tuple[str, bytes, bytes], ...] = (
    ("of one parent", b"@@@ -1,4 -1 +1,2 @@@\n  a\n++b\n", b" a\n+b\n"),
    ("of each parent", b"@@@ -1,4 -1,3 +1,2 @@@\n  a\n++b\n", b" a\n+b\n"),
    ("before lines that went last", b"@@@ -1,6 -1,3 +1,2 @@@\n  a\n++b\n--c\n", b" a\n+b\n-c\n"),
)


@pytest.mark.parametrize(("body", "text"), [row[1:] for row in HIDDEN], ids=[row[0] for row in HIDDEN])
def test_lines_that_git_counts_and_leaves_out_of_a_merge_break_nothing(body: bytes, text: bytes) -> None:
    data = b"::100644 100644 100644 1 2 3 MM\0f\0\0diff --cc f\n" + body + b"@@@ -9 -8 +10 @@@\n--gone\n++here\n"
    first, second = parse(data)[0].hunks
    assert (first.text, first.new_start, first.new_lines) == (text, 1, 2)
    assert (second.text, second.new_start) == (b"-gone\n+here\n", 10)


BROKEN_MERGES = (
    b"@@@ -1 +1 @@@\n  a\n",
    b"@@@ -1,2 -1,2 +1,2 @@@\n  a\n",
    b"@@@ -1 -1,2 +1,2 @@@\n  a\n  b\n",
    b"@@@ -1 -1 +1 @@@\nxxa\n",
    b"@@@ -1 -1 +1 @@@\n--a\n--b\n",
)


@pytest.mark.parametrize("body", BROKEN_MERGES)
def test_a_broken_hunk_of_a_merge_is_refused(body: bytes) -> None:
    with pytest.raises(MalformedDiff):
        parse(b"::100644 100644 100644 1 2 3 MM\0f\0\0diff --cc f\n" + body)


@pytest.mark.parametrize(
    ("path", "generated"),
    [
        (b"uv.lock", True),
        (b"web/yarn.lock", True),
        (b"a/node_modules/b.js", True),
        (b"go.sum", True),
        (b"x_pb2.py", True),
        (b"lock.py", False),
        (b"vendors/a.go", False),
        (b"src/vendor.py", False),
        (b"go.sum/readme", False),
    ],
)
def test_generated_files_are_known_by_their_names_alone(path: bytes, generated: bool) -> None:
    assert is_generated(path) is generated
