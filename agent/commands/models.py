"""`evidraft models [URL]`: the drafters that there are and what each lacks, or the models of one server."""

from __future__ import annotations

from typing import Annotated

import typer

from agent.commands import options


def models(
    url: Annotated[
        str | None, typer.Argument(metavar="URL", help="A server whose models to list, such as http://127.0.0.1:8080/v1.")
    ] = None,
    *,
    fmt: options.OutputFormat = options.Format.TEXT,
) -> int:
    """Tell what --model may name and whether it is ready. Without URL nothing is sent anywhere.

    Exit codes: 0 told, 2 failure.
    """
    from agent.commands.printing import emit, emit_json, line

    document, lines = _clients() if url is None else _offers(url)
    if fmt is options.Format.JSON:
        emit_json(document)
    else:
        emit("".join(f"{line(told)}\n" for told in lines))
    return 0


def _clients() -> tuple[dict[str, object], list[str]]:
    import os

    from agent.replies.clients import clients

    found = list(clients(os.environ))
    width = max(len(client.name) for client in found)
    document: dict[str, object] = {
        "clients": [
            {
                "client": client.name,
                "says": client.says,
                "ready": client.ready,
                "missing": client.missing or None,
                "endpoint": client.endpoint or None,
            }
            for client in found
        ]
    }
    lines = [
        "  ".join(
            (f"{client.name:<{width}}", "ready    " if client.ready else "not ready", _told(client.says, client.endpoint))
        )
        + (f"; {client.missing}" if client.missing else "")
        for client in found
    ]
    return document, lines


def _told(says: str, endpoint: str) -> str:
    return f"{says}, at {endpoint}" if endpoint else says


def _offers(url: str) -> tuple[dict[str, object], list[str]]:
    """What the server at `url` has; a name behind it does not matter here."""
    import asyncio
    import os

    from agent.model.serving.listing import listing

    server = url.partition("#")[0].rstrip("/")
    found = asyncio.run(listing(server, environ=os.environ))
    document: dict[str, object] = {
        "endpoint": server,
        "models": [{"model": f"{server}#{offer.id}", "context": offer.context} for offer in found],
    }
    lines = [
        f"{server}#{offer.id}  "
        + ("reads an unknown number of tokens" if offer.context is None else f"reads {offer.context:,} tokens")
        for offer in found
    ]
    return document, lines or [f"{server} has no model"]
