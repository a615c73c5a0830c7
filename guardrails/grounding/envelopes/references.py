"""References point at what the change shows: path, lines, commit, and what was removed (Describe Changes: refs)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis
from guardrails.evidence.references import REMOVED, Catalogue, Lines, Reference
from guardrails.findings import Code, Finding, Severity
from guardrails.grounding.envelopes.places import Places, Side
from guardrails.wording.words import words


def _code(name: str, summary: str, cure: str, severity: Severity = Severity.ERROR) -> Code:
    return Code(name=name, summary=summary, cure=cure, section="Describe Changes: refs", severity=severity)


REF_PATH_UNCHANGED = _code(
    "ref-path-unchanged",
    "A reference names a path that the change does not touch.",
    "Refer to a changed path as git spells it, or take the reference out.",
)
REF_SHA_FOREIGN = _code(
    "ref-sha-foreign",
    "A reference names a commit that is not part of the operation.",
    "Use the commit of the operation at which the lines stand.",
)
REF_SHA_ELSEWHERE = _code(
    "ref-sha-elsewhere",
    "A reference names a commit of the operation that does not change its path.",
    "Use the commit that changes the path.",
)
REF_SHA_AFTER = _code(
    "ref-sha-after",
    "A reference to removed lines names the commit that removed them, which does not have them any more.",
    "Use the commit before the removal, at which the lines can be read.",
    Severity.WARNING,
)
REF_RANGE_OUTSIDE = _code(
    "ref-range-outside",
    "A range names lines that the change does not show.",
    "Use the post-change lines of the diff, or leave the range out.",
)
REF_RANGE_UNCHANGED = _code(
    "ref-range-unchanged",
    "A reference names lines among which nothing changed.",
    "Refer to the changed lines.",
)
REF_RANGE_SPANS = _code(
    "ref-range-spans",
    "A range spans several hunks and the unchanged lines between them.",
    "Give each hunk a reference of its own.",
    Severity.WARNING,
)
REMOVAL_UNSAID = _code(
    "removal-unsaid",
    "A reference to a path that is gone does not say that it was removed.",
    "Say in the note that it was removed or renamed.",
)
REMOVAL_UNTRUE = _code(
    "removal-untrue",
    "A reference says that its path was removed, and the path is still there.",
    "Say what is at that place now.",
)
PLACE_DIFFERS = _code(
    "place-differs",
    "A place that is drawn from evidence ids is not the one that the catalogue has for them.",
    "Nothing for a person to do: report it, with the evidence ids.",
)
REF_TWICE = _code(
    "ref-twice",
    "The same place is referred to twice.",
    "Give each place once.",
    Severity.WARNING,
)

_RANGE: Final = re.compile(r"([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?")
_CODE: Final = re.compile(r"`[^`]*`")
_GOING: Final = re.compile(
    r"(?i:\b(?:remov|delet|drop|renam|mov(?:ed|es|ing)\b|replac|supersed|retir|eliminat|discard|purg|obsolet|merged? into|split"
    r"|gone\b|goes away|no longer|not .{0,20}any ?more|taken out|takes? out|got rid|gets? rid|former|previous|was\b|were\b"
    r"|had\b|used to|existed|unused|dead\b|old\b|without\b|instead of|in place of|in favou?r of|disappear|clean(?:ed|s)?[ -]?up"
    r"|revert|undo))"
)
_BARE: Final = words(
    "removed deleted gone dropped remove delete removes deletes file files whole entire entirely it was were is are now this",
    "the has been here in change commit completely",
)
_BARE_VERB: Final = words("removed deleted gone dropped")


def check(where: str, reference: Reference, places: Places) -> Iterator[Finding]:
    """Hold one entry of `refs` against the change."""
    yield from _lines(where, reference, places, must_change=True)
    sides = places.sides(reference.path)
    note = reference.note or ""
    if sides and all(side.gone for side in sides) and not _GOING.search(note):
        yield REMOVAL_UNSAID.at(where, f"got {note[:80] or 'no note'}, expected one that says it was removed")
    if sides and not any(side.gone for side in sides) and says_removed(note):
        yield REMOVAL_UNTRUE.at(where, f"got {note[:80]}, and {reference.path[:80]} is still there")


def check_span(where: str, reference: Reference, sentence: str, places: Places) -> Iterator[Finding]:
    """Hold a place that a text names, in `sentence`, against the change; context lines that the diff shows may be named too."""
    yield from _lines(where, reference, places, must_change=False)
    sides = places.sides(reference.path)
    if sides and all(side.gone for side in sides) and not _GOING.search(_CODE.sub(" ", sentence)):
        yield REMOVAL_UNSAID.at(where, f"got {reference.path[:80]} as if it were there, expected a word that it is gone")


def twice(where: str, references: tuple[Reference, ...]) -> Iterator[Finding]:
    """Places that stand in `refs` more than once."""
    seen: set[tuple[str, str | None, str | None]] = set()
    for one in references:
        key = (one.path, one.range, one.sha)
        if key in seen:
            yield REF_TWICE.at(where, f"got {one.place()[:80]} twice")
        seen.add(key)


def drawn(draft: Draft, catalogue: Catalogue) -> Iterator[Finding]:
    """Hold the refs and the places beside sentences that we drew ourselves against the catalogue."""
    for path, decision in draft.values.items():
        if (
            path.endswith(".refs")
            and decision.basis is not Basis.GIVEN
            and decision.value != catalogue.references(decision.evidence)
        ):
            yield PLACE_DIFFERS.at(path, "got other references than the catalogue has", evidence=decision.evidence)
    for path, text in draft.prose.items():
        for sentence in text.sentences if path.endswith(".detail_md") and text.basis is not Basis.GIVEN else ():
            places = tuple(dict.fromkeys(one.place() for one in catalogue.references(sentence.evidence)))
            if sentence.places != places:
                yield PLACE_DIFFERS.at(path, "got other places than the catalogue has", evidence=sentence.evidence)


def says_removed(note: str) -> bool:
    """Whether a note says of its place as a whole that it is gone, and nothing else."""
    told = frozenset(re.findall(r"\w+", note.casefold()))
    return note.casefold() == REMOVED or (bool(told & _BARE_VERB) and told <= _BARE)


def lines_of(written: str) -> Lines | None:
    """The lines of a range; None when it is none, which the shape's own rules tell."""
    match = _RANGE.fullmatch(written)
    if match is None:
        return None
    lines = Lines(int(match[1]), int(match[2] or match[1]))
    return lines if lines.first <= lines.last else None


