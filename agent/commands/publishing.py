"""Where the page of an envelope goes: printed, between our marks in a file, or onto a forge (evidraft).

Nothing is posted that a person did not ask for on the command line, and nothing that the evidence says can ask for it.
"""

from __future__ import annotations

import os
from pathlib import Path

from agent import store
from agent.collecting.request import Gathered
from agent.commands.options import Post, Rendering
from agent.errors import InputFailure, UsageFailure
from agent.forges.places import ForgeRequest
from agent.render import envelope_markdown, envelope_text, own_section
from agent.render.guarded import guarded, links_of
from agent.sources import inputs
from guardrails.drafts.draft import Draft
from guardrails.evidence.model import OperationType
from guardrails.redaction.redact import Guard

_MOST_OF_A_BODY = 60_000
"""Forges end a body at 65,536 characters; some of it is its author's."""


def page(draft: Draft, gathered: Gathered, guard: Guard, rendering: Rendering, *, most: int | None = None) -> str:
    """The draft of an envelope as it was wished. Links that would tell what must not leave are left out."""
    record = draft.record()
    if rendering is Rendering.JSON:
        return draft.form.write(record)
    if rendering is Rendering.TEXT:
        return envelope_text.render(record, most=most)
    remote = gathered.remote
    links = links_of(record, remote.host, remote.path) if remote is not None else None
    return guarded(lambda links: envelope_markdown.render(record, links, most=most), links, guard)


def write_body(path: Path, draft: Draft, gathered: Gathered, guard: Guard) -> None:
    """Put the page between our marks in the file at `path`; every other byte of it stays. A file that is not there is made.

    Raises:
        InputFailure: the marks in it make no sense, or it cannot be read.
        StoreFailure: it cannot be written.
    """
    body = inputs.read(str(path)) if os.path.isfile(path) else b""  # noqa: PTH113 - a pipe would wait, a strange name raise
    try:
        told = own_section.replace(body, page(draft, gathered, guard, Rendering.MARKDOWN, most=_MOST_OF_A_BODY))
    except own_section.SectionFault as fault:
        raise InputFailure(fault.what, where=f"{path}:{fault.line}" if fault.line else str(path), cure=fault.cure) from None
    if told != body:
        store.write_output(path, told)


def require_post(gathered: Gathered) -> None:
    """See to it, before anything is drafted, that there is a request to post to and a token to do so.

    Raises:
        ForgeFailure: there is no token.
        UsageFailure: there is no request to post to.
    """
    from agent.forges import posting

    posting.require_token(destination(gathered), os.environ)


def destination(gathered: Gathered) -> ForgeRequest:
    """The request that a page is posted to.

    Raises:
        UsageFailure: none is described, or nothing tells its forge.
    """
    operation, remote = gathered.evidence.operation, gathered.remote
    if operation is None or operation.type is not OperationType.PULL_REQUEST or remote is None or not operation.id.isdecimal():
        raise UsageFailure(
            "there is no request to post to", where="--post", cure="describe one, with --pr N, --payload FILE or --event"
        )
    if remote.path.casefold() not in gathered.own:
        raise UsageFailure(
            "what tells the request names another repository than the clone or the CI run around",
            where=f"--post: {remote.path}",
            cure="run it in a clone of that repository, or name it in EVIDRAFT_REPOSITORY",
        )
    return ForgeRequest(remote.host, remote.path, int(operation.id))


def post(where: Post, draft: Draft, gathered: Gathered, guard: Guard) -> str:
    """Put the page onto the forge; the address where it stands.

    Raises:
        ForgeFailure: the forge refuses.
        UsageFailure: there is no request to post to.
    """
    from agent.forges import posting

    told = page(draft, gathered, guard, Rendering.MARKDOWN, most=_MOST_OF_A_BODY)
    act = posting.post_body if where is Post.BODY else posting.post_comment
    return act(destination(gathered), told, os.environ).url
