"""The repository's address and its release units, as far as git and package manifests tell (Intent Changesets 6.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from agent.proposing.manifests import Manifest
from guardrails.records.fields import is_absolute_uri, is_unit

MAX_UNITS: Final = 200
_SCP: Final = re.compile(r"(?:[^@/:\s]+@)?([A-Za-z0-9][A-Za-z0-9.-]+):/?([^\s/][^\s]*)")
_WEB: Final = frozenset(("http", "https", "ssh", "git", "git+ssh"))
_STRANGE: Final = re.compile(r"[^a-z0-9./-]+")


@dataclass(frozen=True, slots=True)
class Unit:
    """A release unit that a manifest suggests; `origin` is the manifest's path, "" when none does. `folder` "" is the root."""

    word: str
    folder: str
    origin: str
    package: str


def repository_uri(remote: str) -> str | None:
    """The https address that a remote's URL means: without credentials, port of ssh, and `.git`; None for a local path."""
    if "://" not in remote:
        parts = _SCP.fullmatch(remote)
        return _https(parts[1], parts[2]) if parts else None
    try:
        url = urlsplit(remote)
        host, port = url.hostname, url.port
    except ValueError:
        return None
    if url.scheme not in _WEB or not host:
        return None
    return _https(f"{host}:{port}" if port and url.scheme in {"http", "https"} else host, url.path)


def _https(host: str, path: str) -> str | None:
    uri = f"https://{host.lower()}/{path.strip('/').removesuffix('.git')}"
    return uri if path.strip("/") and is_absolute_uri(uri) else None


def release_units(packages: Iterable[Manifest], name: str) -> tuple[Unit, ...]:
    """One unit for each package, called by its folder; the root's by its package. Without any, one called `name`."""
    found: dict[str, Unit] = {}
    for manifest in packages:
        package = manifest.package or ""
        word = unit_word(manifest.folder or package.rpartition("/")[2]) or unit_word(name)
        if word:
            found.setdefault(word, Unit(word, manifest.folder, manifest.path, package))
    units = tuple(found.values())[:MAX_UNITS]
    return units or (Unit(unit_word(name) or "main", "", "", ""),)


def unit_word(text: str) -> str:
    """`text` as a word that a profile takes for a unit; "" when nothing of it can stand."""
    word = "/".join(part for piece in text.lower().split("/") if (part := _STRANGE.sub("-", piece).strip("-.")))
    return word if is_unit(word) else ""
