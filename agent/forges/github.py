"""One pull request as GitHub's REST interface tells it (Describe Changes: degraded output)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from agent.forges.client import Client
from agent.forges.gathering import Gathering, object_names
from agent.render import own_section
from guardrails.records.closing import tied

MAX_ISSUES: Final = 20


def gather(client: Client, repository: str, number: int, has: Callable[[str], bool]) -> dict[str, Any]:
    """The pull request with its reviews, comments and tied issues, and its commits and files unless git `has` both its ends.

    Raises:
        ForgeFailure: the pull request itself cannot be had.
    """
    home = f"/repos/{repository}"
    at = f"{home}/pulls/{number}"
    pull = client.mapping(at)
    gathering = Gathering(client, pull_request=pull)
    gathering.add_list("reviews", f"{at}/reviews")
    for key, path in (("review_comments", f"{at}/comments"), ("comments", f"{home}/issues/{number}/comments")):
        if pull.get(key) != 0:
            gathering.add_list(key, path)
    _add_issues(gathering, home, repository, str(pull.get("body") or ""))
    ends = object_names(side.get("sha") for key in ("base", "head") if isinstance(side := pull.get(key), dict))
    if len(ends) == 2 and all(map(has, ends)):
        return gathering.value()
    gathering.add_list("commits", f"{at}/commits")
    gathering.add_list("files", f"{at}/files")
    _add_merge_base(gathering, home, ends)
    return gathering.value()


def _add_issues(gathering: Gathering, home: str, repository: str, body: str) -> None:
    """The issues of the same repository that the body closes, which may be requests in truth."""
    numbers = list(_numbers(tied(own_section.without(body), repository)))
    found = [issue for one in numbers[:MAX_ISSUES] if (issue := gathering.ask(f"issue #{one}", f"{home}/issues/{one}"))]
    gathering.put("issues", [issue for issue in found if "pull_request" not in issue])
    if numbers[MAX_ISSUES:]:
        gathering.leave_out("issues", f"{len(numbers)} are closed, the first {MAX_ISSUES} were asked for")


def _numbers(keys: tuple[str, ...]) -> Iterator[str]:
    yield from (key.removeprefix("#") for key in keys if key.startswith("#"))


def _add_merge_base(gathering: Gathering, home: str, ends: tuple[str, ...]) -> None:
    """Where the request left its base: the files are compared with that commit, not with the tip of the base."""
    if len(ends) != 2:
        return
    compared = gathering.ask("merge_base", f"{home}/compare/{ends[0]}...{ends[1]}")
    commit = compared.get("merge_base_commit") if compared else None
    if isinstance(commit, dict):
        gathering.put("merge_base", commit.get("sha"))
