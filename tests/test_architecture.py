"""The house stands as CONTRIBUTING.md draws it: floors, one door each for process, network and disk, one redactor.

Each rule is a function from a module to the faults it finds, and is proved able to fail by a module that breaks it.
"""

from __future__ import annotations

import ast
import graphlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("agent", "guardrails", "prompts")
FLOORS = {
    1: (
        "guardrails.findings",
        "guardrails.paths",
        "guardrails.patterns",
        "guardrails.shapes",
        "guardrails.digests",
        "guardrails.indented_json",
        "guardrails.wording",
        "guardrails.markdown",
        "guardrails.versions",
    ),
    2: ("guardrails.evidence", "guardrails.strict_yaml", "guardrails.strict_json", "guardrails.code_facts"),
    3: ("guardrails.records", "guardrails.contracts"),
    4: ("guardrails.redaction", "guardrails.drafts"),
    5: ("guardrails.resolving",),
    6: ("guardrails.grounding", "prompts"),
    7: ("agent.tasks", "agent.render", "agent.errors", "agent.below"),
    8: ("agent.model", "agent.sources", "agent.forges", "agent.store", "agent.settings", "agent.engines"),
    9: ("agent.prompting", "agent.collecting", "agent.proposing", "agent.replies"),
    10: ("agent.pipeline",),
    11: ("agent.receipt",),
    12: ("agent.batch",),
    13: ("agent.commands",),
    14: ("agent.cli",),
}
FLOOR_OF = {unit: floor for floor, units in FLOORS.items() for unit in units}


