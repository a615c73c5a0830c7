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


def text(verification: Verification) -> str:
    """One workflow command for each place of each finding, and a line with the verdict."""
    return "".join(f"{line}\n" for line in _lines(verification))


def _lines(verification: Verification) -> Iterator[str]:
    for result in verification.failing:
        level = "warning" if result.status is Status.UNKNOWN else "error"
        details = "".join(f"\n{detail}" for detail in result.details[:20])
        for place in places(result, verification.name):
            where = {"file": place.path, "line": str(place.line or "")} if place is not None else {}
            told = {**where, "title": f"{result.status.value} {result.id} ({result.finding})"}
            properties = ",".join(f"{name}={_written(value, _PROPERTY)}" for name, value in told.items() if value)
            yield f"::{level} {properties}::{_written(result.message + details, _MESSAGE)}"
    yield f"change contract: {verification.status}"


def _written(value: str, escapes: dict[int, str]) -> str:
    return neutralise(value.translate(escapes))
