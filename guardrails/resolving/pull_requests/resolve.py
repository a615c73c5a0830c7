"""Resolving a request: what evidence, profile, rules, linked decisions and answers decide without a model (Intent Pull Requests
1.0.0; Intent Changesets 7, 11).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from guardrails.drafts.pull_request import PULL_REQUEST, TITLE_FIELDS, listed_field
from guardrails.records.disclosure import FIELDS as DISCLOSURE_FIELDS
from guardrails.records.profile import Profile
from guardrails.records.pull_request import CLAIM_FIELDS, TARGET_FIELDS
from guardrails.redaction.redact import RedactedEvidence
from guardrails.resolving.answers import report_unknown
from guardrails.resolving.changesets.conflicts import report_record_conflicts
from guardrails.resolving.changesets.disclosure import resolve_disclosure
from guardrails.resolving.changesets.impacts import resolve_impact
from guardrails.resolving.changesets.migration import resolve_migration
from guardrails.resolving.changesets.provenance import resolve_provenance
from guardrails.resolving.changesets.targets import resolve_targets
from guardrails.resolving.contracts import resolve_contracts
from guardrails.resolving.coverage import taking_part
from guardrails.resolving.nothing import nothing
from guardrails.resolving.pull_requests.heading import resolve_id, resolve_state, resolve_title
from guardrails.resolving.pull_requests.linked import Linked, resolve_links, strays
from guardrails.resolving.pull_requests.revisions import REVISIONS, resolve_revisions
from guardrails.resolving.pull_requests.telling import TEXTS, resolve_prose
from guardrails.resolving.pull_requests.verification import FIELD, resolve_verification
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules
from guardrails.resolving.sheet import Sheet
from guardrails.resolving.trailers import Case

ANSWERABLE: Final = (
    "id",
    "title",
    *(f"title.{name}" for name in TITLE_FIELDS),
    "state",
    "summary",
    "rationale",
    *TEXTS,
    "targets",
    FIELD,
    "provenance",
    *(f"disclosure.{name}" for name in DISCLOSURE_FIELDS),
    *REVISIONS,
)
_WITHHELD: Final = frozenset(("commit", "file", "hunk"))
"""Kinds of what was selected."""


def resolve(evidence: RedactedEvidence, profile: Profile, rules: Rules) -> Resolved:
    """Decide every field of a request that needs no model, and list what a drafter may write and a person must say.

    Pure and deterministic. What linked decisions say of targets, wording and disclosure is taken as it stands; where commits or
    answers say otherwise, both sides are told and the field is asked.
    """
    bundle = evidence.bundle
    case, coverage = taking_part(bundle, profile, rules, None)
    if not case.views:
        return nothing(coverage, withheld=bool(evidence.withheld), notes=bundle.notes, form=PULL_REQUEST)
    is_withheld = any(one.kind in _WITHHELD for one in evidence.withheld)
    return _fields(case, withheld=is_withheld).resolved(coverage, PULL_REQUEST)


def _fields(case: Case, *, withheld: bool) -> Sheet:
    """The record's fields, in an order in which each finds what it builds on."""
    sheet, linked = Sheet(), Linked.of(case)
    resolve_id(case, sheet, linked)
    resolve_state(case, sheet)
    resolve_title(case, sheet)
    targets = resolve_targets(replace(case, views=linked.loose), sheet, linked.decided())
    for target in targets:
        resolve_impact(case, sheet, target)
        resolve_migration(case, sheet, target)
    resolve_provenance(case, sheet, resolve_links(sheet, linked))
    resolve_disclosure(case, sheet, linked.disclosure(withheld=withheld), withheld=withheld)
    resolve_revisions(case, sheet)
    resolve_verification(case, sheet)
    resolve_prose(case, sheet, linked)
    report_record_conflicts(case, sheet, targets, linked.existing(case))
    sheet.warnings.extend(strays(case, linked))
    resolve_contracts(case.bundle, case.answers, sheet)
    report_unknown(
        sheet,
        {path: answer for path, answer in case.answers.items() if not _is_claim(path)},
        len(targets) or None,
        fields=ANSWERABLE,
        of_targets=TARGET_FIELDS,
    )
    return sheet


def _is_claim(path: str) -> bool:
    place = listed_field(path)
    return place is not None and place[0] == FIELD and place[2] in CLAIM_FIELDS