@dataclass(frozen=True)
class Module:
    """One module of ours: its full name and its parsed source."""

    name: str
    tree: ast.Module

    @property
    def unit(self) -> str | None:
        return unit_of(self.name)

    def nodes(self, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
        return (node for node in ast.walk(self.tree) if isinstance(node, kinds))

    def imports(self) -> Iterator[str]:
        """Every imported name in full: `from a import b` is `a.b`."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)

    def calls(self) -> Iterator[tuple[str, ast.Call]]:
        """Every call with what is called as dotted text, its unknown start left out: `f().open` is `.open`."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                yield dotted(node.func), node

    def is_in(self, *places: str) -> bool:
        return any(self.name == place or self.name.startswith(f"{place}.") for place in places)


def dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return f"{dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""


def unit_of(name: str) -> str | None:
    """The unit that a module or imported name belongs to: the longest that begins it."""
    fitting = [unit for unit in FLOOR_OF if name == unit or name.startswith(f"{unit}.")]
    return max(fitting, key=len, default=None)


def module(name: str, source: str) -> Module:
    return Module(name, ast.parse(source))


def read_modules() -> tuple[Module, ...]:
    paths = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return tuple(module(module_name(path), path.read_text("utf-8")) for path in paths)


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = read_modules()
DISK_WRITERS = ("agent.store", "agent.engines")
NETWORK_USERS = ("agent.model", "agent.forges")
REDACTOR = ("guardrails.redaction.redact",)

PROCESS = {"subprocess", "pty", "multiprocessing", "distributed"}
PROCESS_DOORS = {
    "agent.sources.git_program": {"subprocess"},
    "agent.batch.processes": {"multiprocessing"},
    "agent.batch.cluster": {"distributed"},
}
"""Who may reach other processes, and by what: git, this program once more, this program on a cluster."""
PROCESS_CALLS = re.compile(r"os\.(system|popen|fork|forkpty|exec\w+|spawn\w+|posix_spawn\w*)|asyncio\.create_subprocess_\w+")
NETWORK = {"socket", "ssl", "socketserver", "httpx", "requests", "aiohttp", "urllib3", "http", "ftplib", "smtplib", "xmlrpc"}
NETWORK |= {"openai", "anthropic", "urllib.request", "httpx2", "httpcore", "httpcore2"}
WORLD = {"os", "time", "random", "secrets", "uuid", "logging", "tempfile", "shutil", "glob", "threading", "asyncio", "signal"}
WORLD |= {"sys", "platform", "getpass", "sqlite3", "mmap", "fcntl", "pathlib.Path", "agent", *PROCESS, *NETWORK}
WORLD_CALLS = re.compile(r"open|io\.open|print|input|.*\.(now|utcnow|today|read_text|read_bytes|write_text|write_bytes)")
WRITES = re.compile(
    r"os\.(replace|rename|renames|link|symlink|unlink|remove|mkdir|makedirs|rmdir|removedirs|truncate|chmod|mkfifo)"
    r"|tempfile\.\w+|shutil\.(copy\w*|move|rmtree|chown|make_archive|unpack_archive)"
    r"|.*\.(write_text|write_bytes|mkdir|touch|unlink|rmdir|symlink_to|hardlink_to|chmod)"
)
DANGEROUS = re.compile(r"eval|exec|compile|__import__|(pickle|marshal|shelve|dill)\.\w+")


def begins(name: str, roots: set[str]) -> bool:
    return any(name == root or name.startswith(f"{root}.") for root in roots)


def floors(one: Module) -> Iterator[str]:
    """A unit imports only from floors below; units on one floor are strangers."""
    if one.name in PACKAGES and one.unit is None:
        yield from (f"a package root imports {name}" for name in one.imports() if begins(name, set(PACKAGES)))
        return
    if one.unit is None:
        yield "the module stands on no floor"
        return
    for name in one.imports():
        other = unit_of(name)
        if begins(name, set(PACKAGES)) and other is None and name not in PACKAGES:
            yield f"imports {name}, which stands on no floor"
        elif other is not None and other != one.unit and FLOOR_OF[other] >= FLOOR_OF[one.unit]:
            yield f"imports {name} from floor {FLOOR_OF[other]}, stands on {FLOOR_OF[one.unit]}"


def absolute_imports(one: Module) -> Iterator[str]:
    yield from (f"relative import {name}" for name in one.imports() if name.startswith("."))
    yield from ("star import" for name in one.imports() if name.endswith(".*"))


def process_door(one: Module) -> Iterator[str]:
    """Each door is for one thing, and no other way leads out."""
    barred = PROCESS - PROCESS_DOORS.get(one.name, set())
    yield from (f"imports {name}" for name in one.imports() if begins(name, barred))
    yield from (f"calls {name}" for name, _ in one.calls() if PROCESS_CALLS.fullmatch(name))


def network_door(one: Module) -> Iterator[str]:
    if not one.is_in(*NETWORK_USERS):
        yield from (f"imports {name}" for name in one.imports() if begins(name, NETWORK))


def reaching_door(one: Module) -> Iterator[str]:
    """Git reaches another repository from mirrors alone: only their configuration is ours."""
    if not one.is_in("agent.sources.git_program", "agent.sources.mirroring"):
        yield from (f"line {call.lineno}" for name, call in one.calls() if name.endswith(".reaching"))


def disk_door(one: Module) -> Iterator[str]:
    if not one.is_in(*DISK_WRITERS):
        yield from (f"calls {name}, line {call.lineno}" for name, call in one.calls() if is_write(name, call))


def is_write(name: str, call: ast.Call) -> bool:
    if name == "os.open":
        return dotted(call.args[0]) != "os.devnull" and bool(
            re.search(r"O_(WRONLY|RDWR|CREAT|APPEND|TRUNC)", ast.unparse(call))
        )
    if name in {"open", "io.open", "os.fdopen"} or name.endswith(".open"):
        position = 1 if name in {"open", "io.open", "os.fdopen"} else 0
        given = [*call.args[position : position + 1], *(word.value for word in call.keywords if word.arg == "mode")]
        return any(
            isinstance(mode, ast.Constant) and re.fullmatch(r"[rbt]*[wax+][wax+rbt]*", str(mode.value)) for mode in given
        )
    return WRITES.fullmatch(name) is not None


def purity(one: Module) -> Iterator[str]:
    """What judges does so by reading values: no process, network, disk, clock, chance, log, nor whoever acts."""
    if one.is_in("guardrails"):
        yield from (f"imports {name}" for name in one.imports() if begins(name, WORLD))
        yield from (f"calls {name}" for name, _ in one.calls() if WORLD_CALLS.fullmatch(name))


def opening_of_evidence(one: Module) -> Iterator[str]:
    """Raw evidence is opened by the redactor alone; `open` without an argument is nothing else."""
    if not one.is_in(*REDACTOR):
        yield from (f"line {c.lineno}" for name, c in one.calls() if name.endswith(".open") and not c.args and not c.keywords)
    if not one.is_in("guardrails.evidence.model"):
        reached = (
            dotted(node) for node in one.nodes(ast.Attribute) if isinstance(node, ast.Attribute) and node.attr == "_bundle"
        )
        yield from (f"reaches for {name}" for name in reached if name != "self._bundle")


def making_of_redacted_evidence(one: Module) -> Iterator[str]:
    made = {name.rpartition(".")[2] for name, _ in one.calls()}
    if "Withheld" in made and not one.is_in("guardrails.redaction"):
        yield "makes Withheld"
    if not one.is_in(*REDACTOR):
        yield from (f"makes {name}" for name in made & {"RedactedEvidence"})
        yield from (f"imports {name}" for name in one.imports() if name.endswith("._SEAL"))
        yield from ("names _SEAL" for node in one.nodes(ast.Name) if getattr(node, "id", "") == "_SEAL")
        yield from ("names _SEAL" for node in one.nodes(ast.Attribute) if getattr(node, "attr", "") == "_SEAL")


def broad_except(one: Module) -> Iterator[str]:
    if not one.is_in("agent.cli"):
        for node in one.nodes(ast.ExceptHandler):
            assert isinstance(node, ast.ExceptHandler)
            caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            if any(kind is None or dotted(kind) in {"Exception", "BaseException"} for kind in caught):
                yield f"line {node.lineno}"


def docstring(one: Module) -> Iterator[str]:
    if not ast.get_docstring(one.tree):
        yield "no docstring"


def execution_of_text(one: Module) -> Iterator[str]:
    """Values between our own processes are pickled, as `multiprocessing` does it; nothing that lies on a disk ever is."""
    if one.name == "agent.batch.line":
        return
    yield from (f"calls {name}" for name, _ in one.calls() if DANGEROUS.fullmatch(name))
    yield from (f"imports {name}" for name in one.imports() if begins(name, {"pickle", "marshal", "shelve", "dill", "yaml"}))


def making_of_findings(one: Module) -> Iterator[str]:
    """A finding is made by its code, so that every code is declared and can be explained."""
    if not one.is_in("guardrails.findings"):
        yield from (f"line {call.lineno}" for name, call in one.calls() if name.rpartition(".")[2] == "Finding")


Rule = Callable[[Module], Iterator[str]]
BROKEN: list[tuple[Rule, str, str]] = [
    (floors, "guardrails.paths", "from guardrails.records.profile import Profile"),
    (floors, "guardrails.paths", "from guardrails import digests"),
    (floors, "guardrails.wording.words", "import agent.errors"),
    (floors, "agent.store", "def f():\n    from agent import settings"),
    (floors, "agent.store", "from agent.unknown import x"),
    (floors, "agent.unknown", ""),
    (floors, "guardrails", "from guardrails.findings import Finding"),
    (absolute_imports, "agent.store", "from . import errors"),
    (absolute_imports, "agent.store", "from .errors import Failure"),
    (absolute_imports, "agent.store", "from agent.errors import *"),
    (process_door, "agent.store", "import subprocess"),
    (process_door, "agent.sources.gitlab", "from subprocess import run"),
    (process_door, "agent.cli", "import os\nos.system('ls')"),
    (process_door, "agent.cli", "import asyncio\nasyncio.create_subprocess_exec('ls')"),
    (process_door, "agent.sources.git_program", "import multiprocessing"),
    (network_door, "agent.cli", "import socket"),
    (network_door, "agent.sources.git", "def f():\n    import urllib.request"),
    (network_door, "agent.engines", "from urllib import request"),
    (network_door, "agent.commands.drafting", "from openai import OpenAI"),
    (network_door, "agent.sources.payload", "import httpx2"),
    (reaching_door, "agent.batch.mirrors", "Git.at(folder).reaching('https')"),
    (reaching_door, "agent.cli", "repository.git.reaching('file').ask('fetch')"),
    (disk_door, "agent.cli", "open('x', 'w')"),
    (disk_door, "agent.cli", "open('x', mode='r+')"),
    (disk_door, "agent.cli", "Path('x').open('ab')"),
    (disk_door, "agent.cli", "Path('x').write_text('y')"),
    (disk_door, "agent.cli", "os.open('x', os.O_CREAT | os.O_RDWR)"),
    (disk_door, "agent.cli", "shutil.copyfile('x', 'y')"),
    (disk_door, "agent.sources.git", "(a / b).unlink()"),
    (disk_door, "agent.settings", "tempfile.mkstemp()"),
    (purity, "guardrails.paths", "import os"),
    (purity, "guardrails.paths", "from os import path"),
    (purity, "guardrails.paths", "from pathlib import Path"),
    (purity, "guardrails.paths", "import logging"),
    (purity, "guardrails.paths", "from random import choice"),
    (purity, "guardrails.paths", "from datetime import datetime\ndatetime.now()"),
    (purity, "guardrails.paths", "import datetime\ndatetime.date.today()"),
    (purity, "guardrails.paths", "open('x')"),
    (purity, "guardrails.paths", "print('x')"),
    (purity, "guardrails.paths", "from agent.errors import Failure"),
    (opening_of_evidence, "agent.pipeline", "evidence.open()"),
    (opening_of_evidence, "guardrails.redaction.terms", "self.evidence.open()"),
    (opening_of_evidence, "agent.pipeline", "evidence._bundle"),
    (making_of_redacted_evidence, "agent.pipeline", "RedactedEvidence()"),
    (making_of_redacted_evidence, "agent.pipeline", "redact.Withheld()"),
    (making_of_redacted_evidence, "agent.pipeline", "from guardrails.redaction.redact import _SEAL"),
    (making_of_redacted_evidence, "agent.pipeline", "redact._SEAL"),
    (broad_except, "agent.store", "try:\n    f()\nexcept Exception:\n    pass"),
    (broad_except, "agent.store", "try:\n    f()\nexcept:\n    pass"),
    (broad_except, "agent.store", "try:\n    f()\nexcept (OSError, BaseException):\n    pass"),
    (docstring, "agent.store", "import os"),
    (execution_of_text, "agent.store", "eval('1')"),
    (execution_of_text, "agent.store", "import pickle"),
    (execution_of_text, "agent.store", "import yaml"),
    (making_of_findings, "guardrails.paths", "Finding('a', '', '')"),
]
RULES = list(dict.fromkeys(rule for rule, _, _ in BROKEN))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_house_keeps_its_rule(rule: Rule) -> None:
    assert [f"{one.name}: {fault}" for one in MODULES for fault in rule(one)] == []


@pytest.mark.parametrize(("rule", "name", "source"), BROKEN)
def test_a_module_that_breaks_a_rule_is_found(rule: Rule, name: str, source: str) -> None:
    assert list(rule(module(name, source)))


ALLOWED: list[tuple[Rule, str, str]] = [
    (floors, "guardrails.paths", "from guardrails.paths import normal\nimport json"),
    (floors, "guardrails.wording.words", "import guardrails"),
    (floors, "agent.cli", "from agent.commands import drafting\nfrom guardrails import paths"),
    (process_door, "agent.sources.git_program", "import subprocess"),
    (process_door, "agent.batch.processes", "import multiprocessing"),
    (network_door, "agent.model.openai", "import httpx"),
    (network_door, "agent.forges.transport", "import httpx2"),
    (reaching_door, "agent.sources.mirroring", "Git.at(folder).reaching('https')"),
    (disk_door, "agent.cli", "open('x')\nopen('x', 'rb')\nPath('x').open('rb')\nRepository.open(path)\nos.open(os.devnull, 1)"),
    (purity, "guardrails.paths", "from pathlib import PurePosixPath\nfrom datetime import date\nimport io"),
    (opening_of_evidence, "agent.store", "path.open('rb')"),
    (broad_except, "agent.store", "try:\n    f()\nexcept (OSError, ValueError):\n    pass"),
    (execution_of_text, "agent.store", "re.compile('x')"),
]


@pytest.mark.parametrize(("rule", "name", "source"), ALLOWED)
def test_a_module_that_keeps_a_rule_is_let_through(rule: Rule, name: str, source: str) -> None:
    assert list(rule(module(name, source))) == []


def circle(modules: tuple[Module, ...]) -> list[str]:
    """The modules of a circle of imports, the first one repeated at its end; none when there is no circle."""
    names = {one.name for one in modules}
    graph = {
        one.name: {target for name in one.imports() if (target := nearest(name, names)) and target != one.name}
        for one in modules
    }
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return [str(name) for name in error.args[1]]
    return []


def nearest(name: str, names: set[str]) -> str | None:
    """The module that an import reaches: the name itself, or the module that it is taken from."""
    return next((candidate for candidate in (name, name.rpartition(".")[0]) if candidate in names), None)


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle(MODULES) == []


def test_a_circle_is_found() -> None:
    three = (module("a.x", "import a.y"), module("a.y", "def f():\n    from a import z"), module("a.z", "from a.x import g"))
    assert circle(three)[0] == circle(three)[-1]
    assert set(circle(three)) == {"a.x", "a.y", "a.z"}
    assert circle(three[:2]) == []


def test_the_floors_are_those_that_contributing_draws() -> None:
    drawn: dict[int, tuple[str, ...]] = {}
    for number, units in re.findall(r"^ {4}([ 0-9]\d)  (\S.*)$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE):
        drawn[int(number)] = tuple(units.split(" | "))
    assert drawn == FLOORS


def test_every_unit_that_is_drawn_is_there() -> None:
    assert {unit for unit in FLOOR_OF if not any(one.is_in(unit) for one in MODULES)} == set()
