"""`evidraft explain CODE`: what a finding means, where its rule comes from, and what to do."""

from __future__ import annotations

from typing import Annotated

import typer

from agent.commands import options


def explain(
    code: Annotated[str | None, typer.Argument(metavar="CODE", help="A finding code; without it, all of them.")] = None,
    *,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Explain a finding code.

    Exit codes: 0 explained, 2 failure.
    """
    from difflib import get_close_matches

    from agent.commands import printing
    from agent.errors import UsageFailure
    from guardrails.grounding.catalogue import codes

    known = codes()
    if code is not None and code not in known:
        near = get_close_matches(code, known, n=3)
        raise UsageFailure(
            "unknown finding code", where=code, cure=f"did you mean {', '.join(near)}?" if near else "see: evidraft explain"
        )
    chosen = [known[code]] if code is not None else [known[name] for name in sorted(known)]
    if fmt is options.Format.JSON:
        keys = ("name", "severity", "section", "summary", "cure")
        printing.emit_json([{key: str(getattr(one, key)) for key in keys} for one in chosen])
    elif code is None:
        width = max(len(one.name) for one in chosen)
        printing.emit("".join(f"{one.name:<{width}}  {one.severity.value:<11}  {one.summary}\n" for one in chosen))
    else:
        one = chosen[0]
        printing.emit(f"{one.name} ({one.severity.value}; {one.section})\n\n{one.summary}\n{one.cure}\n")
    return 0
