"""The items of an envelope equal its range: what no item tells is left out for a reason (Describe Changes: Shape B).

    coverage(commits, requests, envelope, record["fields"]) -> Coverage      of `accounts.Accounts` and a draft record

The rows are data for a table; the findings say where the envelope and its range differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from guardrails.drafts import envelope as envelopes
from guardrails.drafts.envelope import ItemizedEnvelope
from guardrails.drafts.envelope_rules import validate
from guardrails.drafts.sourced import Basis
from guardrails.findings import Code, Finding
from guardrails.grounding.envelopes.telling import ITEM_WITHOUT_COMMIT
from guardrails.grounding.releases.accounts import keys
from guardrails.resolving.envelopes.citations import same


def _code(name: str, summary: str, cure: str) -> Code:
    return Code(name=name, summary=summary, cure=cure, section="Describe Changes: Shape B")


RELEASE_UNACCOUNTED = _code(
    "release-unaccounted",
    "A commit or request of the range is in no item, and nothing says why.",
    "Draft the release again; what stays untold must have a reason.",
)
ACCOUNT_UNKNOWN_ITEM = _code(
    "account-unknown-item",
    "A commit or request is said to be told by an item that the envelope does not have.",
    "Draft the release again; the record and the envelope are of different drafts.",
)
ITEM_UNKNOWN = _code(
    "item-unknown",
    "The record and the envelope do not have the same items.",
    "Draft the release again; the record and the envelope are of different drafts.",
)
REQUEST_OUTSIDE_RANGE = _code(
    "request-outside-range",
    "An item is tied to a request that no commit of the range cites.",
    "Leave it out, or draft the range that it belongs to.",
)
_ITEM: Final = re.compile(r"(?:items\[(?P<key>[0-9a-f.]{1,80})\]|(?P<change>change))\..+")


@dataclass(frozen=True, slots=True)
class Row:
    """One commit (full object name) or request and where it went: the places of its items, from 0, or why it is in none."""

    name: str
    items: tuple[int, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Where everything of a range went, and where its envelope is not equal to it."""

    commits: tuple[Row, ...]
    requests: tuple[Row, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def told(self) -> int:
        """How many commits an item tells; the others are left out for a reason."""
        return sum(bool(row.items) for row in self.commits)


def coverage(
    commits: Mapping[str, str],
    requests: Mapping[str, str],
    envelope: Mapping[str, object] | None,
    fields: Mapping[str, object],
    *,
    is_judged: bool = False,
) -> Coverage:
    """Hold a drafted envelope against the accounts of its range; `fields` are those of its draft record, by path.

    Pure and linear. Of a release that is not drafted `envelope` is None: there are rows and no findings, for it claims nothing.
    What an envelope says by itself is not gone through again where it `is_judged`, as that of every accepted draft of ours is
    (`envelopes.contract`).
    """
    names = item_keys(fields)
    places = {key: place for place, key in enumerate(names)}
    found = Coverage(_rows(commits, places), _rows(requests, places))
    if envelope is None:
        return found
    faults = (
        *_unaccounted((*commits.items(), *requests.items()), places),
        *_untold(names, found.commits),
        *_envelope_faults(envelope, names, requests, fields, is_judged=is_judged),
    )
    return replace(found, findings=faults)


def item_keys(fields: Iterable[str]) -> tuple[str, ...]:
    """The keys of the items in their order, as the paths of a draft record name them; `change` for a single one."""
    found = (match["key"] or match["change"] for path in fields if (match := _ITEM.fullmatch(path)) is not None)
    return tuple(dict.fromkeys(found))


def _rows(accounts: Mapping[str, str], places: Mapping[str, int]) -> tuple[Row, ...]:
    return tuple(_row(name, account, places) for name, account in accounts.items())


def _row(name: str, account: str, places: Mapping[str, int]) -> Row:
    told = keys(account)
    return Row(name, tuple(places[key] for key in told if key in places), "" if told else account)


def _unaccounted(accounts: Sequence[tuple[str, str]], places: Mapping[str, int]) -> Iterator[Finding]:
    for name, account in accounts:
        if not account.strip():
            yield RELEASE_UNACCOUNTED.at("items", f"got no account of {name[:80]}, expected its items or a reason")
        for key in keys(account):
            if key not in places:
                yield ACCOUNT_UNKNOWN_ITEM.at("items", f"got item {key} for {name[:80]}, which the envelope does not have")


def _untold(names: Sequence[str], rows: Sequence[Row]) -> Iterator[Finding]:
    told = {place for row in rows for place in row.items}
    yield from (ITEM_WITHOUT_COMMIT.at(_path(key), "got no commit") for place, key in enumerate(names) if place not in told)


def _envelope_faults(
    envelope: Mapping[str, object],
    names: Sequence[str],
    requests: Mapping[str, str],
    fields: Mapping[str, object],
    *,
    is_judged: bool,
) -> Iterator[Finding]:
    """What the envelope says wrongly of itself (counts, order, fields) and of the range; its items are those of the record."""
    read = envelopes.of(envelope)
    if isinstance(read, tuple):
        yield from read
        return
    told = read.items if isinstance(read, ItemizedEnvelope) else (read.change,)
    if len(told) != len(names):
        yield ITEM_UNKNOWN.at("items", f"got {len(told)} items, the record has {len(names)}")
        return
    yield from () if is_judged else validate(read, names)
    own = read.operation.repository
    cited = {same(name, own) for name in requests}
    for key, item in zip(names, told, strict=True):
        path, request = f"{_path(key)}.relations.request", item.relations.request
        if request is not None and same(request, own) not in cited and not _is_answered(path, fields):
            yield REQUEST_OUTSIDE_RANGE.at(path, f"got {request[:80]}, expected a request that a commit of the range cites")


def _is_answered(path: str, fields: Mapping[str, object]) -> bool:
    field = fields.get(path)
    return isinstance(field, Mapping) and field.get("basis") == Basis.ANSWER.value


def _path(key: str) -> str:
    return key if key == "change" else f"items[{key}]"
