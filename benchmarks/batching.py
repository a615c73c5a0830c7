"""How fast many drafts are made of a model that takes its time, against the time that it would take if we took none.

    python benchmarks/batching.py                                   # 1,000 drafts of 200 ms, 64 at once
    python benchmarks/batching.py --releases 200 --changes 5 --kills 10

A draft is one change, asked by one call of a stub server on loopback; the ideal is `drafts / jobs * latency`. Three numbers are
told. The *calls* alone: prompts are ready, and each is asked, cleaned and kept. The *window* of a whole run, from its first
call to its last reply, in which the next releases are read and the last ones are held against their evidence. And all of it,
from the start of the process to the last page. With kills the run is ended by SIGKILL at random moments and gone on with, over
a server that refuses in bursts and knows the names of calls; what it comes to, and how many answers the server made, is
compared with an undisturbed one.

The server runs beside in a process of its own, so that at least two processors are wanted. Processor seconds are those of the
run alone, so that a busy machine makes the clock slower and them only a little.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from agent import engines
from agent.batch.asking import desk, pacing
from agent.batch.drafting import gather_release
from agent.batch.events import nobody
from agent.batch.journal import Journal
from agent.model.compatible import Compatible
from agent.pipeline import Terms, see
from agent.replies.journaled import Journaled
from agent.replies.metering import Limits, Metered
from agent.replies.pacing import Rates
from agent.tasks import ENVELOPE
from tests.agent.batch import driving
from tests.agent.batch.releasing import CONDITIONS, history, releases
from tests.agent.batch.stub_server import NAME
from tests.repositories import GitFolder

ROOT = Path(__file__).resolve().parent.parent
SPAWN = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Setting:
    """What is drafted, and how the server behaves."""

    releases: int
    changes: int
    jobs: int
    latency: float
    processes: int
    manners: Mapping[str, object] = field(default_factory=dict)

    @property
    def drafts(self) -> int:
        """How many."""
        return self.releases * self.changes

    @property
    def ideal(self) -> float:
        """The seconds that they take at least."""
        return self.drafts / self.jobs * self.latency


@contextmanager
def server(setting: Setting) -> Iterator[str]:
    """The address of a stub server."""
    manners = json.dumps({"latency": setting.latency, **setting.manners})
    command = [sys.executable, "-m", "tests.agent.batch.stub_server", manners]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None  # noqa: S101 - it was asked for
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.kill()


def counts(address: str) -> dict[str, int]:
    """What a server counted."""
    with urllib.request.urlopen(f"{address}/counts") as answer:  # noqa: S310 - it is ours
        return {name: int(number) for name, number in json.loads(answer.read()).items()}


def calls(setting: Setting, folder: Path) -> tuple[float, float]:
    """The seconds of the calls alone, by the clock and of processor; all changes are those of one release."""
    (release,) = releases(GitFolder(folder), 1)
    gathered, engine = gather_release(release, CONDITIONS), engines.secret_engine()

    async def ask(address: str) -> tuple[float, float]:
        client = Compatible(f"{address}/v1", NAME, environ={})
        with tempfile.TemporaryDirectory() as place, Journal.open(Path(place) / "own" / "journal") as journal:
            turns = pacing(Rates(setting.jobs), journal, nobody)
            model = Journaled(Metered(client), desk(client.name, journal, turns, limits=Limits(), listener=nobody))
            seen = see(ENVELOPE, gathered.evidence, Terms.of(gathered, engine), client=model.name, room=await model.room())
            prompts = list(seen.prompts())
            clock, processor = time.perf_counter(), time.process_time()
            await asyncio.gather(*map(model.draft, prompts))
            taken = time.perf_counter() - clock, time.process_time() - processor
            await client.close()
            return taken

    with server(setting) as address:
        return asyncio.run(ask(address))


@dataclass
class Watched:
    """One process of a run: when its calls began and were answered, and how long all of it took."""

    begun: float
    asked: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    ended: float = 0.0


def undisturbed(setting: Setting, folder: Path, address: str, out: Path) -> Watched:
    """A run that tells of its moments when it is over: whoever listens to each meanwhile takes processors from it."""
    one = Watched(time.perf_counter())
    with started(driving.drive_undisturbed, setting, folder, address, out) as (process, reading):
        moments = reading.recv()
        process.join()
    one.ended = time.perf_counter()
    one.asked, one.answered = ([moment for word, moment in moments if word == name] for name in ("asked", "answered"))
    return one


def part(setting: Setting, folder: Path, address: str, out: Path, *, kill_after: int = 0) -> None:
    """A run, or a part of one that is killed when so many calls were answered."""
    answered = 0
    with started(driving.drive, setting, folder, address, out) as (process, reading):
        with suppress(EOFError):
            while not kill_after or answered < kill_after:
                answered += reading.recv()["event"] == "answered"
        if kill_after:
            process.kill()
        process.join()


@contextmanager
def started(
    drive: Callable[..., None], setting: Setting, folder: Path, address: str, out: Path
) -> Iterator[tuple[SpawnProcess, Connection]]:
    """A process that drafts all releases, and where it tells of them."""
    reading, writing = SPAWN.Pipe(duplex=False)
    arguments = (GitFolder(folder), setting.releases, address, out, writing)
    process = SPAWN.Process(target=drive, args=arguments, kwargs={"jobs": setting.jobs, "processes": setting.processes})
    process.start()
    writing.close()
    with reading:
        yield process, reading


def files(out: Path) -> dict[str, bytes]:
    """What a run left behind."""
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def killed(setting: Setting, folder: Path, place: Path, kills: int) -> str:
    """What became of a run that was killed so often, against one that was not. Records name the server, so there is one."""
    chance, most = random.Random(kills), 2 * setting.drafts // (kills + 1)  # noqa: S311 - moments, no secrets
    with server(setting) as address:
        for _ in range(kills):
            part(setting, folder, address, place / "killed", kill_after=chance.randint(1, most))
        part(setting, folder, address, place / "killed")
        made = counts(address)
        part(setting, folder, address, place / "undisturbed")
    same = files(place / "undisturbed") == files(place / "killed")
    return (
        f"killed {kills} times, refused {made['refused']} times: outputs {'equal' if same else 'DIFFER'}, "
        f"{made['answers']} answers made for {setting.drafts} drafts"
    )


def told(name: str, seconds: float, ideal: float) -> str:
    return f"{name:8} {seconds:8.2f} s  {seconds / ideal:6.2f} of the ideal {ideal:.2f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--releases", type=int, default=50)
    parser.add_argument("--changes", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="0 drafts in the process that runs it all")
    parser.add_argument("--kills", type=int, default=0)
    given = parser.parse_args()
    gc.set_threshold(driving.OBJECTS)
    setting = Setting(given.releases, given.changes, given.jobs, given.latency, given.processes)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        history(place / "one", 1, setting.drafts)
        clock, processor = calls(setting, place / "one")
        print(told("calls", clock, setting.ideal), f" {processor / setting.drafts * 1_000:.2f} ms of processor each")
        history(place / "many", setting.releases, setting.changes)
        with server(setting) as address:
            one = undisturbed(setting, place / "many", address, place / "out")
        print(told("window", one.answered[-1] - one.asked[0], setting.ideal))
        print(told("all", one.ended - one.begun, setting.ideal))
        if given.kills:
            rough = replace(setting, manners={"every": 100, "burst": 10, "knows_names": True})
            print(killed(rough, place / "many", place, given.kills))


if __name__ == "__main__":
    main()
