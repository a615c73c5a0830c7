"""Which release units and streams the decision is about: one target for each (Intent Changesets 6.6, 7).

Units come from header scopes, `Affects`, `Target-*` and the project's path rules; a profile with one unit leaves no choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from guardrails.drafts.questions import Reason, Suggestion
from guardrails.drafts.sourced import Basis
from guardrails.findings import Code
from guardrails.records.commit import selected
from guardrails.records.profile import Profile
from guardrails.resolving.answers import ANSWER_CONFLICT, as_text, refuse
from guardrails.resolving.changesets.picks import QUESTION, Decided, Pick, answered, words
from guardrails.resolving.sheet import Sheet, grouped, unique
from guardrails.resolving.trailers import Case, View, changed_units

UNKNOWN_AFFECTED_UNIT = Code(
    name="unknown-affected-unit",
    summary="A trailer names a release unit or stream that the profile does not have.",
    cure="Answer the targets, or correct the trailer or the profile.",
    section="Intent Changesets 6.6",
)


@dataclass(frozen=True, slots=True)
class Target:
    """One target of the draft and the commits that speak for it; `stream` is None while it is open."""

    index: int
    unit: str
    stream: str | None
    views: tuple[View, ...]
    evidence: tuple[str, ...]
    """The ids of its decisions and commits, or of the changed paths when nothing is committed yet."""
    decided: tuple[Decided, ...] = ()
    """What decisions say of it that others made; the decision that is being drafted has none."""

    def path(self, name: str) -> str:
        """The field path of one of its fields."""
        return f"targets[{self.index}].{name}"

    @property
    def name(self) -> str:
        """As people write it."""
        return self.unit if self.stream is None else f"{self.unit}@{self.stream}"


def resolve_targets(case: Case, sheet: Sheet, decided: tuple[Decided, ...] = ()) -> tuple[Target, ...]:
    """Settle or ask units and streams. None at all when the units are open: then `targets` is asked.

    What is `decided` elsewhere is a target, beside those of the commits of the case.
    """
    picked = answered(case, sheet, decided)
    picks = _found(case, decided) if picked is None else picked
    if picked is None:
        _report_strangers(case, sheet)
    if not picks:
        if "targets" not in sheet.unresolved:
            accepts, suggestions = words(case.profile), _lying_in(case)
            sheet.ask("targets", Reason.NO_EVIDENCE, QUESTION, accepts=accepts, suggestions=suggestions, evidence=case.evidence)
        return ()
    pairs = [(pick, stream, basis) for pick in picks for stream, basis in _streams(case, pick)]
    targets = tuple(_target(case, index, (pick.unit, stream), decided) for index, (pick, stream, _) in enumerate(pairs))
    for target, (pick, _, basis) in zip(targets, pairs, strict=True):
        sheet.settle(target.path("release-unit"), pick.unit, pick.basis, pick.evidence)
        _settle_stream(case, sheet, target, basis)
    streams = [sheet.values.get(target.path("stream")) for target in targets]
    return tuple(
        replace(target, stream=stream.value if stream and isinstance(stream.value, str) else None)
        for target, stream in zip(targets, streams, strict=True)
    )


def _target(case: Case, index: int, pair: tuple[str, str | None], decided: tuple[Decided, ...]) -> Target:
    """A target with the commits that touch its unit, and those that name none and so speak for the whole decision."""
    unit, stream = pair
    views = tuple(view for view in case.views if unit in view.units or not view.units)
    own = tuple(one for one in decided if one.unit == unit and (stream is None or one.stream in {stream, None}))
    evidence = unique((*(one.item for one in own), *(view.id for view in views))) or case.evidence
    return Target(index, unit, stream, views, evidence, own)


def _found(case: Case, decided: tuple[Decided, ...]) -> tuple[Pick, ...]:
    """What the evidence says, in the order of the profile; what is decided first, for it says more than a commit."""
    loose = changed_units(case.bundle.uncommitted, case.profile, case.rules)
    told = grouped(((one.unit, one.stream), (one.item,)) for one in decided)
    picks = [Pick(unit, stream, Basis.EVIDENCE, items) for (unit, stream), items in told.items()]
    for unit in case.profile.release_units:
        if any(one.unit == unit for one in decided):
            streams = (stream for stream in case.profile.streams_of(unit) if (unit, stream) not in told)
            named = ((stream, _naming(case.views, unit, stream, silent=False)) for stream in streams)
            picks += [Pick(unit, stream, Basis.TRAILER, ids) for stream, ids in named if ids and (unit, None) not in told]
            continue
        declared = tuple(view.id for view in case.views if unit in view.declared)
        changed = tuple(view.id for view in case.views if unit in view.changed)
        if declared:
            picks.append(Pick(unit, None, Basis.TRAILER, declared))
        elif changed or unit in loose:
            picks.append(Pick(unit, None, Basis.RULE, changed or case.evidence))
    only = tuple(case.profile.release_units)
    if not picks and len(only) == 1:
        return (Pick(only[0], None, Basis.PROFILE, ()),)
    return tuple(picks)


def _lying_in(case: Case) -> tuple[Suggestion, ...]:
    """The units in whose folder a change lies, where units are named like folders: a hint, for no rule says so."""
    touched = {case.profile.unit_for(change.path) for change in case.files}
    units = tuple(unit for unit in case.profile.release_units if unit in touched)
    return (Suggestion(units, case.evidence),) if units else ()


def _report_strangers(case: Case, sheet: Sheet) -> None:
    """A unit or stream that a trailer names is not dropped because the profile lacks it: a person says what is meant."""
    strange = tuple(view.id for view in case.views if any(_strangers(view, case.profile)))
    if strange:
        message = f"a trailer of {', '.join(strange)} names no unit or stream of the profile, expected {_listed(case.profile)}"
        accepts = words(case.profile)
        sheet.contradict(UNKNOWN_AFFECTED_UNIT, "targets", message, question=QUESTION, accepts=accepts, evidence=strange)


def _strangers(view: View, profile: Profile) -> Iterator[bool]:
    yield from (profile.unit_for(word) is None for word in view.message.values("Affects"))
    for name in ("Target-Impact", "Target-Migration"):
        for item in selected(view.message, name):
            yield item is None or item.unit not in profile.release_units
            yield item is not None and item.stream is not None and item.stream not in profile.streams_of(item.unit)


def _listed(profile: Profile) -> str:
    return ", ".join(words(profile))


def _streams(case: Case, pick: Pick) -> list[tuple[str | None, Basis | None]]:
    """The streams that trailers choose for a unit, else one open place. A stream with impact `none` is not chosen."""
    if pick.stream is not None:
        return [(pick.stream, pick.basis)]
    chosen = [stream for stream in case.profile.streams_of(pick.unit) if _naming(case.views, pick.unit, stream, silent=False)]
    return [(stream, Basis.TRAILER) for stream in chosen] or [(None, None)]


def _naming(views: Iterable[View], unit: str, stream: str, *, silent: bool) -> tuple[str, ...]:
    """The commits whose `Target-*` trailers name a stream, for `none` (`silent`) or for anything else."""
    return tuple(
        view.id
        for view in views
        for name in ("Target-Impact", "Target-Migration")
        for item in selected(view.message, name)
        if item is not None
        and (item.unit, item.stream) == (unit, stream)
        and (name == "Target-Impact" and item.value == "none") is silent
    )


def _settle_stream(case: Case, sheet: Sheet, target: Target, basis: Basis | None) -> None:
    path, streams = target.path("stream"), case.profile.streams_of(target.unit)
    question = f"Which stream of {target.unit} is this for?"
    answer = case.answers.get(path)
    said = as_text(answer.value) if answer is not None else None
    named = _naming(case.views, target.unit, target.stream, silent=False) if target.stream is not None else ()
    if answer is not None and said not in streams:
        refuse(sheet, answer, streams, question)
    elif answer is not None and target.stream is not None and said != target.stream:
        message = f"{answer.id} says {said}, but {target.stream} is chosen already"
        sheet.contradict(ANSWER_CONFLICT, path, message, question=question, accepts=streams, evidence=(answer.id, *named))
    elif target.stream is not None and basis is not None:
        sheet.settle(path, target.stream, basis, named or sheet.values[target.path("release-unit")].evidence)
    elif answer is not None:
        sheet.settle(path, said, Basis.ANSWER, (answer.id,))
    elif target.unit in case.rules.streams and case.rules.streams[target.unit] in streams:
        sheet.settle(path, case.rules.streams[target.unit], Basis.RULE)
    else:
        _settle_last_stream(case, sheet, target, question)


def _settle_last_stream(case: Case, sheet: Sheet, target: Target, question: str) -> None:
    """The only stream that is declared, or the only one that trailers do not set to `none`; else a person says."""
    streams = case.profile.streams_of(target.unit)
    silent = {stream: _naming(case.views, target.unit, stream, silent=True) for stream in streams}
    left = [stream for stream in streams if not silent[stream]]
    if len(streams) == 1:
        sheet.settle(target.path("stream"), streams[0], Basis.PROFILE)
    elif len(left) == 1:
        sheet.settle(target.path("stream"), left[0], Basis.TRAILER, (item for said in silent.values() for item in said))
    else:
        sheet.ask(target.path("stream"), Reason.NO_EVIDENCE, question, accepts=streams, evidence=target.evidence)
