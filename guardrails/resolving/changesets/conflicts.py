"""Contradictions between the selected commits and a changeset that exists under the same id (Intent Changesets 7, 11.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from guardrails.drafts.changeset import target_field
from guardrails.drafts.questions import Reason
from guardrails.findings import Finding
from guardrails.records.changeset import Changeset
from guardrails.records.linking import conflicts
from guardrails.resolving.changesets.targets import Target
from guardrails.resolving.sheet import Sheet
from guardrails.resolving.trailers import Case, Existing

_QUESTIONS = {
    "targets": "Which release units does this change affect?",
    "impact": "Which release impact holds?",
    "migration": "Which migration guidance holds?",
}


def report_record_conflicts(case: Case, sheet: Sheet, targets: tuple[Target, ...], records: Iterable[Existing]) -> None:
    """Report every contradiction between a commit and one of `records` that it links, and ask the field; an answered field is
    settled.

    Commits that resolve to no unit say nothing that could contradict.
    """
    for existing in records:
        record = existing.record
        for view in case.views:
            if record.id not in view.changesets or not view.declared:
                continue
            linked = (one.record for one in case.records if one.record.id in view.changesets)
            for finding in conflicts(view.message, record, case.profile, linked):
                for path in _paths(finding, record, targets):
                    if path not in case.answers:
                        _ask(case, sheet, _placed(finding, existing), path, (view.id, _item(finding, existing)))


def _placed(finding: Finding, existing: Existing) -> Finding:
    """The finding with its line where there is a file that has it."""
    return finding if existing.is_file else replace(finding, line=None)


def _item(finding: Finding, existing: Existing) -> str:
    place = target_field(finding.where)
    return existing.item if place is None else existing.item_of(place[0])


def _paths(finding: Finding, record: Changeset, targets: tuple[Target, ...]) -> Iterator[str]:
    """The draft's field for a finding's field in the record: the target of the same unit and stream."""
    place = target_field(finding.where)
    if place is None:
        yield finding.where
        return
    index, name = place
    pair = (record.targets[index].release_unit, record.targets[index].stream)
    yield from (target.path(name) for target in targets if (target.unit, target.stream) == pair)


def _ask(case: Case, sheet: Sheet, finding: Finding, path: str, sides: tuple[str, ...]) -> None:
    place = target_field(path)
    name = place[1] if place else path
    accepts = {"impact": case.profile.release_impacts, "targets": tuple(case.profile.release_units)}.get(name, ("<guidance>",))
    sheet.contradictions.append(replace(finding, where=path, evidence=sides))
    earlier = sheet.unresolved.get(path)
    evidence = (*(earlier.evidence if earlier else ()), *sides)
    suggestions = earlier.suggestions if earlier else ()
    sheet.ask(path, Reason.CONTRADICTION, _QUESTIONS[name], accepts=accepts, suggestions=suggestions, evidence=evidence)
