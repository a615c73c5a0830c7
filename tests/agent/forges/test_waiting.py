"""How long a forge asks to be left alone: a table of its answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.forges.waiting import UNSAID, asked

NOW = 1_800_000_000.0
DATE = "Fri, 15 Jan 2027 08:00:00 GMT"
"""The same moment."""
ASKED = {
    "too many requests, in seconds": (429, {"retry-after": "7"}, b"", 7.0),
    "too many requests, by a date": (429, {"retry-after": "Fri, 15 Jan 2027 08:00:09 GMT"}, b"", 9.0),
    "too many requests, unsaid": (429, {}, b"", UNSAID),
    "too many requests, unreadable": (429, {"retry-after": "soon"}, b"", UNSAID),
    "spent": (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800000030"}, b"", 30.0),
    "spent, gitlab": (429, {"ratelimit-remaining": "0", "ratelimit-reset": "1800000030"}, b"", 30.0),
    "spent, in the past": (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000000"}, b"", 0.0),
    "both: the nearer word": (
        403,
        {"retry-after": "5", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800000900"},
        b"",
        5.0,
    ),
    "a second limit, in words": (403, {}, b'{"message": "You have exceeded a secondary rate limit"}', UNSAID),
    "being mended": (503, {"retry-after": "3"}, b"", 3.0),
    "a clock that is wrong here": (429, {"retry-after": "Fri, 15 Jan 2027 08:00:09 GMT", "date": DATE}, b"", 9.0),
}
NOT_ASKED = {
    "fine": (200, {"x-ratelimit-remaining": "0"}, b""),
    "forbidden": (403, {"x-ratelimit-remaining": "59"}, b'{"message": "Resource not accessible by integration"}'),
    "not there": (404, {}, b""),
    "broken": (503, {}, b""),
}


@pytest.mark.parametrize(("status", "headers", "body", "seconds"), ASKED.values(), ids=ASKED)
def test_a_pause_is_as_long_as_the_forge_says(status: int, headers: dict[str, str], body: bytes, seconds: float) -> None:
    pause = asked(status, headers, body, NOW + 3_600 if "date" in headers else NOW)
    assert pause is not None
    assert pause.seconds == seconds


@pytest.mark.parametrize(("status", "headers", "body"), NOT_ASKED.values(), ids=NOT_ASKED)
def test_another_answer_asks_for_no_pause(status: int, headers: dict[str, str], body: bytes) -> None:
    assert asked(status, headers, body, NOW) is None


def test_it_is_said_until_when() -> None:
    pause = asked(429, {"retry-after": "3600"}, b"", NOW)
    assert pause is not None
    assert pause.until == "2027-01-15 09:00 UTC"


TEXTS = st.text(max_size=20) | st.integers(-1, 10**30).map(str)


@given(
    st.sampled_from([200, 403, 429, 503]), st.dictionaries(st.sampled_from(["retry-after", "x-ratelimit-reset", "date"]), TEXTS)
)
def test_whatever_stands_in_a_header_gives_a_pause_or_none(status: int, headers: dict[str, str]) -> None:
    pause = asked(status, {**headers, "x-ratelimit-remaining": "0"}, b"", NOW)
    assert pause is None or pause.seconds >= 0