def _lines(where: str, reference: Reference, places: Places, *, must_change: bool) -> Iterator[Finding]:
    sides = places.sides(reference.path)
    if not sides:
        yield REF_PATH_UNCHANGED.at(where, f"got {reference.path[:120]}, expected a path that the change touches")
    if reference.sha is not None and not places.knows(reference.sha):
        yield REF_SHA_FOREIGN.at(where, f"got {reference.sha[:64]}, expected a commit of the operation")
        return
    found = sides
    if reference.sha is not None and sides:
        found = places.sides_at(reference.path, reference.sha)
        if not found:
            found = tuple(side for side in sides if side.gone and side.end is not None and side.end.startswith(reference.sha))
            code = REF_SHA_AFTER if found else REF_SHA_ELSEWHERE
            yield code.at(where, f"got {reference.sha[:64]} for {reference.path[:80]}")
    if found:
        yield from _range(where, reference, found, must_change=must_change)


def _range(where: str, reference: Reference, sides: tuple[Side, ...], *, must_change: bool) -> Iterator[Finding]:
    lines = None if reference.range is None else lines_of(reference.range)
    if lines is None:
        return
    shown = [side for side in sides if side.holds(lines)]
    if not shown:
        yield REF_RANGE_OUTSIDE.at(where, f"got {reference.place()[:120]}, expected lines that the change shows")
    elif must_change and not any(side.changes(lines) for side in shown):
        yield REF_RANGE_UNCHANGED.at(where, f"got {reference.place()[:120]}, where nothing changed")
    elif not any(side.in_one(lines) for side in shown):
        yield REF_RANGE_SPANS.at(where, f"got {reference.place()[:120]}")
