"""Describing: what evidence, rules and answers decide of an envelope without a model (Describe Changes; design 1).

The shape comes first: as long as it is open, nothing else is asked. Then every change of the operation gets its kind and its
relations here, and its texts from a drafter. Items are addressed by key, so that an answer stays with its change whatever the
order. Without a diff the contract's substitutions hold: no detail, no refs, and texts that rest on messages and requests alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from guardrails.drafts.envelope import ITEMIZED
from guardrails.drafts.envelope_form import CHANGE, MIGRATION, SUMMARY_FIELDS, TEXT_FIELDS, EnvelopeForm
from guardrails.drafts.questions import Reason, Suggestion
from guardrails.drafts.relations import KEYS as RELATIONS
from guardrails.drafts.sourced import Basis, Prose
from guardrails.evidence.model import Answer, Bundle, OperationType
from guardrails.records.profile import Profile
from guardrails.redaction.redact import RedactedEvidence
from guardrails.resolving import units
from guardrails.resolving.answers import as_text, by_path, is_of_contract, refuse, refuse_path, take_word
from guardrails.resolving.contracts import resolve_contracts
from guardrails.resolving.envelopes.deciding import decision_of, wording
from guardrails.resolving.envelopes.disagreeing import disagreements, unlinked
from guardrails.resolving.envelopes.operating import REPOSITORY, resolve_operation
from guardrails.resolving.envelopes.reading import Part, Reading
from guardrails.resolving.envelopes.relating import Related, relations
from guardrails.resolving.envelopes.shaping import SHAPE, resolve_shape
from guardrails.resolving.envelopes.texts import Sources, resolve_texts
from guardrails.resolving.grouping.dividing import divided
from guardrails.resolving.grouping.grouping import Group, Grouping, group, together, whole
from guardrails.resolving.grouping.significance import ordered
from guardrails.resolving.kinds.classifying import KINDS, Kinds, classify
from guardrails.resolving.nothing import nothing
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules
from guardrails.resolving.sheet import Sheet
from guardrails.resolving.units import Share

ANSWERABLE: Final = ("kind", *TEXT_FIELDS, *(f"relations.{name}" for name in RELATIONS), MIGRATION)
"""The fields of a change that a person may answer; refs follow from its detail."""
_OPERATION: Final = (REPOSITORY, SHAPE)
_SUMMARY: Final = tuple(f"summary.{name}" for name in SUMMARY_FIELDS)
_KEY_LENGTH: Final = 7
"""Of an item's key: as long as the shortest object name."""
_MOST_HINTS: Final = 2
"""What could be any of three kinds hints at none."""


@dataclass(frozen=True, slots=True)
class Described:
    """One change of the envelope: where it stands in the draft, and what makes it."""

    path: str
    group: Group
    kinds: Kinds
    related: Related


def describe(evidence: RedactedEvidence, profile: Profile | None, rules: Rules) -> Resolved:
    """Decide every field of one envelope that needs no model, and list what a drafter may write and a person must say.

    Pure and deterministic; never raises on what a repository or a forge holds. Coverage maps each commit to its changes or to
    why it is in none. Where a release unit is described there must be a profile.
    """
    bundle = evidence.bundle
    unit = bundle.operation.unit if bundle.operation is not None else ""
    own = _share(unit, bundle, profile, rules)
    if own.unsure:
        return units.unmapped(unit, own)
    reading = Reading.of(bundle)
    grouping = divided(own.grouping, bundle, reading.linked)
    if not grouping.groups:
        withheld = bool(evidence.withheld) and not (unit and grouping.coverage)
        return nothing(grouping.coverage, withheld=withheld, notes=bundle.notes, form=EnvelopeForm(), unit=unit)
    answers, sheet = by_path(bundle.answers), Sheet()
    resolve_operation(bundle, profile, answers, sheet)
    chosen = resolve_shape(reading, grouping.groups, rules, answers.get(SHAPE), sheet)
    if chosen is None:
        return sheet.resolved(dict(grouping.coverage), EnvelopeForm())
    is_itemized = chosen == ITEMIZED
    changes = (
        _changes(reading, grouping, rules, answers)
        if is_itemized
        else (_described(CHANGE, together(grouping.groups, bundle) if unit else whole(bundle), reading, rules),)
    )
    sources = Sources.of(bundle)
    for change in changes:
        part = reading.part(change.group)
        _resolve_change(change, part, sources, answers, sheet)
        sheet.warnings += disagreements(change.path, part, profile, rules, unit=unit, every=reading.decisions)
    resolve_contracts(bundle, answers, sheet)
    sheet.warnings += unlinked(reading, grouping.coverage, (one.key for one in grouping.groups))
    if is_itemized:
        _take_summary(answers, sheet)
    _refuse_unknown(answers, changes, sheet, is_itemized=is_itemized)
    form = EnvelopeForm(tuple(change.group.key for change in changes) if is_itemized else ())
    return sheet.resolved(_coverage(grouping, changes), form)


def _grouping(bundle: Bundle, rules: Rules) -> Grouping:
    """The changes of the operation; a request of which no commit is known is one change too, its number the key."""
    grouping, operation = group(bundle, rules), bundle.operation
    is_request = operation is not None and operation.type is OperationType.PULL_REQUEST
    if operation is None or grouping.groups or not is_request or bundle.commits or not bundle.documents:
        return grouping
    return Grouping((replace(whole(bundle), key=operation.id.zfill(_KEY_LENGTH)),), grouping.coverage)


def _share(unit: str, bundle: Bundle, profile: Profile | None, rules: Rules) -> Share:
    """All changes of the operation, or those of the one release unit that is described.

    Raises:
        ValueError: there is a unit and no profile; whoever gathers for a unit sees to it that there is one.
    """
    if not unit:
        return Share(_grouping(bundle, rules))
    if profile is None:
        raise ValueError("a release unit is one of a Project Profile")
    return units.share(_grouping(bundle, rules), bundle, unit, profile, rules)


