"""Every finding code of the project is declared once, explained, and raised by some test."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import agent.commands
import guardrails
from guardrails.findings import Code

TESTS = Path(__file__).parent


def loaded() -> list[ModuleType]:
    """Every module that may declare a code: all that judge, and the commands."""
    packages = ((agent.commands, "agent.commands."), (guardrails, "guardrails."))
    names = [found.name for package, prefix in packages for found in pkgutil.walk_packages(package.__path__, prefix)]
    return [importlib.import_module(name) for name in names]


def declared(modules: list[ModuleType]) -> dict[str, set[int]]:
    """Each code's name and the declarations that bear it."""
    found: dict[str, set[int]] = {}
    for code in codes(modules):
        found.setdefault(code.name, set()).add(id(code))
    return found


def codes(modules: list[ModuleType]) -> Iterator[Code]:
    """The codes at module level, also those in tables."""
    for one in modules:
        for value in vars(one).values():
            inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else (value,)
            yield from (item for item in inner if isinstance(item, Code))


def faults(code: Code) -> list[str]:
    found = [] if re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", code.name) else [f"{code.name} is not kebab-case"]
    found += [
        f"{code.name} has no whole {part}" for part in ("summary", "cure") if not getattr(code, part).strip().endswith(".")
    ]
    return found if code.section.strip() else [*found, f"{code.name} names no section"]


def unproved(names: set[str], text: str) -> list[str]:
    """The codes that `text` names neither as they are nor as a constant."""
    words = set(re.findall(r"[A-Za-z0-9_-]+", text))
    return sorted(code for code in names if code not in words and code.upper().replace("-", "_") not in words)


def test_every_code_is_declared_once() -> None:
    names = declared(loaded())
    assert len(names) > 50
    assert [name for name, declarations in names.items() if len(declarations) > 1] == []


def test_every_code_says_what_is_wrong_and_what_to_do() -> None:
    assert [fault for code in set(codes(loaded())) for fault in faults(code)] == []


def test_every_code_is_named_by_a_test() -> None:
    proofs = [path for pattern in ("*.py", "*.yaml", "*.json") for path in TESTS.rglob(pattern)]
    assert unproved(set(declared(loaded())), "\n".join(path.read_text("utf-8", "replace") for path in proofs)) == []


def test_a_code_declared_twice_unexplained_or_unproved_is_found() -> None:
    one, two = ModuleType("one"), ModuleType("two")
    one.__dict__["X"] = Code(name="x-y", summary="S.", cure="C.", section="s")
    two.__dict__["Z"] = {"x": one.__dict__["X"]}
    assert len(declared([one, two])["x-y"]) == 1
    two.__dict__["Z"] = Code(name="x-y", summary="S.", cure="C.", section="s")
    assert len(declared([one, two])["x-y"]) == 2
    assert len(faults(Code(name="Not_Kebab", summary="", cure="no stop", section=""))) == 4
    assert unproved({"x-y"}, "x-z x_y") == ["x-y"]
    assert unproved({"x-y"}, "X_Y") == unproved({"x-y"}, "a x-y b") == []
