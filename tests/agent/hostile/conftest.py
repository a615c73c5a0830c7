"""What the hostile drafters are asked about."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from guardrails.redaction.policy import Policy
from guardrails.redaction.secrets import SecretEngine
from tests.agent.hostile.kinds import TERM
from tests.agent.hostile.scene import RECORDS, Record, Stage, scene


@pytest.fixture(scope="session")
def stages(tmp_path_factory: pytest.TempPathFactory, engine: SecretEngine) -> Mapping[str, Stage]:
    """The scene as gathered for each record, once for all tests."""
    folder = scene(tmp_path_factory.mktemp("hostile"))
    return {record.name: Stage.of(record, record.request(folder), engine, Policy(terms=(TERM,))) for record in RECORDS}


@pytest.fixture(params=RECORDS, ids=lambda record: record.name)
def stage(request: pytest.FixtureRequest, stages: Mapping[str, Stage]) -> Stage:
    """The scene for each record in turn."""
    record: Record = request.param
    return stages[record.name]
