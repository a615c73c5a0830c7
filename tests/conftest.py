"""What every test may ask for."""

from __future__ import annotations

import pytest
from hypothesis import settings

from agent.engines import secret_engine
from guardrails.redaction.secrets import SecretEngine

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def engine() -> SecretEngine:
    """The secret engine as the program has it; compiling its rules takes seconds, so that one serves all."""
    return secret_engine()
