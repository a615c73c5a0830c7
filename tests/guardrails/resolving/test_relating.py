"""Ticket, request and reporter are what is explicitly cited as each; everything else is null."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import Bundle, Commit, Operation, OperationType
from guardrails.redaction.policy import Policy
from guardrails.resolving.envelopes.reading import Reading
from guardrails.resolving.envelopes.relating import Related, relations
from guardrails.resolving.grouping.grouping import Group
from guardrails.resolving.rules import Rules, SubjectNumber
from tests.guardrails.resolving.building import commit
from tests.guardrails.resolving.describing_case import change, issue, request
from tests.redacting import redacted

TRACKED = Rules(trackers=frozenset({"PROJ"}))
URL = "https://github.com/acme/widgets"
ADDRESSED = {"repository": URL}


def related(*commits: Commit | str, rules: Rules = TRACKED, **parts: Any) -> Related:
    one, history = change(*commits, **{**ADDRESSED, **parts})
    return _related(one, history, rules)


def _related(one: Group, history: Bundle, rules: Rules) -> Related:
    reading = Reading.of(history)
    return relations(reading.part(one), reading, rules)


def keys(found: Related) -> tuple[str | None, str | None, str | None]:
    return found.ticket.value, found.request.value, found.reporter.value


TICKETS = [
    ("Fixes #12", "#12"),
    ("Resume jobs, closes #12", "#12"),
    ("Resume jobs\n\nResolves: acme/other#12", "acme/other#12"),
    ("Resume jobs\n\nRefs #12", "#12"),
    ("Resume jobs, refs GH-12", "GH-12"),
    ("Resume jobs\n\nTicket: #12", "#12"),
    (f"Resume jobs\n\nRef: {URL}/issues/12", f"{URL}/issues/12"),
    (f"Resume jobs\n\nFixes {URL}/issues/12, fixes #12", f"{URL}/issues/12"),
    ("PROJ-412: resume jobs", "PROJ-412"),
    ("fix(PROJ-412): resume jobs", "PROJ-412"),
    ("Resume jobs (proj-412)", "proj-412"),
    ("Resume jobs\n\nRefs: PROJ-412", "PROJ-412"),
    ("PROJ-412 Resume jobs\n\nFixes #12", "PROJ-412"),
    ("Resume jobs (fixes #12)\n\nAlso closes #13", "#12"),
    ("Resume jobs\n\nFixes #12\nRefs #13, #14", "#12"),
    (f"Resume jobs\n\nRefs #12\nRefs {URL}/issues/12#issuecomment-99", "#12"),
]
NO_TICKETS = [
    "Resume jobs, same idea as #56",
    "Resume jobs\n\nSee #56 and like in PR #57.",
    "Resume jobs in UTF-8\n\nFixes UTF-8 and SHA-256, see ISO-8859.",
    "Resume jobs\n\nPROJ-412 has more of it.",
    "Resume jobs\n\nRef: https://example.com/docs/jobs",
    "Resume jobs (#12)",
    "Resume jobs\n\n> fixes #12",
    "Resume jobs\n\nCloses !12",
    f"Resume jobs\n\nFixes {URL}/pull/12",
    'Revert "Resume jobs, fixes #12"\n\nThis reverts commit a91b3f2 (#1471).',
    'Revert "PROJ-412: resume jobs"',
    "Merge pull request #7 from acme/PROJ-412-resume\n\nResume jobs",
    "Resume jobs\n\nThis does not fix #12.",
]


@pytest.mark.requirement("DC-08")
@pytest.mark.parametrize(("message", "ticket"), TICKETS)
def test_a_ticket_is_what_is_cited_as_one_and_as_it_is_written(message: str, ticket: str) -> None:
    found = related(message)
    assert found.ticket.value == ticket
    assert (found.ticket.basis, found.ticket.evidence) == (Basis.EVIDENCE, ("C1",))
    assert ticket in found.citable["ticket"]


@pytest.mark.requirement("DC-08")
@pytest.mark.parametrize("message", NO_TICKETS)
def test_a_number_that_is_only_mentioned_is_no_ticket(message: str) -> None:
    found = related(commit(1, message, "src/app.py", parents=2 if message.startswith("Merge") else 1))
    assert found.ticket.value is None
    assert not found.citable["ticket"] & {"#12", "#56", "#57", "UTF-8", "SHA-256", "#1471"}


def test_only_keys_of_the_projects_trackers_may_be_cited() -> None:
    body = "UTF-8, SHA-256, ISO-8859 and PROJ-412 are told of."
    found = related("Resume jobs", documents=(request("Resume jobs", body),))
    assert found.citable["ticket"] == {"PROJ-412"}
    assert related("Refs: PROJ-412", rules=Rules()).ticket.value is None


@pytest.mark.requirement("DC-08")
@pytest.mark.parametrize(
    "message",
    ["Resume jobs\n\nFixes #12, closes #13", "PROJ-1, PROJ-2: resume jobs", "Resume jobs\n\nRefs #12, #13"],
)
def test_of_equal_tickets_none_is_chosen_and_all_are_told(message: str) -> None:
    found = related(message)
    assert found.ticket.value is None
    assert len(found.rivals["ticket"]) == 2
    assert {one.value for one in found.rivals["ticket"]} == found.citable["ticket"]


@pytest.mark.requirement("DC-08")
@pytest.mark.parametrize(
    ("message", "rules", "expected"),
    [
        ("Resume jobs (#12)", Rules(), (None, "#12", None)),
        ("Resume jobs (#12)", Rules(subject_number=SubjectNumber.PULL_REQUEST), (None, "#12", None)),
        ("Resume jobs (#12)", Rules(subject_number=SubjectNumber.ISSUE), ("#12", None, None)),
        ("Resume jobs (#12)", Rules(subject_number=SubjectNumber.NONE), (None, None, None)),
        ("Resume jobs (#1188) (#1257)", Rules(), (None, "#1257", None)),
        ('Revert "Resume jobs (#1471)" (#1480)', Rules(), (None, "#1480", None)),
        ('Revert "Resume jobs (#1471)"', Rules(), (None, None, None)),
        ("Resume jobs, fixes #12 (#12)", Rules(), (None, "#12", None)),
        ("Resume jobs\n\nPR: #12", Rules(), (None, "#12", None)),
        (f"Resume jobs\n\nPR-URL: {URL}/pull/12", Rules(), (None, f"{URL}/pull/12", None)),
    ],
)
def test_a_request_is_what_a_forge_or_a_trailer_names(
    message: str, rules: Rules, expected: tuple[str | None, str | None, str | None]
) -> None:
    assert keys(related(message, rules=rules)) == expected


@pytest.mark.parametrize(
    ("merge", "expected"),
    [
        ("Merge pull request #12 from acme/jobs\n\nResume jobs", "#12"),
        ("Merge branch 'jobs' into 'main'\n\nResume jobs\n\nSee merge request acme/widgets!12", "acme/widgets!12"),
        ("Merge branch 'jobs'", None),
    ],
)
def test_a_merge_names_the_request_of_what_it_brought_in(merge: str, expected: str | None) -> None:
    found = related("Resume jobs (#9)", commit(2, merge, parents=2))
    assert found.request.value == (expected or "#9")


@pytest.mark.requirement("DC-08")
def test_a_described_request_is_its_own_request() -> None:
    operation = Operation(OperationType.PULL_REQUEST, "7", "acme/widgets")
    told = request("Resume jobs", "Closes #41\n\n<!-- Fixes #1 -->\n`fixes #2`\n```\nfixes #3\n```\nlike #56")
    assert keys(related("Resume jobs (#9)", documents=(told,), operation=operation)) == ("#41", "#7", None)
    assert keys(related("Resume jobs", operation=operation)) == (None, "#7", None)
    other = request("Before", number=2)
    assert related("Resume jobs", documents=(told, other), operation=operation).request.value == "#7"
    assert related("Resume jobs", documents=(told, other)).rivals["request"]


def test_an_item_of_a_described_request_names_the_request_that_it_was_itself() -> None:
    operation = Operation(OperationType.PULL_REQUEST, "7", "acme/widgets")
    one, history = change("Resume jobs (#9)", operation=operation, documents=(request("Release"),))
    alone = _related(type(one)(one.key, one.commits, one.files), history, Rules())
    assert alone.request.value == "#9"
    assert "#7" in alone.citable["request"]


def test_what_a_forge_ties_to_a_request_is_its_ticket() -> None:
    found = related(documents=(request("Resume jobs", closes=("#41",)),))
    assert (found.ticket.value, found.ticket.evidence) == ("#41", ("P1",))
    assert related(documents=(request("Resume jobs", closes=("#41", "#42")),)).ticket.value is None


def test_an_issue_that_was_handed_over_is_the_ticket_where_nothing_is_cited() -> None:
    assert related("Resume jobs", documents=(issue("Jobs stop"),)).ticket.value == "#41"
    assert related("Resume jobs, fixes #12", documents=(issue("Jobs stop"),)).ticket.value == "#12"
    found = related("Resume jobs, fixes #41", documents=(issue("Jobs stop"),))
    assert (found.ticket.value, found.ticket.evidence) == ("#41", ("C1", "I1"))
    assert found.citable["ticket"] == {"#41", f"{URL}/issues/41"}


def test_what_a_dependency_update_quotes_cites_nothing() -> None:
    body = "Fixes #99 and #100.\n\nReported by @octocat"
    update = commit(1, f"Bump log from 0.4.20 to 0.4.21 (#12)\n\n{body}", "Cargo.lock")
    assert keys(related(update)) == (None, "#12", None)


REPORTERS = [
    ("Resume jobs\n\nReported-by: @octocat", "octocat"),
    ("Resume jobs\n\nReported-and-tested-by: @octo-cat", "octo-cat"),
    ("Resume jobs\n\nThis was reported by @octocat.", "octocat"),
    ("Resume jobs\n\nThanks to @octocat for the report!", "octocat"),
    ("Resume jobs\n\nReported-by: Jared G <jared@example.com>", None),
    ("Resume jobs\n\nReported-by: Jared", None),
    ("Resume jobs\n\nThanks @octocat", None),
    ("Resume jobs\n\n@octocat knows", None),
    ("Resume jobs\n\nCo-authored-by: @octocat", None),
    ("Resume jobs\n\nReported by octocat@example.com", None),
    ("Resume jobs\n\nReported by @acme/widgets", None),
    ("Resume jobs\n\nReported by @octocat and reported by @hubot", None),
]


@pytest.mark.requirement("DC-08")
@pytest.mark.parametrize(("message", "reporter"), REPORTERS)
def test_a_reporter_is_a_login_that_is_credited(message: str, reporter: str | None) -> None:
    found = related(message)
    assert found.reporter.value == reporter
    assert reporter is None or found.citable["reporter"] == {reporter, f"@{reporter}"}


@pytest.mark.requirement("DC-08")
@pytest.mark.parametrize(
    ("fields", "message", "reporter"),
    [
        ({"author": "octocat"}, "Fixes #41", "octocat"),
        ({"author": "octocat"}, "Fixes #41\n\nReported-by: @hubot", "hubot"),
        ({"author": "octocat"}, "Fixes #12", None),
        ({"author": "Jared G"}, "Fixes #41", None),
        ({"author": "[person:1]"}, "Fixes #41", None),
        ({"author": ""}, "Fixes #41", None),
        ({"author": "octocat", "url": ""}, "Fixes #41", None),
    ],
)
def test_who_wrote_the_ticket_reported_it_where_the_forge_says_so(
    fields: dict[str, Any], message: str, reporter: str | None
) -> None:
    assert related(message, documents=(issue("Jobs stop", **fields),)).reporter.value == reporter


@pytest.mark.requirement("DC-08")
def test_a_person_whom_redaction_hides_is_no_reporter() -> None:
    told = issue("Jobs stop", author="octocat")
    one, history = change("Fixes #41\n\nReported-by: @hubot\nReported-by: Jared G <j@example.com>", documents=(told,))
    hidden = _related(one, redacted(history, Policy()).bundle, TRACKED)
    assert (hidden.reporter.value, hidden.ticket.value) == (None, "#41")
    shown = _related(one, redacted(history).bundle, TRACKED)
    assert shown.reporter.value == "hubot"


def test_one_identifier_in_two_spellings_is_one() -> None:
    message = f"Resume jobs\n\nFixes #12\nFixes acme/widgets#12\nFixes {URL}/issues/12"
    assert related(message).ticket.value == "#12"
    assert related("Resume jobs\n\nFixes #12\nFixes acme/other#12").ticket.value is None


@given(st.lists(st.text(), max_size=3), st.text())
def test_what_stands_in_a_relation_is_citable_and_was_written(messages: list[str], body: str) -> None:
    found = related(*messages, documents=(request("Resume jobs", body),))
    written = "\n".join((*messages, body, "#7"))
    for key in ("ticket", "request", "reporter"):
        value = getattr(found, key).value
        assert value is None or (value in found.citable[key] and re.escape(value))
        assert value is None or value in written or value.lstrip("#!") in written
