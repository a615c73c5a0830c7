"""The post-validator of envelopes: every rule over a whole draft, findings in a fixed order (Describe Changes)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from guardrails.drafts import relations
from guardrails.drafts.draft import Draft, Place
from guardrails.drafts.envelope_form import CHANGE, CHANGE_FIELDS, OPERATION_FIELDS, SUMMARY_FIELDS, changes
from guardrails.drafts.sourced import Basis
from guardrails.evidence.references import Catalogue
from guardrails.findings import Finding
from guardrails.grounding import claims, decided, identifiers, kept, language, leaks, own_words, polarity, saying, statements
from guardrails.grounding.changesets import decisions
from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes import (
    breaking,
    contract,
    detail,
    elsewhere,
    envelope_statements,
    operation,
    references,
    reverts,
    sides,
    telling,
)
from guardrails.grounding.envelopes.places import Places
from guardrails.redaction.redact import Guard
from guardrails.resolving.resolved import Resolved

_OF_SENTENCES: Final = (statements.check, identifiers.check, claims.check, polarity.check, sides.check)
"""The rules that judge each sentence by itself, one after the other: what one reads in it the next need not read again."""


def postvalidate(draft: Draft, citable: Citable, resolved: Resolved, guard: Guard) -> tuple[Finding, ...]:
    """Hold an envelope against what was shown and what was resolved; each finding once, by field, code and message.

    Values that someone else gave are held against the evidence alone: nothing was resolved for them. A finding on a text that
    cites nothing, and so leans on all that was shown, names no evidence.
    """
    bundle, places = citable.bundle, Places.of(citable.bundle)
    told = envelope_statements.claimed(draft, citable, places)
    found = (
        *contract.check(draft),
        *(finding for one in told for check in _OF_SENTENCES for finding in check((one,), citable)),
        *identifiers.check(envelope_statements.named(draft, citable), citable),
        *own_words.check(draft, citable),
        *saying.check(draft, citable),
        *kept.check(draft, citable),
        *language.check(draft, citable),
        *decided.check(draft, citable),
        *breaking.check(told, draft, citable),
        *_references(draft, places),
        *references.drawn(draft, Catalogue.of(bundle)),
        *_pages(draft, places, citable),
        *_reverts(draft, citable),
        *operation.check(draft, bundle),
        *(() if resolved.names_no_decision else telling.check(draft, told, citable)),
        *_decisions(draft, citable, resolved),
        *leaks.check(draft, guard),
        *resolved.warnings,
    )

    def order(finding: Finding) -> tuple[Place, str, str]:
        return draft.form.order(finding.where), finding.code, finding.message

    is_given = any(text.basis is Basis.GIVEN for text in draft.prose.values())
    every = citable.whole if is_given else None
    return tuple(sorted(dict.fromkeys(replace(one, evidence=()) if one.evidence == every else one for one in found), key=order))


def _references(draft: Draft, places: Places) -> Iterator[Finding]:
    """Every entry of every `refs`, by its place in the list."""
    for path in changes(draft):
        own = telling.references(path, draft)
        for number, one in enumerate(own):
            yield from references.check(f"{path}.refs[{number}]", one, places)
        yield from references.twice(f"{path}.refs", own)


def _pages(draft: Draft, places: Places, citable: Citable) -> Iterator[Finding]:
    """Pages that somebody wrote whole. Of a drafter's the places beside the sentences are drawn; those within are its own."""
    for path, text in draft.prose.items():
        if not path.endswith(envelope_statements.DETAIL):
            continue
        if text.basis in {Basis.GIVEN, Basis.ANSWER}:
            yield from detail.check(path, text.text, places, citable)
            yield from elsewhere.check(path, text.text, places, citable)
        else:
            yield from (finding for one in text.sentences for finding in detail.within(path, one.text, places, citable))
    for path, value in draft.values.items():
        if path.endswith(envelope_statements.DETAIL) and value.basis is Basis.GIVEN and places.paths:
            yield detail.DETAIL_LEFT_OUT.at(path, "got null, expected a page: there is a diff")


def _reverts(draft: Draft, citable: Citable) -> Iterator[Finding]:
    """A change object all of whose commits take something back is a revert."""
    bundle = citable.bundle
    known = {commit.oid: commit for commit in (*bundle.referenced, *bundle.commits)}
    for path, commits in telling.told_by(draft, bundle).items():
        texts = telling.texts_of(path, draft)
        undone = [reverts.taken_back(commit.message, known) for commit in commits if commit.files or not commit.diff_known]
        told = [one for one in undone if one is not None]
        if texts and told and len(told) == len(undone):
            yield from reverts.check(path, texts, told)


def _decisions(draft: Draft, citable: Citable, resolved: Resolved) -> Iterator[Finding]:
    """What we decided rests on evidence, rules or answers, and nothing is left out; refs are drawn, not decided."""
    own = {path: value for path, value in draft.values.items() if value.basis is not Basis.GIVEN}
    for path, value in own.items():
        if not (path.endswith(".refs") and value.basis is Basis.EVIDENCE):
            yield from decisions.check_value(path, value, draft, citable, resolved)
    if own and not resolved.names_no_decision:
        asked = {*(one.field for one in resolved.unresolved), *(one.field for one in resolved.requests)}
        have = {*draft.values, *draft.prose, *asked}
        yield from (
            decisions.FIELD_MISSING.at(path, "got nothing, expected a value or a question")
            for path in _required(draft)
            if path not in have
        )


def _required(draft: Draft) -> Iterator[str]:
    """The fields of a whole envelope; refs come with the page, the summary with the titles of all items."""
    paths = changes(draft)
    yield from ("shape", *(f"operation.{name}" for name in OPERATION_FIELDS))
    for path in paths:
        yield from (f"{path}.{name}" for name in CHANGE_FIELDS if name != "refs" or f"{path}.detail_md" in draft.prose)
        yield from (f"{path}.relations.{name}" for name in relations.KEYS)
    if paths != (CHANGE,) and all(f"{path}.title" in draft.prose and f"{path}.kind" in draft.values for path in paths):
        yield from (f"summary.{name}" for name in SUMMARY_FIELDS)
