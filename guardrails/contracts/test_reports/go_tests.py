"""Which file a test of Go is of: reports name packages and no files (Change Contracts: evidence)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from guardrails.code_facts.go.modules import Module, Modules
from guardrails.code_facts.go.provider import Go
from guardrails.code_facts.model import Fact, Kind
from guardrails.paths import join

_PROCESSORS: Final = re.compile(r"-\d+$")
"""What benchmarks have behind their names."""
_Files = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class GoTests:
    """The tests of Go in some texts, by the paths of their packages."""

    texts: Mapping[str, str] = field(repr=False)

    def files(self, package: str, name: str) -> tuple[str, ...] | None:
        """The files that define the test `name` of a package; None where no module here has one with that path."""
        folders = self._folders(package)
        if len(folders) != 1:
            return None
        top = name.partition("/")[0]
        tests, functions = self._defined(folders[0])
        names = (top, _PROCESSORS.sub("", top))
        # A test that begins by skipping itself is none, and a report tells of it nevertheless.
        return next((told[one] for told in (tests, functions) for one in names if one in told), ())

    def _folders(self, package: str) -> list[str]:
        """The folders with tests that `package` may mean: one, unless modules share a path."""
        if package not in self._known:
            self._known[package] = sorted(set(self._meant(package)))
        return self._known[package]

    def _meant(self, package: str) -> Iterator[str]:
        for home, module in self._modules.modules.items():
            if isinstance(module, Module) and (package == module.path or package.startswith(f"{module.path}/")):
                folder = join(home, package[len(module.path) + 1 :])
                if folder is not None and folder in self._tested and self._modules.governing(folder) == home:
                    yield folder

    def _defined(self, folder: str) -> tuple[_Files, _Files]:
        """The files that define the tests of a folder, and those that declare its other functions, by their names."""
        if folder not in self._read:
            files = {path: self.texts[path] for path in self._tested[folder]}
            facts = Go().read(files, frozenset({Kind.TEST_DEFINITION, Kind.SYMBOL})).facts
            self._read[folder] = _by_name(facts, Kind.TEST_DEFINITION), _by_name(facts, Kind.SYMBOL)
        return self._read[folder]

    @cached_property
    def _modules(self) -> Modules:
        return Modules(self.texts)

    @cached_property
    def _tested(self) -> Mapping[str, list[str]]:
        """The files of tests in each folder."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.texts):
            if path.endswith("_test.go"):
                found.setdefault(path.rpartition("/")[0], []).append(path)
        return found

    @cached_property
    def _known(self) -> dict[str, list[str]]:
        return {}

    @cached_property
    def _read(self) -> dict[str, tuple[_Files, _Files]]:
        return {}


def _by_name(facts: Iterable[Fact], kind: Kind) -> _Files:
    found: dict[str, list[str]] = {}
    for fact in facts:
        if fact.kind is kind:
            found.setdefault(fact.name, []).append(fact.file)
    return {name: tuple(paths) for name, paths in found.items()}
