"""What goes to the terminal: results on stdout, everything else on stderr, nothing that could steer a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

from agent.errors import Failure
from guardrails.findings import Finding


def visible(text: str) -> str:
    """`text` with control, bidi and other invisible characters written out, safe for a terminal."""
    from guardrails.redaction.neutralise import neutralise

    return neutralise(text)


def complain(message: str, *, cure: str = "", json_of: Failure | None = None) -> None:
    """Say one thing on stderr; with `json_of`, one JSON document on stdout too."""
    sys.stdout.flush()
    sys.stderr.write(visible(f"evidraft: {message}" + (f" ({cure})" if cure else "")) + "\n")
    if json_of is not None:
        emit_json({"status": "ERROR", "error": {"what": json_of.what, "where": json_of.where, "cure": json_of.cure}})


def note(message: str) -> None:
    """Say one thing on stderr that is no fault."""
    sys.stderr.write(visible(message) + "\n")


def emit(text: str) -> None:
    """The result, on stdout, ending in exactly the line break that it has."""
    sys.stdout.write(text)


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
    """The result of a check: one line a finding, or `valid` when there is none; or one JSON document."""
    found = list(findings)
    if as_json:
        from agent import render

        emit_json({"file": name, "findings": [render.finding(one) for one in found]})
        return
    emit("".join(finding_line(finding, name) + "\n" for finding in found))
    if not found:
        emit(valid + "\n")
