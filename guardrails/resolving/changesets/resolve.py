"""Resolving: what evidence, profile, reviewed rules and answers decide without a model (Intent Changesets 6, 7, 11.3, 11.5)."""

from __future__ import annotations

from guardrails.records.profile import Profile
from guardrails.redaction.redact import RedactedEvidence
from guardrails.resolving.answers import as_text, by_path, report_unknown
from guardrails.resolving.changesets.classification import resolve_audiences, resolve_type
from guardrails.resolving.changesets.conflicts import report_record_conflicts
from guardrails.resolving.changesets.disclosure import resolve_disclosure
from guardrails.resolving.changesets.identity import resolve_id, resolve_repository
from guardrails.resolving.changesets.impacts import resolve_impact
from guardrails.resolving.changesets.migration import resolve_migration
from guardrails.resolving.changesets.prose import resolve_prose
from guardrails.resolving.changesets.provenance import resolve_provenance
from guardrails.resolving.changesets.relations import resolve_relations
from guardrails.resolving.changesets.targets import resolve_targets
from guardrails.resolving.contracts import resolve_contracts
from guardrails.resolving.coverage import taking_part
from guardrails.resolving.nothing import nothing
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules
from guardrails.resolving.sheet import Sheet
from guardrails.resolving.trailers import Case, View, view


def resolve(evidence: RedactedEvidence, profile: Profile, rules: Rules) -> Resolved:
    """Decide every field of one changeset that needs no model, and list what a drafter may write and a person must say.

    Pure and deterministic; never raises on what a repository holds. While several decisions are linked and none is chosen, only
    `id` is asked. Values always come from the profile's vocabulary.
    """
    bundle = evidence.bundle
    answers = by_path(bundle.answers)
    chosen = as_text(answers["id"].value) if "id" in answers else None
    case, coverage = taking_part(bundle, profile, rules, chosen)
    if not case.evidence:
        return nothing(coverage, withheld=bool(evidence.withheld), notes=bundle.notes)
    known = tuple(view(commit, profile, rules) for commit in (*bundle.commits, *bundle.referenced))
    return _fields(case, known).resolved(coverage)


def _fields(case: Case, known: tuple[View, ...]) -> Sheet:
    """The record's fields, in an order in which each finds what it builds on."""
    sheet = Sheet()
    resolve_repository(case, sheet)
    if not resolve_id(case, sheet):
        report_unknown(sheet, case.answers, None)
        return sheet
    targets = resolve_targets(case, sheet)
    for target in targets:
        resolve_type(case, sheet, target)
        resolve_audiences(case, sheet, target)
        resolve_impact(case, sheet, target)
        resolve_migration(case, sheet, target)
    resolve_provenance(case, sheet)
    resolve_relations(case, sheet, known)
    own = sheet.values.get("id")
    existing = case.records_of(own.value if own else None)
    resolve_disclosure(case, sheet, next(((one.item, one.record.disclosure) for one in existing), None))
    resolve_prose(case, sheet)
    report_record_conflicts(case, sheet, targets, existing)
    resolve_contracts(case.bundle, case.answers, sheet)
    report_unknown(sheet, case.answers, len(targets) or None)
    return sheet
