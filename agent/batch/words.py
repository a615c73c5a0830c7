"""What a run and the processes that draft for it with a model say to each other.

The run says `Draft`, and hears `Drafted`. In between the process says `Want` for each reply: it hears `Give` with what is kept,
or `Go`, makes the call, says `Heard` of each refusal of the server and `Bring` at its end, and hears `Give` once that is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.batch.release import Conditions, Finished, Release
from agent.errors import Failure
from agent.model import calls
from agent.replies.desk import Brought, Wanted


@dataclass(frozen=True, slots=True)
class Draft:
    """Draft this release."""

    number: int
    release: Release
    conditions: Conditions


@dataclass(frozen=True, slots=True)
class Drafted:
    """What became of it; a failure where that concerns the whole run."""

    number: int
    told: Finished | Failure = field(repr=False)


@dataclass(frozen=True, slots=True)
class Want:
    """A draft wants a reply."""

    number: int
    wanted: Wanted


@dataclass(frozen=True, slots=True)
class Go:
    """It is the turn of this call."""

    number: int


@dataclass(frozen=True, slots=True)
class Heard:
    """The server answered a call so, and wants to be left alone."""

    number: int
    heard: calls.Heard


@dataclass(frozen=True, slots=True)
class Bring:
    """What a call brought, or why nothing."""

    number: int
    brought: Brought | Failure = field(repr=False)


@dataclass(frozen=True, slots=True)
class Give:
    """The reply, which is kept by now, or why there is none."""

    number: int
    text: str | Failure = field(repr=False)
