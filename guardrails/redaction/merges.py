"""What a merge brought in: its message repeats their words, so it is as open as they are (Intent Changesets 6.9, 11.7)."""

from __future__ import annotations

from guardrails.evidence.model import Commit


def brought_in(commits: tuple[Commit, ...]) -> dict[str, tuple[str, ...]]:
    """For each merge the selected commits that it brought in, whose words its message repeats.

    Of a merge on the way from the last commit back by first parents all that no earlier one brought in; of any other the tips.
    """
    selected = {commit.oid: commit for commit in commits}
    trunk: set[str] = set()
    oid = commits[-1].oid if commits else ""
    while oid in selected and oid not in trunk:
        trunk.add(oid)
        oid = next(iter(selected[oid].parents), "")
    seen = set(trunk)
    brought: dict[str, tuple[str, ...]] = {}
    for commit in commits:
        ahead, side = list(commit.parents[1:]), list(commit.parents[1:])
        while commit.oid in trunk and ahead:
            oid = ahead.pop()
            if oid in selected and oid not in seen:
                seen.add(oid)
                side.append(oid)
                ahead += selected[oid].parents
        if side:
            brought[commit.oid] = tuple(side)
    return brought
