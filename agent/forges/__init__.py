"""Asking a forge about one request, and posting to it what a person wants posted: one of the two doors to the network."""
