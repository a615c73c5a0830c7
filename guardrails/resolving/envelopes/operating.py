"""The operation that an envelope describes: its type, its id, the repository (Describe Changes: Shape A, Shape B).

The repository is a person's word, else the profile's, else what a forge or the clone's remote says; a folder's name names none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import Answer, Bundle, DocumentKind, OperationType, Selection, SelectionKind
from guardrails.records.profile import Profile
from guardrails.resolving.answers import as_text, refuse
from guardrails.resolving.sheet import Sheet

REPOSITORY: Final = "operation.repository"
_QUESTION: Final = "Which repository is this, as owner/name?"
_FORMAT: Final = ("<owner/name>",)
_NO_ID: Final = "Changes that are not committed have no id. Which commit, range or request is meant?"


def resolve_operation(bundle: Bundle, profile: Profile | None, answers: Mapping[str, Answer], sheet: Sheet) -> None:
    """Settle `operation.type`, `operation.id` and `operation.repository`, or ask what nothing names."""
    told = bundle.operation
    kind = told.type if told is not None else _type(bundle.selection)
    selected = _selected(bundle)
    sheet.settle("operation.type", kind.value, Basis.EVIDENCE, selected)
    name = told.id if told is not None and told.type is OperationType.PULL_REQUEST else _id(bundle.selection)
    if name:
        sheet.settle("operation.id", name, Basis.EVIDENCE, selected)
    else:
        sheet.ask("operation.id", Reason.NO_EVIDENCE, _NO_ID, accepts=("<range or revision>",))
    _resolve_repository(bundle, profile, answers.get(REPOSITORY), sheet)


def owner_and_name(address: str) -> str:
    """The path in a repository's address, or the name as it is; "" for what is neither.

    `https://github.com/acme/widgets.git` is acme/widgets.
    """
    path = urlsplit(address).path if "://" in address else address
    name = path.strip("/").removesuffix(".git")
    return name if name and name.isprintable() and not any(map(str.isspace, name)) else ""


def _resolve_repository(bundle: Bundle, profile: Profile | None, answer: Answer | None, sheet: Sheet) -> None:
    told = bundle.operation.repository if bundle.operation is not None else ""
    if answer is not None:
        said = owner_and_name(as_text(answer.value) or "")
        if said:
            sheet.settle(REPOSITORY, said, Basis.ANSWER, (answer.id,))
        else:
            refuse(sheet, answer, _FORMAT, _QUESTION)
    elif profile is not None and (name := owner_and_name(profile.repository)):
        sheet.settle(REPOSITORY, name, Basis.PROFILE)
    elif told:
        sheet.settle(REPOSITORY, told, Basis.EVIDENCE, _selected(bundle))
    else:
        sheet.ask(REPOSITORY, Reason.NO_EVIDENCE, _QUESTION, accepts=_FORMAT)


def _selected(bundle: Bundle) -> tuple[str, ...]:
    """What the operation is known by: the request itself, else the first and the last of the commits."""
    request = next((one.id for one in bundle.documents if one.kind is DocumentKind.PULL_REQUEST), None)
    is_request = bundle.operation is not None and bundle.operation.type is OperationType.PULL_REQUEST
    if is_request and request is not None:
        return (request,)
    return tuple(dict.fromkeys(commit.id for commit in (*bundle.commits[:1], *bundle.commits[-1:])))


def _type(selection: Selection) -> OperationType:
    return OperationType.RANGE if selection.kind is SelectionKind.RANGE else OperationType.COMMIT


def _id(selection: Selection) -> str:
    """A commit's object name, or the range as a person wrote it with both of its sides; "" for what is not committed.

    A range without dots is everything up to what it names.
    """
    if selection.kind is SelectionKind.COMMIT:
        return selection.head or ""
    if selection.kind is not SelectionKind.RANGE:
        return ""
    if ".." not in selection.spec:
        return selection.spec
    dots = "..." if "..." in selection.spec else ".."
    base, _, head = selection.spec.partition(dots)
    return f"{base or 'HEAD'}{dots}{head or 'HEAD'}"
