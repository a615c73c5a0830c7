"""Judges: everything that is decided by reading values, with no process, network, disk, clock or model."""
