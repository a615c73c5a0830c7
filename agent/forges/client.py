"""What a forge's interface answers, as JSON: one mapping, or a list page by page (evidraft)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from agent.errors import ForgeFailure
from agent.forges.answers import Answer, Door
from guardrails import strict_json

PAGE: Final = 100
MAX_PAGES: Final = 30
_NEXT: Final = re.compile(r'<([^<>\s]{1,2000})>\s{0,4};[^<>]{0,200}?\brel="?next\b')


@dataclass(frozen=True, slots=True)
class Listed:
    """The entries of all pages of a list; `missing` says why there are not all of them, "" where there are."""

    items: tuple[Mapping[str, Any], ...]
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Client:
    """Asks at paths of one forge's interface."""

    door: Door

    def mapping(self, path: str) -> Mapping[str, Any]:
        """What the interface answers at `path`.

        Raises:
            ForgeFailure: the forge cannot be reached, refuses, or answers with something else.
        """
        return self._mapping(self.door.ask("GET", self._address(path)), path)

    def send(self, method: str, path: str, value: Mapping[str, str]) -> Mapping[str, Any]:
        """Write something; the answer is what stands there now.

        Raises:
            ForgeFailure: as `mapping`. Where the connection broke, nobody knows whether it was written.
        """
        return self._mapping(self.door.ask(method, self._address(path), value), path)

    def listed(self, path: str) -> Listed:
        """All entries of the list at `path`: as many as there were when something went wrong, and what that was."""
        found: list[Mapping[str, Any]] = []
        address = f"{self._address(path)}?per_page={PAGE}"
        try:
            for _ in range(MAX_PAGES):
                answer = self.door.ask("GET", address)
                found.extend(self._entries(answer, path))
                address = self._next(answer, address, path)
                if not address:
                    return Listed(tuple(found))
        except ForgeFailure as failure:
            return Listed(tuple(found), failure.what)
        return Listed(tuple(found), f"only the first {len(found)} were asked for")

    def _address(self, path: str) -> str:
        return f"{self.door.place.api}{path}"

    def _mapping(self, answer: Answer, path: str) -> Mapping[str, Any]:
        value = self._value(answer, path)
        if not isinstance(value, dict):
            raise self._other(path)
        return value

    def _entries(self, answer: Answer, path: str) -> list[Mapping[str, Any]]:
        value = self._value(answer, path)
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise self._other(path)
        return value

    def _value(self, answer: Answer, path: str) -> Any:
        try:
            return strict_json.read(answer.body)
        except strict_json.JsonFault:
            raise self.door.failure("the forge answered with something that is no JSON", self._address(path)) from None

    def _other(self, path: str) -> ForgeFailure:
        return self.door.failure("the forge answered with something else than was asked for", self._address(path))

    def _next(self, answer: Answer, address: str, path: str) -> str:
        """The address of the next page; "" on the last."""
        link = _NEXT.search(answer.headers.get("link", ""))
        if link:
            return self.door.same_host(link[1], address)
        page = answer.headers.get("x-next-page", "")
        return f"{self._address(path)}?per_page={PAGE}&page={page}" if page.isascii() and page.isdigit() else ""
