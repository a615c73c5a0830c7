"""What the tests of the road may ask for."""

from __future__ import annotations

import pytest

from tests.agent.payments import Road


@pytest.fixture
def road(capsys: pytest.CaptureFixture[str]) -> Road:
    """The commands, run in this process with what they print caught."""
    return Road(capsys)
