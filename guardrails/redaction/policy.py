"""The redaction policy: terms, patterns, hosts and people that never leave, and who stands inside the boundary.

It comes from the command line, the environment or the base revision, never from the change under review.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Policy:
    """What to take out besides disclosure and secrets. The default holds nothing: people are dropped all the same.

    `terms` are literals, `patterns` RE2 expressions, `hosts` private host names or suffixes, `people` names or
    addresses that must go; `keep_people` lets author names through. `digest` is that of the exact policy bytes.
    """

    terms: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    keep_people: bool = False
    inside: tuple[str, ...] = ()
    """Clients (as `--model` names them) that stand inside the boundary of disclosure."""
    digest: str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
