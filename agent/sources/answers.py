"""A person's answers: `--answer FIELD=VALUE` and answer files, as evidence like any other (Intent Changesets 11.1, 11.6)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Any, Final, TypeGuard

from agent.errors import InputFailure, UsageFailure
from agent.sources import inputs
from guardrails import strict_yaml
from guardrails.digests import digest_of
from guardrails.evidence.model import Answer, AnswerValue

MAX_ANSWERS: Final = 1_000
_STEP: Final = re.compile(r"[a-z][a-z0-9-]{0,63}(?:\[[0-9]{1,3}\])?")
_WORD: Final = re.compile(r"[A-Za-z0-9~.+_-]+")
_EXAMPLE: Final = "write --answer 'targets[0].audiences=[operators]'"


def read(flags: Sequence[str], files: Sequence[tuple[str, bytes]] = ()) -> tuple[Answer, ...]:
    """Answers from `files` (name and bytes) and `flags` (`FIELD=VALUE`), numbered from A1; a flag wins over a file.

    A VALUE is a list or quoted text in YAML, one YAML word (`null`, `true`, `42`, `patch`), or else plain text as it stands.

    Raises:
        UsageFailure: a flag is malformed, or one field is answered differently by two flags or by two files.
        InputFailure: a file is malformed or is no map of field paths to values.
    """
    from_files = _agreed((path, value) for name, data in files for path, value in _file(name, data))
    from_flags = _agreed(_flag(flag) for flag in flags)
    answers = {**from_files, **from_flags}
    if len(answers) > MAX_ANSWERS:
        raise UsageFailure(f"got {len(answers)} answers, at most {MAX_ANSWERS} are read")
    return tuple(
        Answer(f"A{number}", f"answer:{path}", digest_of({"path": path, "value": value}), path, value)
        for number, (path, value) in enumerate(answers.items(), 1)
    )


def is_field_path(text: str) -> bool:
    """Whether `text` is written like a field of the record: `summary`, `targets[0].audiences`, `provenance.issues`."""
    return len(text) <= 200 and all(_STEP.fullmatch(step) for step in text.split("."))


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
    if not _is_answer(value):
        raise UsageFailure("the value is no text, number, list or null")
    return value


def _agreed(pairs: Iterable[tuple[str, AnswerValue]]) -> dict[str, AnswerValue]:
    """The pairs as a mapping, unless two of them differ about one field."""
    answers: dict[str, AnswerValue] = {}
    for path, value in pairs:
        if path in answers and digest_of(answers[path]) != digest_of(value):
            raise UsageFailure("got two different answers", where=path, cure="keep one of them")
        answers[path] = value
    return answers


def _flag(flag: str) -> tuple[str, AnswerValue]:
    path, equals, text = flag.partition("=")
    path = path.strip()
    if not equals or not is_field_path(path):
        raise UsageFailure("got no FIELD=VALUE", where=f"--answer {path[:100]}", cure=_EXAMPLE)
    try:
        return path, parse_value(text)
    except UsageFailure as failure:
        raise UsageFailure(failure.what, where=f"--answer {path}", cure=failure.cure) from None


def _file(name: str, data: bytes) -> Iterable[tuple[str, AnswerValue]]:
    is_json = PurePosixPath(name).suffix.lower() == ".json" or data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"
    value = inputs.parse_json(data, name) if is_json else inputs.parse_yaml(data, name)
    if not isinstance(value, dict):
        raise InputFailure("got no map of field paths to values", where=name, cure="write `targets[0].impact: patch`")
    for path, answer in value.items():
        if not isinstance(path, str) or not is_field_path(path):
            raise InputFailure(f"got {str(path)[:100]!r}, expected a field path", where=name, cure="write it as in the record")
        if not _is_answer(answer):
            raise InputFailure("the value is no text, number, list, map or null", where=f"{name}: {path}")
        yield path, answer


def _is_unicode(text: str) -> bool:
    """Whether `text` came in as UTF-8; Python hides other bytes of a command line in half surrogate pairs."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _is_answer(value: Any) -> TypeGuard[AnswerValue]:
    """Whether JSON could say `value`: keys are texts, numbers are finite."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_answer(item) for key, item in value.items())
    if isinstance(value, list):
        return all(_is_answer(item) for item in value)
    return not isinstance(value, float) or math.isfinite(value)
