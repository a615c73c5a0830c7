"""When a file of Go is built: what its name and its comments say (Change Contracts: fact clauses).

Two files of one package may declare one name where no build holds both. What no build holds is no part of its package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.trees import written

_SYSTEMS: Final = frozenset(
    """
    aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos
    """.split()  # noqa: SIM905 - words
)
_MACHINES: Final = frozenset(
    """
    386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64 ppc64le riscv
    riscv64 s390 s390x sparc sparc64 wasm
    """.split()  # noqa: SIM905 - words
)
_ALSO: Final = {"android": "linux", "illumos": "solaris", "ios": "darwin"}
"""Systems that are of the kind of another as well."""
_NOT_UNIX: Final = frozenset({"js", "nacl", "plan9", "wasip1", "windows", "zos"})
_COMPILERS: Final = frozenset({"gc", "gccgo"})
_NEVER: Final = "ignore"
"""The word that keeps a file out of every build by convention: nobody sets it."""
_LINE: Final = re.compile(r"^//go:build\s+(.*)")
_OLD: Final = re.compile(r"^//\s*\+build\s+(.*)")
_WORD: Final = re.compile(r"\|\||&&|[!()]|[\w.]+")
_RELEASE: Final = re.compile(r"go1\.(\d{1,4})")
_STRENGTH: Final = {"||": 1, "&&": 2, "!": 3}
_MOST: Final = 512
"""So many builds are tried for one answer."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What decides whether a file is built: what its name and its comments say, as one expression, "" where nothing."""

    expression: str = ""
    is_hidden: bool = False
    """Whether the name of the file begins so that no build takes it."""

    @property
    def is_never(self) -> bool:
        """Whether no build holds the file."""
        return self.is_hidden or _can_hold(self.expression) is False

    @property
    def is_conditional(self) -> bool:
        """Whether some builds may hold the file and others not."""
        return bool(self.expression)

    def meets(self, other: Condition) -> bool:
        """Whether some build certainly may hold both files."""
        both = [f"( {one} )" for one in (self.expression, other.expression) if one]
        return len(both) < 2 or _can_hold(" && ".join(both)) is True


def condition(path: str, root: Node, *, has_old: bool) -> Condition:
    """The condition of a file; lines of the old form count where `has_old`, and only without one of the new form."""
    name = path.rpartition("/")[2]
    comments = [written(one) for one in _before_package(root)]
    new = [found[1] for one in comments if (found := _LINE.match(one))]
    old = [found[1] for one in comments if has_old and (found := _OLD.match(one))]
    told = [" ".join(_WORD.findall(one.partition("//")[0])) for one in new[:1]] or [_modern(one) for one in old]
    parts = [*_of_name(name), *(f"( {one} )" for one in told if one)]
    return Condition(" && ".join(parts), name.startswith(("_", ".")))


def _before_package(root: Node) -> Iterator[Node]:
    for one in root.children:
        if one.type == "package_clause":
            return
        if one.type == "comment":
            yield one


def _of_name(name: str) -> list[str]:
    """The system and the machine that the name of a file ends in."""
    parts = name.partition(".")[0].split("_")[1:]
    if parts and parts[-1] == "test":
        parts.pop()
    if len(parts) > 1 and parts[-2] in _SYSTEMS and parts[-1] in _MACHINES:
        return parts[-2:]
    return parts[-1:] if parts and parts[-1] in _SYSTEMS | _MACHINES else []


def _modern(line: str) -> str:
    """A line of the old form in the new one: a blank is `or`, a comma is `and`."""
    options = (" && ".join(_WORD.findall(one.replace(",", " "))).replace("! && ", "! ") for one in line.split())
    return " || ".join(f"( {one} )" for one in options if one)


@lru_cache(maxsize=4096)
def _can_hold(expression: str) -> bool | None:
    """Whether some build fulfils an expression; None where it is none, or would take too long to try."""
    steps = _steps(expression)
    tags = {one for one in steps if one not in _STRENGTH}
    releases = sorted(int(found[1]) for one in tags if (found := _RELEASE.fullmatch(one)))
    systems = _SYSTEMS if tags & (_SYSTEMS | {"unix"}) else frozenset[str]()
    one_of = (tags & _MACHINES, _COMPILERS if tags & _COMPILERS else frozenset[str]())
    free = tags - _SYSTEMS - _MACHINES - _COMPILERS - {"unix", _NEVER} - {f"go1.{one}" for one in releases}
    choices = [
        [_of_system(one) for one in sorted(systems)] or [frozenset[str]()],
        *([*(frozenset({one}) for one in sorted(several)), frozenset[str]()] for several in one_of),
        [frozenset(f"go1.{one}" for one in releases[:count]) for count in range(len(releases) + 1)],
        *([frozenset({one}), frozenset[str]()] for one in sorted(free)),
    ]
    if not steps or prod(len(one) for one in choices) > _MOST:
        return None if expression else True
    return any(_holds(steps, frozenset().union(*build)) for build in product(*choices))


def _of_system(name: str) -> frozenset[str]:
    return frozenset({name, _ALSO.get(name, name), *(() if name in _NOT_UNIX else ("unix",))})


def _holds(steps: tuple[str, ...], tags: frozenset[str]) -> bool:
    values: list[bool] = []
    for step in steps:
        if step == "!":
            values.append(not values.pop())
        elif step in _STRENGTH:
            one, other = values.pop(), values.pop()
            values.append((one and other) if step == "&&" else (one or other))
        else:
            values.append(step in tags)
    return values.pop()


def _steps(expression: str) -> tuple[str, ...]:
    """An expression with operators after what they join; none where it is no expression."""
    done: list[str] = []
    waiting: list[str] = []
    for word in expression.split():
        if word == ")":
            while waiting and waiting[-1] != "(":
                done.append(waiting.pop())
            if not waiting:
                return ()
            waiting.pop()
        elif word in {"(", "!"}:
            waiting.append(word)
        elif word in _STRENGTH:
            while waiting and _STRENGTH.get(waiting[-1], 0) >= _STRENGTH[word]:
                done.append(waiting.pop())
            waiting.append(word)
        else:
            done.append(word)
    done += reversed(waiting)
    return tuple(done) if _is_whole(done) else ()


def _is_whole(steps: list[str]) -> bool:
    """Whether every operator finds what it joins, and one value is left."""
    held = 0
    for step in steps:
        needed = {"!": 1, "&&": 2, "||": 2}.get(step, 0)
        if step == "(" or held < needed:
            return False
        held += 1 - needed
    return held == 1
