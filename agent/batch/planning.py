"""What a run will draft, before anything is drafted: repositories, ranges and tags made into releases (evidraft)."""

from __future__ import annotations

from dataclasses import dataclass

from agent.batch.release import Finished, Release
from agent.batch.wish import Wish


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run will draft, in the order of the wish and then of versions.

    `failures` are entries of which no release could be made: they are reported like releases that failed, and end nothing.
    `notes` say what was left aside, and why, one line each: tags that tell no version, names that move, mirrors that are old.
    """

    releases: tuple[Release, ...]
    failures: tuple[Finished, ...] = ()
    notes: tuple[str, ...] = ()


def plan(wish: Wish) -> Plan:
    """Look at every repository of `wish`, and say what is to be drafted. An entry that fails is told; the others go on.

    Raises:
        agent.errors.UsageFailure: nothing is wanted.
    """
    raise NotImplementedError
