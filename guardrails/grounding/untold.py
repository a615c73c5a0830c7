"""What a refused drafter said is not repeated in the findings on it (Intent Changesets 11.6, 11.7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis
from guardrails.findings import Finding, blocking
from guardrails.grounding import catalogue

_DRAFTED: Final = frozenset({Basis.SYNTHESIS, Basis.EVIDENCE})


def unquoted(findings: Iterable[Finding], draft: Draft) -> tuple[Finding, ...]:
    """The findings, those on a drafter's text that one of them refuses in the words of their codes.

    The text is taken out of the draft, and a message that says what was got would bring a piece of it back. Of a text that
    stands, and of one that somebody handed in, a reader has the words at hand, and the findings on it keep theirs.
    """
    found = tuple(findings)
    refused = {one.where for one in blocking(found) if (text := draft.prose.get(one.where)) and text.basis in _DRAFTED}
    if not refused:
        return found
    known = catalogue.codes()
    told = (
        replace(one, message=known[one.code].summary) if one.where in refused and one.code in known else one for one in found
    )
    return tuple(dict.fromkeys(told))
