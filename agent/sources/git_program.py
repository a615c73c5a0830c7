"""Git, asked safely: the only subprocess of the project (Intent Changesets 11.1, 12).

No shell; options end before arguments; what git says comes as bytes. `agent.sources.hardening` holds what git may see and do.
"""

from __future__ import annotations

import fcntl
import shutil
import subprocess  # noqa: TID251 - this is the one door
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from io import BufferedReader
from pathlib import Path
from threading import Timer
from typing import IO, Final, cast

from agent.errors import RepositoryFailure
from agent.sources.hardening import (
    CONFIG,
    GLOBAL,
    MINIMUM,
    environment,
    reaching,
    refusal,
    require_version,
    without_questions,
)

PATIENCE: Final = 600.0
"""So many seconds git may take for an answer about what is here; whoever waits for another repository has its own limits."""
_BUFFER: Final = 16 * 1024
_PIPE: Final = 1024 * 1024
"""Wide enough that git need not wait for its reader."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What one finished git process said."""

    code: int
    out: bytes = field(repr=False)
    err: bytes = field(repr=False)


class Running:
    """A git process that is still talking: it reads `given` and writes `out`."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        """Follow `process`, both of whose streams are pipes."""
        self._process = process
        self.given = cast("IO[bytes]", process.stdin)
        self.out = cast("BufferedReader", process.stdout)

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """End git where it takes longer for what is asked of it here: what it says then breaks off."""
        timer = Timer(seconds, self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def succeeded(self) -> bool:
        """Wait for the end; whether git was content."""
        return self._process.wait() == 0

    def close(self) -> None:
        """End it, whatever it still has to say."""
        self._process.kill()
        with self._process, suppress(BrokenPipeError):
            self.given.close()


@dataclass(frozen=True, slots=True)
class Git:
    """How to ask git about one folder: the program, the folder, and settings that win over every configuration file.

    `protocols` are those by which it may reach another repository; there are none unless somebody asked for it.
    """

    program: str
    folder: Path
    config: Mapping[str, str] = field(default_factory=lambda: dict(CONFIG), repr=False)
    protocols: str = ""

    @staticmethod
    def at(folder: Path) -> Git:
        """Find git for `folder`.

        Raises:
            RepositoryFailure: git is missing or too old, or the folder is none.
        """
        program = shutil.which("git")
        if program is None or not Path(program).is_absolute():
            raise RepositoryFailure("git was not found", cure=f"install git {MINIMUM} or newer and put it on PATH")
        if not folder.is_dir():
            raise RepositoryFailure("is not a folder", where=str(folder), cure="give the path of a git repository")
        _require_sound(program)
        return Git(program, folder)

    def configured(self, more: Mapping[str, str]) -> Git:
        """The same with more settings that win."""
        return replace(self, config={**self.config, **more})

    def reaching(self, protocols: str) -> Git:
        """The same, let to reach another repository; only for folders whose configuration is ours."""
        reached = replace(self, config=reaching(self.config), protocols=protocols)
        own = reached.ask("config", "--get", "core.sshCommand").out.decode("utf-8", "replace").strip()
        return replace(reached, config=without_questions(reached.config, own))

    def ask(self, *arguments: str, given: bytes = b"") -> Answered:
        """Run one git command to its end, with `given` as its input.

        Raises:
            RepositoryFailure: the system cannot start git, or git does not answer.
        """
        with _starting():
            done = subprocess.run(  # noqa: S603 - no shell, a fixed program, an allowlisted environment
                self._command(arguments),
                cwd=self.folder,
                env=environment(self.config, self.protocols),
                input=given,
                capture_output=True,
                check=False,
                timeout=None if self.protocols else PATIENCE,
            )
        return Answered(done.returncode, done.stdout, done.stderr)

    def tell(self, *arguments: str, given: bytes = b"") -> bytes:
        """The output of one git command.

        Raises:
            RepositoryFailure: git failed.
        """
        answered = self.ask(*arguments, given=given)
        if answered.code:
            raise refusal(answered.err, self.folder, f"git {arguments[0]} failed with status {answered.code}")
        return answered.out

    def start(self, *arguments: str) -> Running:
        """Start a git command to talk with; the caller closes it.

        Raises:
            RepositoryFailure: the system cannot start git.
        """
        with _starting():
            process = subprocess.Popen(  # noqa: S603 - as above
                self._command(arguments),
                cwd=self.folder,
                env=environment(self.config, self.protocols),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=_BUFFER,
            )
        with suppress(OSError, AttributeError):  # a wish, not a need: some systems set a limit, or cannot
            fcntl.fcntl(cast("BufferedReader", process.stdout), fcntl.F_SETPIPE_SZ, _PIPE)
        return Running(process)

    @contextmanager
    def running(self, *arguments: str, lines: Iterable[bytes]) -> Iterator[Running]:
        """A git command that first reads all `lines`, and whose output is then read while it runs."""
        with closing(self.start(*arguments)) as running:
            with suppress(BrokenPipeError), running.given as given:
                given.writelines(line + b"\n" for line in lines)
            yield running

    def _command(self, arguments: tuple[str, ...]) -> list[str]:
        return [self.program, *GLOBAL, *arguments]


@lru_cache(maxsize=8)
def _require_sound(program: str) -> None:
    """See to it once that this git is new enough.

    Raises:
        RepositoryFailure: it is too old, or none.
    """
    require_version(Git(program, Path(program).parent).ask("version").out)


@contextmanager
def _starting() -> Iterator[None]:
    """Tell in our own words when the system cannot start git: no memory, too many processes, too long or impossible words."""
    try:
        yield
    except subprocess.TimeoutExpired:
        raise RepositoryFailure(
            f"git did not answer within {PATIENCE:g} seconds", cure="see what keeps it, and try again"
        ) from None
    except OSError as error:
        raise RepositoryFailure(f"git could not be started: {error.strerror}", cure="see what the system lacks") from None
    except ValueError:
        raise RepositoryFailure(
            "git cannot be asked for a name with a NUL or half a character", cure="check the name"
        ) from None
