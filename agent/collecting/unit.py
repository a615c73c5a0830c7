"""The one release unit that a run is about: a word of the profile, or a failure that names them (Intent Changesets 6.6)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from agent.errors import UsageFailure
from guardrails.records.profile import Profile
from guardrails.resolving.units import name_of


def require_unit(unit: str, profile: Profile) -> None:
    """See to it that the profile declares `unit` ("U" or "U@stream").

    Raises:
        UsageFailure: it declares no such unit, or no such stream of it.
    """
    name = name_of(unit)
    if name not in profile.release_units:
        raise _unknown("there is no such release unit", unit, name, profile.release_units)
    streams = tuple(f"{name}@{stream}" for stream in profile.streams_of(name))
    if unit != name and unit not in streams:
        raise _unknown("the release unit has no such stream", unit, unit, streams)


def _unknown(what: str, unit: str, word: str, known: Iterable[str]) -> UsageFailure:
    words = tuple(known)
    near = difflib.get_close_matches(word, words, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    return UsageFailure(what, where=f"--unit {unit}", cure=f"{hint}the profile has: {', '.join(words)}")
