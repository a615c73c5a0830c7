"""Posting what a person wants posted: our own section of a request's body, or a comment of ours (evidraft).

Nothing else of a body is changed, and no comment of anybody else. What stands there already is not posted again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from agent.errors import ForgeFailure
from agent.forges import gitlab, places
from agent.forges.answers import Refused
from agent.forges.client import Client
from agent.forges.fetching import asking
from agent.forges.places import ForgeRequest, Kind, Place
from agent.render import own_section

LONGEST: Final = {Kind.GITHUB: 65_536, Kind.GITLAB: 1_000_000}
"""How many characters a body or a comment may have."""
_ACTIONS: Final = "github-actions[bot]"
"""Whose comments a job's own token writes; it may not ask who it is."""
_FORBIDDEN: Final = 403
_TRIES: Final = 3


@dataclass(frozen=True, slots=True)
class Posted:
    """Where it stands, and whether anything had to be written."""

    url: str
    changed: bool


@dataclass(frozen=True, slots=True)
class _Words:
    """How one forge calls what is written: where, by which method, under which keys; `page` is where people read it."""

    request: str
    edit: str
    body: str
    url: str
    comments: str
    comment: str
    author: str
    login: str
    page: str

    def comment_url(self, comment: Mapping[str, Any]) -> str:
        """Where people read a comment; GitLab does not say, but has one place for it."""
        return _text(comment, self.url) or (f"{self.page}#note_{comment.get('id')}" if self.page else "")


def post_body(
    request: ForgeRequest, ours: str, environ: Mapping[str, str], sleep: Callable[[float], None] = time.sleep
) -> Posted:
    """Put `ours` into our own section of the body of a request; all else of it stays as its author wrote it.

    Raises:
        ForgeFailure: the forge refuses, the body is too long or keeps changing, or its markers make no sense.
    """
    with asking(request, environ, sleep) as client:
        words = _words(client, request)
        found = client.mapping(words.request)
        for _ in range(_TRIES):
            body = _text(found, words.body)
            wanted = _with_ours(client, body, ours, words.request)
            if wanted == body:
                return Posted(_text(found, words.url), changed=False)
            now = client.mapping(words.request)
            if _text(now, words.body) == body:
                written = client.send(words.edit, words.request, {words.body: wanted})
                return Posted(_text(written, words.url), changed=True)
            found = now
        raise client.door.failure("the body is being edited by somebody else", words.request, "try again")


def post_comment(
    request: ForgeRequest, ours: str, environ: Mapping[str, str], sleep: Callable[[float], None] = time.sleep
) -> Posted:
    """Write a comment of ours under a request, or bring the one that stands there up to date.

    Raises:
        ForgeFailure: the forge refuses, the comment is too long, or the comments could not be read to their end.
    """
    with asking(request, environ, sleep) as client:
        words = _words(client, request)
        listed = client.listed(words.comments)
        if listed.missing:
            raise client.door.failure(listed.missing, words.comments, "nothing was posted: it might stand there twice")
        earlier = _earlier(client, listed.items, words)
        body = _text(earlier, "body") if earlier else ""
        wanted = _with_ours(client, body, ours, words.comments)
        if earlier and wanted == body:
            return Posted(words.comment_url(earlier), changed=False)
        method, path = (words.edit, words.comment.format(earlier["id"])) if earlier else ("POST", words.comments)
        return Posted(words.comment_url(client.send(method, path, {"body": wanted})), changed=True)


def require_token(request: ForgeRequest, environ: Mapping[str, str]) -> None:
    """See to it that there is a token to post with; nothing is asked.

    Raises:
        ForgeFailure: there is none, or nothing says which forge is meant.
    """
    _require_token(places.place(request.host, environ))


def _require_token(place: Place) -> None:
    if place.anonymous:
        named = " or ".join(place.variables) or "a token"
        raise ForgeFailure("posting needs a token", where=place.host, cure=f"set {named} to one that may write there")


def _words(client: Client, request: ForgeRequest) -> _Words:
    place, repository, number = client.door.place, request.repository, request.number
    _require_token(place)
    if place.kind is Kind.GITLAB:
        at = gitlab.address(repository, number)
        page = f"https://{place.host}/{repository}/-/merge_requests/{number}"
        return _Words(at, "PUT", "description", "web_url", f"{at}/notes", f"{at}/notes/{{}}", "author", "username", page)
    home = f"/repos/{repository}"
    comments, comment = f"{home}/issues/{number}/comments", f"{home}/issues/comments/{{}}"
    return _Words(f"{home}/pulls/{number}", "PATCH", "body", "html_url", comments, comment, "user", "login", "")


def _with_ours(client: Client, body: str, ours: str, path: str) -> str:
    """`body` with our section in it, if that is still no longer than the forge allows."""
    try:
        wanted = own_section.replace(body.encode(), ours).decode()
    except own_section.SectionFault as fault:
        raise client.door.failure(str(fault), path, fault.cure) from None
    most = LONGEST[client.door.place.kind]
    if len(wanted) > most:
        raise client.door.failure(f"{len(wanted)} characters, the forge takes {most}", path, "render it shorter")
    return wanted


def _earlier(client: Client, comments: tuple[Mapping[str, Any], ...], words: _Words) -> Mapping[str, Any] | None:
    """The first comment with a section of ours that the token's own user wrote."""
    marked = [one for one in comments if own_section.without(_text(one, "body")) != _text(one, "body")]
    if not marked:
        return None
    login = _own_login(client, words)
    return next(
        (one for one in marked if _login(one.get(words.author), words) == login and isinstance(one.get("id"), int)), None
    )


def _own_login(client: Client, words: _Words) -> str:
    try:
        return _login(client.mapping("/user"), words)
    except Refused as refused:
        if refused.status != _FORBIDDEN:
            raise
        return _ACTIONS


def _login(user: object, words: _Words) -> str:
    return _text(user, words.login) if isinstance(user, dict) else ""


def _text(value: Mapping[str, Any], key: str) -> str:
    """The text under a key of an answer; "" for none, as forges say null of a body that is empty."""
    text = value.get(key)
    return text if isinstance(text, str) else ""
