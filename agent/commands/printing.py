"""What goes to the terminal: results on stdout, everything else on stderr, nothing that could steer a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable

from agent.errors import Failure, StoreFailure
from guardrails.findings import Finding


def visible(text: str) -> str:
    """`text` with control, bidi and other invisible characters written out, safe for a terminal."""
    from guardrails.redaction.neutralise import neutralise

    return neutralise(text)


MOST = 50
"""How many findings of one file a person gets to see; JSON has them all."""


def complain(failure: Failure, *, as_json: bool = False) -> None:
    """Say on one line of stderr what failed; with `as_json`, in one JSON document on stdout too."""
    sys.stderr.write(visible(f"evidraft: {failure}").replace("\n", "\\n") + "\n")
    if as_json:
        emit_json({"status": "ERROR", "error": {"what": failure.what, "where": failure.where, "cure": failure.cure}})


def note(message: str) -> None:
    """Say one thing on stderr that is no fault."""
    sys.stderr.write(visible(message) + "\n")


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
    """A document as indented JSON, ending in a line break."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def emit_json(document: object) -> None:
    """One JSON document on stdout."""
    emit(json_text(document))


def finding_line(finding: Finding, name: str = "") -> str:
    """One finding as one line for a person: place, severity, code, message."""
    place = ":".join(part for part in (name, str(finding.line or "")) if part)
    where = f" {finding.where}" if finding.where else ""
    start = f"{place}: " if place else ""
    return visible(f"{start}{finding.severity.value} {finding.code}{where}: {finding.message}")


def emit_findings(findings: Iterable[Finding], *, name: str, as_json: bool, valid: str) -> None:
    """The result of a check: one line a finding, `MOST` at most, or `valid` when there is none; or one JSON document."""
    found = list(findings)
    if as_json:
        from agent import render

        emit_json({"file": name, "findings": [render.finding(one) for one in found]})
        return
    emit("".join(finding_line(finding, name) + "\n" for finding in found[:MOST]))
    if found[MOST:]:
        emit(visible(f"{name}: and {len(found) - MOST} more findings; --format json has them all") + "\n")
    if not found:
        emit(valid + "\n")
