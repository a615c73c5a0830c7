"""Which targets a person picks, or decisions have that others made (Intent Changesets 6.6, 7)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from guardrails.drafts.changeset import target_field
from guardrails.drafts.questions import Suggestion
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import Answer
from guardrails.records.profile import Profile
from guardrails.resolving.answers import ANSWER_CONFLICT, as_texts, refuse
from guardrails.resolving.sheet import Sheet, grouped, unique
from guardrails.resolving.trailers import Case

QUESTION: Final = "Which release units does this change affect?"


@dataclass(frozen=True, slots=True)
class Decided:
    """What a reviewed decision says of one target, by the evidence id of its record."""

    unit: str
    stream: str | None
    impact: str
    migration: str | None = field(repr=False)
    item: str


@dataclass(frozen=True, slots=True)
class Pick:
    """A release unit that is a target, what says so, and its stream where that is said too."""

    unit: str
    stream: str | None
    basis: Basis
    evidence: tuple[str, ...]


def answered(case: Case, sheet: Sheet, decided: tuple[Decided, ...]) -> tuple[Pick, ...] | None:
    """The units that a person picked; None without such an answer, empty when the answer cannot be taken."""
    given = [case.answers["targets"]] if "targets" in case.answers else _indexed(case)
    if not given:
        return None
    picks: list[Pick] = []
    for answer in given:
        pairs = [_pair(word, case.profile) for word in as_texts(answer.value) or ()]
        picks += [Pick(pair[0], pair[1], Basis.ANSWER, (answer.id,)) for pair in pairs if pair is not None]
        if not pairs or None in pairs or _repeats(picks):
            refuse(sheet, answer, words(case.profile), QUESTION)
            return ()
    if "targets" in case.answers:
        order = list(case.profile.release_units)
        picks.sort(key=lambda pick: order.index(pick.unit))
    told = grouped(
        [*((one.unit, (one.item,)) for one in decided), *((unit, (view.id,)) for view in case.views for unit in view.declared)]
    )
    left_out = tuple(unit for unit in told if unit not in {pick.unit for pick in picks})
    if not left_out:
        return tuple(picks)
    sides = unique(item for unit in left_out for item in told[unit])
    named = tuple(told)
    whose = "decisions or commits" if decided else "commits"
    sheet.contradict(
        ANSWER_CONFLICT,
        given[0].path,
        f"the answer leaves out {', '.join(left_out)}, which {whose} say they affect",
        question=QUESTION,
        accepts=words(case.profile),
        suggestions=(Suggestion(named, sides),),
        evidence=(given[0].id, *sides),
    )
    return ()


def _indexed(case: Case) -> list[Answer]:
    """Answers for `targets[0].release-unit`, `targets[1].release-unit` and so on, without a gap."""
    places = {
        place[0]: answer
        for answer in case.answers_below("targets[")
        if (place := target_field(answer.path)) and place[1] == "release-unit"
    }
    return [places[index] for index in range(len(places)) if index in places] if 0 in places else []


def _pair(word: str, profile: Profile) -> tuple[str, str | None] | None:
    unit, at, stream = word.partition("@")
    if unit not in profile.release_units or (at and stream not in profile.streams_of(unit)):
        return None
    return unit, stream or None


def _repeats(picks: list[Pick]) -> bool:
    """Whether a unit is picked twice without two different streams."""
    pairs = {(pick.unit, pick.stream) for pick in picks}
    units = [unit for unit, _ in pairs]
    return len(pairs) < len(picks) or any(stream is None and units.count(unit) > 1 for unit, stream in pairs)


def words(profile: Profile) -> tuple[str, ...]:
    """Each unit, and each of its streams where there is more than one."""
    return tuple(
        word
        for unit in profile.release_units
        for word in (unit, *(f"{unit}@{stream}" for stream in profile.streams_of(unit) if len(profile.streams_of(unit)) > 1))
    )
