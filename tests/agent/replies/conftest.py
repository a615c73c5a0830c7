"""Drafters stand in for the network here too: the same fixtures as theirs."""

from tests.agent.model.conftest import _trusting_nobody, _without_keys, outside, waits

__all__ = ["_trusting_nobody", "_without_keys", "outside", "waits"]
