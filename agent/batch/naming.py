"""Names of releases: unique in a run, the same whenever it is planned, and safe as folders (Intent Changesets 8 and 12)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from agent.batch.release import Release
from guardrails.digests import digest_of
from guardrails.redaction import masks

_LONGEST: Final = 100
_UNSAFE: Final = re.compile(r"[^\w.+@-]", re.ASCII)
_EDGES: Final = re.compile(r"^[.-]+|\.+$")
_SHORT: Final = 7


def folder(*parts: str) -> str:
    """Parts as one path of safe words: no part leads upwards, is hidden, or looks like an option. Empty parts are left out, and
    of a mask its word is left.
    """
    return "/".join(_word(segment) for part in parts if part for segment in masks.unmasked(part).split("/"))


def of_range(spec: str) -> str:
    """A range as one word of such a path."""
    return spec.replace("/", "-")


def called(repository: str) -> str:
    """What a repository without a name is called: the end of its path or address, in which nobody writes a password."""
    place = str(Path(repository).resolve()) if repository in {"", ".", ".."} else repository
    return re.split(r"[/:]", place.rstrip("/"))[-1].removesuffix(".git") or "repository"


def unique(releases: Iterable[Release]) -> Iterator[Release]:
    """The releases with names of their own, also where capitals do not count; one that is there already is left out."""
    taken: dict[str, Release] = {}
    for release in releases:
        name, number = release.name, 1
        while (other := taken.get(name.casefold())) is not None and replace(release, name=other.name) != other:
            name = f"{release.name}-{release.head[:_SHORT]}" + (f"-{number}" if number > 1 else "")
            number += 1
        if other is None:
            taken[name.casefold()] = replace(release, name=name)
            yield taken[name.casefold()]


def _word(segment: str) -> str:
    word = _EDGES.sub("", _UNSAFE.sub("-", segment)) or "_"
    return word if len(word) <= _LONGEST else f"{word[: _LONGEST - 9]}-{digest_of(segment)[-8:]}"
