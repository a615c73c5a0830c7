"""`evidraft schema [NAME]`: the JSON Schema of what evidraft reads and writes."""

from __future__ import annotations

from typing import Annotated

import typer


def schema(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Which schema; without it, their names.")] = None,
) -> int:
    """Print a JSON Schema (draft 2020-12).

    Exit codes: 0 printed, 2 failure.
    """
    from agent.commands import schemas
    from agent.commands.printing import emit, emit_json
    from agent.errors import UsageFailure

    if name is None:
        width = max(map(len, schemas.SCHEMAS))
        emit("".join(f"{known:<{width}}  {one.says}\n" for known, one in schemas.SCHEMAS.items()))
        return 0
    if name not in schemas.SCHEMAS:
        raise UsageFailure("there is no such schema", where=name, cure=f"one of: {', '.join(schemas.SCHEMAS)}")
    emit_json(schemas.SCHEMAS[name].document())
    return 0
