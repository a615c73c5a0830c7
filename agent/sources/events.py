"""The event that a CI run was started by, out of the variables of GitHub Actions and GitLab CI (Describe Changes: operation).

A fork can start such a run: all that its event holds is evidence, and nothing of it is obeyed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

from agent.errors import UsageFailure
from agent.sources import inputs, payload
from agent.sources.told import FROM_ONE, Told

_WHERE: Final = "--event"
_GITHUB: Final = (
    *("pull_request", "pull_request_target", "pull_request_review", "pull_request_review_comment", "issue_comment"),
    *("push", "merge_group"),
)
"""The events of GitHub Actions that tell a change."""
_VARIABLES: Final = "the variables of GitLab CI"
_LABELS: Final = ","


def read(environ: Mapping[str, str], start: Mapping[str, int] = FROM_ONE) -> Told:
    """What the run's own event tells; `start` is the first free number of each id letter.

    Raises:
        UsageFailure: there is no event, or one that describes no change.
        InputFailure: its file cannot be read, or holds nothing that describes a change.
    """
    if environ.get("GITHUB_EVENT_PATH"):
        return _of_github(environ, start)
    if environ.get("CI_MERGE_REQUEST_IID"):
        return payload.told(_merge_request(_readable(environ)), _VARIABLES, start)
    if environ.get("CI_COMMIT_SHA"):
        return payload.told(_push(_readable(environ)), _VARIABLES, start)
    raise UsageFailure(
        "no event of a CI was found",
        where=_WHERE,
        cure="looked for GITHUB_EVENT_PATH, CI_MERGE_REQUEST_IID and CI_COMMIT_SHA; elsewhere give --payload FILE",
    )


def _of_github(environ: Mapping[str, str], start: Mapping[str, int]) -> Told:
    name = environ.get("GITHUB_EVENT_NAME", "")
    if name and name not in _GITHUB:
        raise UsageFailure(
            f"an event {name[:40]!r} describes no change", where=_WHERE, cure=f"known are {', '.join(_GITHUB)}; or give a range"
        )
    path = environ["GITHUB_EVENT_PATH"]
    return payload.read(inputs.read(path), path, start)


def _readable(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables with a mark for each byte that is no text: the system holds any bytes in them."""
    return {name: os.fsencode(value).decode("utf-8", "replace") for name, value in environ.items()}


def _merge_request(environ: Mapping[str, str]) -> dict[str, Any]:
    """What the variables tell, in the words of GitLab's REST interface."""
    told = {key: environ.get(f"CI_MERGE_REQUEST_{key}", "") for key in _TOLD}
    number = told["IID"]
    project = told["PROJECT_PATH"] or environ.get("CI_PROJECT_PATH", "")
    home = told["PROJECT_URL"] or environ.get("CI_PROJECT_URL", "")
    request = {
        "iid": int(number) if number.isascii() and number.isdigit() and len(number) < 10 else number,
        "title": told["TITLE"],
        "description": told["DESCRIPTION"],
        "web_url": f"{home}/-/merge_requests/{number}" if home else "",
        "labels": [label for label in told["LABELS"].split(_LABELS) if label],
        "source_branch": told["SOURCE_BRANCH_NAME"],
        "target_branch": told["TARGET_BRANCH_NAME"],
        "source_project_id": told["SOURCE_PROJECT_ID"],
        "target_project_id": told["PROJECT_ID"],
        "references": {"full": f"{project}!{number}"} if project else None,
        "diff_refs": {
            "base_sha": told["DIFF_BASE_SHA"],
            # In a pipeline of the merged result the commit is one that GitLab made for it.
            "head_sha": told["SOURCE_BRANCH_SHA"] or environ.get("CI_COMMIT_SHA"),
        },
    }
    is_cut = told["DESCRIPTION_IS_TRUNCATED"] == "true"
    cut = [{"what": "description", "why": "GitLab hands over only the beginning of so long a description"}] if is_cut else []
    return {"merge_request": request, "left_out": cut}


_TOLD: Final = (
    *("IID", "TITLE", "DESCRIPTION", "DESCRIPTION_IS_TRUNCATED", "LABELS", "DIFF_BASE_SHA", "SOURCE_BRANCH_SHA"),
    *("SOURCE_BRANCH_NAME", "TARGET_BRANCH_NAME", "SOURCE_PROJECT_ID", "PROJECT_ID", "PROJECT_PATH", "PROJECT_URL"),
)


def _push(environ: Mapping[str, str]) -> dict[str, Any]:
    return {
        "object_kind": "push",
        "before": environ.get("CI_COMMIT_BEFORE_SHA"),
        "after": environ["CI_COMMIT_SHA"],
        "project": {"path_with_namespace": environ.get("CI_PROJECT_PATH")},
    }
