"""A person's answers: `--answer FIELD=VALUE` and answer files, as evidence like any other (Intent Changesets 11.1, 11.6)."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, Final, TypeGuard

from agent.errors import InputFailure, UsageFailure
from agent.sources import inputs
from guardrails import strict_yaml
from guardrails.digests import digest_of
from guardrails.drafts.questions import Unresolved
from guardrails.drafts.sourced import FieldValue, plain
from guardrails.evidence.model import Answer, AnswerValue

MAX_ANSWERS: Final = 20_000
_STEP: Final = r"[a-z][a-z0-9_-]{0,63}(?:\[(?:[0-9]{1,3}|[0-9a-f]{7,64}(?:\.[0-9]{1,3})?)\])?"
_PATH: Final = re.compile(rf"{_STEP}(?:\.{_STEP})*")
"""Steps with a place in a list, by its number or, of the items of an envelope, by its key."""
_WORD: Final = re.compile(r"[A-Za-z0-9~.+_-]+")
_EXAMPLE: Final = "write --answer 'targets[0].audiences=[operators]'"


def read(flags: Sequence[str], file: str | None = None) -> tuple[Answer, ...]:
    """Answers out of an answers file (a path, `-` for standard input) and `FIELD=VALUE` flags, numbered from A1; a flag wins.

    Raises:
        UsageFailure: a flag is malformed, or two flags answer one field differently.
        InputFailure: the file cannot be read or is no map of field paths to values.
    """
    from_file = {} if file is None else dict(parse_file(file, inputs.read(file)))
    from_flags: dict[str, AnswerValue] = {}
    for path, value in map(_flag, flags):
        if path in from_flags and digest_of(from_flags[path]) != digest_of(value):
            raise UsageFailure("got two different answers", where=f"--answer {path}", cure="keep one of them")
        from_flags[path] = value
    answers = {**from_file, **from_flags}
    if len(answers) > MAX_ANSWERS:
        raise UsageFailure(f"got {len(answers)} answers, at most {MAX_ANSWERS} are read")
    return tuple(said(path, value, number) for number, (path, value) in enumerate(answers.items(), 1))


def parse(flag: str, number: int) -> Answer:
    """One `FIELD=VALUE`, with the id of `number`.

    A VALUE is a list or quoted text in YAML, one YAML word (`null`, `true`, `42`, `patch`), or else plain text as it stands.

    Raises:
        UsageFailure: it is malformed.
    """
    return said(*_flag(flag), number)


def said(path: str, value: AnswerValue, number: int) -> Answer:
    """What a person said for the field at `path`, with the id of `number`."""
    return Answer(f"A{number}", f"answer:{path}", digest_of({"path": path, "value": value}), path, value)


def accept(path: str, value: FieldValue, number: int) -> Answer:
    """The answer of a person who took over a suggestion, with the id of `number`."""
    return replace(said(path, plain(value), number), accepted=True)


def accepted(questions: Iterable[Unresolved], *, start: int) -> tuple[Answer, ...]:
    """The suggestion of every question to which the evidence makes one, taken over; numbered from `start`."""
    led = [(question.field, question.leading.value) for question in questions if question.leading is not None]
    return tuple(accept(field, value, number) for number, (field, value) in enumerate(led, start))


def spell(answer: Answer) -> str:
    """`answer` as a `FIELD=VALUE` that `parse` reads back, for the command that repeats a run."""
    value = answer.value
    if isinstance(value, str):
        return f"{answer.path}={value if _reads_as_itself(value) else _quoted(value)}"
    return f"{answer.path}={_flow(value)}"


def parse_file(name: str, data: bytes) -> Iterator[tuple[str, AnswerValue]]:
    """The field paths and values of an answers file, which is YAML or JSON.

    Raises:
        InputFailure: it is malformed, or no map of field paths to values.
    """
    is_json = PurePosixPath(name).suffix.lower() == ".json" or data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"
    value = inputs.parse_json(data, name) if is_json else inputs.parse_yaml(data, name)
    if not isinstance(value, dict):
        raise InputFailure("got no map of field paths to values", where=name, cure="write `targets[0].impact: patch`")
    for path, answer in value.items():
        if not isinstance(path, str) or not is_field_path(path):
            raise InputFailure(f"got {str(path)[:100]!r}, expected a field path", where=name, cure="write it as in the record")
        if not is_answer(answer):
            raise InputFailure("the value is no text, number, list, map or null", where=f"{name}: {path}")
        yield path, answer


def is_field_path(text: str) -> bool:
    """Whether `text` is written like a field: `summary`, `targets[0].audiences`, `items[9f2c1ab.2].relations.ticket`."""
    return len(text) <= 200 and _PATH.fullmatch(text) is not None


def parse_value(text: str) -> AnswerValue:
    """What a person typed, as a value; YAML would cut prose at ` #` and stumble over `: `, so prose is taken as it stands.

    Raises:
        UsageFailure: it is empty, or begins like a YAML list or quoted text and is none.
    """
    text = text.strip()
    if not text:
        raise UsageFailure("got an empty value", cure="for no value say null")
    if not _is_unicode(text):
        raise UsageFailure("the value is not UTF-8")
    if text[0] not in "[\"'" and not _WORD.fullmatch(text):
        return text
    try:
        value: object = strict_yaml.read(text.encode()).value
    except strict_yaml.YamlFault as fault:
        raise UsageFailure(f"the value is no YAML: {fault.finding.message}", cure="put quotes around the whole text") from None
    if not is_answer(value):
        raise UsageFailure("the value is no text, number, list or null")
    return value


def _flag(flag: str) -> tuple[str, AnswerValue]:
    path, equals, text = _as_typed(flag).partition("=")
    path = path.strip()
    if not equals or not is_field_path(path):
        raise UsageFailure("got no FIELD=VALUE", where=f"--answer {path[:100]}", cure=_EXAMPLE)
    try:
        return path, parse_value(text)
    except UsageFailure as failure:
        raise UsageFailure(failure.what, where=f"--answer {path}", cure=failure.cure) from None


def _as_typed(text: str) -> str:
    """UTF-8 of a command line that the locale could not read: Python keeps such bytes as half surrogate pairs."""
    try:
        return text if _is_unicode(text) else os.fsencode(text).decode()
    except UnicodeError:
        return text


def _reads_as_itself(text: str) -> bool:
    try:
        return parse_value(text) == text
    except UsageFailure:
        return False


def _flow(value: AnswerValue) -> str:
    """A value as YAML on one line; words stand bare where they stay words."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_quoted(key)}: {_flow(item)}' for key, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, str):
        return value if _WORD.fullmatch(value) and _reads_as_itself(value) else _quoted(value)
    return json.dumps(value)


def _quoted(text: str) -> str:
    """`text` in YAML's double quotes, which can name every character."""
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else f"\\U{ord(character):08x}"


def _is_unicode(text: str) -> bool:
    """Whether `text` came in as UTF-8; Python hides other bytes of a command line in half surrogate pairs."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def is_answer(value: Any) -> TypeGuard[AnswerValue]:
    """Whether JSON could say `value`: keys are texts, numbers are finite."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_answer(item) for key, item in value.items())
    if isinstance(value, list):
        return all(is_answer(item) for item in value)
    return not isinstance(value, float) or math.isfinite(value)
