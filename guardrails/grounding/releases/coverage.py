"""The items of an envelope equal its range: what no item tells is left out for a reason (Describe Changes: Shape B)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from guardrails.drafts import envelope as envelopes
from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope import Envelope, ItemizedEnvelope
from guardrails.drafts.envelope_form import CHANGE, EnvelopeForm
from guardrails.drafts.sourced import Basis
from guardrails.findings import Code, Finding
from guardrails.grounding.envelopes.telling import ITEM_WITHOUT_COMMIT
from guardrails.grounding.releases.accounts import Accounts, keys
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
_ITEM: Final = re.compile(r"(?P<path>items\[[0-9a-f.]{1,80}\]|change)\..+")


def coverage(told: Accounts, draft: Draft, record: Mapping[str, object]) -> tuple[Finding, ...]:
    """Hold an envelope that was drafted, whose JSON is `record`, against the accounts of its range. Pure and linear.

    That it is an envelope is seen once more; what it says by itself is gone through where it is judged (`envelopes.contract`).
    """
    names = (draft.form.keys or (CHANGE,)) if isinstance(draft.form, EnvelopeForm) else ()
    accounts = (*told.commits.items(), *told.requests.items())
    read = envelopes.of(record)
    return (
        *_unaccounted(accounts, frozenset(names)),
        *_untold(names, told.commits.values()),
        *(read if isinstance(read, tuple) else (*_unknown(read, draft), *_outside(names, told.requests, draft))),
    )


def _unaccounted(accounts: Iterable[tuple[str, str]], names: frozenset[str]) -> Iterator[Finding]:
    for name, account in accounts:
        if not account.strip():
            yield RELEASE_UNACCOUNTED.at("items", f"got no account of {name[:80]}, expected its items or a reason")
        for key in keys(account):
            if key not in names:
                yield ACCOUNT_UNKNOWN_ITEM.at("items", f"got item {key} for {name[:80]}, which the envelope does not have")


def _untold(names: Iterable[str], commits: Iterable[str]) -> Iterator[Finding]:
    told = {key for account in commits for key in keys(account)}
    yield from (ITEM_WITHOUT_COMMIT.at(_path(key), "got no commit") for key in names if key not in told)


def _unknown(read: Envelope, draft: Draft) -> Iterator[Finding]:
    told = len(read.items) if isinstance(read, ItemizedEnvelope) else 1
    found = {match["path"] for path in (*draft.values, *draft.prose) if (match := _ITEM.fullmatch(path)) is not None}
    if told != len(found):
        yield ITEM_UNKNOWN.at("items", f"got {told} items, the record has {len(found)}")


def _outside(names: Iterable[str], requests: Iterable[str], draft: Draft) -> Iterator[Finding]:
    """Requests of items that the range does not cite, and that no person named."""
    own = draft.get("operation.repository")
    repository = own if isinstance(own, str) else ""
    cited = {same(name, repository) for name in requests}
    for path in (f"{_path(key)}.relations.request" for key in names):
        said = draft.values.get(path)
        request = said.value if said is not None and said.basis is not Basis.ANSWER else None
        if isinstance(request, str) and same(request, repository) not in cited:
            yield REQUEST_OUTSIDE_RANGE.at(path, f"got {request[:80]}, expected a request that a commit of the range cites")


def _path(key: str) -> str:
    return key if key == CHANGE else f"items[{key}]"
