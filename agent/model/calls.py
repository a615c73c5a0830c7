"""What is known of the call that is being made, between who asks a drafter and the connection that it goes over (evidraft).

The SDKs stand in between and retry by themselves. A call keeps its name through all retries, so that a server which knows such
names does nothing twice, and who paces calls hears each answer of the server, also those that an SDK only waits for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Heard:
    """One answer of a server: its status, and for how many seconds it wants to be left alone."""

    status: int
    wait: float = 0.0


def _nobody(_heard: Heard) -> None:
    return


@dataclass(frozen=True, slots=True)
class Call:
    """A call: what it is known by ("" for nothing), and who is told how the server answers."""

    name: str = ""
    told: Callable[[Heard], None] = _nobody


_NONE: Final = Call()
_CURRENT: ContextVar[Call] = ContextVar("call", default=_NONE)


def current() -> Call:
    """The call that is being made."""
    return _CURRENT.get()


@contextmanager
def named(name: str) -> Iterator[None]:
    """Give the calls inside a name. Whoever repeats a call gives it the same one."""
    with _changed(replace(current(), name=name)):
        yield


@contextmanager
def heard(told: Callable[[Heard], None]) -> Iterator[None]:
    """Tell `told` of every answer to the calls inside."""
    with _changed(replace(current(), told=told)):
        yield


@contextmanager
def _changed(call: Call) -> Iterator[None]:
    before = _CURRENT.set(call)
    try:
        yield
    finally:
        _CURRENT.reset(before)
