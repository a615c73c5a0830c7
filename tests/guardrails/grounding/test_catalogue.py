"""The catalogue knows every code by its name."""

from __future__ import annotations

from guardrails.drafts.unusable import REPLY_SHAPE
from guardrails.grounding.catalogue import codes
from guardrails.grounding.identifiers import UNSUPPORTED_SHA


def test_codes_are_listed_by_name_from_every_floor() -> None:
    known = codes()
    assert known["reply-shape"] is REPLY_SHAPE
    assert known["unsupported-sha"] is UNSUPPORTED_SHA
    assert list(known) == sorted(known)
    assert all(name == code.name for name, code in known.items())
