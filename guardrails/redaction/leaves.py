"""Every text in a bundle, walked in one fixed order: what is not visited here is an id, a number or an object name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum, auto
from operator import is_
from typing import Any, TypeAlias, TypeVar

from guardrails.evidence.model import AnswerValue, Bundle, Commit, Document, FileChange, Hunk, Operation, Person


class Form(StrEnum):
    """How a text is written, which decides how something is taken out of it."""

    PROSE = auto()
    PATH = auto()
    """A path or a locator: one line, and no colons of ours."""
    HUNK = auto()
    """Lines with a sign in the first column, which stays."""
    RECORD = auto()
    """YAML that has to stay readable."""
    PERSON = auto()
    """A name or an address of an author: all of it is personal."""


_Item = TypeVar("_Item", Commit, FileChange, Hunk, Person)
Visit: TypeAlias = Callable[[str, Form, str], str]
"""Takes the id of the item, the form and the text; gives the text to put in its place."""


def rewrite(bundle: Bundle, visit: Visit) -> Bundle:
    """`bundle` with every text replaced by what `visit` gives; the order of visits is the same for equal shapes."""
    selection = replace(bundle.selection, spec=visit("selection", Form.PROSE, bundle.selection.spec))
    return replace(
        bundle,
        selection=selection,
        operation=None if bundle.operation is None else _operation(bundle.operation, visit),
        commits=_each(bundle.commits, _commit, visit),
        uncommitted=_each(bundle.uncommitted, _file, visit),
        net=None if bundle.net is None else _each(bundle.net, _file, visit),
        referenced=_each(bundle.referenced, _commit, visit),
        documents=tuple(_document(document, visit) for document in bundle.documents),
        contracts=tuple(
            replace(
                one,
                locator=visit(one.id, Form.PATH, one.locator),
                title=visit(one.id, Form.PROSE, one.title),
                body=visit(one.id, Form.PROSE, one.body),
            )
            for one in bundle.contracts
        ),
        records=tuple(
            replace(
                record,
                locator=visit(record.id, Form.PATH, record.locator),
                path=visit(record.id, Form.PATH, record.path),
                data=_bytes(record.data, visit(record.id, Form.RECORD, record_text(record.data))),
            )
            for record in bundle.records
        ),
        answers=tuple(
            replace(
                answer,
                locator=visit(answer.id, Form.PATH, answer.locator),
                path=visit(answer.id, Form.PATH, answer.path),
                value=_value(answer.id, answer.value, visit),
            )
            for answer in bundle.answers
        ),
        notes=tuple(
            replace(note, where=visit("note", Form.PATH, note.where), message=visit("note", Form.PROSE, note.message))
            for note in bundle.notes
        ),
    )


def _changed(item: _Item, **values: Any) -> _Item:
    """The item with these values; the very item where they are its own, for most texts stay as they are."""
    kept = all(_is_same(getattr(item, name), value) for name, value in values.items())
    return item if kept else replace(item, **values)


def _each(items: tuple[_Item, ...], change: Callable[[_Item, Visit], _Item], visit: Visit) -> tuple[_Item, ...]:
    """The items changed; the very tuple where none was."""
    changed = tuple(change(item, visit) for item in items)
    return items if all(map(is_, items, changed)) else changed


def _is_same(own: object, value: object) -> bool:
    """Whether a value is the item's own; only texts are compared, for what holds items is the same where they are."""
    return own is value or (isinstance(own, str) and own == value)


def _operation(operation: Operation, visit: Visit) -> Operation:
    """Its id and branch as prose, its repository as a path: a branch or a group may be named by what must not leave."""
    return replace(
        operation,
        id=visit("operation", Form.PROSE, operation.id),
        repository=visit("operation", Form.PATH, operation.repository),
        branch=visit("operation", Form.PROSE, operation.branch),
    )


def record_text(data: bytes) -> str:
    """The text of a record's bytes; bytes that are none are shown as escapes."""
    encoding = "utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    return data.decode(encoding, errors="backslashreplace")


def _bytes(data: bytes, text: str) -> bytes:
    """The very bytes where nothing was taken out."""
    return data if text == record_text(data) else text.encode(errors="replace")


def _commit(commit: Commit, visit: Visit) -> Commit:
    return _changed(
        commit,
        locator=visit(commit.id, Form.PATH, commit.locator),
        message=visit(commit.id, Form.PROSE, commit.message),
        author=_person(commit.id, commit.author, visit),
        committer=_person(commit.id, commit.committer, visit),
        files=_each(commit.files, _file, visit),
    )


def _person(item: str, person: Person, visit: Visit) -> Person:
    return _changed(person, name=visit(item, Form.PERSON, person.name), email=visit(item, Form.PERSON, person.email))


def _file(file: FileChange, visit: Visit) -> FileChange:
    return _changed(
        file,
        locator=visit(file.id, Form.PATH, file.locator),
        path=visit(file.id, Form.PATH, file.path),
        old_path=None if file.old_path is None else visit(file.id, Form.PATH, file.old_path),
        hunks=_each(file.hunks, _hunk, visit),
    )


def _hunk(hunk: Hunk, visit: Visit) -> Hunk:
    return _changed(
        hunk,
        locator=visit(hunk.id, Form.PATH, hunk.locator),
        section=visit(hunk.id, Form.PROSE, hunk.section),
        text=None if hunk.text is None else visit(hunk.id, Form.HUNK, hunk.text),
    )


def _document(document: Document, visit: Visit) -> Document:
    def prose(text: str) -> str:
        return visit(document.id, Form.PROSE, text)

    return replace(
        document,
        locator=visit(document.id, Form.PATH, document.locator),
        key=prose(document.key),
        url=visit(document.id, Form.PATH, document.url),
        title=prose(document.title),
        body=prose(document.body),
        labels=tuple(map(prose, document.labels)),
        author=visit(document.id, Form.PERSON, document.author),
        closes=tuple(map(prose, document.closes)),
    )


def _value(item: str, value: AnswerValue, visit: Visit) -> AnswerValue:
    if isinstance(value, str):
        return visit(item, Form.PROSE, value)
    if isinstance(value, list):
        return [_value(item, part, visit) for part in value]
    if isinstance(value, dict):
        return {visit(item, Form.PROSE, key): _value(item, part, visit) for key, part in value.items()}
    return value
