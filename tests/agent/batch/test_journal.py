"""What a journal holds stays, whatever ends the process, and nobody else's file is written over."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import stat
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from agent.batch.journal import Journal, journal_file
from agent.batch.packed import Packed
from agent.batch.release import Conditions, Finished, Options, Release, Status
from agent.errors import InputFailure, RunStopped, StoreFailure
from agent.replies.metering import Spent

DONE = Finished(
    "payments/v1",
    Status.NEEDS_INPUT,
    envelope=Packed.of(['{"shape": "itemized"}']),
    titles={"0000001": "Resume jobs"},
    unresolved=({"field": "shape"},),
    commits={"a" * 40: "empty"},
    usage={"dollars": "0.01", "seconds": 1.5},
)
RELEASE = Release("payments/v1", "/payments", "a" * 40, "b" * 40, "v0..v1", "v1")
KILLED = """
import asyncio, os, signal, sys
from decimal import Decimal
from pathlib import Path
from agent.batch.journal import Journal
from agent.batch.release import Finished, Status
from agent.replies.metering import Spent

async def write(journal):
    await journal.replies.asked("open")
    await journal.replies.keep("reply", "{}", Spent(7, Decimal("0.5")))
    await journal.finishing("late", Finished("late", Status.DRAFTED))

journal = Journal.open(Path(sys.argv[1]))
journal.finish("early", Finished("early", Status.DRAFTED))
journal.put("batch", "one", {"id": "b1"})
asyncio.run(write(journal))
print("written", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "batches" / "journal.sqlite3"


def test_what_is_finished_is_found_again(path: Path) -> None:
    with Journal.open(path) as journal:
        assert journal.finished("key") is None
        journal.finish("key", DONE)
        assert journal.finished("key") == DONE
    with Journal.open(path) as journal:
        assert (journal.finished("key"), journal.finished("other"), journal.releases) == (DONE, None, 1)


def test_notes_are_found_by_kind_and_key(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.put("batch", "b", {"id": 1})
        journal.put("batch", "a", {"id": 2})
        journal.put("batch", "a", {"id": 3})
        journal.put("other", "a", {"id": 4})
        assert journal.get("batch", "a") == {"id": 3}
        assert journal.get("batch", "c") is None
        assert list(journal.all("batch").items()) == [("a", {"id": 3}), ("b", {"id": 1})]


def test_what_was_written_outlives_a_kill(path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, path], capture_output=True, check=False, text=True)
    assert (done.stdout, done.returncode) == ("written\n", -signal.SIGKILL)
    with Journal.open(path) as journal:
        assert journal.finished("early") == Finished("early", Status.DRAFTED)
        assert journal.finished("late") == Finished("late", Status.DRAFTED)
        assert journal.get("batch", "one") == {"id": "b1"}
        assert journal.replies.get("reply") == "{}"
        assert journal.replies.get("open") is None
        assert (journal.replies.count(), journal.replies.under_way()) == (1, 1)
        assert journal.replies.spent() == Spent(7, Decimal("0.5"))


def test_a_call_without_a_reply_is_under_way_no_more(path: Path) -> None:
    async def ask(journal: Journal) -> None:
        await journal.replies.asked("a")
        await journal.replies.unasked("a")
        await journal.replies.keep("b", "text", Spent())
        await journal.replies.unasked("b")

    with Journal.open(path) as journal:
        asyncio.run(ask(journal))
        assert (journal.replies.under_way(), journal.replies.get("b")) == (0, "text")


def test_two_runs_at_once_are_refused(path: Path) -> None:
    with Journal.open(path), pytest.raises(StoreFailure, match="another process is at work there"):
        Journal.open(path)
    with Journal.open(path):
        pass


def test_the_file_and_its_folder_are_closed_to_everyone_else(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.finish("key", DONE)
        files = list(path.parent.iterdir())
        assert len(files) > 1
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def other_database(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE foreign_ (a)")
    database.close()


def other_format(path: Path) -> None:
    Journal.open(path).close()
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 99")
    database.close()


@pytest.mark.parametrize(
    "make",
    [other_database, other_format, lambda path: path.write_bytes(b"not a database " * 100)],
    ids=["foreign", "format", "text"],
)
def test_a_file_that_is_no_journal_is_refused_and_left_as_it_is(path: Path, make: object) -> None:
    path.parent.mkdir()
    assert callable(make)
    make(path)
    before = path.read_bytes()
    with pytest.raises(InputFailure, match="no database of ours"):
        Journal.open(path)
    assert path.read_bytes() == before


def test_a_journal_that_cannot_be_written_ends_the_run_and_keeps_what_is_done(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.finish("key", DONE)
        pages = journal._ask(lambda opened: opened.execute("PRAGMA page_count").fetchone()[0])
        journal._writer.write(f"PRAGMA max_page_count = {pages}").result()
        with pytest.raises(RunStopped, match="the disk is full"):
            journal.finish("more", replace(DONE, failure="x" * 100_000))
        assert journal.finished("key") == DONE
        assert journal.finished("more") is None


def test_emptying_begins_another_run(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.finish("key", DONE)
        journal.put("batch", "a", {})
        journal.forget()
        assert (journal.finished("key"), journal.all("batch")) == (None, {})


def test_the_key_of_a_release_covers_all_that_its_result_depends_on() -> None:
    conditions = Conditions("extractive")
    others = (
        (replace(RELEASE, head="c" * 40), conditions),
        (replace(RELEASE, options=Options(profile="other.yaml")), conditions),
        (RELEASE.answered({"shape": "itemized"}), conditions),
        (RELEASE, replace(conditions, model="openai:x")),
        (RELEASE, replace(conditions, program="2")),
        (RELEASE, replace(conditions, environ={"EVIDRAFT_SHAPE": "single"})),
    )
    keys = [conditions.key(RELEASE), *(given.key(release) for release, given in others)]
    assert len(set(keys)) == len(keys)
    assert Conditions("extractive").key(replace(RELEASE)) == keys[0]


def test_each_folder_of_outputs_has_a_journal_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert journal_file(Path("out")) == journal_file(tmp_path / "out") != journal_file(tmp_path / "other")
    assert journal_file(Path("out")).is_relative_to(tmp_path / "evidraft" / "batches")
