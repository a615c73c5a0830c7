"""The body of a request as its record tells it, in Markdown, with disclosure applied (Intent Pull Requests 1.0.0;
Intent Changesets 6.9).
"""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.records.disclosure import State
from guardrails.records.fields import is_blank
from guardrails.records.pull_request import Claim, PullRequest, Target


def page(record: PullRequest) -> str:
    """The whole body; "" for an embargoed record, the placeholder alone for a redacted one.

    The record's prose is Markdown already and stays as it is; what is blank has no section.
    """
    if record.disclosure.state == State.REDACTED:
        return f"{record.disclosure.placeholder or ''}\n"
    if not record.disclosure.is_public:
        return ""
    return "\n\n".join(_sections(record)) + "\n"


def _sections(record: PullRequest) -> Iterator[str]:
    yield from (text.strip() for text in (record.summary,) if not is_blank(text))
    sections = {
        "Why": record.rationale,
        "How": record.approach,
        "Trade-offs": record.trade_offs,
        "Release impact": "\n".join(map(_target, record.targets)),
        "Risks": "\n".join(f"- {_line(risk)}" for risk in record.risks),
        "Rollout": record.rollout or "",
        "Rollback": record.rollback or "",
        "Checked by": "\n".join(map(_claim, record.verification)),
    }
    yield from (f"## {heading}\n\n{text.strip()}" for heading, text in sections.items() if not is_blank(text))


def _target(target: Target) -> str:
    guidance = f": {_line(target.migration)}" if target.migration else ""
    return f"- `{target.release_unit}` ({target.stream}), {target.impact}{guidance}"


def _claim(claim: Claim) -> str:
    command = f", `{_line(claim.command)}`" if claim.command else ""
    return f"- {_line(claim.name)}, {claim.status}{command}: {_line(claim.evidence)}"


def _line(text: str) -> str:
    return " ".join(text.split())
