"""One merge request as GitLab's REST interface tells it (Describe Changes: degraded output)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from agent.forges.client import Client
from agent.forges.gathering import Gathering, object_names


def gather(client: Client, repository: str, number: int, has: Callable[[str], bool]) -> dict[str, Any]:
    """The merge request with its discussions and the issues it closes, and commits and files unless git `has` both its ends.

    Raises:
        ForgeFailure: the merge request itself cannot be had.
    """
    at = address(repository, number)
    request = client.mapping(at)
    gathering = Gathering(client, merge_request=request)
    if request.get("user_notes_count") != 0:
        gathering.add_list("discussions", f"{at}/discussions")
    gathering.add_list("issues", f"{at}/closes_issues")
    told = request.get("diff_refs")
    ends = object_names(told.get(key) for key in ("base_sha", "head_sha")) if isinstance(told, dict) else ()
    if len(ends) == 2 and all(map(has, ends)):
        return gathering.value()
    gathering.add_list("commits", f"{at}/commits")
    gathering.add_list("diffs", f"{at}/diffs")
    return gathering.value()


def address(repository: str, number: int) -> str:
    """Where a merge request of a project stands; GitLab wants the project's whole path as one segment."""
    return f"/projects/{quote(repository, safe='')}/merge_requests/{number}"
