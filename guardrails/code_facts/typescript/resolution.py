"""Which file of a snapshot a specifier means, as TypeScript and its bundlers find it (Change Contracts: fact clauses).

Nothing is guessed: what the snapshot does not decide is told as a reason, and leaves absence unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from guardrails.code_facts.typescript.configuration import Configurations, Options, package
from guardrails.code_facts.typescript.packages import ASSETS, BUILT_IN, SCHEMES, exported, names
from guardrails.paths import join

_TRIED: Final = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".d.mts", ".d.cts", ".json")
_WRITTEN: Final = {
    ".js": (".ts", ".tsx", ".js", ".jsx", ".d.ts"),
    ".jsx": (".tsx", ".jsx", ".d.ts"),
    ".mjs": (".mts", ".mjs", ".d.mts"),
    ".cjs": (".cts", ".cjs", ".d.cts"),
}
"""What may stand behind an ending: sources import what they become. What is only declared comes after what is done."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The file, or `external:` and the specifier; `why` says what the snapshot leaves open, "" where nothing."""

    target: str = ""
    why: str = ""


@dataclass(slots=True)
class Resolver:
    """Resolves the specifiers of one snapshot."""

    files: Mapping[str, str]
    configurations: Configurations
    packages: dict[str, str] = field(default_factory=dict)
    """The folders of packages of this repository, by name."""
    manifests: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What the package.json of a folder says."""
    known: dict[tuple[str, str], Resolved] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the manifests."""
        for path in sorted(self.files):
            folder, _, name = path.rpartition("/")
            if name == "package.json":
                self.manifests[folder] = package(self.files[path])
                called = self.manifests[folder].get("name")
                if isinstance(called, str) and called:
                    self.packages.setdefault(called, folder)

    def resolve(self, file: str, specifier: str) -> Resolved:
        """What `specifier` means in `file`."""
        folder = file.rpartition("/")[0]
        key = (folder, specifier)
        if key not in self.known:
            self.known[key] = self._resolve(file, folder, specifier)
        return self.known[key]

    def _resolve(self, file: str, folder: str, specifier: str) -> Resolved:
        plain = specifier.partition("?")[0]
        governing = self.configurations.governing(file)
        if plain in {".", ".."} or plain.startswith(("./", "../")):
            return self._relative(folder, plain, governing)
        if plain.startswith("/"):
            return Resolved(f"external:{specifier}", "an import begins at the root of a file system or a server")
        if plain.startswith(SCHEMES):
            return Resolved(f"external:{specifier}")
        answers = {self._bare(file, plain, options) for options in governing}
        if len(answers) > 1:
            return Resolved(f"external:{specifier}", "configurations that may govern the file disagree about an import")
        return answers.pop()

    def _relative(self, folder: str, specifier: str, governing: tuple[Options, ...]) -> Resolved:
        path = join(folder, specifier)
        if path is None:
            return Resolved(why="an import leads out of the snapshot")
        found = self.file(path, is_folder=specifier.endswith(("/", "/.", "..")) or specifier == ".")
        if found is not None:
            return Resolved(found)
        if any(options.has_roots for options in governing):
            return Resolved(why="an import may lead through rootDirs")
        if _is_asset(path):
            return Resolved(path)
        return Resolved(why="an import leads to a file that the snapshot does not hold")

    def _bare(self, file: str, specifier: str, options: Options) -> Resolved:
        """What a specifier without dots means: an alias, a package of this repository, what is below the base, or external."""
        if specifier.startswith("#"):
            return self._imports(file, specifier)
        matched = _alias(options, specifier)
        based = [] if options.base is None else [join(options.base, specifier) or ""]
        own = next((name for name in names(specifier) if name in self.packages), None)
        aliased = next((one for one in map(self.file, matched or ()) if one is not None), None)
        if aliased is None and own is not None:
            return self._package(own, specifier)
        found = aliased or next((one for one in map(self.file, based) if one is not None), None)
        if found is not None:
            return Resolved(found)
        why = ""
        if matched is not None and not _is_catch_all(options, specifier):
            if matched and _is_asset(matched[0]):
                return Resolved(matched[0])
            why = "an alias leads to a file that the snapshot does not hold"
        elif (options.base is not None or options.is_open) and not self._is_declared(file, specifier):
            why = "an import is of nothing that a manifest names, and may be an alias"
        return Resolved(f"external:{specifier}", why)

    def _is_declared(self, file: str, specifier: str) -> bool:
        """Whether a manifest around the file names the package, so that it comes from outside."""
        wanted = next(names(specifier))
        folder = file
        while folder:
            folder = folder.rpartition("/")[0]
            manifest = self.manifests.get(folder, {})
            for section in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"):
                held = manifest.get(section)
                if isinstance(held, dict) and not {wanted, f"@types/{wanted}"}.isdisjoint(held):
                    return True
        return wanted in BUILT_IN

    def _package(self, name: str, specifier: str) -> Resolved:
        """An import of a package of this repository: by its exports, or by its main file, if the snapshot holds that."""
        folder, manifest = self.packages[name], self.manifests[self.packages[name]]
        inner = specifier[len(name) + 1 :]
        exports = manifest.get("exports")
        if exports is not None:
            ways = list(exported(exports, f"./{inner}" if inner else "."))
        elif inner:
            ways = [inner]
        else:
            ways = [one for key in ("types", "typings", "module", "main") if isinstance(one := manifest.get(key), str)]
            ways = ways or ["index"]
        found = {one for way in ways if (one := self.file(join(folder, way) or "")) is not None}
        if len(found) == 1 and len(ways) >= 1:
            return Resolved(found.pop())
        return Resolved(
            f"external:{specifier}", "an import is of a package of this repository whose entry is not in the snapshot"
        )

    def _imports(self, file: str, specifier: str) -> Resolved:
        folder = file.rpartition("/")[0]
        while folder and folder not in self.manifests:
            folder = folder.rpartition("/")[0]
        inner = self.manifests.get(folder, {}).get("imports")
        ways = list(exported(inner, specifier)) if isinstance(inner, dict) else []
        local = {self.file(join(folder, way) or "") for way in ways if way.startswith(".")}
        outside = {way for way in ways if not way.startswith(".")}
        if len(local) == 1 and not outside and None not in local:
            return Resolved(next(one for one in local if one is not None))
        if len(outside) == 1 and not local:
            return Resolved(f"external:{outside.pop()}")
        return Resolved(f"external:{specifier}", "an import that begins with # leads to nothing that is decided")

    def file(self, path: str, *, is_folder: bool = False) -> str | None:
        """The file that `path` means: itself, the source of what it names, with an ending added, or the index of a folder."""
        return next((one for one in self._ways(path, is_folder=is_folder) if one in self.files), None)

    def _ways(self, path: str, *, is_folder: bool) -> Iterator[str]:
        if not is_folder:
            for ending, behind in _WRITTEN.items():
                if path.endswith(ending):
                    yield from (path[: -len(ending)] + one for one in behind)
            yield path
            yield from (path + one for one in _TRIED)
        entry = self.manifests.get(path, {})
        for key in ("types", "module", "main"):
            if isinstance(entry.get(key), str):
                yield join(path, entry[key]) or ""
        yield from (f"{path}/index{one}" if path else f"index{one}" for one in _TRIED)


def _is_asset(path: str) -> bool:
    """Pictures and the like are no texts, so whether they are there is not seen; they import nothing."""
    return path.lower().endswith(ASSETS)


def _alias(options: Options, specifier: str) -> list[str] | None:
    """What the fitting pattern with the longest beginning stands for; None where none fits."""
    fitting: list[tuple[int, str, str, tuple[str, ...]]] = []
    for pattern, targets in options.paths:
        before, star, after = pattern.partition("*")
        if not star and pattern == specifier:
            return list(targets)
        if star and len(specifier) >= len(before) + len(after) and specifier.startswith(before) and specifier.endswith(after):
            fitting.append((len(before), pattern, specifier[len(before) : len(specifier) - len(after)], targets))
    if not fitting:
        return None
    _, _, middle, targets = max(fitting, key=lambda one: (one[0], one[1]))
    return [target.replace("*", middle, 1) for target in targets]


def _is_catch_all(options: Options, specifier: str) -> bool:
    """Whether only a pattern fits that fits everything, which says nothing about what is external."""
    return all(
        pattern == "*"
        for pattern, _ in options.paths
        if specifier.startswith(pattern.partition("*")[0]) and specifier.endswith(pattern.partition("*")[2])
    )
