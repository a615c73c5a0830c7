"""Where each commit and each request of a range went: to items of the envelope, or why to none (evidraft design 3).

    accounts(bundle, coverage, rules) -> Accounts      what `Finished.commits` and `Finished.requests` hold

Both are made of redacted evidence, so nothing that disclosure withheld is named or counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from guardrails.drafts.envelope_form import CHANGE
from guardrails.evidence.model import Bundle, DocumentKind
from guardrails.resolving.envelopes.citations import requests, same
from guardrails.resolving.envelopes.operating import owner_and_name
from guardrails.resolving.envelopes.reading import Reading
from guardrails.resolving.grouping.grouping import Group
from guardrails.resolving.rules import Rules

GIVEN: Final = "given as evidence, cited by no commit"
_KEYS: Final = re.compile(rf"{CHANGE}|[0-9a-f]{{7,64}}(?:\.\d{{1,3}})?(?:, [0-9a-f]{{7,64}}(?:\.\d{{1,3}})?)*")


@dataclass(frozen=True, slots=True)
class Accounts:
    """Commits by full object name in the order of the selection, requests as they are cited, in the order of their commits.

    Each has the keys of the items that tell it, joined by ", ", or the reason why none does; "" where nobody told.
    """

    commits: Mapping[str, str]
    requests: Mapping[str, str]


def accounts(bundle: Bundle, coverage: Mapping[str, str], rules: Rules) -> Accounts:
    """Account for a range; `coverage` is what resolving says of each commit's id.

    A request goes where its commits go; one of which no commit is told has the reasons of all of them. One that was only handed
    over is no part of the range, and is said to be that.
    """
    cited: dict[str, list[str]] = {}
    for name, item in _cited(bundle, rules):
        cited.setdefault(name, []).append(coverage.get(item, "") if item else GIVEN)
    return Accounts(
        commits={commit.oid: coverage.get(commit.id, "") for commit in bundle.commits},
        requests={name: _joined(told) for name, told in cited.items()},
    )


def keys(account: str) -> tuple[str, ...]:
    """The keys of the items that an account names; none where it is a reason."""
    return tuple(account.split(", ")) if _KEYS.fullmatch(account) else ()


def _joined(told: Iterable[str]) -> str:
    found = tuple(dict.fromkeys(told))
    named = dict.fromkeys(key for one in found for key in keys(one))
    return ", ".join(named) or "; ".join(filter(None, found))


def _cited(bundle: Bundle, rules: Rules) -> Iterator[tuple[str, str]]:
    """Each request as it is first written, with the id of each commit that it brought in; "" for one that was only given."""
    reading = Reading.of(replace(bundle, records=()))
    own = owner_and_name(bundle.repository) or (bundle.operation.repository if bundle.operation is not None else "")
    first: dict[str, str] = {}
    for commit in bundle.commits:
        part = reading.part(Group(commit.oid, (commit.id,)))
        for name in dict.fromkeys(one.text for one in requests(part, rules)):
            yield first.setdefault(same(name, own), name), commit.id
    for document in bundle.documents:
        name = document.key or document.url
        if document.kind is DocumentKind.PULL_REQUEST and name and same(name, own) not in first:
            yield first.setdefault(same(name, own), name), ""
