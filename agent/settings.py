"""Settings: configuration at the base revision, then `EVIDRAFT_*` variables, then flags; the later one wins.

The caller reads the configuration's bytes at the *base* revision, so that no change under review can widen what is trusted.
Where records and decisions lie is said here or by the profile and never guessed (Intent Changesets 5).
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import PydanticCustomError

from agent.errors import ConfigurationFailure
from guardrails import paths
from guardrails.shapes import StrictShape

FILES: Final = ("evidraft.toml", "pyproject.toml")
"""Where configuration may stand in a repository; in pyproject.toml as `[tool.evidraft]`. Never in both."""

MAX_BYTES: Final = 1024 * 1024
_PREFIX: Final = "EVIDRAFT_"
_LISTS: Final = frozenset({"decisions"})
_PLACES: Final = ("profile", "policy", "decisions")


def _printable(text: str) -> str:
    if not text.isprintable():
        raise PydanticCustomError("not-printable", "String should hold printable characters only")
    return text


_Text = Annotated[str, Field(min_length=1, max_length=1_000), AfterValidator(_printable)]


class _Table(StrictShape):
    """One layer of settings; what it does not name stays as the layer below says."""

    profile: _Text | None = None
    policy: _Text | None = None
    model: _Text | None = None
    decisions: Annotated[tuple[_Text, ...], Field(max_length=100, strict=False)] | None = None
    rules: dict[str, Any] | None = None


_KEYS: Final = tuple(_Table.model_fields)
_VARIABLES: Final = {_PREFIX + key.upper(): key for key in _KEYS if key != "rules"}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run is told.

    `profile` and `policy` are paths, `decisions` path patterns of decision records, `model` a drafter's name, `rules` the raw
    table for `guardrails.resolving.rules`. `origins` says for each key that was set where: a file, a variable or a flag.
    """

    profile: str | None = None
    policy: str | None = None
    model: str = "extractive"
    decisions: tuple[str, ...] = ()
    rules: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    origins: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def is_repository_path(self, key: str) -> bool:
        """Whether configuration names the path under `key`, so that it lies in the repository and not elsewhere on the disk."""
        return key in self.origins and _is_file(self.origins[key])


def load(files: Mapping[str, bytes], environ: Mapping[str, str], flags: Mapping[str, object]) -> Settings:
    """Settings out of `files` (name to exact bytes at the base revision), the environment, and flags by key (None: not given).

    Raises:
        ConfigurationFailure: a file is no TOML, too large or one of two; a key is unknown; a value has the wrong form.
    """
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for key, value, origin in (*_from_files(files), *_from_environment(environ), *_from_flags(flags)):
        values[key] = value
        origins[key] = origin
    return Settings(**values, origins=MappingProxyType(origins))


def _from_files(files: Mapping[str, bytes]) -> Iterator[tuple[str, object, str]]:
    tables = {name: table for name, data in files.items() if (table := _table(name, data)) is not None}
    if len(tables) > 1:
        raise ConfigurationFailure(
            "configuration stands in more than one file", where=" and ".join(tables), cure="keep one of them"
        )
    for name, table in tables.items():
        for key, value in _checked(table, name):
            if key in _PLACES:
                _require_below_root(key, value, name)
            yield key, value, name


def _from_environment(environ: Mapping[str, str]) -> Iterator[tuple[str, object, str]]:
    for name in sorted(environ):
        if not name.startswith(_PREFIX) or not environ[name]:
            continue
        if name not in _VARIABLES:
            raise _unknown(name, "the environment", tuple(_VARIABLES))
        key, text = _VARIABLES[name], environ[name]
        value = tuple(part.strip() for part in text.split(",")) if key in _LISTS else text
        yield from ((key, checked, name) for key, checked in _checked({key: value}, name))


def _from_flags(flags: Mapping[str, object]) -> Iterator[tuple[str, object, str]]:
    for key, value in flags.items():
        if value is not None:
            yield from ((key, checked, f"--{key}") for key, checked in _checked({key: value}, f"--{key}"))


def _table(name: str, data: bytes) -> Mapping[str, object] | None:
    """The settings that a file holds; None when a pyproject.toml has no table of ours."""
    if len(data) > MAX_BYTES:
        raise ConfigurationFailure(f"{len(data)} bytes, at most {MAX_BYTES} are read", where=name)
    try:
        content = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigurationFailure("this is not UTF-8", where=f"{name}, byte {error.start}") from None
    except ValueError as error:
        raise ConfigurationFailure(f"this is not TOML: {error}", where=name) from None
    except RecursionError:
        raise ConfigurationFailure("this is nested too deeply", where=name) from None
    if PurePosixPath(name).name != "pyproject.toml":
        return content
    tool = content.get("tool")
    table = tool.get("evidraft") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigurationFailure("got a value, expected a table", where=f"{name}: tool.evidraft")
    return table


def _checked(table: Mapping[str, object], origin: str) -> Iterator[tuple[str, Any]]:
    """The keys of `table` that are set, each of the right form."""
    for key in table:
        if key not in _KEYS:
            raise _unknown(key, origin, _KEYS)
    try:
        shape = _Table.model_validate(dict(table))
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in fault["loc"])
        raise ConfigurationFailure(fault["msg"], where=f"{origin}: {place}" if _is_file(origin) else origin) from None
    yield from ((key, getattr(shape, key)) for key in table)


def _is_file(origin: str) -> bool:
    return not origin.startswith(("--", _PREFIX))


def _require_below_root(key: str, value: str | tuple[str, ...], origin: str) -> None:
    for path in (value,) if isinstance(value, str) else value:
        if paths.normal(path) is None:
            raise ConfigurationFailure(f"got {path!r}, expected a path below the repository's root", where=f"{origin}: {key}")


def _unknown(name: str, origin: str, known: tuple[str, ...]) -> ConfigurationFailure:
    near = difflib.get_close_matches(name, known, n=1)
    return ConfigurationFailure(
        f"unknown key {name[:100]!r}",
        where=origin,
        cure=f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}",
    )
