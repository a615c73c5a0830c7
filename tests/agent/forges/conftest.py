"""What the tests of forges may ask for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import respx

from tests.agent.forges.forge import Forge


@pytest.fixture
def forge() -> Iterator[Forge]:
    """A network on which nothing answers but what a test says. The plugin `pytest-httpx2` is what lets respx stand in it."""
    with respx.mock(using="httpcore2", assert_all_called=False) as router:
        yield Forge(router)
