"""Running the product as its users do: a command line in, an exit code and a JSON document out, and a person who answers."""

from __future__ import annotations

import contextlib
import io
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.cli import draft_changeset, main

PLAIN = Path(__file__).parent / "plain"
COMMON = ("--profile", str(PLAIN / "profile.yaml"), "--config", str(PLAIN / "evidraft.toml"), "--format", "json")
ROUNDS = 6
_SAID: Mapping[str, object] = {
    "id": "recorded-by-a-person",
    "summary": "What a person says of it",
    "rationale": "Because a person decided so.",
    "targets[0].type": "fix",
    "targets[0].impact": "patch",
    "provenance": ["a-person-said-so"],
    "relations.reverts": [],
    "disclosure.state": "public",
}
Answering = Callable[[Mapping[str, Any]], tuple[str, object]]
"""What a person says to one question: the field and the value."""
_GUIDANCE = "Replace the old form with the new one."


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the command line; `document` is its JSON, `fault` what it said instead of one."""

    code: int
    document: dict[str, Any]
    fault: str
    seconds: float

    @property
    def status(self) -> str:
        """DRAFTED, NEEDS_INPUT, REJECTED, NOTHING (nothing to describe), or FAULT."""
        questions = self.document.get("unresolved", [])
        if any(question["reason"] == "nothing-to-describe" for question in questions):
            return "NOTHING"
        return str(self.document.get("status", "FAULT"))

    @property
    def record(self) -> dict[str, Any]:
        """The record, whole or as far as it is resolved."""
        found: dict[str, Any] = self.document.get("record") or self.document.get("partial") or {}
        return found


def draft(repository: Path, operand: str, *more: str) -> Run:
    """`draft-changeset` on one selection."""
    return run(draft_changeset, ["--repo", str(repository), *COMMON, "--no-interactive", operand, *more])


def verify(repository: Path, operand: str, record: Path, *more: str) -> Run:
    """`evidraft verify` of a record against one selection."""
    return run(main, ["verify", str(record), operand, "--repo", str(repository), *COMMON, *more])


def run(command: Callable[[list[str]], int], arguments: list[str]) -> Run:
    """One command line; what it prints has to be one JSON document."""
    out, err, start = io.StringIO(), io.StringIO(), time.perf_counter()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = command(arguments)
    seconds = time.perf_counter() - start
    try:
        return Run(code, json.loads(out.getvalue()), "", seconds)
    except json.JSONDecodeError:
        return Run(code, {}, err.getvalue().strip()[-400:] or "no document", seconds)


def settle(first: Run, again: Callable[[str], Run], answers: Path, answer: Answering) -> Run:
    """Answer what stays open, round after round, as a person would; `answers` holds all that was said in the end.

    `again` runs the same command with the file of answers.
    """
    said: dict[str, object] = {}
    found = first
    for _ in range(ROUNDS):
        asked = map(answer, found.document.get("unresolved", []))
        new = {field: value for field, value in asked if field not in said or said[field] != value}
        if found.status != "NEEDS_INPUT" or not new:
            break
        said |= new
        answers.write_text(json.dumps(said, ensure_ascii=False), "utf-8")
        found = again(str(answers))
    return found


def of_a_decision(question: Mapping[str, Any]) -> tuple[str, object]:
    """The person takes what a field suggests, in the first place; otherwise says something plain."""
    field = str(question["field"])
    suggested = question.get("suggestions", [])
    if suggested and field not in {"summary", "rationale"}:
        return field, suggested[0]["value"]
    if field.endswith(".migration"):
        return field, None if any("null" in form for form in question.get("accepts", [])) else _GUIDANCE
    return field, _SAID.get(field, question.get("accepts", [None])[0])
