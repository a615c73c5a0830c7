"""What tsconfig.json and package.json say about where modules are (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from guardrails.code_facts.typescript.jsonc import NotJson, read_lenient
from guardrails.paths import join

_NAMES: Final = ("tsconfig.json", "jsconfig.json")
_MOST: Final = 64
"""So many configurations are followed that extend each other."""
_PROJECTS: Final = 1_000
_PATTERNS: Final = 1_000
"""So many projects one configuration may refer to, over others too, and so many patterns of paths it may have."""


@dataclass(frozen=True, slots=True)
class Options:
    """What decides how specifiers are read, paths normal and relative to the root of the snapshot."""

    base: str | None = None
    paths: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Patterns with at most one `*`, and what each stands for."""
    has_roots: bool = False
    is_open: bool = False
    """Whether a package from outside takes part in them, which may say more."""


class ConfigurationFault(ValueError):
    """A configuration that cannot be read, or extends one that is not there; the text says which and why."""


@dataclass(slots=True)
class Configurations:
    """The configurations of a snapshot by folder. Those that cannot be read are told once, in `faults`, by folder as well."""

    files: Mapping[str, str]
    options: dict[str, tuple[Options, ...]] = field(default_factory=dict)
    """For each folder that has a configuration, what may govern its files: its own, and those that it refers to."""
    faults: dict[str, str] = field(default_factory=dict)
    _held: dict[str, dict[str, Any]] = field(default_factory=dict)
    _known: dict[tuple[str, str], Options] = field(default_factory=dict)
    _named: list[tuple[str, str]] | None = None

    def __post_init__(self) -> None:
        """Read all of them."""
        for path in sorted(self.files):
            folder, _, name = path.rpartition("/")
            if name not in _NAMES or folder in self.options:
                continue
            try:
                self.options[folder] = tuple(dict.fromkeys(self._with_references(path)))
            except ConfigurationFault as fault:
                self.options[folder] = (Options(),)
                self.faults[folder] = str(fault)

    def governing(self, file: str) -> tuple[Options, ...]:
        """The options that may govern a file: those of the nearest folder that has some."""
        folder = file.rpartition("/")[0]
        while folder and folder not in self.options:
            folder = folder.rpartition("/")[0]
        return self.options.get(folder, (Options(),))

    def _with_references(self, path: str) -> Iterator[Options]:
        """What a configuration says, and each one that it refers to, over however many others."""
        left = _PROJECTS
        seen = {path}
        waiting = [path]
        while waiting:
            here = waiting.pop()
            folder = here.rpartition("/")[0]
            yield self._options(here, _MOST, folder)
            for one in self._read(here).get("references") or ():
                target = join(folder, str(one.get("path", ""))) if isinstance(one, dict) else None
                named = next((way for way in (target, f"{target}/tsconfig.json") if way in self.files), None)
                if named is None:
                    raise ConfigurationFault(f"{here} refers to a project that the snapshot does not hold")
                left -= 1
                if not left:
                    raise ConfigurationFault(f"{path} refers to more projects than are followed")
                if named not in seen:
                    seen.add(named)
                    waiting.append(named)

    def _options(self, path: str, left: int, home: str) -> Options:
        """What a configuration says for files of `home`; `left` others are followed that it extends."""
        known = self._known.get((path, home))
        if known is None:
            known = self._known[path, home] = self._composed(path, left, home)
        return known

    def _composed(self, path: str, left: int, home: str) -> Options:
        value = self._read(path)
        folder = path.rpartition("/")[0]
        options = Options()
        above = value.get("extends") or ()
        for one in (above,) if isinstance(above, str) else above:
            options = self._inherited(path, one, options, left, home)
        own = value.get("compilerOptions") or {}
        if not isinstance(own, dict):
            raise ConfigurationFault(f"{path} has compilerOptions that are no object")
        base = options.base
        if "baseUrl" in own:
            base = _place(folder, home, str(own["baseUrl"]))
            if base is None:
                raise ConfigurationFault(f"{path} has a baseUrl outside the snapshot")
        paths = _paths(path, folder if base is None else base, home, own["paths"]) if "paths" in own else options.paths
        return Options(base, paths, options.has_roots or "rootDirs" in own, options.is_open)

    def _inherited(self, path: str, extended: object, so_far: Options, left: int, home: str) -> Options:
        if not isinstance(extended, str) or not left:
            raise ConfigurationFault(f"{path} extends itself, or what is no text")
        if not extended.startswith((".", "/")):
            local = self._package(extended)
            if local is None:
                return replace(so_far, is_open=True)
            return self._merged(so_far, self._options(local, left - 1, home))
        target = join(path.rpartition("/")[0], extended)
        named = next((way for way in (target, f"{target}.json", f"{target}/tsconfig.json") if way in self.files), None)
        if named is None:
            raise ConfigurationFault(f"{path} extends a configuration that the snapshot does not hold")
        return self._merged(so_far, self._options(named, left - 1, home))

    def _package(self, specifier: str) -> str | None:
        """The file that a configuration of a package of this repository is."""
        for own, folder in self._packages():
            if f"{specifier}/".startswith(f"{own}/"):
                rest = specifier[len(own) + 1 :] or "tsconfig.json"
                ways = [join(folder, f"{rest}{end}") for end in ("", ".json", "/tsconfig.json")]
                return next((way for way in ways if way in self.files), None)
        return None

    def _packages(self) -> list[tuple[str, str]]:
        """The names of the packages of this repository with their folders, in the order of the files."""
        if self._named is None:
            places = [path.rpartition("/")[0] for path in self.files if path.rpartition("/")[2] == "package.json"]
            manifests = ((package(self.files[f"{one}/package.json" if one else "package.json"]), one) for one in places)
            self._named = [(name, one) for held, one in manifests if isinstance(name := held.get("name"), str) and name]
        return self._named

    @staticmethod
    def _merged(one: Options, other: Options) -> Options:
        return Options(
            one.base if other.base is None else other.base,
            other.paths or one.paths,
            one.has_roots or other.has_roots,
            one.is_open or other.is_open,
        )

    def _read(self, path: str) -> dict[str, Any]:
        held = self._held.get(path)
        if held is None:
            try:
                held = read_lenient(self.files[path])
            except NotJson as fault:
                raise ConfigurationFault(f"{path} cannot be read: {fault}") from None
            if not isinstance(held, dict):
                raise ConfigurationFault(f"{path} is no object")
            self._held[path] = held
        return held


def package(text: str) -> dict[str, Any]:
    """What a package.json says; nothing where it cannot be read."""
    try:
        value = read_lenient(text)
    except NotJson:
        return {}
    return value if isinstance(value, dict) else {}


def _place(folder: str, home: str, relative: str) -> str | None:
    """Seen from `folder`, or from the folder of the configuration that all the others are extended by."""
    own, inner = relative.startswith("${configDir}"), relative.removeprefix("${configDir}")
    return join(home if own else folder, inner)


def _paths(path: str, base: str, home: str, given: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(given, dict):
        raise ConfigurationFault(f"{path} has paths that are no object")
    if len(given) > _PATTERNS:
        raise ConfigurationFault(f"{path} has more than {_PATTERNS} paths")
    found: list[tuple[str, tuple[str, ...]]] = []
    for pattern, targets in given.items():
        if not isinstance(targets, list) or not all(isinstance(one, str) for one in targets) or pattern.count("*") > 1:
            raise ConfigurationFault(f"{path} has paths that TypeScript does not read")
        ways = tuple(way for way in (_place(base, home, one) for one in targets) if way is not None)
        found.append((pattern, ways))
    return tuple(found)
