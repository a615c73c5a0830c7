"""A whole draft is a record that its own checks let through (Intent Pull Requests 1.0.0)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis
from guardrails.findings import Finding
from guardrails.grounding.citable import Citable
from guardrails.records import pull_request, pull_request_rules
from guardrails.records.pull_request import PullRequest
from guardrails.resolving.resolved import Resolved


def check(draft: Draft, citable: Citable, resolved: Resolved) -> Iterator[Finding]:
    """What the reader and the rules of the record find; nothing as long as something is open.

    What a finding is about is named as the draft has it: of a title its description, of the whole page its longest text.
    """
    have = {*draft.values, *draft.prose}
    if resolved.unresolved or any(request.field not in have for request in resolved.requests):
        return
    read = pull_request.read(draft.form.write(draft.record()).encode())
    found = pull_request_rules.validate(read, citable.profile) if isinstance(read, PullRequest) else read
    yield from (replace(one, where=_where(one.where, draft), line=None) for one in found)


def _where(place: str, draft: Draft) -> str:
    if place == "title" and "title.description" in draft.prose:
        return "title.description"
    if place:
        return place
    lengths = {path: len(text.text) for path, text in draft.prose.items() if text.basis is not Basis.GIVEN}
    return max(lengths, key=lengths.__getitem__, default=place)
