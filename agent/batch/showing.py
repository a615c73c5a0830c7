"""What is told of names before any evidence is read: tags, ranges, units and entries without what must not be said (Intent
Changesets 11.7, 12).

Git is asked by the names as they are. Everybody else gets to know them as they are told here: outputs, events, journals,
workers on other machines, a person who is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias, TypeVar

from agent import engines
from agent.batch.release import PLANNED, Finished, Release
from guardrails.evidence.model import AnswerValue
from guardrails.redaction import masking
from guardrails.redaction.masks import may_hold_secret, told_apart
from guardrails.redaction.people import has_address
from guardrails.redaction.policy import Policy

Told: TypeAlias = Release | Finished | str
"""One thing that an entry came to: a release, why there is none, or a note."""
Value = TypeVar("Value")
_NOBODY: Final = Policy()


@dataclass(frozen=True, slots=True)
class Shown:
    """How the names of one repository are told: without secrets, addresses of people, and what `policy` takes out.

    `names` are those that are told otherwise, which only what was masked may tell apart: each has a name of its own.
    """

    policy: Policy = _NOBODY
    names: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, policy: Policy, names: Iterable[str]) -> Shown:
        """How `names` are told, in whose order those that become alike are numbered.

        Raises:
            GuardNotReady: one may hold a secret, and the redactor cannot be relied on.
        """
        every = tuple(dict.fromkeys(names))
        return cls(policy, told_apart(dict(zip(every, cls(policy).without(every), strict=True))))

    def __call__(self, name: str) -> str:
        """One of the names, as it is told."""
        return self.names.get(name, name)

    def without(self, value: Value) -> Value:
        """`value` with masks in its texts; the very value where there are none. The engine is loaded where one may be.

        Raises:
            GuardNotReady: as `of`.
        """
        if self.policy == _NOBODY and not any(map(_may_need_one, masking.texts_of(value))):
            return value
        return masking.masked(value, engines.secret_engine(), policy=self.policy)

    def all(self, every: Sequence[Told]) -> list[Told]:
        """Everything that planning came to, as it is told: what git says of a name is in questions, notes and failures, too.

        Raises:
            GuardNotReady: as `of`.
        """
        texts = [_texts(one) for one in every]
        told = self.without(texts)
        return list(every) if told is texts and not self.names else [*map(self._with, every, told)]

    def _with(self, one: Told, texts: Mapping[str, Any]) -> Told:
        if isinstance(one, str):
            return str(texts[_NOTE])
        if isinstance(one, Finished):
            return replace(one, **texts)
        answers = tuple((name, self._answer(one, name, value, texts)) for name, value in one.answers)
        return replace(one, **{name: texts[name] for name in _OF_RELEASE}, answers=answers)

    def _answer(self, release: Release, name: str, value: AnswerValue, texts: Mapping[str, Any]) -> AnswerValue:
        """An answer of a person, who may have named a revision: it stands in the sheet again, by a name that is understood."""
        if name not in PLANNED or value == texts[name]:
            return value
        return self.names.get(str(value)) or str(getattr(release, name))


_OF_RELEASE: Final = ("spec", "title", "previous", "tags", "repository", "questions")
_NOTE: Final = "note"


def _texts(one: Told) -> Mapping[str, Any]:
    """What may name something."""
    if isinstance(one, Release):
        answers = dict(one.answers)
        return {name: getattr(one, name) for name in _OF_RELEASE} | {name: answers.get(name) for name in PLANNED}
    return {"failure": one.failure} if isinstance(one, Finished) else {_NOTE: one}


def line(text: str) -> str:
    """One line without secrets and addresses of people, for what fails beside all evidence.

    Raises:
        GuardNotReady: it may hold a secret, and the redactor cannot be relied on.
    """
    return Shown().without([text])[0]


def _may_need_one(text: str) -> bool:
    return may_hold_secret(text) or has_address(text)
