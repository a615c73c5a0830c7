"""A payload that tells one operation: what a forge's webhook, event file, interface or command line wrote (Describe Changes:
degraded output).

Reading only: nothing is asked, nothing in it is obeyed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from agent.errors import InputFailure
from agent.sources import fields, inputs, payload_github, payload_gitlab, payload_push
from agent.sources.fields import Item
from agent.sources.told import FROM_ONE, Reading, Telling, Told, numbered


def read(data: bytes, name: str, start: Mapping[str, int] = FROM_ONE) -> Told:
    """What the JSON of a forge tells; `name` is how the person called it, `start` the first free number of each id letter.

    Raises:
        InputFailure: it is empty, too large, no strict JSON, of no known shape, or of something that describes no change.
    """
    if len(data) > inputs.MAX_BYTES:
        raise InputFailure(f"this is larger than {inputs.MAX_BYTES} bytes", where=name, cure="leave out what is not needed")
    if not data.strip():
        raise InputFailure("this is empty", where=name, cure=_CURE)
    return told(inputs.parse_json(data, name), name, start)


def told(value: object, name: str, start: Mapping[str, int] = FROM_ONE) -> Told:
    """What a value of JSON tells, as `read`.

    Raises:
        InputFailure: as `read`.
    """
    if not isinstance(value, dict):
        found = f"a list of {len(value)}" if isinstance(value, list) else "no mapping"
        raise InputFailure(f"got {found}, expected one pull request, merge request or push", where=name, cure=_CURE)
    reading = Reading(name)
    for left in fields.mappings(value, "left_out", name):
        reading.notes.add("forge-left-out", fields.text(left, "what", name), fields.text(left, "why", name))
    return numbered(_reader(value, name)(value, reading), reading, start)


def _reader(item: Item, name: str) -> Callable[[Item, Reading], Telling]:
    for shape in _SHAPES:
        if shape.fits(item):
            return shape.read
    if _is_issue(item):
        raise InputFailure("an issue describes no change", where=name, cure="hand it over as evidence instead: --evidence FILE")
    raise InputFailure("this is no pull request, merge request or push of a known shape", where=name, cure=_CURE)


class _Shape(NamedTuple):
    """How one shape is known and read."""

    fits: Callable[[Item], bool]
    read: Callable[[Item, Reading], Telling]


def _holds(key: str, *marks: str) -> Callable[[Item], bool]:
    """Whether a mapping with all `marks` stands under `key`."""

    def fits(item: Item) -> bool:
        inner = item.get(key)
        return isinstance(inner, dict) and all(mark in inner for mark in marks)

    return fits


def _marked(*marks: str) -> Callable[[Item], bool]:
    return lambda item: all(mark in item for mark in marks)


def _is_merge_request(item: Item) -> bool:
    return (
        "iid" in item
        and "title" in item
        and ("source_branch" in item or "/merge_requests/" in fields.named(item.get("web_url")))
    )


def _is_pull_request(item: Item) -> bool:
    return "number" in item and "title" in item and ("head" in item or "/pull/" in fields.named(item.get("html_url")))


def _is_of_cli(item: Item) -> bool:
    """Whether this is what `gh pr view` prints: of its two addresses it knows one, which may be left out."""
    return "number" in item and "title" in item and "html_url" not in item and "/issues/" not in fields.named(item.get("url"))


def _is_issue(item: Item) -> bool:
    told = "issue" in item or {"title", "number"} <= item.keys() or {"title", "iid"} <= item.keys()
    return told or any("/issues/" in fields.named(item.get(key)) for key in ("url", "html_url", "web_url"))


_SHAPES: Final = (
    _Shape(_marked("object_kind"), payload_gitlab.webhook),
    _Shape(_holds("pull_request", "title"), payload_github.pull_request),
    _Shape(_holds("merge_request", "iid"), payload_gitlab.merge_request),
    _Shape(_holds("merge_group"), payload_push.merge_group),
    _Shape(_holds("issue", "pull_request", "title"), payload_github.through_issue),
    _Shape(_marked("before", "after", "ref"), payload_push.push),
    _Shape(_is_merge_request, payload_gitlab.bare),
    _Shape(_is_pull_request, payload_github.bare),
    _Shape(_is_of_cli, payload_github.cli),
)
_CURE: Final = (
    "known are webhooks and event files of GitHub and GitLab, their REST answers for one request, and "
    "`gh pr view --json number,title,url,body,…`"
)