def _described(path: str, one: Group, reading: Reading, rules: Rules) -> Described:
    part = reading.part(one)
    return Described(path, one, classify(part, rules), relations(part, reading, rules))


def _changes(reading: Reading, grouping: Grouping, rules: Rules, answers: Mapping[str, Answer]) -> tuple[Described, ...]:
    """The items in order of significance; a kind that a person gave counts for the order."""
    found = {one.key: _described(f"items[{one.key}]", one, reading, rules) for one in grouping.groups}
    kinds = {key: _said_kind(change, answers) or change.kinds.value for key, change in found.items()}
    return tuple(found[key] for key in ordered(grouping.groups, kinds, reading.bundle))


def _said_kind(change: Described, answers: Mapping[str, Answer]) -> str | None:
    answer = answers.get(f"{change.path}.kind")
    said = as_text(answer.value) if answer is not None else None
    return said if said in KINDS else None


def _resolve_change(change: Described, part: Part, sources: Sources, answers: Mapping[str, Answer], sheet: Sheet) -> None:
    decision = decision_of(part)
    decided = wording(decision) if decision is not None else {}
    records = tuple(one.item for one in part.decisions)
    _resolve_kind(change, answers, sheet)
    _resolve_relations(change, answers, sheet)
    resolve_texts(change.path, change.group, sources, answers, sheet, records=records, decided=decided)
    _resolve_migration(f"{change.path}.{MIGRATION}", answers, decided.get(MIGRATION), sheet)


def _resolve_kind(change: Described, answers: Mapping[str, Answer], sheet: Sheet) -> None:
    path, kinds = f"{change.path}.kind", change.kinds
    question = _question(path)
    if (answer := answers.get(path)) is not None:
        take_word(sheet, answer, KINDS, question)
    elif kinds.value is not None:
        sheet.settle(path, kinds.value, kinds.basis, kinds.evidence)
    else:
        hints = kinds.sides if len(kinds.sides) <= _MOST_HINTS else ()
        suggestions = tuple(Suggestion(kind, evidence) for kind, evidence, _ in hints)
        reason, sides = Reason.NO_EVIDENCE, change.group.commits or change.group.documents
        if (conflict := kinds.contradiction) is not None:
            sheet.contradictions.append(replace(conflict, where=path))
            reason, sides = Reason.CONTRADICTION, conflict.evidence
        sheet.ask(path, reason, question, accepts=KINDS, suggestions=suggestions, evidence=sides)


def _resolve_relations(change: Described, answers: Mapping[str, Answer], sheet: Sheet) -> None:
    """Each of the three: a person's word, null among them; else what is explicitly cited; else null."""
    found = dict(zip(RELATIONS, (change.related.ticket, change.related.request, change.related.reporter), strict=True))
    for name, related in found.items():
        path = f"{change.path}.relations.{name}"
        answer = answers.get(path)
        said = as_text(answer.value) if answer is not None else None
        if answer is None:
            sheet.settle(path, related.value, related.basis, related.evidence)
        elif said is None and answer.value is not None:
            refuse(sheet, answer, ("<identifier>", "null"), _question(path))
        else:
            sheet.settle(path, said, Basis.ANSWER, (answer.id,))


def _resolve_migration(path: str, answers: Mapping[str, Answer], decided: Prose | None, sheet: Sheet) -> None:
    """What users must do: a person's word, null where that is nothing, else a decision's; nobody is asked here."""
    answer = answers.get(path)
    text = as_text(answer.value) if answer is not None else None
    if answer is not None and text is not None:
        sheet.write(path, text, Basis.ANSWER, (answer.id,))
    elif answer is not None and answer.value is None:
        sheet.settle(path, None, Basis.ANSWER, (answer.id,))
    elif answer is not None:
        refuse(sheet, answer, ("<text>", "null"), _question(path))
    elif decided is not None:
        sheet.prose[path] = decided


def _question(path: str) -> str:
    return EnvelopeForm().question(path)


def _take_summary(answers: Mapping[str, Answer], sheet: Sheet) -> None:
    """A person's words for the whole; what is not answered is computed from the items once they are drafted."""
    for path in _SUMMARY:
        answer = answers.get(path)
        text = as_text(answer.value) if answer is not None else None
        if answer is not None and text is not None:
            sheet.write(path, text, Basis.ANSWER, (answer.id,))
        elif answer is not None:
            refuse(sheet, answer, ("<text>",), _question(path))


def _refuse_unknown(answers: Mapping[str, Answer], changes: tuple[Described, ...], sheet: Sheet, *, is_itemized: bool) -> None:
    """Report each answer whose path is no field of this envelope."""
    fixed = (*_OPERATION, *(_SUMMARY if is_itemized else ()))
    known = {*fixed, *(f"{change.path}.{name}" for change in changes for name in ANSWERABLE)}
    shown = (*fixed, *(f"{'items[KEY]' if is_itemized else CHANGE}.{name}" for name in ANSWERABLE))
    for answer in answers.values():
        if answer.path not in known and not is_of_contract(answer.path):
            refuse_path(sheet, answer, shown)


def _coverage(grouping: Grouping, changes: tuple[Described, ...]) -> dict[str, str]:
    """Where each commit went: the paths of its changes, or the reason why it is in none."""
    if [change.path for change in changes] == [CHANGE]:
        keys = {item.key for item in grouping.groups}
        return {item: CHANGE if keys & set(told.split(", ")) else told for item, told in grouping.coverage.items()}
    return dict(grouping.coverage)
