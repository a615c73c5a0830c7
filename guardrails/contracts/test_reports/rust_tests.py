"""Which file a test of Rust is of: reports name crates and modules, and no files (Change Contracts: evidence)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from guardrails.code_facts.rust.crates import Crates, Root, Target
from guardrails.code_facts.rust.modules import Module, Modules
from guardrails.code_facts.rust.provider import surveyed

_KINDS: Final = {"bin": Target.PROGRAM, "example": Target.EXAMPLE, "bench": Target.BENCH, "test": Target.TEST}


@dataclass(frozen=True)
class RustTests:
    """The tests of Rust in some texts, by what nextest calls their crates: `package`, `package::test`, `package::bin/name`."""

    texts: Mapping[str, str] = field(repr=False)

    def files(self, crate: str, name: str) -> tuple[str, ...] | None:
        """The files that define the test `name`, a path of modules, of a crate; None where no manifest here has that crate."""
        roots = self._roots(crate)
        if not roots:
            return None
        path = tuple(name.split("::"))
        found = [file for root in roots for file in self._defining(root, path)]
        # Cases of a table are called below their function.
        found = found or [file for root in roots for file in self._defining(root, path[:-1])]
        return tuple(dict.fromkeys(found))

    def root(self, crate: str) -> str | None:
        """The first file of a crate."""
        return next((root.file for root in self._roots(crate)), None)

    def _defining(self, root: Root, path: tuple[str, ...]) -> list[str]:
        if not path:
            return []
        modules = self._at.get((root.file, path[:-1]), [])
        return [module.file for module in modules if self._has(module, path[-1])]

    def _has(self, module: Module, name: str) -> bool:
        names = self._modules.names.get((module.file, module.inner))
        return names is not None and any(one.node.type == "function_item" for one in names.items.get(name, ()))

    def _roots(self, crate: str) -> list[Root]:
        package, _, inner = crate.partition("::")
        kind, slash, own = inner.partition("/")
        target = _KINDS.get(kind) if slash else Target.TEST if inner else Target.LIBRARY
        return [
            root
            for one in self._modules.crates.packages.values()
            if one.name == package.replace("-", "_")
            for root in one.roots
            if root.target is target and (not inner or root.name == (own or inner))
        ]

    @cached_property
    def _modules(self) -> Modules:
        ours = {path: text for path, text in sorted(self.texts.items()) if path.endswith(".rs")}
        surveys, _ = surveyed(ours)
        return Modules.of(Crates.of(self.texts), surveys, frozenset(ours))

    @cached_property
    def _at(self) -> Mapping[tuple[str, tuple[str, ...]], list[Module]]:
        """Modules by the file of their crate and their path in it."""
        found: dict[tuple[str, tuple[str, ...]], list[Module]] = {}
        for modules in self._modules.at.values():
            for module in modules:
                found.setdefault((module.root.file, module.path), []).append(module)
        return found
