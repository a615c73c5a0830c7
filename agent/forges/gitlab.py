"""One merge request as GitLab's REST interface tells it (Describe Changes: degraded output)."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from agent.forges.client import Client
from agent.forges.gathering import Gathering


def gather(client: Client, repository: str, number: int, *, with_diff: bool) -> dict[str, Any]:
    """The merge request with its discussions and the issues it closes, and its commits and files where `with_diff`.

    Raises:
        ForgeFailure: the merge request itself cannot be had.
    """
    at = address(repository, number)
    request = client.mapping(at)
    gathering = Gathering(client, merge_request=request)
    if request.get("user_notes_count") != 0:
        gathering.add_list("discussions", f"{at}/discussions")
    gathering.add_list("issues", f"{at}/closes_issues")
    if with_diff:
        gathering.add_list("commits", f"{at}/commits")
        gathering.add_list("diffs", f"{at}/diffs")
    return gathering.value()


def address(repository: str, number: int) -> str:
    """Where a merge request of a project stands; GitLab wants the project's whole path as one segment."""
    return f"/projects/{quote(repository, safe='')}/merge_requests/{number}"
