from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from agent.batch import cluster as clusters
from agent.batch.cluster import Cluster
from agent.batch.drafting import drafted
from agent.batch.release import Conditions, Finished, Release, Status
from agent.batch.workers import Draft
from agent.errors import GuardNotReady, RunStopped, UsageFailure
from tests.agent.batch import standing_in
from tests.agent.batch.releasing import WORDS
from tests.repositories import GitFolder

distributed = pytest.importorskip("distributed")

pytestmark = [
    pytest.mark.filterwarnings(
        "default:::distributed", "default::ResourceWarning", "default::pytest.PytestUnraisableExceptionWarning"
    ),
]
CONDITIONS = Conditions("extractive", program="1.0.0")
REPOSITORIES = 50


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A cluster of two processes."""
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as running:
        yield running.scheduler_address


def release(folder: Path, title: str) -> Release:
    return Release(f"payments/{title}", str(folder), "", "0" * 40, title, title)


def run(address: str, draft: Draft, planned: Sequence[Release]) -> list[Finished]:
    async def whole() -> list[Finished]:
        workers = await Cluster.at(address, CONDITIONS, draft)
        try:
            return await asyncio.gather(*(workers.submit(one, CONDITIONS) for one in planned))
        finally:
            await workers.close()

    return asyncio.run(whole())


def test_each_release_has_its_own_outcome(address: str, tmp_path: Path) -> None:
    told = run(address, standing_in.drafts, [release(tmp_path, f"v{number}") for number in range(1, 4)])
    assert [one.pages["notes.md"] for one in told] == ["v1 by extractive", "v2 by extractive", "v3 by extractive"]


def test_a_fault_of_ours_is_told_without_what_it_says(address: str, tmp_path: Path) -> None:
    (told,) = run(address, standing_in.is_faulty, [release(tmp_path, "v1")])
    assert told.status is Status.FAILED
    assert "internal fault ZeroDivisionError" in told.failure
    assert "hunter2" not in told.failure


def test_what_concerns_the_whole_run_is_raised(address: str, tmp_path: Path) -> None:
    with pytest.raises(GuardNotReady):
        run(address, standing_in.has_no_guard, [release(tmp_path, "v1")])


def test_a_clone_that_a_worker_does_not_see_is_said(address: str, tmp_path: Path) -> None:
    (told,) = run(address, standing_in.drafts, [release(tmp_path / "elsewhere", "v1")])
    assert told.status is Status.FAILED
    assert "does not see its clone" in told.failure
    assert str(tmp_path) not in told.failure


def test_a_worker_of_another_version_is_refused(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "own_version", lambda: "99.0")
    with pytest.raises(UsageFailure, match=r"99\.0"):
        run(address, standing_in.drafts, [release(tmp_path, "v1")])


def test_a_worker_that_came_later_with_another_version_stops_the_run(tmp_path: Path) -> None:
    with pytest.raises(RunStopped, match=r"99\.0"):
        clusters.there("99.0", standing_in.drafts, release(tmp_path, "v1"), CONDITIONS)


@pytest.mark.parametrize("wrong", ["tcp://127.0.0.1:9", "nothing like it"])
def test_no_scheduler_is_said(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "_PATIENCE", 0.2)
    with pytest.raises(UsageFailure, match="no scheduler"):
        run(wrong, standing_in.drafts, [])


def test_without_dask_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageFailure, match=r"evidraft\[cluster\]"):
        run("tcp://127.0.0.1:9", standing_in.drafts, [])


def test_a_model_does_not_draft_on_a_cluster() -> None:
    with pytest.raises(UsageFailure, match="its calls are paid for"):
        asyncio.run(Cluster.at("tcp://127.0.0.1:9", Conditions("openai:some")))


def test_fifty_repositories_over_a_cluster_that_loses_a_worker_end_as_in_one_process(address: str, tmp_path: Path) -> None:
    planned = [small(tmp_path / f"service-{number}", number) for number in range(REPOSITORIES)]
    told = run(address, standing_in.drafts_in_earnest_but_dies_once, planned)
    here = [drafted(one, CONDITIONS) for one in planned]
    assert [written(one) for one in told] == [written(one) for one in here]
    assert [one.name for one in told if one.status is not Status.DRAFTED] == []
    assert Path(planned[25].place, "began").exists()


class Losing:
    """A client and a future whose work ends with `how`."""

    def __init__(self, how: BaseException) -> None:
        self._how = how

    def submit(self, *_: object, **__: object) -> Losing:
        return self

    async def exception(self) -> BaseException:
        if isinstance(self._how, asyncio.CancelledError):
            raise self._how
        return self._how


def test_a_release_that_takes_every_worker_along_fails_alone(tmp_path: Path) -> None:
    lost = distributed.scheduler.KilledWorker("a task", None, 3)
    told = asyncio.run(Cluster(Losing(lost), "", standing_in.drafts).submit(release(tmp_path, "v1"), CONDITIONS))
    assert told.status is Status.FAILED
    assert "every worker of the cluster that drafted it was lost" in told.failure


def test_a_scheduler_that_goes_stops_the_run(tmp_path: Path) -> None:
    gone = Cluster(Losing(asyncio.CancelledError()), "tcp://scheduler:8786", standing_in.drafts)
    with pytest.raises(RunStopped, match="tcp://scheduler:8786: the cluster is gone"):
        asyncio.run(gone.submit(release(tmp_path, "v1"), CONDITIONS))


def small(path: Path, number: int) -> Release:
    """A repository of three commits, two of them since its last release."""
    folder, word = GitFolder.init(path, "--bare"), WORDS[number % len(WORDS)]
    changes = (
        ("chore: begin", "README.md", f"# Service {number}\n"),
        (
            f"feat: list each {word} of a client\n\nAccountants read them in one list.",
            f"src/{word}.py",
            f"def {word}s(book): ...\n",
        ),
        (f"fix: close the {word} file when the ledger is full", f"src/{word}_file.py", "def close(): ...\n"),
    )
    stream = "".join(
        f"commit refs/heads/main\ncommitter Ada <ada@example.org> {1_700_000_000 + at} +0000\n"
        f"data {len(message)}\n{message}\nM 100644 inline {name}\ndata {len(text)}\n{text}\n"
        for at, (message, name, text) in enumerate(changes)
    )
    folder.git("fast-import", "--quiet", given=stream.encode())
    folder.git("remote", "add", "origin", f"https://github.com/example/service-{number}.git")
    base, head = folder.git("rev-parse", "main~2", "main").decode().split()
    return Release(f"service-{number}/v1", str(path), base, head, f"{base}..{head}", "v1", "example/payments")


def written(finished: Finished) -> str:
    """All of it but how long it took, as the bytes of a file."""
    usage = {name: value for name, value in finished.usage.items() if not name.endswith("seconds")}
    return json.dumps({**finished.document(), "usage": usage}, sort_keys=True)
