"""Patterns of others: what RE2 takes, and what it refuses."""

from __future__ import annotations

import pytest

from guardrails.patterns import compiled


def test_a_pattern_is_searched_for() -> None:
    pattern = compiled(r"^v[0-9]+$")
    assert pattern.search("v12") is not None
    assert pattern.search("v12\n") is None
    assert [match.group() for match in pattern.finditer("v1")] == ["v1"]


@pytest.mark.parametrize("text", ["(", "(?=a)", r"(a)\1", "a{100000}", "((((a{99}){99}){99}){99})"])
def test_what_could_run_away_is_refused_without_a_word(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="RE2 refuses"):
        compiled(text)
    assert capfd.readouterr() == ("", "")
