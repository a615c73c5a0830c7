"""What is not kept of a contract, as annotations of GitHub Actions (Change Contracts: results)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent.render.contract_places import places
from guardrails.contracts.results import Status
from guardrails.contracts.verification import Verification
from guardrails.redaction.neutralise import neutralise

_MESSAGE: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def verification(told: Verification) -> str:
    """One workflow command for each place of each finding, and a line with the verdict."""
    return "".join(f"{line}\n" for line in _lines(told))


def error(said: str) -> str:
    """Nothing was verified: `said` is where, why, and what to do."""
    return f"::error title=ERROR::{_written(said, _MESSAGE)}\nchange contract: ERROR\n"


def _lines(told: Verification) -> Iterator[str]:
    for result in told.failing:
        level = "warning" if result.status is Status.UNKNOWN else "error"
        details = "".join(f"\n{detail}" for detail in result.details[:20])
        for place in places(result, told.name):
            where = {"file": place.path, "line": str(place.line or "")} if place is not None else {}
            named = {**where, "title": f"{result.status.value} {result.id} ({result.finding})"}
            properties = ",".join(f"{name}={_written(value, _PROPERTY)}" for name, value in named.items() if value)
            yield f"::{level} {properties}::{_written(result.message + details, _MESSAGE)}"
    yield f"change contract: {told.status}"


def _written(value: str, escapes: dict[int, str]) -> str:
    return neutralise(value.translate(escapes))
