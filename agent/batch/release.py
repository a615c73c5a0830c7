"""One release to draft, what became of it, and the conditions that both depend on: plain values that can travel."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Final

from agent.batch.packed import Packed
from guardrails.digests import digest_of
from guardrails.evidence.model import AnswerValue

Document = Mapping[str, object]
"""JSON types."""


_LAYOUT: Final = 2
"""How `Finished` is written down: another layout is not read, so that what it holds is drafted again, of replies that stay."""
_PACKED: Final = ("envelope", "record")
"""The fields of `Finished` that are packed texts."""
PLANNED: Final = ("base", "head")
"""The fields of questions that planning asks and reads the answers to: what a release is told since, and which commit it is."""


class Status(StrEnum):
    """How one release ended, the best first."""

    DRAFTED = "DRAFTED"
    NEEDS_INPUT = "NEEDS_INPUT"
    REJECTED = "REJECTED"
    FAILED = "FAILED"


EXIT_CODES: Final[Mapping[Status, int]] = {
    Status.DRAFTED: 0,
    Status.NEEDS_INPUT: 3,
    Status.REJECTED: 1,
    Status.FAILED: 2,
}


WORDS: Final[Mapping[Status, str]] = {
    Status.DRAFTED: "drafted",
    Status.NEEDS_INPUT: "in need of input",
    Status.REJECTED: "rejected",
    Status.FAILED: "failed",
}
"""As people say it, of one release and behind a number."""


def worst(statuses: list[Status]) -> Status:
    """The one that decides the exit code of a run; that of no releases is `DRAFTED`."""
    return max(statuses, key=list(Status).index, default=Status.DRAFTED)


@dataclass(frozen=True, slots=True)
class Options:
    """What an entry of a manifest may say of its releases; "" and None leave it to the repository's own settings.

    `profile`, `config` and `policy` are files of the person who runs it, `evidence` files to read besides.
    """

    shape: str = "itemized"
    profile: str = ""
    config: str = ""
    policy: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Release:
    """One release: commits of one repository, of one release unit where `unit` names it ("U" or "U@stream").

    `name` is unique in a run and is the folder of its outputs ("payments/v1.2.0", slashes between safe words). `place` is the
    path of a clone, `head` a full object name, `base` one too or "" where everything up to the head is meant; `spec` is the
    range as people say it, and `operand` the range by object names where masks stand in `spec` that git could not read.
    `tags` are all names of that version, `date` the day of the tag or else of the head
    (ISO). `questions` are open fields (as `agent.render.outcomes.question_document` writes them) that have to be answered
    before anything can be read: then `base` means nothing yet. Nothing in it but `place` and `options`, which outputs never
    tell, is what must not be said.
    """

    name: str
    place: str
    base: str
    head: str
    spec: str
    title: str
    repository: str = ""
    previous: str = ""
    tags: tuple[str, ...] = ()
    date: str = ""
    unit: str = ""
    commits: int = 0
    options: Options = Options()
    answers: tuple[tuple[str, AnswerValue], ...] = field(default=(), repr=False)
    questions: tuple[Document, ...] = field(default=(), repr=False)
    operand: str = ""

    @property
    def decided(self) -> tuple[tuple[str, AnswerValue], ...]:
        """The answers that are about the draft, and not about which commits it tells."""
        return tuple((field, value) for field, value in self.answers if field not in PLANNED)

    def answered(self, more: Mapping[str, AnswerValue]) -> Release:
        """The same with what a person has answered, in the order of fields; one that was answered before is answered anew."""
        return replace(self, answers=tuple(sorted({**dict(self.answers), **more}.items())))


@dataclass(frozen=True, slots=True)
class Conditions:
    """What drafting depends on besides the release: the drafter, how often it is asked again, and this program's version.

    `environ` are the variables that settings may come from (never a key): they are handed over so that a worker on another
    machine decides as this one does.
    """

    model: str
    repairs: int = 2
    program: str = ""
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)

    def key(self, release: Release) -> str:
        """The name of this work in a journal: equal only where its result must be equal, and is written down alike."""
        return digest_of([_LAYOUT, asdict(release), asdict(self)])


@dataclass(frozen=True, slots=True)
class Finished:
    """What became of one release, as plain values: all that outputs are made of, so that nothing is drafted twice.

    `envelope` is the record of a draft, or what is known of one that needs input; `record` the draft record without times.
    Both are the texts that are written, packed and empty where there is none: of a long range they are large, so that what
    outputs need of them is told besides. That are `titles`, those of the items by their keys in the order of the envelope, ""
    where one has none yet and {} where there is no envelope of items; `places`, where each piece of evidence stands
    that a question or an account names, by its id; `decided`, the keys of the items that tell a reviewed decision in its own
    words, by its id; and `profile`, the path of the profile, "" without one. `pages` are rendered texts by file name,
    checked against what must not leave. `unresolved` are questions, `findings` what is wrong or to be warned of, as their
    JSON documents; `failure` is one line (what, where, what to do). `commits` maps each commit of the range (full name) to
    the keys of the items that tell of it, or to why none does; `requests` are the pull or merge requests of the range, by
    how they are cited, in the same way. `usage` is what was paid, with seconds.
    """

    name: str
    status: Status
    envelope: Packed = field(default=Packed(), repr=False)
    record: Packed = field(default=Packed(), repr=False)
    titles: Mapping[str, str] = field(default_factory=dict, repr=False)
    places: Mapping[str, str] = field(default_factory=dict, repr=False)
    decided: Mapping[str, str] = field(default_factory=dict, repr=False)
    profile: str = ""
    pages: Mapping[str, str] = field(default_factory=dict, repr=False)
    unresolved: tuple[Document, ...] = ()
    findings: tuple[Document, ...] = ()
    failure: str = ""
    commits: Mapping[str, str] = field(default_factory=dict, repr=False)
    requests: Mapping[str, str] = field(default_factory=dict, repr=False)
    subjects: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The subject of each commit that a question names, by its evidence id: redacted, for the person who is asked."""
    usage: Document = field(default_factory=dict)

    def document(self) -> dict[str, object]:
        """As JSON types, which are shared with this: they are large, and nobody changes them."""
        told = {one.name: getattr(self, one.name) for one in fields(self)}
        return told | {name: base64.b64encode(told[name].data).decode("ascii") for name in _PACKED}

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Finished:
        """What `document` wrote down, also after a way through JSON."""
        told = dict(document)
        return cls(
            **{
                **told,
                "status": Status(told["status"]),
                **{name: Packed(base64.b64decode(told[name])) for name in _PACKED},
                "unresolved": tuple(told["unresolved"]),
                "findings": tuple(told["findings"]),
            }
        )
