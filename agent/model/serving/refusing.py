"""How servers refuse: an error as a mapping, a bare text, or a list of faults by place, read into one form (evidraft)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from agent.model import refusals
from agent.model.refusals import Refusal

_LONGEST: Final = 4_000
_UNKNOWN: Final = 500


def read(status: int, body: object) -> Refusal:
    """The refusal that a body tells of; its words are looked at, never repeated."""
    return Refusal(status, refusals.codes(body), " ".join(_words(body))[:_LONGEST], body)


def within(body: object) -> Refusal | None:
    """The refusal that stands in an answer with a status of success, as gateways give it; None where there is none."""
    error = body.get("error") if isinstance(body, Mapping) else None
    if not error:
        return None
    code = error.get("code") if isinstance(error, Mapping) else None
    return read(code if isinstance(code, int) and 400 <= code < 600 else _UNKNOWN, error)


def _words(body: object) -> Iterator[str]:
    """What is said in a body and of which parts of the request, but not the parts of it that are handed back."""
    if isinstance(body, str):
        yield body
    elif isinstance(body, list | tuple):
        for one in body:
            yield from _words(one)
    elif isinstance(body, Mapping):
        for name in ("error", "message", "param", "code", "type", "detail", "loc", "msg"):
            yield from _words(body.get(name))
