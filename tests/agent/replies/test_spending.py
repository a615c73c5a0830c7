"""What replies cost, added up: unknown where one of them does not say, nothing for those that were kept."""

from __future__ import annotations

from decimal import Decimal

import pytest

from agent.model.client import Reply, Usage
from agent.replies.spending import cost, counted

PAID = Reply("x", Usage(100, 20, 60, 5, 7), seconds=1.25, cost=Decimal("0.0000015"))
KEPT = Reply("x", Usage(100, 20, 60, 5, 7), seconds=1.25, cost=Decimal(9), kept=True)


def test_what_was_paid_is_added_up_and_what_was_kept_is_not() -> None:
    assert counted([PAID, KEPT, PAID]) == {
        "input-tokens": 200,
        "cached-tokens": 120,
        "output-tokens": 40,
        "reasoning-tokens": 14,
        "dollars": "0.0000030",
        "seconds": 2.5,
    }


@pytest.mark.parametrize("replies", [[], [KEPT], [KEPT, KEPT]])
def test_nothing_asked_costs_nothing(replies: list[Reply]) -> None:
    assert cost(replies) == 0
    assert counted(replies)["input-tokens"] == 0


def test_what_one_does_not_say_is_unknown_in_all() -> None:
    told = counted([PAID, Reply("x", Usage(1, 1))])
    assert (told["input-tokens"], told["cached-tokens"], told["dollars"], told["seconds"]) == (101, None, None, None)
    assert cost([PAID, Reply("x")]) is None
