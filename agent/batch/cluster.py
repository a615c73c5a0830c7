"""A Dask cluster that drafts releases: the same function on its workers, the results and the journal here (evidraft design 6).

Only repository work goes there. Calls of a model are paid for, and one journal on one machine knows which were made. The
scheduler gives a release whose worker was lost to another; what comes back are plain values. Clones have to stand on a disk
that the workers see as this machine does.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent.batch.drafting import drafted, failed
from agent.batch.release import Conditions, Finished, Release
from agent.batch.workers import Draft
from agent.errors import Failure, RepositoryFailure, RunStopped, UsageFailure

if TYPE_CHECKING:
    from distributed import Client, Future

_PROGRAM: Final = "evidraft"
_EXTRACTIVE: Final = "extractive"
_PATIENCE: Final = 30
"""Seconds for a scheduler to answer."""


class Cluster:
    """The workers of a cluster that runs already (`Workers`); it is left running."""

    def __init__(self, client: Client, address: str, draft: Draft) -> None:
        """Use `at`."""
        self._client = client
        self._address = address
        self._draft = draft

    @staticmethod
    async def at(address: str, conditions: Conditions, draft: Draft = drafted) -> Cluster:
        """The cluster whose scheduler is at `address`, if it can do the work of a run under these conditions.

        Raises:
            agent.errors.UsageFailure: a model is to draft, Dask is not installed here, no scheduler answers, or a worker has
                another version of this program or none.
        """
        if conditions.model != _EXTRACTIVE:
            raise UsageFailure(
                f"{conditions.model} cannot draft on a cluster: its calls are paid for and only the journal here knows of them",
                where="--cluster",
                cure="leave --cluster out, or draft with --model extractive",
            )
        client = await _connected(address)
        cluster = Cluster(client, address, draft)
        async with AsyncExitStack() as held:
            held.push_async_callback(cluster.close)
            await cluster.require_same_version()
            held.pop_all()
        return cluster

    async def submit(self, release: Release, conditions: Conditions) -> Finished:
        """As `Workers.submit`."""
        future = self._client.submit(there, own_version(), self._draft, release, conditions, pure=False)
        fault = await self._fault(future)
        if fault is None:
            done: Finished = await future
            return done
        if isinstance(fault, Failure):
            raise fault
        return failed(release, _told(fault))

    async def close(self) -> None:
        """Leave the cluster; what it still works on for us is called off."""
        await self._client.close()

    async def require_same_version(self) -> None:
        """See to it that every worker that is there has the version of this program that drives them.

        Raises:
            UsageFailure: one has another or none.
        """
        own = own_version()
        for worker, told in (await self._client.run(version, _PROGRAM, on_error="return")).items():
            lacks = isinstance(told, PackageNotFoundError)
            if lacks or (isinstance(told, str) and told != own):
                has = "no evidraft" if lacks else f"evidraft {told}"
                raise UsageFailure(
                    f"a worker of the cluster has {has}, and this is evidraft {own}",
                    where=worker,
                    cure=f"install evidraft {own} on every worker",
                )

    async def _fault(self, future: Future) -> BaseException | None:
        """What a release met on the cluster, once it is done there.

        Raises:
            RunStopped: the scheduler is gone.
        """
        try:
            fault: BaseException | None = await future.exception()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise RunStopped(
                "the cluster is gone", where=self._address, cure="start it again and go on with --resume"
            ) from None
        return fault


def own_version() -> str:
    """The version of this program here."""
    return version(_PROGRAM)


async def _connected(address: str) -> Client:
    try:
        from distributed import Client  # noqa: PLC0415 - an optional part, and slow to load
    except ImportError:
        raise UsageFailure(
            "Dask is not installed", where="--cluster", cure="install it with: pip install 'evidraft[cluster]'"
        ) from None
    try:
        return await Client(address, asynchronous=True, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError):
        raise UsageFailure(
            "no scheduler of a Dask cluster answers", where=address, cure="give its address as tcp://HOST:PORT"
        ) from None


def there(program: str, draft: Draft, release: Release, conditions: Conditions) -> Finished:
    """What a worker of the cluster does; what became of the release.

    Raises:
        RunStopped: this worker came later and has another version.
    """
    if (own := own_version()) != program:
        raise RunStopped(
            f"a worker of the cluster has evidraft {own}, and the run has {program}",
            where="--cluster",
            cure=f"install evidraft {program} on every worker and go on with --resume",
        )
    if not release.questions and not Path(release.place).is_dir():
        unseen = RepositoryFailure(
            "a worker of the cluster does not see its clone",
            where=release.place,
            cure="keep clones on a disk that all workers share, under the same path",
        )
        return failed(release, unseen)
    return draft(release, conditions)


def _told(fault: BaseException) -> Failure:
    """A fault of one release in words of ours: what others say of it may quote evidence."""
    if type(fault).__name__ == "KilledWorker":
        return Failure(
            "every worker of the cluster that drafted it was lost",
            where="--cluster",
            cure="give the workers more memory, or cut the range in two",
        )
    return Failure(
        f"internal fault {type(fault).__name__} on a worker of the cluster",
        where="--cluster",
        cure="please report it; no evidence is quoted here",
    )
