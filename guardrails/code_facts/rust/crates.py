"""What `Cargo.toml` says of crates: roots, names, editions, dependencies (Change Contracts: fact clauses)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from guardrails.paths import join

MAX_CHARACTERS: Final = 1_000_000
_LONG_KEY: Final = re.compile(r"(?:[^.\n]*\.){256}")
"""The reader of TOML needs memory with the square of the parts of a key."""
_SECTIONS: Final = ("dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies")


class Target(StrEnum):
    """What a root is compiled into."""

    LIBRARY = "lib"
    PROGRAM = "bin"
    EXAMPLE = "example"
    TEST = "test"
    BENCH = "bench"
    BUILD = "build"
    LOOSE = "loose"
    """Nothing that a manifest tells: whatever is a root because no other file names it."""


_FOUND: Final[Mapping[Target, tuple[str, str]]] = {
    Target.PROGRAM: ("bin", "src/bin"),
    Target.EXAMPLE: ("example", "examples"),
    Target.TEST: ("test", "tests"),
    Target.BENCH: ("bench", "benches"),
}
"""How the manifest calls them, and the folder in which they are found without being named."""


@dataclass(frozen=True, slots=True)
class Root:
    """The first file of a crate; whether `cargo test` runs the tests in it."""

    file: str
    target: Target = Target.LOOSE
    package: str | None = None
    """The folder of its package; None where there is none."""
    runs_tests: bool = True
    name: str = ""
    """How the manifest, or where the file lies, calls the crate."""


@dataclass(frozen=True, slots=True)
class Package:
    """One package: its names, its edition, and its dependencies by the names that its code gives them."""

    folder: str
    name: str
    library: str
    edition: str
    roots: tuple[Root, ...]
    crates: dict[str, str | None] = field(default_factory=dict)
    """The folder of a package of this repository, None for what comes from elsewhere."""


@dataclass(slots=True)
class Crates:
    """The packages of a snapshot by folder, and the folders whose manifest cannot be read, with why."""

    packages: dict[str, Package] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Mapping[str, str]) -> Crates:
        """Read every manifest of `files`."""
        manifests: dict[str, dict[str, Any]] = {}
        held = _held(files)
        result = cls()
        for path in sorted(path for path in files if path.rpartition("/")[2] == "Cargo.toml"):
            folder = path.rpartition("/")[0]
            read = _read(files[path])
            if read is None:
                result.faults[folder] = f"{path} cannot be read, and so not what its crates are called and depend on"
            else:
                manifests[folder] = read
        for folder, manifest in manifests.items():
            if isinstance(manifest.get("package"), dict):
                result.packages[folder] = _package(folder, manifest, _workspace(folder, manifests), held)
        for package in result.packages.values():
            for name, place in list(package.crates.items()):
                other = None if place is None else result.packages.get(place)
                if other is not None and name == other.name != other.library:
                    # Unless it is renamed, a crate is called as its library calls itself.
                    package.crates[other.library] = package.crates.pop(name)
        return result

    def around(self, file: str) -> Package | None:
        """The package whose folder holds `file`, the innermost one."""
        folder = file
        while folder:
            folder = folder.rpartition("/")[0]
            if folder in self.packages:
                return self.packages[folder]
        return None

    def library(self, folder: str | None) -> str | None:
        """The root of the library of a package."""
        package = None if folder is None else self.packages.get(folder)
        roots = () if package is None else package.roots
        return next((root.file for root in roots if root.target is Target.LIBRARY), None)


@dataclass(frozen=True, slots=True)
class _Held:
    """What folders hold: all files, and the roots of crates that a folder of such has: its files, and main files one deeper."""

    files: Mapping[str, str]
    roots: Mapping[str, list[str]]


def _held(files: Mapping[str, str]) -> _Held:
    roots: dict[str, list[str]] = {}
    for path in sorted(path for path in files if path.endswith(".rs")):
        folder, _, name = path.rpartition("/")
        roots.setdefault(folder, []).append(path)
        if name == "main.rs":
            roots.setdefault(folder.rpartition("/")[0], []).append(path)
    return _Held(files, roots)


def _read(text: str) -> dict[str, Any] | None:
    if len(text) > MAX_CHARACTERS or _LONG_KEY.search(text):
        return None
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _workspace(folder: str, manifests: Mapping[str, dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    """The workspace that a package belongs to, by its folder; an empty one where there is none."""
    named = _table(manifests[folder].get("package")).get("workspace")
    if isinstance(named, str):
        home = join(folder, named)
        return (home or "", _table(manifests.get(home or "", {}).get("workspace")))
    while True:
        if isinstance(manifests.get(folder, {}).get("workspace"), dict):
            return folder, manifests[folder]["workspace"]
        if not folder:
            return "", {}
        folder = folder.rpartition("/")[0]


def _package(folder: str, manifest: dict[str, Any], workspace: tuple[str, dict[str, Any]], held: _Held) -> Package:
    package, library = _table(manifest.get("package")), _table(manifest.get("lib"))
    name = str(package.get("name", "")).replace("-", "_")
    edition = package.get("edition", "2015")
    if isinstance(edition, dict):
        edition = _table(workspace[1].get("package")).get("edition", "2015")
    return Package(
        folder,
        name,
        str(library.get("name", name)).replace("-", "_"),
        str(edition),
        tuple(_roots(folder, manifest, held)),
        dict(_crates(folder, manifest, workspace)),
    )


def _roots(folder: str, manifest: dict[str, Any], held: _Held) -> Iterator[Root]:
    """Every file that a crate of the package begins with, in the order in which they are looked for."""
    package = _table(manifest.get("package"))
    met: set[str] = set()
    for target, path, table in _named(folder, manifest, package, held):
        if path in held.files and path not in met:
            met.add(path)
            runs = target in {Target.LIBRARY, Target.PROGRAM, Target.TEST} or table.get("test") is True
            is_run = runs and table.get("test") is not False and table.get("harness") is not False
            yield Root(path, target, folder, is_run, str(table.get("name") or _called(path, package)))


def _called(path: str, package: dict[str, Any]) -> str:
    """What a root that is found is called: as its file, or as the folder of a main file, or as the package."""
    steps = path.removesuffix(".rs").split("/")
    if steps[-1] == "main" and len(steps) > 1 and steps[-2] != "src":
        return steps[-2]
    return str(package.get("name", "")) if steps[-1] in {"main", "lib"} else steps[-1]


def _named(
    folder: str, manifest: dict[str, Any], package: dict[str, Any], held: _Held
) -> Iterator[tuple[Target, str, dict[str, Any]]]:
    library = _table(manifest.get("lib"))
    yield Target.LIBRARY, join(folder, str(library.get("path", "src/lib.rs"))) or "", library
    for target, (word, place) in _FOUND.items():
        listed = manifest.get(word)
        for table in listed if isinstance(listed, list) else ():
            own = _table(table)
            name, path = str(own.get("name", "")), own.get("path")
            ways = [str(path)] if path is not None else [f"{place}/{name}.rs", f"{place}/{name}/main.rs"]
            if target is Target.PROGRAM and path is None:
                ways.append("src/main.rs")
            found = [way for one in ways if (way := join(folder, one)) in held.files and way is not None]
            yield from ((target, one, own) for one in found[:1])
        if package.get(f"auto{word}s" if word != "bench" else "autobenches") is not False:
            if target is Target.PROGRAM:
                yield target, join(folder, "src/main.rs") or "", {}
            yield from ((target, one, {}) for one in held.roots.get(join(folder, place) or "", ()))
    build = package.get("build", "build.rs")
    if isinstance(build, str):
        yield Target.BUILD, join(folder, build) or "", {}


def _crates(folder: str, manifest: dict[str, Any], workspace: tuple[str, dict[str, Any]]) -> Iterator[tuple[str, str | None]]:
    targets = _table(manifest.get("target"))
    shared = _table(workspace[1].get("dependencies"))
    for place in (manifest, *(_table(one) for one in targets.values())):
        for section in _SECTIONS:
            for name, wanted in _table(place.get(section)).items():
                home, told = folder, wanted
                if isinstance(wanted, dict) and wanted.get("workspace") is True:
                    home, told = workspace[0], shared.get(name)
                path = _table(told).get("path")
                yield name.replace("-", "_"), join(home, path) if isinstance(path, str) else None


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
