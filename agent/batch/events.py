"""What a run tells whoever watches it: small values that name releases and count, and never hold evidence or a model's words.

An event says what happened and not when: who shows it has the clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from decimal import Decimal
from enum import StrEnum
from typing import ClassVar, TypeAlias

from agent.batch.release import Status


class Why(StrEnum):
    """What a run waits for."""

    RATE_LIMIT = "rate-limit"
    """The provider said that it was asked too often."""
    OVERLOAD = "overload"
    """The provider said that it has too much to do."""
    OWN_LIMIT = "own-limit"
    """As many calls or tokens a minute as the run may have were used."""
    PROVIDER_BATCH = "provider-batch"
    """The provider works on a batch."""


class Cause(StrEnum):
    """Why a run ended."""

    DONE = "done"
    """Every release has an outcome."""
    INTERRUPTED = "interrupted"
    """A person or the system stopped it."""
    STOPPED = "stopped"
    """The world stopped it: a limit on cost, a key that is not taken, a full disk."""


@dataclass(frozen=True, slots=True)
class Planned:
    """The run begins: so many releases will have an outcome at its end."""

    word: ClassVar[str] = "planned"
    releases: int


@dataclass(frozen=True, slots=True)
class Resumed:
    """A journal of an earlier run was found: finished releases, replies that are paid for, calls that were under way."""

    word: ClassVar[str] = "resumed"
    finished: int = 0
    replies: int = 0
    under_way: int = 0


@dataclass(frozen=True, slots=True)
class Started:
    """A release is being worked on."""

    word: ClassVar[str] = "started"
    name: str


@dataclass(frozen=True, slots=True)
class Finished:
    """A release has its outcome, now or from an earlier run, and the journal holds it."""

    word: ClassVar[str] = "finished"
    name: str
    status: Status
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A call to a provider goes out, or a prompt into a batch of its."""

    word: ClassVar[str] = "asked"
    calls: int = 1


@dataclass(frozen=True, slots=True)
class Answered:
    """A call was answered, and what that cost; None where nobody knows. A kept answer was paid for before."""

    word: ClassVar[str] = "answered"
    input_tokens: int | None = None
    output_tokens: int | None = None
    dollars: Decimal | None = None
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing is asked for so many seconds."""

    word: ClassVar[str] = "waiting"
    seconds: float
    why: Why


@dataclass(frozen=True, slots=True)
class Ended:
    """Nothing more happens in this run."""

    word: ClassVar[str] = "ended"
    cause: Cause = Cause.DONE


Event: TypeAlias = Planned | Resumed | Started | Finished | Asked | Answered | Waiting | Ended
Listener: TypeAlias = Callable[[Event], None]
"""Who is told. It is called from the thread that runs the run, must not block for long, and raises nothing."""


def document(event: Event) -> dict[str, object]:
    """An event as JSON types: `event` is its word, and its fields stand beside that; dollars are text, for they are decimal."""
    told = {name: f"{value:f}" if isinstance(value, Decimal) else value for name, value in asdict(event).items()}
    return {"event": event.word, **{name.replace("_", "-"): value for name, value in told.items()}}


def nobody(_event: Event) -> None:
    """Whom nobody watches."""
