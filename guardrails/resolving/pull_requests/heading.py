"""What a request is called: `id`, the parts of its title, `state` (Intent Pull Requests 1.0.0; Intent Changesets 6.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.drafts.pull_request import PULL_REQUEST
from guardrails.drafts.questions import Reason, Suggestion
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import Answer, DocumentKind
from guardrails.records import commit
from guardrails.records.commit import Message
from guardrails.records.fields import is_id
from guardrails.records.plain_commit import read_any
from guardrails.records.pull_request import STATES
from guardrails.records.pull_request_rules import INTEGRABLE
from guardrails.resolving.answers import as_text, refuse, take_word
from guardrails.resolving.changesets.identity import slug_of
from guardrails.resolving.changesets.prose import changes, naming, resolve_text
from guardrails.resolving.pull_requests.linked import Linked
from guardrails.resolving.sheet import Sheet, grouped
from guardrails.resolving.trailers import Case, is_internal

_ID: Final = ("<lower-case letters, digits and hyphens>",)
_HEADER: Final = ("<type(scope): description>",)
_TYPE_QUESTION: Final = "Which type of change is the request as a whole?"
_SCOPE: Final = re.compile(r"[a-z0-9][a-z0-9./-]*")
_TYPE: Final = re.compile(r"[a-z][a-z0-9-]*")


def resolve_id(case: Case, sheet: Sheet, linked: Linked) -> None:
    """Settle or ask `id`. It is never made up: the id of the one decision and a slug are only suggestions."""
    question, answer = PULL_REQUEST.question("id"), case.answers.get("id")
    said = as_text(answer.value) if answer is not None else None
    if answer is not None and said is not None and is_id(said):
        sheet.settle("id", said, Basis.ANSWER, (answer.id,))
    elif answer is not None:
        refuse(sheet, answer, _ID, question)
    else:
        own = [Suggestion(word, (decision.item,)) for word, decision in linked.known.items()] if len(linked.known) == 1 else []
        slug = slug_of(case)
        own += [slug] if slug is not None else []
        sheet.ask("id", Reason.NO_EVIDENCE, question, accepts=_ID, suggestions=own)


def resolve_state(case: Case, sheet: Sheet) -> None:
    """A draft is one until a person says otherwise; where the project takes no drafts, a person says."""
    policy, answer = case.profile.pull_requests, case.answers.get("state")
    words = INTEGRABLE if policy is not None and policy.require_ready else STATES
    question = "Which state is the request in?"
    if answer is not None:
        take_word(sheet, answer, words, question)
    elif "draft" in words:
        sheet.settle("state", "draft", Basis.RULE)
    else:
        sheet.ask("state", Reason.POLICY, question, accepts=words)


def resolve_title(case: Case, sheet: Sheet) -> None:
    """Settle, request or ask the parts of the title."""
    answer = case.answers.get("title")
    if answer is not None:
        _take_title(case, sheet, answer)
        return
    _resolve_type(case, sheet)
    _resolve_scope(case, sheet)
    path = "title.description"
    resolve_text(case, sheet, path, PULL_REQUEST.question(path), (*naming(case), *changes(case)))


def _take_title(case: Case, sheet: Sheet, answer: Answer) -> None:
    text = as_text(answer.value)
    read = commit.read(text) if text is not None and "\n" not in text else None
    if not isinstance(read, Message) or not _is_type(read.type, case):
        refuse(sheet, answer, _HEADER, "What is the title of the request, as a commit header?")
        return
    sheet.settle("title.type", read.type, Basis.ANSWER, (answer.id,))
    sheet.settle("title.scope", read.scope, Basis.ANSWER, (answer.id,))
    sheet.write("title.description", read.description, Basis.ANSWER, (answer.id,))


def _resolve_type(case: Case, sheet: Sheet) -> None:
    path, words = "title.type", tuple(case.profile.types)
    answer = case.answers.get(path)
    if answer is not None and words:
        take_word(sheet, answer, words, _TYPE_QUESTION)
        return
    said = as_text(answer.value) if answer is not None else None
    if answer is not None and said is not None and _is_type(said, case):
        sheet.settle(path, said, Basis.ANSWER, (answer.id,))
    elif answer is not None:
        refuse(sheet, answer, ("<type>",), _TYPE_QUESTION)
    else:
        _take_types(case, sheet, path, words or ("<type>",))


def _take_types(case: Case, sheet: Sheet, path: str, accepts: tuple[str, ...]) -> None:
    """What titles of the request say, else commits; where they differ, a person says."""
    messages = tuple(_titles(case)) or tuple(_messages(case))
    types = grouped((message.type, (item,)) for item, message in messages if _is_type(message.type, case))
    untyped = any(not _is_type(message.type, case) for _, message in messages)
    if len(types) == 1 and not untyped:
        word, ids = next(iter(types.items()))
        sheet.settle(path, word, Basis.EVIDENCE, ids)
    else:
        sheet.ask(
            path,
            Reason.AMBIGUOUS if types else Reason.NO_EVIDENCE,
            _TYPE_QUESTION,
            accepts=accepts,
            suggestions=(Suggestion(word, ids) for word, ids in types.items()),
            evidence=(item for item, _ in messages),
        )


def _resolve_scope(case: Case, sheet: Sheet) -> None:
    """A scope that titles or commits agree on; none where they do not, for it may be left out."""
    path, answer = "title.scope", case.answers.get("title.scope")
    said = as_text(answer.value) if answer is not None else None
    if answer is not None and (answer.value is None or (said is not None and _is_scope(said, case))):
        sheet.settle(path, said, Basis.ANSWER, (answer.id,))
    elif answer is not None:
        refuse(sheet, answer, tuple(case.profile.scopes) or ("<scope or null>",), "Which scope has the title?")
    else:
        messages = tuple(_titles(case)) or tuple(_messages(case))
        scopes = grouped((message.scope, (item,)) for item, message in messages)
        word, ids = next(iter(scopes.items()), (None, ()))
        is_one = len(scopes) == 1 and word is not None and _is_scope(word, case)
        sheet.settle(path, word if is_one else None, Basis.EVIDENCE, ids if is_one else case.evidence)


def _titles(case: Case) -> Iterator[tuple[str, Message]]:
    """The titles of the request that have a type of the project."""
    told = [(one.id, one.title) for one in case.bundle.documents if one.kind is DocumentKind.PULL_REQUEST]
    told += [(view.id, view.title) for view in case.merges if view.title]
    read = ((item, read_any(title).message) for item, title in told)
    yield from ((item, message) for item, message in read if _is_type(message.type, case))


def _messages(case: Case) -> Iterator[tuple[str, Message]]:
    """The messages of the commits that ask for a release, else of all."""
    loud = tuple(view for view in case.views if not is_internal(view, case.profile, case.rules))
    yield from ((view.id, view.message) for view in loud or case.views)


def _is_type(word: str, case: Case) -> bool:
    return word in case.profile.types if case.profile.types else _TYPE.fullmatch(word) is not None


def _is_scope(word: str, case: Case) -> bool:
    return word in case.profile.scopes if case.profile.scopes else _SCOPE.fullmatch(word) is not None
