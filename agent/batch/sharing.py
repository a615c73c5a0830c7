"""What several releases of a run tell: found over all of them, and said on the pages of release units that share it (evidraft
design 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from agent.batch.pages import BODY, MOST_OF_A_BODY, NOTES, TEXT
from agent.batch.release import Finished, Release, Status
from agent.render import inlines
from agent.render.fitting import size
from agent.render.harmless import Target
from agent.render.plain_text import plain
from guardrails.grounding.releases.accounts import keys
from guardrails.grounding.releases.twice import Page, Twice, twice

_MOST: Final = 5


def told_twice(planned: Mapping[str, Release], finished: Iterable[Finished]) -> tuple[Twice, ...]:
    """What several drafted releases tell."""
    drafted = (one for one in finished if one.status is Status.DRAFTED)
    return twice(
        Page(one.name, release.repository, release.unit, one.commits, one.requests, one.decided)
        for one in drafted
        if (release := planned.get(one.name)) is not None
    )


def pages_of(finished: Finished, shared: Sequence[Twice]) -> dict[str, str]:
    """The pages of a release, with a list at their end of the changes that other release units tell, too."""
    lists = [_list(finished, one) for one in shared if one.shared and finished.name in one.pages]
    told = dict(finished.pages)
    if not lists:
        return told
    end = "\n\n".join(lists) + "\n"
    for name, more in ((NOTES, end), (TEXT, plain(end)), (BODY, end)):
        if name in told and (name != BODY or size(told[name]) + size(more) < MOST_OF_A_BODY):
            told[name] = f"{told[name]}\n{more}"
    return told


def _list(finished: Finished, one: Twice) -> str:
    """Which changes of a release are told where else."""
    items = finished.titles
    accounts = [finished.commits.get(commit, "") for commit in one.commits]
    accounts += [finished.requests.get(request, "") for request in one.requests]
    accounts += [finished.decided.get(name, "") for name in one.changesets]
    found = list(dict.fromkeys(items.get(key) or key for account in accounts for key in keys(account)))
    told = [inlines.line(title, Target()) for title in found[:_MOST]]
    more = [f"and {len(found) - _MOST} more"] if len(found) > _MOST else []
    names = ", ".join(inlines.text(name, Target()) for name in one.pages if name != finished.name)
    return "\n".join((f"Also told in {names}:\n", *(f"- {line}" for line in (*told, *more))))
