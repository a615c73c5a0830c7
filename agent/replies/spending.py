"""What replies cost: tokens, money, time, added up for people and for records (evidraft)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from agent.model.client import Reply


def counted(replies: Sequence[Reply]) -> dict[str, object]:
    """The tokens, dollars and seconds of calls as JSON types; null where one does not say. Kept replies cost nothing."""
    paid = [reply for reply in replies if not reply.kept]
    return {
        "input-tokens": _sum(reply.usage.input_tokens for reply in paid),
        "cached-tokens": _sum(reply.usage.cached_tokens for reply in paid),
        "output-tokens": _sum(reply.usage.output_tokens for reply in paid),
        "reasoning-tokens": _sum(reply.usage.reasoning_tokens for reply in paid),
        "dollars": _text(cost(paid)),
        "seconds": _seconds(paid),
    }


def cost(replies: Iterable[Reply]) -> Decimal | None:
    """What the replies cost in US dollars; None where one of them has no price. Kept replies cost nothing."""
    total = Decimal()
    for reply in replies:
        if not reply.kept:
            if reply.cost is None:
                return None
            total += reply.cost
    return total


def _sum(numbers: Iterable[int | None]) -> int | None:
    found = list(numbers)
    known = [number for number in found if number is not None]
    return sum(known) if len(known) == len(found) else None


def _text(dollars: Decimal | None) -> str | None:
    return None if dollars is None else f"{dollars:f}"


def _seconds(replies: Iterable[Reply]) -> float | None:
    found = [reply.seconds for reply in replies]
    return None if None in found else round(sum(second for second in found if second is not None), 3)
