"""For how long a provider wants to be left alone, as each of them says it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from agent.model import resting

A_DAY = 86_400.0
SOON = datetime.now(UTC) + timedelta(seconds=A_DAY)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 0.0),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after-ms": "1500", "retry-after": "7"}, 1.5),
        ({"retry-after": "soon"}, 0.0),
        ({"retry-after": format_datetime(SOON, usegmt=True)}, A_DAY),
    ],
)
def test_what_a_refusal_asks_for(headers: dict[str, str], seconds: float) -> None:
    assert resting.asked(headers) == pytest.approx(seconds, abs=3_600.0 if seconds == A_DAY else 0.001)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 0.0),
        ({"x-ratelimit-remaining-requests": "3", "x-ratelimit-reset-requests": "9s"}, 0.0),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "9s"}, 9.0),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0.5s"}, 360.5),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "20ms"}, 0.02),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "later"}, 0.0),
        ({"x-ratelimit-remaining-tokens": "0"}, 0.0),
        ({"anthropic-ratelimit-requests-remaining": "0", "anthropic-ratelimit-requests-reset": SOON.isoformat()}, A_DAY),
        (
            {"anthropic-ratelimit-output-tokens-remaining": "9", "anthropic-ratelimit-output-tokens-reset": SOON.isoformat()},
            0.0,
        ),
        ({"anthropic-ratelimit-output-tokens-remaining": "0", "anthropic-ratelimit-output-tokens-reset": "9999"}, 0.0),
    ],
)
def test_when_there_is_something_again_of_what_is_used_up(headers: dict[str, str], seconds: float) -> None:
    assert resting.spent(headers) == pytest.approx(seconds, abs=3_600.0 if seconds == A_DAY else 0.001)
