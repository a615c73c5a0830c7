"""A release unit that a run is about is a word of the profile."""

from __future__ import annotations

import pytest

from agent.collecting.unit import require_unit
from agent.errors import UsageFailure
from tests.guardrails.resolving.building import PROFILE


@pytest.mark.parametrize("unit", ["apps/worker", "apps/worker@stable", "apps/gateway@lts"])
def test_declared_units_and_streams_are_taken(unit: str) -> None:
    require_unit(unit, PROFILE)


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        ("apps/workers", "did you mean apps/worker? the profile has: apps/gateway, apps/worker"),
        ("lib", "the profile has: apps/gateway, apps/worker"),
        ("apps/worker@lts", "the profile has: apps/worker@stable"),
        ("apps/gateway@", "the profile has: apps/gateway@stable, apps/gateway@lts"),
        ("@stable", "the profile has: apps/gateway, apps/worker"),
    ],
)
def test_any_other_word_is_refused_with_those_that_exist(unit: str, said: str) -> None:
    with pytest.raises(UsageFailure) as refused:
        require_unit(unit, PROFILE)
    assert refused.value.where == f"--unit {unit}"
    assert refused.value.cure.endswith(said)
