"""What goes to the terminal: results on stdout, everything else on stderr, nothing that could steer a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from agent.errors import Failure, GuardNotReady, StoreFailure
from guardrails.findings import Finding

if TYPE_CHECKING:
    from guardrails.evidence.model import Note

Value = TypeVar("Value")
MOST: Final = 50
"""How many findings of one file a person gets to see; JSON has them all."""
_LONGEST: Final = 2_000
"""How many characters one line on stderr has, at most: names of a repository can be longer than a screen."""
_LOST_SLASH: Final = re.compile(r"(?<=[a-z]):/(?=[^\s/]{1,200}@)")
"""An address that was taken for a path is shown with one slash, and is no address any more."""


def visible(text: str) -> str:
    """`text` with control, bidi and other invisible characters written out, safe for a terminal."""
    from guardrails.redaction.neutralise import neutralise

    return neutralise(text)


def line(text: str) -> str:
    """`text` as one line of bounded length for a terminal or a log: visible, and without secrets."""
    return flat(without_secrets(text))


def flat(text: str) -> str:
    """`text`, which holds no secrets any more, as one visible line of bounded length."""
    shown = visible(text).replace("\r", "\\r").replace("\n", "\\n")
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."


def masked(value: Value, ours: Collection[str] = ()) -> Value:
    """All that a result tells, with every secret in it masked: digests, ids of facts and the words of `ours` stay as they are.

    Raises:
        GuardNotReady: the redactor cannot be relied on.
    """
    from agent import engines
    from guardrails.redaction import masking

    return masking.masked(value, engines.secret_engine(), ours)


def without_secrets(text: str) -> str:
    """`text` with every secret taken out: names of files and branches hold some, and messages name files and branches.

    The engine takes its time to load, and is asked only where a word is long enough to be a token, or something goes with one.
    """
    from guardrails.redaction import masks

    text = _LOST_SLASH.sub("://", text)
    if not masks.may_hold_secret(text):
        return text
    from agent import engines
    from guardrails.redaction import masking

    try:
        return masking.mask([text], engines.secret_engine())[0]
    except GuardNotReady:
        return "[not shown: the redactor is not ready]"


def complain(failure: Failure, code: int = Failure.exit_code, form: str = "") -> None:
    """Say on one line of stderr what failed, and in a document of that form on stdout too: `json`, `sarif` or `github`."""
    said = line(str(failure))
    sys.stderr.write(f"evidraft: {said}\n")
    if form == "json":
        told = {"what": failure.what, "where": failure.where, "cure": failure.cure}
        error = {name: without_secrets(text) for name, text in told.items()}
        emit_json({"status": "ERROR", "exitCode": code, "error": error})
    elif form == "sarif":
        from importlib.metadata import version

        from agent.render import contract_sarif

        emit_json(contract_sarif.error(version("evidraft"), said, code))
    elif form == "github":
        from agent.render import contract_annotations

        emit(contract_annotations.error(said))


def note(message: str) -> None:
    """Say one thing on stderr that is no fault, without secrets: what is noted names files, branches and ranges."""
    sys.stderr.write(visible(without_secrets(message)) + "\n")


def emit(text: str) -> None:
    """The result, on stdout, ending in exactly the line break that it has. A reader that has gone is no fault.

    Raises:
        StoreFailure: it cannot be written.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        silence()
    except OSError as error:
        silence()
        raise StoreFailure(f"could not be written: {error.strerror or error}", where="standard output") from None


def silence() -> None:
    """Say nothing more on stdout, also not when Python flushes at exit: there is nowhere to say it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def json_text(document: object) -> str:
    """A document as indented JSON, as `agent.render.json_text` writes it; that takes its time to load."""
    from agent.render import json_text

    return json_text.json_text(document)


def emit_json(document: object) -> None:
    """One JSON document on stdout."""
    emit(json_text(document))


def emit_result(document: object) -> None:
    """What a check tells as one JSON document, with every secret in it masked.

    Raises:
        GuardNotReady: there may be one, and the redactor cannot be relied on.
    """
    from guardrails.redaction import masks

    emit_json(masked(document) if any(map(masks.may_hold_secret, _texts(document))) else document)


def _texts(document: object) -> Iterator[str]:
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict | list):
        for held in document.values() if isinstance(document, dict) else document:
            yield from _texts(held)


def finding_line(finding: Finding, name: str = "") -> str:
    """One finding as one line for a person: place, severity, code, message."""
    place = ":".join(part for part in (name, str(finding.line or "")) if part)
    where = f" {finding.where}" if finding.where else ""
    start = f"{place}: " if place else ""
    return line(f"{start}{finding.severity.value} {finding.code}{where}: {finding.message}")


def note_line(left: Note) -> str:
    """What was left out or read differently, for a person."""
    return f"note: {left.code}: {left.where}: {left.message}"


def emit_findings(findings: Iterable[Finding], *, name: str, as_json: bool, valid: str) -> None:
    """The result of a check: one line a finding, `MOST` at most, or `valid` when there is none; or one JSON document."""
    found = list(findings)
    if as_json:
        from agent.render import outcomes

        emit_result({"file": name, "findings": [outcomes.finding(one) for one in found]})
        return
    emit("".join(finding_line(finding, name) + "\n" for finding in found[:MOST]))
    if found[MOST:]:
        emit(line(f"{name}: and {len(found) - MOST} more findings; --format json has them all") + "\n")
    if not found:
        emit(line(valid) + "\n")


def emit_created(path: Path, identifier: str, *, as_json: bool) -> int:
    """Tell where a new record stands; returns the exit code."""
    if as_json:
        emit_json({"path": str(path), "id": identifier})
    else:
        emit(line(f"created {path}") + "\n")
    return 0
