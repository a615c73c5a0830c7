"""The rules of envelopes alone."""
