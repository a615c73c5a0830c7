"""The command line starts without what only some commands need."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("agent.collecting", "agent.model", "agent.render", "agent.sources", "guardrails.redaction", "guardrails.resolving")


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_nothing_heavy_is_loaded_before_a_command_runs(option: str) -> None:
    code = f"import sys; from agent.cli import main; main(['{option}']); sys.stderr.write('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    loaded = done.stderr.split()
    assert "agent.commands.changeset" in loaded
    assert [name for name in loaded if name.startswith(HEAVY)] == []
