"""Consuming, stopped at every call that touches the disk: the process is killed there, or the disk refuses.

Run as a program in a folder of its own, so that it may fork: it prints what it found as JSON.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from agent.errors import StoreFailure
from agent.sources.stored import read_records
from agent.store.applying import apply
from guardrails.records.consuming import Plan, plan
from guardrails.records.profile import DISPOSITIONS, Profile
from tests.consuming import ARCHIVED, ID, LEDGERS, PENDING, THREE, lay, policy

ALLOCATING: Final = ("open", "write", "fsync", "mkdir", "link", "replace")
TOUCHING: Final = (*ALLOCATING, "unlink", "fchmod", "rmdir")
KILLED: Final = 77
LINKS: Final = {ID: ("1" * 40, "2" * 40)}
Call = Callable[..., Any]


@contextmanager
def calls(names: tuple[str, ...], hook: Callable[[str, Call, tuple[Any, ...], dict[str, Any]], Any]) -> Iterator[None]:
    """Let `hook` stand before these functions of `os`."""
    kept = {name: getattr(os, name) for name in names}

    def standing(name: str) -> Call:
        return lambda *given, **named: hook(name, kept[name], given, named)

    for name in names:
        setattr(os, name, standing(name))
    try:
        yield
    finally:
        for name, function in kept.items():
            setattr(os, name, function)


def careless(root: Path, planned: Plan) -> None:
    """What `apply` must not be: every file is written in its place."""
    for one in planned.ledgers:
        file = os.open(root / one.path, os.O_WRONLY | os.O_TRUNC)
        os.write(file, one.after)
        os.close(file)


def is_change(name: str, given: tuple[Any, ...]) -> bool:
    """Whether the call changes the disk: opening does so where it makes a file."""
    return name != "open" or bool(given[1] & os.O_CREAT)


@dataclass
class Tries:
    """One disposition of consumed records, tried at every point; `faults` is what did not hold."""

    folder: Path
    after: str
    write: Callable[[Path, Plan], None] = apply
    faults: list[str] = field(default_factory=list)
    points: list[str] = field(default_factory=list)
    policy: Profile = field(init=False)

    def __post_init__(self) -> None:
        """Read the profile once."""
        self.policy = policy(self.after)

    def consume(self, root: Path) -> None:
        """Read, plan, and carry the plan out."""
        records = read_records(root, self.policy)
        planned = plan(self.policy, records.pending, records, LINKS, {})
        if not isinstance(planned, Plan):
            raise TypeError(f"refused: {planned}")
        self.write(root, planned)

    def tree(self, root: Path) -> dict[str, tuple[int, bytes]]:
        """Every file and folder, with its mode."""
        found = {path.relative_to(root).as_posix(): path for path in root.rglob("*")}
        return {
            name: (stat.S_IMODE(path.stat().st_mode), b"" if path.is_dir() else path.read_bytes())
            for name, path in found.items()
        }

    def run(self) -> None:
        """Try everything."""
        template, whole = self.fresh("template"), self.fresh("whole")
        with calls(TOUCHING, self._counting):
            self.consume(whole)
        before, expected = self.tree(template), self.tree(whole)
        for point, name in enumerate(self.points):
            for torn in (False, True)[: 1 + (name == "write")]:
                self._killed(self.fresh("killed"), point, torn=torn, before=before, expected=expected)
            if self.after == "archive":  # which does all that the others do
                self._refused(self.fresh("full"), point, errno.ENOSPC, before, expected)
                self._refused(self.fresh("broken"), point, errno.EIO, before, expected)

    def fresh(self, name: str) -> Path:
        """The tree at the start, with a ledger of a mode of its own."""
        root = self.folder / name
        shutil.rmtree(root, ignore_errors=True)
        lay(root, {**LEDGERS, PENDING: THREE})
        (root / min(LEDGERS)).chmod(0o640)
        return root

    def _counting(self, name: str, function: Call, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        self.points += [name] if is_change(name, given) else []
        return function(*given, **named)

    def _killed(
        self,
        root: Path,
        point: int,
        *,
        torn: bool,
        before: dict[str, tuple[int, bytes]],
        expected: dict[str, tuple[int, bytes]],
    ) -> None:
        child = os.fork()
        if not child:
            seen = 0

            def kill(name: str, function: Call, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
                nonlocal seen
                if is_change(name, given):
                    if seen == point:
                        if torn and name == "write":
                            function(given[0], given[1][: len(given[1]) // 2])
                        os._exit(KILLED)
                    seen += 1
                return function(*given, **named)

            with calls(TOUCHING, kill):
                self.consume(root)
            os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        where = f"{self.after}: killed at {point}{' torn' if torn else ''}"
        self._expect(code == KILLED, f"{where}: was not killed but ended with {code}")
        self._whole(root, where, before, expected)
        self._again(root, where, expected)

    def _refused(
        self, root: Path, point: int, reason: int, before: dict[str, tuple[int, bytes]], expected: dict[str, tuple[int, bytes]]
    ) -> None:
        """A full disk refuses everything that needs room from some point on; a broken one refuses one call."""
        seen = 0
        is_full = reason == errno.ENOSPC

        def refuse(name: str, function: Call, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
            nonlocal seen
            if is_change(name, given):
                seen += 1
                if seen - 1 == point or (is_full and seen > point and name in ALLOCATING):
                    raise OSError(reason, os.strerror(reason))
            return function(*given, **named)

        where = f"{self.after}: {errno.errorcode[reason]} at {point}"
        try:
            with calls(TOUCHING, refuse):
                self.consume(root)
            failed = False
        except OSError:
            failed = True
            self.faults.append(f"{where}: not told as a failure")
        except StoreFailure as failure:
            failed = True
            self._expect(os.strerror(reason) in failure.what and bool(failure.where), f"{where}: does not say what and where")
            if self._ledgers(root) != self._ledgers(self.folder / "template"):
                self._expect("again" in failure.cure, f"{where}: does not say what to do")
        now = self.tree(root)
        self._whole(root, where, before, expected)
        if failed and self._ledgers(root) == self._ledgers(self.folder / "template") and is_full:
            self._expect(now == before, f"{where}: left something behind")
        self._expect(failed or now == expected, f"{where}: took no notice")
        self._again(root, where, expected)

    def _again(self, root: Path, where: str, expected: dict[str, tuple[int, bytes]]) -> None:
        try:
            self.consume(root)
        except TypeError:
            self.faults.append(f"{where}: the next run refused what this one left")
        else:
            self._expect(self.tree(root) == expected, f"{where}: ended in another tree")

    def _ledgers(self, root: Path) -> list[bytes]:
        return [(root / path).read_bytes() for path in LEDGERS]

    def _whole(
        self, root: Path, where: str, before: dict[str, tuple[int, bytes]], expected: dict[str, tuple[int, bytes]]
    ) -> None:
        """Every ledger is the old or the new one; the record is never lost, and pending until all ledgers are new."""
        now = self.tree(root)
        states = [now[path] == expected[path] for path in LEDGERS]
        for path, is_new in zip(LEDGERS, states, strict=True):
            self._expect(is_new or now[path] == before[path], f"{where}: {path} is half written")
        pending, archived = (now[path][1] if path in now else None for path in (PENDING, ARCHIVED))
        self._expect(pending == THREE.encode() or all(states), f"{where}: the record was taken away too early")
        self._expect(archived is None or (archived == THREE.encode() and all(states)), f"{where}: archived too early")
        kept = pending == THREE.encode() or archived == THREE.encode()
        self._expect(kept or self.after == "delete", f"{where}: the record is lost")
        strange = [path for path in now if path.endswith(".yaml") and path not in {*before, *expected}]
        self._expect(not strange, f"{where}: readers would find {strange}")

    def _expect(self, holds: bool, fault: str) -> None:
        if not holds:
            self.faults.append(fault)


def main() -> None:
    """Try every disposition in the folder that is named, and a careless writer."""
    vars(os)["fsync"] = lambda _: None  # processes are killed here, not machines; waiting for the disk takes most of the time
    told = {}
    for name, after, write in (*((after, after, apply) for after in DISPOSITIONS), ("careless", "keep", careless)):
        tries = Tries(Path(sys.argv[1]) / name, after, write)
        tries.run()
        told[name] = {"points": tries.points, "faults": tries.faults}
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
