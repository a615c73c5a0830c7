"""What changed between two trees, line by line, read from `git diff` alone: for the check of references. No code of ours."""

from __future__ import annotations

import re
import subprocess  # noqa: TID251 - the check must not share the product's way to git
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from evals.selecting import git

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
RENAMES = ("--find-renames", "--find-copies", "-l1000")
_DIFF = ("diff", "--full-index", *RENAMES, "--no-ext-diff", "--no-textconv")
_RAW = ("--raw", "--no-renames", "--no-abbrev")
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_CONTENTS = (("Subproject commit ", "submodule"), ("version https://git-lfs", "stored in Git LFS"))
_MODES = {"120000": "symbolic link", "160000": "submodule"}


@dataclass(slots=True)
class Patch:
    """One changed file: the lines that came and went, by number, and at a gap the line before which lines went."""

    old: str
    new: str
    words: set[str] = field(default_factory=set)
    """What git says of it as a whole, in the words that a note has."""
    added: set[int] = field(default_factory=set)
    removed: set[int] = field(default_factory=set)
    gaps: set[int] = field(default_factory=set)

    def is_changed(self, line: int) -> bool:
        """Whether a line of the new file is one that changed, or stands at a gap."""
        return line in self.added or line in self.gaps or line + 1 in self.gaps

    def is_removed(self, line: int) -> bool:
        """Whether a line of the old file went."""
        return line in self.removed


@lru_cache(maxsize=64)
def patches(repository: Path, old: str, new: str) -> Mapping[str, Patch]:
    """The changed files from one tree to another, by their path: of a deleted file the old one.

    Where content is not in the repository, what git tells without renames is as true: nobody can look for one.
    """
    found = dict(_patches(repository, old, new))
    if _absent(repository):
        for path, patch in (*_patches(repository, old, new, "--no-renames").items(), *_unread(repository, old, new)):
            found.setdefault(path, patch).words.update(patch.words)
    return found


def _patches(repository: Path, old: str, new: str, *words: str) -> dict[str, Patch]:
    found: dict[str, Patch] = {}
    for part in re.split(r"(?m)^diff --git ", git(repository, *_DIFF, *words, old, new, *readable(repository)))[1:]:
        patch = _read(part)
        path = patch.old if "removed" in patch.words else patch.new
        if path in found:  # git tells a change of type as a removal and a new file
            patch.words = {"type changed", *patch.words, *found[path].words} - {"removed", "new"}
        found[path] = patch
    return found


def readable(repository: Path) -> tuple[str, ...]:
    """Words that have git leave out the paths whose content is not in a repository: it would break off there."""
    absent = _absent(repository)
    return ("--", ".", *(f":(exclude,literal){path}" for path in absent)) if absent else ()


@lru_cache
def _absent(repository: Path) -> tuple[str, ...]:
    told = git(repository, "rev-list", "--objects", "--all", "--missing=print").splitlines()
    lost = {line[1:] for line in told if line.startswith("?")}
    raw = git(repository, "log", "--all", "-m", *_RAW, "--format=").splitlines() if lost else []
    return tuple({line.partition("\t")[2]: None for line in raw if not lost.isdisjoint(line.split()[2:4])})


def _unread(repository: Path, old: str, new: str) -> Iterator[tuple[str, Patch]]:
    """What changed of the paths that are left out."""
    for path in _absent(repository):
        if line := git(repository, "diff", *_RAW, old, new, "--", f":(literal){path}"):
            word = {"A": "new", "D": "removed"}.get(line.split()[4], "binary")
            yield path, Patch(path, path, {word, "content not available"})


def _read(text: str) -> Patch:
    lines = text.split("\n")
    patch = Patch(*_sides(lines[0]))
    old = new = 0
    for line in lines[1:]:
        if (match := _HUNK.match(line)) is not None:
            old, new = int(match[1]), int(match[3])
        elif not old and not new:
            patch.words.update(_words(line, patch))
        elif line[:1] in {"+", "-", " "}:
            patch.words.update(word for start, word in _CONTENTS if line[1:].startswith(start) and line[:1] != " ")
            _take(patch, line[:1], old, new)
            old, new = old + (line[:1] != "+"), new + (line[:1] != "-")
    return patch


def _take(patch: Patch, sign: str, old: int, new: int) -> None:
    if sign == "+":
        patch.added.add(new)
    elif sign == "-":
        patch.removed.add(old)
        patch.gaps.add(new)


def _words(line: str, patch: Patch) -> Iterator[str]:
    name, _, rest = line.partition(" ")
    if name in {"rename", "copy"}:
        side, _, path = rest.partition(" ")
        setattr(patch, "old" if side == "from" else "new", _unquoted(path))
        yield from ([f"{'renamed' if name == 'rename' else 'copied'} from {_unquoted(path)}"] if side == "from" else [])
    yield from ["removed"] if line.startswith("deleted file") else []
    yield from ["new"] if line.startswith("new file") else []
    yield from ["mode changed"] if line.startswith("old mode") else []
    yield from ["binary"] if line.startswith(("Binary files", "GIT binary")) else []
    yield from (word for mode, word in _MODES.items() if re.search(rf"(?:mode|\w\.\.\w+) {mode}", line))


def _sides(header: str) -> tuple[str, str]:
    """Both paths of `a/X b/X`; where they differ, lines below tell them."""
    if header.startswith('"'):
        parts = re.findall(r'"(?:[^"\\]|\\.)*"', header)
        return _unquoted(parts[0])[2:], _unquoted(parts[-1])[2:]
    half = (len(header) - 1) // 2
    return header[2:half], header[half + 3 :]


def _unquoted(path: str) -> str:
    """A path as it is; git quotes one with control characters, quotes or backslashes."""
    if not path.startswith('"'):
        return path
    return re.sub(r"\\(?:([0-7]{3})|(.))", lambda match: _unescaped(match[1], match[2]), path[1:-1])


def _unescaped(octal: str | None, letter: str) -> str:
    return chr(int(octal, 8)) if octal else {"t": "\t", "n": "\n", "r": "\r", "a": "\a", "b": "\b"}.get(letter, letter)


def has(repository: Path, commit: str, path: str) -> bool:
    """Whether a tree has a path."""
    return bool(git(repository, "rev-parse", "--verify", "--quiet", f"{commit}:{path}"))


@lru_cache(maxsize=4096)
def lines(repository: Path, commit: str, path: str) -> int:
    """How many lines a file has at a commit."""
    shown = ["git", "-C", str(repository), "cat-file", "blob", f"{commit}:{path}"]
    data = subprocess.run(shown, capture_output=True, check=False).stdout  # noqa: S603
    return data.count(b"\n") + (data[-1:] not in {b"", b"\n"})
