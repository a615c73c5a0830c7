"""The release impact of each target (Intent Changesets 6.6, 7).

`Target-Impact` comes before `Impact`, both before the project's rules, those before the type's default. Trailers that differ
are a contradiction; defaults that differ are a question.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from guardrails.drafts.questions import Reason, Suggestion
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import Answer
from guardrails.findings import Code
from guardrails.records.commit import default_impact, selected
from guardrails.records.fields import IMPACTS
from guardrails.records.linking import IMPACT_CONFLICT
from guardrails.resolving.answers import ANSWER_CONFLICT, as_text, refuse
from guardrails.resolving.changesets.targets import Target
from guardrails.resolving.sheet import Sheet, grouped, unique
from guardrails.resolving.trailers import Case, View

BREAKING_CONFLICT = Code(
    name="breaking-marker-conflict",
    summary="A commit is marked as breaking, and what it asks for is not major.",
    cure="Answer the impact, or say in `[rules] breaking-marker` what the marker means.",
    section="Intent Changesets 7",
)


@dataclass(frozen=True, slots=True)
class _Claim:
    """What one commit or decision says about the impact; `told` when a trailer or a record says it."""

    value: str
    basis: Basis
    evidence: str

    @property
    def told(self) -> bool:
        return self.basis in {Basis.TRAILER, Basis.EVIDENCE}


def resolve_impact(case: Case, sheet: Sheet, target: Target) -> None:
    """Settle or ask `impact`."""
    claims = [_Claim(one.impact, Basis.EVIDENCE, one.item) for one in target.decided]
    claims += [claim for view in target.views for claim in _claims(case, view, target)]
    if (answer := case.answers.get(target.path("impact"))) is not None:
        _take_answer(case, sheet, target, answer, [claim for claim in claims if claim.told])
    else:
        _take_claims(case, sheet, target, claims)


def _take_answer(case: Case, sheet: Sheet, target: Target, answer: Answer, told: list[_Claim]) -> None:
    said, accepts = as_text(answer.value), case.profile.release_impacts
    if said not in accepts:
        refuse(sheet, answer, accepts, _question(target))
    elif any(claim.value in accepts for claim in told) and said not in _sides(target, told):
        sheet.contradict(
            ANSWER_CONFLICT,
            answer.path,
            f"{answer.id} says {said}, {_listed(told)}",
            question=_question(target),
            accepts=accepts,
            suggestions=_suggested(told, accepts),
            evidence=(answer.id, *(claim.evidence for claim in told)),
        )
    else:
        sheet.settle(answer.path, said, Basis.ANSWER, (answer.id, *(claim.evidence for claim in told if claim.value == said)))


def _take_claims(case: Case, sheet: Sheet, target: Target, claims: list[_Claim]) -> None:
    path, accepts = target.path("impact"), case.profile.release_impacts
    told = [claim for claim in claims if claim.told]
    marked = [view.id for view in target.views if _is_breaking(view)] if case.rules.breaking_marker is None else []
    linked = {view.id for view in target.views if view.changesets}
    # A linked commit's default is what it asks of the decision: it contradicts as a trailer does. A loose commit's gives way.
    sides = [claim for claim in claims if claim.told or claim.evidence in linked] if told else claims
    values, ids = unique(claim.value for claim in sides), tuple(claim.evidence for claim in sides)
    is_marked_otherwise = bool(marked) and set(values) != {"major"}
    if is_marked_otherwise or (told and len(values) > 1):
        message = f"{', '.join(marked)} marked as breaking; {_listed(sides)}" if is_marked_otherwise else _listed(sides)
        sheet.contradict(
            BREAKING_CONFLICT if is_marked_otherwise else IMPACT_CONFLICT,
            path,
            message,
            question=_question(target),
            accepts=accepts,
            suggestions=_suggested(claims, accepts),
            evidence=(*marked, *ids) if is_marked_otherwise else ids,
        )
    elif len(values) == 1 and values[0] in accepts and (told or {*ids} >= {view.id for view in target.views}):
        sheet.settle(path, values[0], sides[0].basis, ids)
    else:
        odd = any(value not in accepts for value in values)
        reason = Reason.POLICY if odd else Reason.AMBIGUOUS if values else Reason.NO_EVIDENCE
        suggestions = _suggested(claims, accepts)
        sheet.ask(path, reason, _question(target), accepts=accepts, suggestions=suggestions, evidence=target.evidence)


def _claims(case: Case, view: View, target: Target) -> Iterator[_Claim]:
    """What a commit says about a target: every trailer of the strongest kind, else one rule or default."""
    message = view.message
    chosen = [item for item in selected(message, "Target-Impact") if item is not None and item.unit == target.unit]
    own = [item.value for item in chosen if item.stream is not None and item.stream == target.stream]
    told = own or [item.value for item in chosen if item.stream is None] or [word for word in message.values("Impact") if word]
    if told:
        yield from (_Claim(value, Basis.TRAILER, view.id) for value in unique(told))
    if case.rules.breaking_marker is not None and _is_breaking(view):
        # Beside a trailer the marker is a side of its own: both were written on purpose.
        yield _Claim(case.rules.breaking_marker, Basis.TRAILER if told else Basis.RULE, view.id)
    elif not told and message.type in case.rules.impacts:
        yield _Claim(case.rules.impacts[message.type], Basis.RULE, view.id)
    elif not told and (default := default_impact(message, case.profile)) is not None:
        yield _Claim(default, Basis.PROFILE, view.id)


def _sides(target: Target, told: list[_Claim]) -> set[str]:
    """What trailers and breaking markers stand for."""
    return {claim.value for claim in told} | ({"major"} if any(map(_is_breaking, target.views)) else set())


def _is_breaking(view: View) -> bool:
    return view.said.breaking or bool(view.said.breaking_notes)


def _suggested(claims: list[_Claim], accepts: tuple[str, ...]) -> tuple[Suggestion, ...]:
    """What was said and is accepted, the largest first."""
    said = grouped((claim.value, (claim.evidence,)) for claim in claims)
    largest = sorted((value for value in said if value in accepts), key=_size, reverse=True)
    return tuple(Suggestion(value, said[value]) for value in largest)


def _size(impact: str) -> int:
    return IMPACTS.index(impact) if impact in IMPACTS else -1


def _listed(claims: list[_Claim]) -> str:
    said = (f"{claim.evidence} says {claim.value if claim.value in IMPACTS else 'another word'}" for claim in claims)
    return ", ".join(said) or "nothing says what that means"


def _question(target: Target) -> str:
    return f"Which release impact does this change have on {target.name}?"
