"""A forge of the tests: answers of our own making behind the real client, and what it was asked."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any

import respx

TOKEN = "_".join(("ghp", "0123456789" * 3 + "abcdef"))
ENVIRON = {"GH_TOKEN": TOKEN, "GITLAB_TOKEN": TOKEN}
API = "https://api.github.com"
LAB = "https://gitlab.com/api/v4"


@dataclass
class Forge:
    """Routes that answer, one answer after the other, and the pauses that the client made in between."""

    router: respx.Router
    pauses: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def answers(self, address: str, *answers: object, method: str = "GET") -> respx.Route:
        """Answer at an address, whatever its query, or with the one it names: with JSON, a response, or by raising.

        One answer after the other; the last is given ever after.
        """
        route = self.router.route(method=method, url__regex=f"^{re.escape(address)}" + ("$" if "?" in address else r"(\?.*)?$"))
        told = [answer if isinstance(answer, respx.MockResponse | Exception) else ok(answer) for answer in answers]
        return route.mock(side_effect=chain(told, repeat(told[-1])))

    @property
    def asked(self) -> list[str]:
        """Method and address of each question."""
        return [f"{call.request.method} {call.request.url}" for call in self.router.calls]


def ok(value: object, **headers: str) -> respx.MockResponse:
    return respx.MockResponse(200, json=value, headers=headers)


def refusal(status: int, **headers: str) -> respx.MockResponse:
    return respx.MockResponse(status, json={"message": "the forge's own words"}, headers=headers)


def sent(route: respx.Route) -> list[Any]:
    """The bodies that were sent to a route."""
    return [json.loads(call.request.content) for call in route.calls]
