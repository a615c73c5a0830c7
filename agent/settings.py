"""Settings: configuration at the base revision, then `EVIDRAFT_*` variables, then flags; the later one wins.

The caller reads the configuration's bytes at the *base* revision, so that no change under review can widen what is trusted.
Where records lie is said by the profile that is named here, and never guessed (Intent Changesets 5).
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, ConfigDict, Field, ValidationError

from agent.errors import ConfigurationFailure
from guardrails import paths
from guardrails.shapes import StrictShape

MAX_BYTES: Final = 1024 * 1024
_PREFIX: Final = "EVIDRAFT_"
_PLACES: Final = ("profile", "policy")
_SHARED: Final = "pyproject.toml"
_ENDPOINT_KEY: Final = "EVIDRAFT_ENDPOINT_KEY"
"""A variable of ours that is no setting: the key for a server of one's own, read by who asks that server."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run is told.

    `profile` and `policy` are paths below the repository's root, as configuration names them. Where a person named one by flag
    or variable, it is a path on their machine, `profile_from_person` or `policy_from_person`, and that one counts. `model` is
    a drafter's name; `shape` the one that envelopes have where a caller says nothing ("ask" for a question), `repository` the
    one that they name ("owner/name"); `rules` the raw table for `guardrails.resolving.rules`, `origin` the file's name, "" for
    no file. `max_cost` (US dollars), `max_tokens`, `jobs` (calls at once) and `timeout` (seconds a draft) bound what a drafter
    is asked.
    """

    profile: str | None = None
    policy: str | None = None
    model: str = "extractive"
    shape: str | None = None
    repository: str | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    jobs: int = 4
    timeout: float = 600.0
    rules: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    origin: str = ""
    profile_from_person: Path | None = None
    policy_from_person: Path | None = None


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("Text should hold printable characters only")
    return text


_Text = Annotated[str, Field(min_length=1, max_length=1_000), AfterValidator(_printable)]


def _dashed(name: str) -> str:
    return name.replace("_", "-")


class _Table(StrictShape):
    """What a configuration file may say."""

    model_config = ConfigDict(alias_generator=_dashed)

    profile: _Text | None = None
    policy: _Text | None = None
    model: _Text = "extractive"
    shape: Literal["ask", "single", "itemized"] | None = None
    repository: Annotated[str, Field(pattern=r"^[\w.-]+(?:/[\w.-]+)+$", max_length=500)] | None = None
    max_cost: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    max_tokens: Annotated[int, Field(ge=0)] | None = None
    jobs: Annotated[int, Field(ge=1, le=256)] = 4
    timeout: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 600.0
    rules: dict[str, Any] = Field(default_factory=dict)


_KEYS: Final = tuple(map(_dashed, _Table.model_fields))
_NUMBERS: Final[Mapping[str, Callable[[str], object]]] = {"max-cost": float, "max-tokens": int, "jobs": int, "timeout": float}
_SAID: Final = ("model", "shape", "repository", *_NUMBERS)
"""What variables and flags may say besides places."""
_VARIABLES: Final = {_PREFIX + key.upper().replace("-", "_"): key for key in (*_PLACES, *_SAID)}


def load(data: bytes | None, origin: str, environ: Mapping[str, str], flags: Mapping[str, object]) -> Settings:
    """Settings out of a configuration file's exact bytes (None for no file), the environment, and flags by key.

    `origin` names the file; in a pyproject.toml the table `[tool.evidraft]` counts. A flag that is None was not given.

    Raises:
        ConfigurationFailure: the file is too large or no TOML; a key or variable is unknown; a value has the wrong form.
    """
    table = _shaped({} if data is None else _table(data, origin), origin)
    for key in _PLACES:
        _require_below_root(getattr(table, key), f"{origin}: {key}")
    said = {**_from_environment(environ), **{key: value for key, value in flags.items() if value is not None}}
    told = _shaped({**table.model_dump(by_alias=True), **{key: said[key] for key in _SAID if key in said}}, "the command line")
    return Settings(
        profile=table.profile,
        policy=table.policy,
        model=told.model,
        shape=told.shape,
        repository=told.repository,
        max_cost=told.max_cost,
        max_tokens=told.max_tokens,
        jobs=told.jobs,
        timeout=told.timeout,
        rules=MappingProxyType(table.rules),
        origin="" if data is None else origin,
        profile_from_person=_place(said.get("profile")),
        policy_from_person=_place(said.get("policy")),
    )


def says_something(data: bytes, name: str) -> bool:
    """Whether a file holds settings of ours: any evidraft.toml, and a pyproject.toml with a table of ours.

    A pyproject.toml that nobody can read and that never names us belongs to others; `load` tells what is wrong with any other.
    """
    if PurePosixPath(name).name != _SHARED:
        return True
    if b"evidraft" not in data and b"\\" not in data:  # nor is it written with escapes
        return False
    try:
        return bool(_table(data, name))
    except ConfigurationFailure:
        return b"evidraft" in data


def _from_environment(environ: Mapping[str, str]) -> dict[str, object]:
    """What variables of ours say; an empty one says nothing."""
    said: dict[str, object] = {}
    for name in sorted(environ):
        if not name.startswith(_PREFIX) or not environ[name] or name == _ENDPOINT_KEY:
            continue
        if name not in _VARIABLES:
            raise _unknown(name, "the environment", tuple(_VARIABLES))
        key = _VARIABLES[name]
        said[key] = environ[name] if key in _PLACES else _checked(key, environ[name])
    return said


def _checked(key: str, text: str) -> object:
    """What a variable says, as a value that this key may have."""
    try:
        value = _NUMBERS.get(key, str)(text)
    except ValueError:
        raise ConfigurationFailure("got no number", where=f"the environment: {key}") from None
    return _shaped({key: value}, "the environment").model_dump(by_alias=True)[key]


def _place(said: object) -> Path | None:
    return None if said is None else Path(str(said))


def _table(data: bytes, name: str) -> Mapping[str, object]:
    """The settings that a file holds; none when a pyproject.toml has no table of ours."""
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
    if PurePosixPath(name).name != _SHARED:
        return content
    tool = content.get("tool")
    table = tool.get("evidraft", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise ConfigurationFailure("got a value, expected a table", where=f"{name}: tool.evidraft")
    return table


def _shaped(table: Mapping[str, object], origin: str) -> _Table:
    for key in table:
        if key not in _KEYS:
            raise _unknown(key, origin, _KEYS)
    try:
        return _Table.model_validate(dict(table))
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in fault["loc"])
        raise ConfigurationFailure(fault["msg"].removeprefix("Value error, "), where=f"{origin}: {place}") from None


def _require_below_root(path: str | None, where: str) -> None:
    if path is not None and paths.normal(path) is None:
        raise ConfigurationFailure(f"got {path!r}, expected a path below the repository's root", where=where)


def _unknown(name: str, origin: str, known: tuple[str, ...]) -> ConfigurationFailure:
    near = difflib.get_close_matches(name, known, n=1)
    return ConfigurationFailure(
        f"unknown key {name[:100]!r}",
        where=origin,
        cure=f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}",
    )
