"""The folder of a run's outputs: it holds what this run says, what people put there, and nothing of earlier runs (evidraft).

`files.json` there names what a run wrote, with digests: a file that has another digest now is somebody's work, and is kept.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Final, Protocol, TypeAlias

from agent import store
from agent.errors import InputFailure, StoreFailure
from agent.render.json_text import json_text
from agent.sources import inputs
from guardrails import paths
from guardrails.digests import sha256

LIST: Final = "files.json"
_KEPT: Final = "kept"

Digests: TypeAlias = Mapping[str, frozenset[str]]
"""Of each file, the digests of all that runs wrote there."""


class Text(Protocol):
    """What a file is to hold: a text, or one that is there as a whole only while it is written."""

    def encode(self) -> bytes:
        """Its bytes."""
        ...


def bring(
    folder: Path, files: Mapping[str, Text], *, is_taken_over: Callable[[str, bytes], bool] = lambda _path, _data: False
) -> tuple[str, ...]:
    """Let `folder` hold exactly these files, by path with forward slashes, besides those that no run wrote there.

    Returns the files that somebody had changed or put in the way: they stay, under a name that ends in `.kept`, unless all
    that was changed `is_taken_over` into the new file. What an ended run left half done is brought to its end.

    Raises:
        StoreFailure: two files would stand in one place, a link stands in the way, or the disk refused.
        InputFailure: `files.json` is no list that a run wrote.
    """
    _require_apart(files)
    root = store.folder(folder)
    before = _read(root)
    after = {path: frozenset({sha256(text.encode())}) for path, text in files.items()}
    # Whatever ends this run, the next one knows what is its own.
    _write(root, {path: before.get(path, frozenset()) | after.get(path, frozenset()) for path in {*before, *after}})
    kept = [
        *_replaced(root, files, before, is_taken_over),
        *_removed(root, [path for path in before if path not in after], before),
    ]
    _write(root, after)
    return tuple(kept)


def prepare(folder: Path, names: Collection[str]) -> None:
    """Make the folder, and see to it that files of these names can be brought there later: it may be a long way to them.

    Raises:
        StoreFailure: as `bring`.
        InputFailure: as `bring`.
    """
    _require_apart(names)
    root = store.folder(folder)
    before = _read(root)
    for name in names:
        store.read_below(root, name)
    _write(root, before)


def _replaced(
    root: Path, files: Mapping[str, Text], before: Digests, is_taken_over: Callable[[str, bytes], bool]
) -> Iterator[str]:
    for path, text in files.items():
        stands, data = store.read_below(root, path), text.encode()
        if stands == data:
            continue
        is_ours = stands is None or sha256(stands) in before.get(path, ())
        if stands is not None and not is_ours and not is_taken_over(path, stands):
            yield _set_aside(root, path, stands)
        store.write_below(root, path, data)


def _removed(root: Path, old: Collection[str], before: Digests) -> Iterator[str]:
    for path in sorted(old):
        stands = store.read_below(root, path)
        if stands is None:
            continue
        if sha256(stands) not in before[path]:
            yield _set_aside(root, path, stands)
        else:
            store.remove_below(root, path)


def _set_aside(root: Path, path: str, data: bytes) -> str:
    """Keep what stands at `path` under another name; the path that it has now."""
    place = PurePosixPath(path)
    names = (f"{place.name}.{_KEPT}{f'-{number}' if number > 1 else ''}" for number in count(1))
    name, stands = next(
        (name, stands) for name in names if (stands := store.read_below(root, str(place.with_name(name)))) in {None, data}
    )
    if stands is None:
        store.rename_below(root, path, name)
    else:
        store.remove_below(root, path)
    return str(place.with_name(name))


def _require_apart(files: Collection[str]) -> None:
    """Refuse files outside, files of one name but for capitals and forms of letters, and files where folders have to be."""
    taken: dict[str, str] = {}
    for path in (*files, LIST):
        if paths.normal(path) != path:
            raise StoreFailure("got no path below the folder of the outputs", where=path)
        folded = unicodedata.normalize("NFC", path).casefold()
        if folded in taken:
            raise StoreFailure(f"two files would be written here, {taken[folded][:80]} too", where=path)
        taken[folded] = path
    for folded, path in taken.items():
        around = next((str(one) for one in PurePosixPath(folded).parents if str(one) in taken), None)
        if around is not None:
            raise StoreFailure("a file would be written where a folder has to be", where=taken[around], cure=f"rename {path}")


def _read(root: Path) -> Digests:
    data = store.read_below(root, LIST)
    if data is None:
        return {}
    found = inputs.parse_json(data, str(root / LIST))
    told = found.get("files") if isinstance(found, dict) else None
    if not isinstance(told, dict):
        raise _no_list(root)
    digests: dict[str, frozenset[str]] = {}
    for path, known in told.items():
        each = [known] if isinstance(known, str) else known
        if paths.normal(path) != path or not isinstance(each, list) or not all(isinstance(one, str) for one in each):
            raise _no_list(root)
        digests[path] = frozenset(each)
    return digests


def _write(root: Path, digests: Digests) -> None:
    told = {path: next(iter(known)) if len(known) == 1 else sorted(known) for path, known in sorted(digests.items())}
    store.write_below(root, LIST, json_text({"files": told}).encode())


def _no_list(root: Path) -> InputFailure:
    return InputFailure("this is no list of files that a run wrote", where=str(root / LIST), cure="move it away")
