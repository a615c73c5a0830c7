"""Envelopes as somebody else hands them in, about small bundles, and what the post-validator says of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from guardrails.drafts import envelope, envelope_rules
from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope_form import given
from guardrails.evidence.model import Bundle
from guardrails.findings import Finding, blocking
from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes import allowing
from guardrails.grounding.envelopes import postvalidator as envelopes
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules
from tests.guardrails.grounding.pointing import HERE, PARENT
from tests.redacting import redacted

RELATIONS: Final[Mapping[str, None]] = dict.fromkeys(("ticket", "request", "reporter"))
CHANGE: Final[Mapping[str, Any]] = {
    "kind": "improvement",
    "title": "Lower the pool size",
    "short_md": "`maxConnections` is 10 instead of 40",
    "medium_md": "The pool is lower in size.",
    "detail_md": "## What changed\n\n- `src/db/pool.ts:22` — `maxConnections` is 10.\n- `src/old.ts:1-2` — removed.",
    "refs": [
        {"path": "src/db/pool.ts", "range": "22", "sha": HERE[:7], "note": "maxConnections is 10"},
        {"path": "src/old.ts", "range": "1-2", "sha": PARENT, "note": "removed"},
    ],
    "relations": RELATIONS,
}
"""An honest change object about the first of the small bundles."""


def single(**fields: Any) -> dict[str, Any]:
    """The envelope of one change, with other fields in its change object."""
    operation = {"type": "range", "id": "main..HEAD", "repository": "example/payments"}
    return {"shape": "single", "operation": operation, "change": {**CHANGE, **fields}}


def itemized(*items: Mapping[str, Any]) -> dict[str, Any]:
    """The envelope of some changes, each with other fields than the first one has."""
    return {
        "shape": "itemized",
        "operation": {"type": "range", "id": "main..HEAD", "repository": "example/payments"},
        "summary": {"title": "Lower the pool size", "short_md": "The pool is lower in size", "medium_md": "The pool is lower."},
        "items": [{**CHANGE, **fields} for fields in items],
    }


def read(value: object) -> envelope.Envelope:
    """An envelope out of JSON types; fails when it is none."""
    told = envelope.of(value)
    assert not isinstance(told, tuple), told
    return told


def drafted(value: object, bundle: Bundle) -> tuple[Draft, Citable]:
    """The same as a draft of somebody else, and what was shown."""
    citable = Citable.of(redacted(bundle), None)
    return given(read(value), citable.whole), citable


def held(value: object, bundle: Bundle, rules: Rules | None = None) -> tuple[Finding, ...]:
    """All that the gate finds in an envelope."""
    evidence = redacted(bundle)
    citable = Citable.of(evidence, None)
    draft = given(read(value), citable.whole)
    return (
        *envelope_rules.validate(read(value)),
        *envelopes.postvalidate(draft, citable, Resolved({}, {}, (), (), (), {}, form=draft.form), evidence.guard),
        *allowing.check(draft, evidence.bundle, rules or Rules()),
    )


def refused(value: object, bundle: Bundle, rules: Rules | None = None) -> set[str]:
    """The codes that refuse an envelope."""
    return {finding.code for finding in blocking(held(value, bundle, rules))}
