"""The catalogue of finding codes: what `evidraft explain` prints."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType, ModuleType

import guardrails
from guardrails.findings import Code


@cache
def codes() -> Mapping[str, Code]:
    """Every code that a module of `guardrails` declares, by name, in the order of names.

    Raises:
        ValueError: two declarations share a name.
    """
    found: dict[str, Code] = {}
    for code in (code for module in _modules() for code in _declared(module)):
        if found.setdefault(code.name, code) is not code:
            raise ValueError(f"two codes are called {code.name}")
    return MappingProxyType(dict(sorted(found.items())))


def _modules() -> Iterator[ModuleType]:
    for module in pkgutil.walk_packages(guardrails.__path__, f"{guardrails.__name__}."):
        yield importlib.import_module(module.name)


def _declared(module: ModuleType) -> Iterator[Code]:
    """The codes at module level, also those in tables."""
    for value in vars(module).values():
        if isinstance(value, Code):
            yield value
        elif isinstance(value, Mapping):
            yield from (inner for inner in value.values() if isinstance(inner, Code))
