"""A small change to point at: a modified, a deleted, a renamed, a binary and a shortened file in one commit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from guardrails.digests import sha256
from guardrails.evidence.model import Bundle, Change, Commit, Content, FileChange, Hunk
from guardrails.findings import Finding
from tests.guardrails.resolving.building import bundle, commit, file, oid

HERE: Final = oid(1)
PARENT: Final = oid(200)


def hunk(number: int, old: int, new: int, *lines: str, known: bool = True) -> Hunk:
    """The hunk of these signed lines, which begin at the given line of either side."""
    sides = [sum(line[:1] in signs for line in lines) for signs in (" -", " +")]
    text = "".join(f"{line}\n" for line in lines)
    return Hunk(
        f"H{number}", f"git:f:{number}", sha256(text.encode()), old, sides[0], new, sides[1], "", text if known else None
    )


def changed(path: str, *hunks: Hunk, number: int = 1, **fields: Any) -> FileChange:
    """A changed file with hunks."""
    return replace(file(number, path), hunks=hunks, **fields)


POOL: Final = changed(
    "src/db/pool.ts",
    hunk(1, 20, 20, " open();", " // size", "-const maxConnections = 40;", "+const maxConnections = 10;", " start();"),
    hunk(2, 60, 60, " a();", "+b();", "+c();", " d();"),
)
OLD: Final = changed("src/old.ts", hunk(3, 1, 0, "-export const a = 1;", "-a();"), number=2, change=Change.DELETED)
MOVED: Final = changed(
    "src/new-name.ts", hunk(4, 5, 5, " x();", "-y();", "+z();"), number=3, change=Change.RENAMED, old_path="src/name.ts"
)
LOGO: Final = changed("logo.png", number=4, content=Content.BINARY)
SHORT: Final = changed("src/short.ts", hunk(5, 8, 8, " keep();", "-gone();", "-gone2();", " stay();"), number=5)
UNREAD: Final = changed("package-lock.json", hunk(6, 10, 10, " a", "-b", "+c", " d", known=False), number=6)


def told(*files: FileChange, message: str = "Lower the pool size", **parts: Any) -> Bundle:
    """A bundle of one commit of these files."""
    return bundle(replace(commit(1, message), files=files), **parts)


def small() -> Bundle:
    """A bundle of one commit of all the files above."""
    return told(POOL, OLD, MOVED, LOGO, SHORT, UNREAD)


def two() -> Bundle:
    """Two commits that change one file at different lines, and the change of both as one."""
    first = replace(commit(1, "One"), files=(changed("a.py", hunk(1, 1, 1, "+one"), number=1),))
    second: Commit = replace(commit(2, "Two"), files=(changed("a.py", hunk(2, 1, 1, "+two", " one"), number=2),))
    net = (changed("a.py", hunk(3, 1, 1, "+two", "+one"), number=3),)
    return bundle(first, second, net=net)


def codes(found: Iterable[Finding]) -> list[str]:
    """The codes of some findings."""
    return [finding.code for finding in found]
