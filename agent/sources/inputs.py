"""Files and standard input that a person names: bounded bytes, strict JSON and YAML (Intent Changesets 11.1, 12)."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, Final

from agent.errors import InputFailure
from guardrails import strict_yaml

STANDARD_INPUT: Final = "-"
MAX_BYTES: Final = 8 * 1024 * 1024
MAX_DEPTH: Final = 64


def read(path: str) -> bytes:
    """The bytes of a file, a pipe, or standard input (`-`), at most `MAX_BYTES`.

    Raises:
        InputFailure: it cannot be read, is a folder, or is too large.
    """
    try:
        if path == STANDARD_INPUT:
            return _bounded(sys.stdin.buffer, "standard input")
        with Path(path).open("rb") as file:
            return _bounded(file, path)
    except OSError as error:
        raise InputFailure(f"could not be read: {error.strerror or error}", where=path) from None


def read_below(root: Path, path: str) -> bytes | None:
    """The bytes of the file `path` in the work tree at `root`; None when there is none.

    Raises:
        InputFailure: as `read`, or it is reached through a symbolic link out of the root.
    """
    top = root.resolve()
    place = (top / path).resolve()
    if not place.is_relative_to(top):
        raise InputFailure("this lies outside the repository", where=path, cure="remove the link or the `..` that leads there")
    return read(str(place)) if place.is_file() else None


def parse_json(data: bytes, where: str) -> Any:
    """The value of strict JSON: UTF-8, no key twice, no NaN or infinity, no lone surrogate, at most `MAX_DEPTH` levels.

    Raises:
        InputFailure: with what is wrong and, where known, the line.
    """
    try:
        value = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_mapping, parse_constant=_no_constant)
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise InputFailure("this is not UTF-8", where=f"{where}, byte {error.start}") from None
    except UnicodeEncodeError:
        raise InputFailure("a text holds half a surrogate pair", where=where) from None
    except json.JSONDecodeError as error:
        raise InputFailure(f"this is not JSON: {error.msg}", where=f"{where}, line {error.lineno}") from None
    except ValueError as error:
        raise InputFailure(f"this JSON is refused: {error}", where=where) from None
    except RecursionError:
        raise _too_deep(where) from None
    if _is_deeper(value, MAX_DEPTH):
        raise _too_deep(where)
    return value


def parse_yaml(data: bytes, where: str, *, first_line: int = 1) -> Any:
    """The value of a strict YAML document; `first_line` is where `data` begins in the file.

    Raises:
        InputFailure: with what is wrong and the line.
    """
    try:
        return strict_yaml.read(data).value
    except strict_yaml.YamlFault as fault:
        line = fault.finding.line
        place = where if line is None else f"{where}, line {line + first_line - 1}"
        raise InputFailure(f"this YAML is refused: {fault.finding.message}", where=place) from None


def _bounded(file: BinaryIO, where: str) -> bytes:
    data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InputFailure(f"this is larger than {MAX_BYTES} bytes", where=where, cure="hand over the part that matters")
    return data


def _mapping(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    mapping: dict[str, object] = {}
    for key, value in pairs:
        if key in mapping:
            raise ValueError(f"key {key[:100]!r} stands twice")
        mapping[key] = value
    return mapping


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


def _too_deep(where: str) -> InputFailure:
    return InputFailure(f"this is nested deeper than {MAX_DEPTH} levels", where=where)


def _is_deeper(value: object, levels: int) -> bool:
    """Whether `value` nests more than `levels` deep; level by level, so that depth costs no stack."""
    level = [value]
    for _ in range(levels):
        level = [child for item in level for child in _children(item) if isinstance(child, dict | list)]
    return bool(level)


def _children(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
