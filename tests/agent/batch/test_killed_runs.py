"""A run that is killed and goes on comes to what an undisturbed one does, and asks for nothing that it had."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from tests.agent.batch import driving
from tests.agent.batch.releasing import history
from tests.agent.batch.stub_server import Manners, Server, serve
from tests.repositories import GitFolder

FORKS: Final = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload([driving.__name__])
RELEASES, CHANGES = 15, 4
DRAFTS = RELEASES * CHANGES


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A stub server in a thread of its own, for all runs, since their records name its address."""
    loop, one = asyncio.new_event_loop(), Server()
    opened = loop.run_until_complete(serve(one))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield one
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        opened.close()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


@dataclass(frozen=True)
class Place:
    """One run: its repository, its server, its outputs."""

    folder: GitFolder
    out: Path
    server: Server
    events: list[dict[str, object]] = field(default_factory=list)

    def go(self, event: str = "", count: int = 0) -> int:
        """Run until so many events of a kind were told and then kill it, or to the end; how the process ended."""
        reading, writing = FORKS.Pipe(duplex=False)
        address = f"http://127.0.0.1:{self.server.port}"
        process = FORKS.Process(target=driving.drive, args=(self.folder, RELEASES, address, self.out, writing), daemon=True)
        process.start()
        writing.close()
        seen = 0
        with reading, suppress(EOFError):
            while not event or seen < count:
                told = reading.recv()
                self.events.append(told)
                seen += told["event"] == event
        if event:
            process.kill()
        process.join()
        assert process.exitcode is not None
        return process.exitcode

    def kept(self) -> set[str]:
        """The keys of the replies that the journal holds."""
        if not self.out.with_suffix(".journal").exists():
            return set()
        with sqlite3.connect(self.out.with_suffix(".journal")) as database:
            rows = database.execute("SELECT key FROM replies WHERE text NOT NULL").fetchall()
        database.close()
        return {key for (key,) in rows}

    def files(self) -> dict[str, bytes]:
        """The outputs."""
        return {str(path.relative_to(self.out)): path.read_bytes() for path in sorted(self.out.rglob("*")) if path.is_file()}

    def under_way(self) -> int:
        """How many calls were under way at the kills, as the run says when it goes on."""
        return sum(int(str(event["under-way"])) for event in self.events if event["event"] == "resumed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> GitFolder:
    return history(tmp_path_factory.mktemp("history"), RELEASES, CHANGES)


@pytest.fixture(scope="module")
def undisturbed(folder: GitFolder, server: Server, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a run comes to that nothing disturbs."""
    server.begin(Manners())
    place = Place(folder, tmp_path_factory.mktemp("undisturbed") / "out", server)
    assert place.go() == 0
    assert (server.answers, server.requests) == (DRAFTS, DRAFTS)
    files = place.files()
    assert sum(name.endswith("notes.md") for name in files) == RELEASES
    return files


@pytest.fixture
def place(folder: GitFolder, server: Server, tmp_path: Path) -> Place:
    return Place(folder, tmp_path / "out", server)


@pytest.mark.parametrize(
    ("manners", "kills"),
    [
        (Manners(latency=0.05, every=20, burst=5, knows_names=True), [("asked", 1), ("answered", 15), ("finished", 5)]),
        (Manners(latency=0.05), [("answered", 20), ("asked", 20)]),
    ],
    ids=["bursts-and-names", "plain"],
)
def test_a_killed_run_goes_on_to_the_same_end(
    manners: Manners,
    kills: list[tuple[str, int]],
    place: Place,
    undisturbed: dict[str, bytes],
) -> None:
    server = place.server
    server.begin(manners)
    for event, count in [*kills, ("", 0)]:
        kept, before = place.kept(), len(server.log)
        assert place.go(event, count) == (-signal.SIGKILL if event else 0)
        assert place.out.exists() is not bool(event)
        assert kept.isdisjoint(name.partition("-")[0] for name in server.log[before:])
    assert place.files() == undisturbed
    assert len(set(server.log)) == DRAFTS
    # Without names of calls only those may be made twice of which nobody knew the end.
    assert server.answers <= DRAFTS + (0 if manners.knows_names else place.under_way())
