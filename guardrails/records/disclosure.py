"""Disclosure of a record: who may see it, and what stands in its place (Intent Changesets 6.9)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Final

from guardrails.findings import Code
from guardrails.records.fields import Faults, Fields, is_blank
from guardrails.strict_yaml import Path

UNKNOWN_DISCLOSURE_STATE = Code(
    name="unknown-disclosure-state",
    summary="The disclosure state is none of public, embargoed, redacted.",
    cure="Choose one of the three states.",
    section="Intent Changesets 6.9",
)
EMBARGO_WITHOUT_TERMS = Code(
    name="embargo-without-terms",
    summary="An embargoed record gives neither a not-before time nor a policy.",
    cure="Give an ISO 8601 not-before time, or the policy that ends the embargo.",
    section="Intent Changesets 6.9",
)
INVALID_NOT_BEFORE = Code(
    name="invalid-not-before",
    summary="not-before is no ISO 8601 date or time.",
    cure="Write the time as 2026-12-01 or 2026-12-01T09:30:00Z.",
    section="Intent Changesets 6.9",
)
REDACTED_WITHOUT_PLACEHOLDER = Code(
    name="redacted-without-placeholder",
    summary="A redacted record has no placeholder to show.",
    cure="Write a placeholder that tells nothing sensitive.",
    section="Intent Changesets 6.9",
)
DISCLOSURE_FIELD_NOT_NULL = Code(
    name="disclosure-field-not-null",
    summary="A disclosure field that does not apply to the state is not null.",
    cure="Set the field to null, or choose the state that it belongs to.",
    section="Intent Changesets 6.9",
)


class State(StrEnum):
    """The three states of disclosure."""

    PUBLIC = "public"
    EMBARGOED = "embargoed"
    REDACTED = "redacted"


FIELDS: Final = ("state", "not-before", "policy", "placeholder")
APPLYING: Final[dict[str, tuple[str, ...]]] = {
    State.PUBLIC: (),
    State.EMBARGOED: ("not-before", "policy"),
    State.REDACTED: ("placeholder",),
}
"""What each state needs or may have; every other field is null in it."""
STRICTNESS: Final[dict[str, int]] = {State.PUBLIC: 0, State.REDACTED: 1, State.EMBARGOED: 2}
"""How much each state withholds."""


@dataclass(frozen=True, slots=True)
class Disclosure:
    """A disclosure as written; `state` may still be any text before validation."""

    state: str
    not_before: str | None = None
    policy: str | None = None
    placeholder: str | None = None

    @property
    def is_public(self) -> bool:
        """Whether everybody may see the record. Time alone never makes it so."""
        return self.state == State.PUBLIC

    def as_mapping(self) -> dict[str, str | None]:
        """The four keys in the order of the specification."""
        return {"state": self.state, "not-before": self.not_before, "policy": self.policy, "placeholder": self.placeholder}


def read_disclosure(fields: Fields, *, whole: bool = True) -> Disclosure:
    """The disclosure out of its mapping; every wrong type is noted, and every absent key unless it need not be `whole`."""
    return Disclosure(
        fields.text("state"),
        fields.text_or_null("not-before", required=whole),
        fields.text_or_null("policy", required=whole),
        fields.text_or_null("placeholder", required=whole),
    )


def validate_disclosure(disclosure: Disclosure, faults: Faults, path: Path = ("disclosure",)) -> None:
    """Note every breach of section 6.9 by the disclosure that stands at `path`."""
    values = disclosure.as_mapping()
    applying = APPLYING.get(disclosure.state)
    if applying is None:
        faults.note(UNKNOWN_DISCLOSURE_STATE, (*path, "state"), f"got another word, expected one of {', '.join(APPLYING)}")
        return
    for key in FIELDS[1:]:
        if values[key] is not None and key not in applying:
            faults.note(DISCLOSURE_FIELD_NOT_NULL, (*path, key), f"got a value, expected null in state {disclosure.state}")
    if disclosure.not_before is not None and not is_timestamp(disclosure.not_before):
        faults.note(INVALID_NOT_BEFORE, (*path, "not-before"), "got another text, expected an ISO 8601 date or time")
    if disclosure.state == State.EMBARGOED and disclosure.not_before is None and is_blank(disclosure.policy or ""):
        faults.note(EMBARGO_WITHOUT_TERMS, path, "got neither not-before nor policy, expected at least one")
    if disclosure.state == State.REDACTED and is_blank(disclosure.placeholder or ""):
        faults.note(REDACTED_WITHOUT_PLACEHOLDER, (*path, "placeholder"), "got no text, expected one that may be shown")


def is_timestamp(text: str) -> bool:
    """Whether `text` is an ISO 8601 calendar date, with or without a time of day after a `T`."""
    day, mark, _ = text.partition("T")
    try:
        date.fromisoformat(day)
        if mark:
            datetime.fromisoformat(text)
    except ValueError:
        return False
    return text.isascii()
