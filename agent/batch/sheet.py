"""The sheet of a run: the open questions of all releases, for a person to answer at once (Intent Changesets 11.6).

It holds what was answered before, too: one file is always all that goes back in with `--answers`. What one answer settles for
many releases stands once, under `all`. `agent.batch.answers` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from agent.batch.release import Finished, Release
from agent.batch.told import item_of
from agent.render.changes import mappings, text
from guardrails.digests import digest_of
from guardrails.drafts.questions import SELECTION
from guardrails.evidence.model import AnswerValue
from guardrails.strict_yaml.writer import entries, flow

MARK: Final = "evidraft-answers"
VERSION: Final = "1.0.0"
ALL: Final = "all"
RELEASES: Final = "releases"
ANSWER: Final = "answer"
KEYS: Final = (RELEASES, "about", "question", "why", "accepts", "suggestions", "evidence", ANSWER)
"""What an entry of the sheet can have. Its answer is read, and under `all` the releases that it is for."""

_EVERYWHERE: Final = "shape"
"""The field that one answer settles for all releases: how they are told."""
_IN_ONE_PLACE: Final = re.compile(r"operation\.repository|items\[.+")
"""Fields that one answer settles for all releases of one place: where it comes from, and of a change that several tell."""
_MOST: Final = 8
"""How many pieces of evidence one question names."""
_OPEN: Final = """\
# What is not known yet. Take the "# " away before an "answer:" and write there what is right; null says that there is none.
# Then run the same command again with --answers and the name of this file. What is not answered stays open.
"""
_CLOSED: Final = """\
# Nothing is open. These answers were given, and go in again with --answers and the name of this file.
"""
_NO_FIELD: Final = "# No answer here settles this."


@dataclass(frozen=True, slots=True)
class _Entry:
    """One field of one release: what is asked of it, {} where it is settled, and the answer that was given, if any was."""

    release: Release
    field: str
    asked: Mapping[str, Any]
    answer: AnswerValue
    is_answered: bool

    @property
    def kind(self) -> str:
        """The same for all entries that one answer settles, "" where it settles this one alone."""
        if self.field != _EVERYWHERE and not _IN_ONE_PLACE.match(self.field):
            return ""
        place = "" if self.field == _EVERYWHERE else self.release.place
        words = [self.asked.get(name) for name in ("about", "question", "why", "accepts", "suggestions")]
        return digest_of(_sound([self.field, words, self.is_answered, self.answer, place]))


def sheet(releases: Sequence[Release], finished: Iterable[Finished]) -> str:
    """The sheet as YAML; "" where nothing is open and nothing was answered."""
    ended = {one.name: one for one in finished}
    every = [entry for release in releases for entry in _entries(release, ended.get(release.name))]
    if not every:
        return ""
    shared = _shared(every)
    taken = {(entry.release.name, entry.field) for group in shared for entry in group}
    rest: dict[str, list[_Entry]] = {}
    for entry in every:
        if (entry.release.name, entry.field) not in taken:
            rest.setdefault(entry.release.name, []).append(entry)
    head = _OPEN if any(entry.asked for entry in every) else _CLOSED
    return head + "\n".join((f"{MARK}: {VERSION}", *_all(shared), *_releases(rest))) + "\n"


def _entries(release: Release, finished: Finished | None) -> Iterator[_Entry]:
    """The answered fields of a release as they were answered, then the open ones."""
    asked = _questions(finished) if finished else {}
    answers = dict(release.answers)
    for field, answer in answers.items():
        yield _Entry(release, field, asked.get(field, {}), answer, is_answered=True)
    for field, question in asked.items():
        if field not in answers:
            yield _Entry(release, field, question, None, is_answered=False)


def _questions(finished: Finished) -> dict[str, Mapping[str, Any]]:
    """What is asked of each open field; a field that is open for two reasons has both in one."""
    about, where = finished.titles, finished.places
    found: dict[str, Mapping[str, Any]] = {}
    for one in finished.unresolved:
        field, before = text(one, "field"), found.get(text(one, "field"), {})
        evidence = one.get("evidence")
        ids = [str(name) for name in evidence] if isinstance(evidence, Sequence) else []
        told = {
            "about": about.get(item_of(field), ""),
            "question": " ".join(filter(None, (before.get("question"), text(one, "question")))),
            "why": ", ".join(filter(None, (before.get("why"), text(one, "reason")))),
            "accepts": before.get("accepts") or one.get("accepts"),
            "suggestions": [*before.get("suggestions", ()), *mappings(one, "suggestions")],
            "evidence": [*before.get("evidence", ()), *_named(ids, where, finished.subjects)],
        }
        found[field] = {name: value for name, value in told.items() if value}
    return found


def _named(ids: Sequence[str], where: Mapping[str, str], subjects: Mapping[str, str]) -> Iterator[str]:
    """Pieces of evidence by their ids, where each stands, and what a commit calls itself."""
    yield from (" ".join(filter(None, (name, where.get(name), subjects.get(name)))) for name in ids[:_MOST])
    if len(ids) > _MOST:
        yield f"and {len(ids) - _MOST} more"


def _shared(every: Iterable[_Entry]) -> list[list[_Entry]]:
    """Entries that one answer settles; where those of a field are several such groups, the largest of them."""
    fields: dict[str, dict[str, list[_Entry]]] = {}
    for entry in every:
        if kind := entry.kind:
            fields.setdefault(entry.field, {}).setdefault(kind, []).append(entry)
    largest = (max(groups.values(), key=len) for groups in fields.values())
    return [group for group in largest if len(group) > 1]


def _all(shared: Sequence[Sequence[_Entry]]) -> Iterator[str]:
    if shared:
        yield f"{ALL}:"
    for group in shared:
        yield from _lines(group[0], "  ", [entry.release.name for entry in group])


def _releases(rest: Mapping[str, Sequence[_Entry]]) -> Iterator[str]:
    if rest:
        yield f"{RELEASES}:"
    for name, own in rest.items():
        yield _key(name, "  ")
        yield f"    # range: {flow(_sound(own[0].release.spec))}"
        for entry in own:
            yield from _lines(entry, "    ")


def _lines(entry: _Entry, indent: str, names: Sequence[str] = ()) -> Iterator[str]:
    """One entry; `names` are those of the releases that it is for where it stands under `all`."""
    told = {**({RELEASES: list(names)} if names else {}), **entry.asked}
    deeper = f"{indent}  "
    yield _key(entry.field, indent)
    yield from entries(_sound(told), deeper)
    if entry.is_answered:
        yield from entries({ANSWER: _sound(entry.answer)}, deeper)
    elif entry.field == SELECTION:
        yield f"{deeper}{_NO_FIELD}"
    else:
        yield f"{deeper}# {ANSWER}: {_suggested(entry)}".rstrip()


def _suggested(entry: _Entry) -> str:
    """What a person may take over unseen: the first suggestion of the evidence, never one of a drafter."""
    own = (one for one in entry.asked.get("suggestions", ()) if not one.get("by"))
    leading = next(own, None)
    return "" if leading is None else flow(_sound(leading.get("value")))


def _key(name: str, indent: str) -> str:
    return entries({_sound(name): {"": None}}, indent)[0]


def _sound(value: Any) -> Any:
    """The value in characters that UTF-8 can write; names in git are bytes, and may be anything."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {_sound(key): _sound(item) for key, item in value.items()}
    return [_sound(item) for item in value] if isinstance(value, list | tuple) else value
