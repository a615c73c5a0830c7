"""What is asked of a forge for one request, put together as one value of JSON that `agent.sources.payload` reads (Describe
Changes: degraded output).

Only what is needed is asked for: commits and files where git has not the objects, and no comment where there is none. What
could not be had is named in the value, and the rest of it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from agent.errors import ForgeFailure
from agent.forges.client import Client

_OBJECT_NAME: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Gathering:
    """One value that grows; `left_out` in it tells what is not there, and why."""

    def __init__(self, client: Client, **known: object) -> None:
        """Begin with what is `known`."""
        self._client = client
        self._value: dict[str, Any] = dict(known)
        self._left_out: list[dict[str, str]] = []

    def add_list(self, key: str, path: str) -> None:
        """Put the list that stands at `path` under `key`, as far as it can be had."""
        listed = self._client.listed(path)
        self._value[key] = list(listed.items)
        if listed.missing:
            self.leave_out(key, f"{listed.missing}; {len(listed.items)} of them are there")

    def ask(self, key: str, path: str) -> Mapping[str, Any] | None:
        """The mapping that stands at `path`; None, and `key` left out, where it cannot be had."""
        try:
            return self._client.mapping(path)
        except ForgeFailure as failure:
            self.leave_out(key, failure.what)
            return None

    def put(self, key: str, value: object) -> None:
        """Put a value under `key`."""
        self._value[key] = value

    def leave_out(self, what: str, why: str) -> None:
        """Say that something is not there."""
        self._left_out.append({"what": what, "why": why})

    def value(self) -> dict[str, Any]:
        """What was gathered."""
        return {**self._value, "left_out": self._left_out} if self._left_out else dict(self._value)


def object_names(told: Iterable[object]) -> tuple[str, ...]:
    """Those of some values that are full object names: only they are looked for in git, or become part of an address."""
    return tuple(name for name in told if isinstance(name, str) and _OBJECT_NAME.fullmatch(name))
