"""Package manifests: which dependencies they name, or why that cannot be told (Change Contracts: schema 0.3, dependencies).

A manifest is read by what its name ends in, whatever folder it lies in. Nothing is installed, resolved or followed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from guardrails.contracts.package_manifests import cargo, go, npm, pyproject, requirements
from guardrails.contracts.package_manifests.listed import Listed, Unreadable, folded

__all__ = ["MAX_CHARACTERS", "Listed", "Unreadable", "folded", "is_manifest", "is_python", "read"]

MAX_CHARACTERS: Final = 1024 * 1024
"""No manifest that people keep is longer; reading one takes seconds at most."""
_READERS: Final[Mapping[str, Callable[[str], Listed]]] = {
    "package.json": npm.read,
    "go.mod": go.read,
    "Cargo.toml": cargo.read,
    "pyproject.toml": pyproject.read,
}
_PYTHON: Final = (pyproject.read, requirements.read)


def is_manifest(path: str) -> bool:
    """Whether a path is that of a manifest."""
    return _reader(path) is not None


def is_python(path: str) -> bool:
    """Whether a manifest names Python packages, whose names are compared in their folded form."""
    return _reader(path) in _PYTHON


def read(path: str, text: str) -> Listed:
    """What the manifest at `path` names.

    Raises:
        Unreadable: it is not what its name says, or is too large or too deep; the message says why and quotes a key at most.
    """
    reader = _reader(path)
    if reader is None:
        raise Unreadable("this is no package manifest")
    if len(text) > MAX_CHARACTERS:
        raise Unreadable(f"this is longer than {MAX_CHARACTERS} characters")
    try:
        return reader(text)
    except RecursionError:
        raise Unreadable("this is nested too deep") from None


def _reader(path: str) -> Callable[[str], Listed] | None:
    name = path.rpartition("/")[2]
    if name.startswith("requirements") and name.endswith(".txt"):
        return requirements.read
    return _READERS.get(name)
