"""The same change told in several pages of one run: said, naming the pages (evidraft design 5, 7).

    twice(pages) -> tuple[Twice, ...]      pages: a `Page` for each release that was drafted

A commit that touches several release units is told in the page of each: that is no fault, but each page says so. Where pages of
one unit tell the same change, their ranges overlap, or it was picked from one line to another: a warning.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from guardrails.findings import Code, Finding, Severity
from guardrails.grounding.releases.accounts import keys

TOLD_TWICE = Code(
    name="told-twice",
    summary="Two pages of one run tell the same change, and no two release units share it.",
    cure="Check the ranges: they overlap, or the change was picked from one line to another, which both pages should say.",
    section="evidraft",
    severity=Severity.WARNING,
)
_NAMED: Final = 5
"""How many of what is told twice one warning names."""


@dataclass(frozen=True, slots=True)
class Page:
    """What one page tells: `name` is that of its release; numbers of requests and ids of changesets count in a repository.

    `commits` and `requests` map to accounts (`accounts.Accounts`); `changesets` are the ids of the decisions that items tell.
    """

    name: str
    repository: str
    unit: str = ""
    commits: Mapping[str, str] = field(default_factory=dict, repr=False)
    requests: Mapping[str, str] = field(default_factory=dict, repr=False)
    changesets: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Twice:
    """What all of these pages tell, in the order of the run; `shared` where each is of another release unit."""

    pages: tuple[str, ...]
    commits: tuple[str, ...]
    requests: tuple[str, ...]
    changesets: tuple[str, ...]
    shared: bool

    def finding(self) -> Finding | None:
        """The warning that it is; None where units share the change."""
        if self.shared:
            return None
        what = [*(name[:12] for name in self.commits), *self.requests, *self.changesets]
        more = f" and {len(what) - _NAMED} more" if len(what) > _NAMED else ""
        return TOLD_TWICE.at("", f"got {', '.join(what[:_NAMED])}{more} in {', '.join(self.pages)}")


def twice(pages: Iterable[Page]) -> tuple[Twice, ...]:
    """What several pages tell, by the pages that do: in the order of the run. Linear in what is told."""
    units: dict[str, tuple[str, str]] = {}
    told: dict[tuple[str, str, str], dict[str, None]] = {}
    for page in pages:
        units[page.name] = (page.repository, page.unit)
        for thing in _told(page):
            told.setdefault(thing, {})[page.name] = None
    by_pages: dict[tuple[str, ...], list[tuple[str, str, str]]] = {}
    for thing, names in told.items():
        if len(names) > 1:
            by_pages.setdefault(tuple(names), []).append(thing)
    return tuple(_twice(names, things, units) for names, things in by_pages.items())


def _told(page: Page) -> Iterator[tuple[str, str, str]]:
    """Kind, repository and name of all that a page tells; an object name means the same commit everywhere."""
    yield from (("commit", "", oid) for oid, account in page.commits.items() if keys(account))
    yield from (("request", page.repository, name) for name, account in page.requests.items() if keys(account))
    yield from (("changeset", page.repository, name) for name in sorted(page.changesets))


def _twice(names: tuple[str, ...], things: Iterable[tuple[str, str, str]], units: Mapping[str, tuple[str, str]]) -> Twice:
    found: dict[str, list[str]] = {"commit": [], "request": [], "changeset": []}
    for kind, _, name in things:
        found[kind].append(name)
    commits, requests, changesets = map(tuple, found.values())
    return Twice(names, commits, requests, changesets, _is_shared([units[name] for name in names]))


def _is_shared(where: Sequence[tuple[str, str]]) -> bool:
    """Whether pages, by repository and unit, are each of another release unit of one repository."""
    repositories, units = {repository for repository, _ in where}, {unit for _, unit in where}
    return len(repositories) == 1 and len(units) == len(where) and "" not in units
