from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from agent.batch.drafting import drafted
from agent.batch.release import Conditions, Finished, Release, Status
from agent.batch.workers import Draft, Local
from agent.errors import GuardNotReady, RunStopped
from tests.agent.batch import standing_in
from tests.agent.batch.releasing import history, releases

ROOT = Path(__file__).parents[3]
PATIENCE = 60
"""Seconds after which a test gives up waiting for another process."""
CONDITIONS = Conditions("extractive", program="1.0.0")


def release(folder: Path, title: str) -> Release:
    return Release(f"payments/{title}", str(folder), "", "0" * 40, title, title)


def run(work: Callable[[Local], Awaitable[list[Finished]]], draft: Draft, processes: int = 1) -> list[Finished]:
    async def whole() -> list[Finished]:
        workers = Local(processes, draft)
        try:
            return await work(workers)
        finally:
            await workers.close()

    return asyncio.run(whole())


def all_of(*planned: Release) -> Callable[[Local], Awaitable[list[Finished]]]:
    async def work(workers: Local) -> list[Finished]:
        return await asyncio.gather(*(workers.submit(one, CONDITIONS) for one in planned))

    return work


def gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[0] == "Z"


def sign_of(path: Path) -> int:
    """The process that leaves its number at `path`, which it does once it is under way."""
    limit = time.monotonic() + PATIENCE
    while not path.exists() and time.monotonic() < limit:
        time.sleep(0.01)
    return int(path.read_text("ascii"))


def test_each_release_has_its_own_outcome_and_a_worker_serves_several(tmp_path: Path) -> None:
    planned = [release(tmp_path, f"v{number}") for number in range(1, 6)]
    told = run(all_of(*planned), standing_in.drafts, processes=2)
    assert [one.name for one in told] == [one.name for one in planned]
    assert [one.pages["notes.md"] for one in told] == [f"v{number} by extractive" for number in range(1, 6)]
    used = {one.usage["process"] for one in told}
    assert os.getpid() not in used
    assert 1 <= len(used) <= 2


def test_a_worker_drafts_what_this_process_would_draft(tmp_path: Path) -> None:
    planned = releases(history(tmp_path / "payments", 2), 2)
    told = run(all_of(*planned), drafted, processes=2)
    here = [drafted(one, CONDITIONS) for one in planned]
    assert [(one.status, one.envelope, one.record, one.pages) for one in told] == [
        (one.status, one.envelope, one.record, one.pages) for one in here
    ]
    assert all(one.status is Status.DRAFTED for one in told)


def test_a_release_whose_worker_is_killed_is_drafted_once_more(tmp_path: Path) -> None:
    (told,) = run(all_of(release(tmp_path, "v1")), standing_in.dies_once)
    assert told.status is Status.DRAFTED


def test_a_release_that_kills_two_workers_fails_alone(tmp_path: Path) -> None:
    planned = [release(tmp_path, f"v{number}") for number in range(1, 4)]
    told = run(all_of(*planned), standing_in.dies_for_v2, processes=2)
    assert [one.status for one in told] == [Status.DRAFTED, Status.FAILED, Status.DRAFTED]
    assert "was ended by SIGKILL, and so did the one before" in told[1].failure
    assert str(tmp_path) not in told[1].failure


def test_a_fault_of_ours_fails_its_release_and_quotes_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (told,) = run(all_of(release(tmp_path, "v1")), standing_in.is_faulty)
    assert told.status is Status.FAILED
    assert "broke off" in told.failure
    assert "hunter2" not in told.failure + "".join(capfd.readouterr())


def test_what_concerns_the_whole_run_is_raised(tmp_path: Path) -> None:
    with pytest.raises(GuardNotReady) as refused:
        run(all_of(release(tmp_path, "v1")), standing_in.has_no_guard)
    assert (refused.value.where, refused.value.cure) == ("redaction", "reinstall evidraft")


def test_a_release_that_is_called_off_ends_its_worker_and_frees_the_seat(tmp_path: Path) -> None:
    async def work(workers: Local) -> list[Finished]:
        under_way = asyncio.ensure_future(workers.submit(release(tmp_path, "v1"), CONDITIONS))
        first = await asyncio.to_thread(sign_of, tmp_path / "v1.pid")
        under_way.cancel()
        await asyncio.wait([under_way])
        assert gone(first)
        after = asyncio.ensure_future(workers.submit(release(tmp_path, "v2"), CONDITIONS))
        second = await asyncio.to_thread(sign_of, tmp_path / "v2.pid")
        await workers.close()
        assert gone(second)
        with pytest.raises(RunStopped):
            await after
        return []

    run(work, standing_in.never_ends)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_nothing_is_left_running_when_the_run_is_ended(tmp_path: Path, how: signal.Signals) -> None:
    program = (
        "import asyncio, sys\n"
        "from agent.batch.release import Conditions, Release\n"
        "from agent.batch.workers import Local\n"
        "from tests.agent.batch.standing_in import never_ends\n"
        "async def run():\n"
        "    workers = Local(1, never_ends)\n"
        "    try:\n"
        "        await workers.submit(Release('a', sys.argv[1], '', '', 'v1', 'v1'), Conditions('extractive'))\n"
        "    finally:\n"
        "        await workers.close()\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(run())\n"
    )
    script = tmp_path / "program.py"
    script.write_text(program, "utf-8")
    around = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, script, tmp_path], env=around, stderr=subprocess.DEVNULL) as driver:
        worker = sign_of(tmp_path / "v1.pid")
        driver.send_signal(how)
        driver.wait()
    limit = time.monotonic() + PATIENCE
    while not gone(worker) and time.monotonic() < limit:
        time.sleep(0.01)
    assert gone(worker)
