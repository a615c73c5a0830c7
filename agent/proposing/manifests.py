"""Package manifests: which folders of a repository are packages, and how its workspaces say so (Intent Changesets 6.6)."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from guardrails import paths, strict_yaml

_ECOSYSTEMS: Final = {"pnpm-workspace.yaml": "package.json", "go.work": "go.mod"}
"""Files that only list members, and the manifests that their members have."""
_NOT_OURS: Final = frozenset(
    ("node_modules", "vendor", "third_party", "testdata", "fixtures", "tests", "test", "examples", "example", "dist", "target")
)


MAX_BYTES: Final = 1024 * 1024
"""No manifest that people write is larger."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """One manifest: its folder ("" for the root), the name of the package that it declares (None for none), and the
    patterns of the workspace members that it declares.
    """

    path: str
    folder: str
    package: str | None
    members: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """What says the same for all manifests of one ecosystem."""
        name = PurePosixPath(self.path).name
        return _ECOSYSTEMS.get(name, name)


def is_manifest(path: str) -> bool:
    """Whether a path of a repository is a manifest of its own code."""
    *folders, name = path.split("/")
    return (name in _READERS) and _NOT_OURS.isdisjoint(folders)


def read(path: str, data: bytes) -> Manifest | None:
    """The manifest in exact bytes; None when it cannot be read as what its name says."""
    folder, _, name = path.rpartition("/")
    if len(data) > MAX_BYTES:
        return None
    try:
        package, members = _READERS[name](data.decode("utf-8-sig"))
    except (ValueError, RecursionError, strict_yaml.YamlFault):
        return None
    return Manifest(path, folder, package, tuple(_below(folder, members)))


def packages(manifests: tuple[Manifest, ...]) -> tuple[Manifest, ...]:
    """The manifests that declare the repository's own packages, in the order of their folders, one for each folder.

    Where a workspace lists its members, they and the root count; elsewhere a package at the root stands for the whole.
    """
    found: dict[str, Manifest] = {}
    for kind in _READERS:
        same = [manifest for manifest in manifests if manifest.kind == kind]
        patterns = [pattern for manifest in same for pattern in manifest.members]
        declared = [manifest for manifest in same if manifest.package is not None]
        roots = [manifest for manifest in declared if not manifest.folder]
        chosen = roots or declared
        if patterns:
            chosen = [manifest for manifest in declared if not manifest.folder or _is_member(manifest.folder, patterns)]
        for manifest in chosen:
            found.setdefault(manifest.folder, manifest)
    return tuple(found[folder] for folder in sorted(found))


def _is_member(folder: str, patterns: list[str]) -> bool:
    wanted = [pattern for pattern in patterns if not pattern.startswith("!")]
    unwanted = [pattern.removeprefix("!") for pattern in patterns if pattern.startswith("!")]
    return _matches_any(folder, wanted) and not _matches_any(folder, unwanted)


def _matches_any(folder: str, patterns: list[str]) -> bool:
    return any(paths.is_glob(pattern) and paths.matches(pattern, folder) for pattern in patterns)


def _below(folder: str, members: tuple[str, ...]) -> Iterator[str]:
    """Member patterns as the repository's root sees them."""
    for member in members:
        sign = "!" if member.startswith("!") else ""
        below = paths.normal(member.removeprefix("!"))
        if below is not None:
            yield f"{sign}{folder}/{below}" if folder else sign + below


def _read_package_json(text: str) -> tuple[str | None, tuple[str, ...]]:
    content = _table(json.loads(text))
    workspaces = content.get("workspaces")
    members = _texts(workspaces.get("packages") if isinstance(workspaces, dict) else workspaces)
    # The root of a workspace that is never published only holds it together.
    is_frame = bool(members) and content.get("private") is True
    return None if is_frame else _text(content.get("name")), members


def _read_pnpm(text: str) -> tuple[str | None, tuple[str, ...]]:
    return None, _texts(_table(strict_yaml.read(text.encode()).value).get("packages"))


def _read_cargo(text: str) -> tuple[str | None, tuple[str, ...]]:
    content = tomllib.loads(text)
    workspace = _table(content.get("workspace"))
    unwanted = tuple(f"!{pattern}" for pattern in _texts(workspace.get("exclude")))
    return _text(_table(content.get("package")).get("name")), _texts(workspace.get("members")) + unwanted


def _read_pyproject(text: str) -> tuple[str | None, tuple[str, ...]]:
    content = tomllib.loads(text)
    tool = _table(content.get("tool"))
    name = _text(_table(content.get("project")).get("name")) or _text(_table(tool.get("poetry")).get("name"))
    workspace = _table(_table(tool.get("uv")).get("workspace"))
    unwanted = tuple(f"!{pattern}" for pattern in _texts(workspace.get("exclude")))
    return name, _texts(workspace.get("members")) + unwanted


def _read_go_mod(text: str) -> tuple[str | None, tuple[str, ...]]:
    modules = (line.split()[1] for line in text.splitlines() if line.startswith("module ") and len(line.split()) > 1)
    return next(modules, None), ()


def _read_go_work(text: str) -> tuple[str | None, tuple[str, ...]]:
    words = [word for line in text.splitlines() for word in line.partition("//")[0].split()]
    return None, tuple(word for word in words if word.startswith("./"))


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


_READERS: Final[Mapping[str, Callable[[str], tuple[str | None, tuple[str, ...]]]]] = {
    "package.json": _read_package_json,
    "pnpm-workspace.yaml": _read_pnpm,
    "Cargo.toml": _read_cargo,
    "pyproject.toml": _read_pyproject,
    "go.mod": _read_go_mod,
    "go.work": _read_go_work,
}
