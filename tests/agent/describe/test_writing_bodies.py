"""`--write-body` changes what stands between our marks and nothing else of a file."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from agent.render.own_section import BEGIN, END
from tests.agent.describe.widgets import release
from tests.agent.payments import Road
from tests.repositories import GitFolder

TWO = "v2.4.0..v2.4.1"
BY_HAND = b"\xef\xbb\xbfBy hand.\r\n\r\n- [ ] @octocat looks at it\r\n"


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    return release(tmp_path / "widgets")


def test_every_byte_by_hand_stays_and_a_second_run_changes_nothing(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    body = tmp_path / "body.md"
    body.write_bytes(BY_HAND)
    body.chmod(0o640)
    words = (TWO, "--shape", "itemized", "--write-body", str(body))
    assert road.describe(folder, *words).code == 0
    told = body.read_bytes()
    assert told.startswith(BY_HAND + b"\r\n" + BEGIN.encode() + b"\r\n\r\n# ")
    assert told.endswith(b"\r\n\r\n" + END.encode() + b"\r\n")
    assert told.count(b"\n") == told.count(b"\r\n")
    assert stat.S_IMODE(body.stat().st_mode) == 0o640
    written = body.stat().st_mtime_ns
    assert road.describe(folder, *words).code == 0
    assert (body.read_bytes(), body.stat().st_mtime_ns) == (told, written)


def test_a_body_that_is_not_there_is_made(folder: GitFolder, road: Road, tmp_path: Path) -> None:
    body = tmp_path / "body.md"
    assert road.describe(folder, TWO, "--shape", "itemized", "--write-body", str(body)).code == 0
    assert body.read_text("utf-8").startswith(f"{BEGIN}\n\n# ")


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (f"a\n{BEGIN}\nb\n", "body.md:2: our section has no end"),
        (f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n", "body.md:3: there is a second section of ours"),
        ("```\na\n", "body.md: the body ends inside code that nothing closes"),
    ],
)
def test_a_body_whose_marks_make_no_sense_is_left_alone(
    folder: GitFolder, road: Road, tmp_path: Path, body: str, complaint: str
) -> None:
    file = tmp_path / "body.md"
    file.write_text(body)
    ran = road.describe(folder, TWO, "--shape", "itemized", "--write-body", str(file))
    assert ran.code == 2
    assert complaint in ran.err
    assert file.read_text() == body
