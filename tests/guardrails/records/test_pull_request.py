"""Pull-request records: what their reader takes, each rule with the record that breaks it, and the body that is rendered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest

from guardrails.findings import Finding
from guardrails.records import changeset, integrating, pull_request, pull_request_rules
from guardrails.records.changeset import Changeset
from guardrails.records.decisions import of_changeset
from guardrails.records.pull_request import PullRequest
from guardrails.records.pull_request_page import page
from guardrails.strict_yaml import write
from tests.guardrails.resolving.building import PROFILE

BASE, HEAD = "1" * 39 + "a", "2" * 39 + "b"
PUBLIC = {"state": "public", "not-before": None, "policy": None, "placeholder": None}
EMBARGOED = {**PUBLIC, "state": "embargoed", "policy": "cve"}
REDACTED = {**PUBLIC, "state": "redacted", "placeholder": "A security fix"}


def target(**changes: object) -> dict[str, Any]:
    fields = {name.replace("_", "-"): value for name, value in changes.items()}
    return {"release-unit": "apps/worker", "stream": "stable", "impact": "patch", "migration": None, **fields}


def claim(**changes: object) -> dict[str, Any]:
    return {"name": "unit tests", "status": "passed", "command": "make test", "evidence": "build 77", **changes}


def request(**changes: object) -> dict[str, Any]:
    """An honest record, with other fields."""
    fields = {name.replace("_", "-"): value for name, value in changes.items()}
    return {
        "intent-pull-request": "1.0.0",
        "id": "resume-jobs",
        "title": "fix(apps/worker): resume interrupted settlement jobs",
        "state": "ready",
        "summary": "Settlement jobs go on after a restart",
        "rationale": "Operators replayed lost jobs by hand",
        "approach": "The worker asks the ledger for what it had begun",
        "trade-offs": "Starting takes a query more",
        "targets": [target()],
        "risks": ["A broken job is tried again"],
        "rollout": None,
        "rollback": None,
        "verification": [claim()],
        "provenance": {"issues": ["DEVELOP-219"], "changesets": ["resume-settlement-jobs"]},
        "disclosure": PUBLIC,
        "base-revision": BASE,
        "evidence-revision": HEAD,
        **fields,
    }


def read(value: dict[str, Any]) -> PullRequest:
    found = pull_request.read(write(value))
    assert isinstance(found, PullRequest), found
    return found


def refused(value: dict[str, Any], *, alone: bool = False) -> set[tuple[str, str]]:
    """Code and place of each breach."""
    return {(one.code, one.where) for one in pull_request_rules.validate(read(value), None if alone else PROFILE)}


def test_an_honest_record_holds_and_is_told_as_it_is_written() -> None:
    record = read(request())
    assert (record.id, record.state, record.changesets) == ("resume-jobs", "ready", ("resume-settlement-jobs",))
    assert (record.targets[0].impact, record.verification[0].status, record.is_draft) == ("patch", "passed", False)
    assert refused(request()) == set()


def test_what_the_reader_does_not_know_is_kept_beside_the_exact_bytes() -> None:
    data = write(request(reviewers=["us"]))
    record = pull_request.read(data)
    assert isinstance(record, PullRequest)
    assert (record.unknown, record.document.data) == ({"reviewers": ["us"]}, data)


def test_a_record_is_written_in_the_order_of_the_specification_with_unknown_fields_last() -> None:
    value = request(x_team="us")
    shuffled = dict(sorted(value.items(), reverse=True))
    shuffled["targets"] = [dict(sorted(target().items()))]
    shuffled["verification"] = [dict(sorted(claim().items(), reverse=True))]
    data = pull_request.write(shuffled)
    assert data == write(value)
    assert isinstance(pull_request.read(data), PullRequest)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"a: 1\na: 2\n", ""),
        (b"- 1\n", ""),
        (b"intent-pull-request: 1.0.0\n", "targets"),
        (write(request(targets=[1])), "targets[0]"),
        (write(request(verification="none")), "verification"),
        (write(request(verification=[{"name": "n", "status": "passed", "evidence": "e"}])), "verification[0].command"),
        (write(request(risks=None)), "risks"),
        (write(request(summary=3)), "summary"),
        (write(request(disclosure="public")), "disclosure"),
        (write(request(base_revision=12)), "base-revision"),
    ],
)
def test_another_form_is_refused_at_its_place(data: bytes, where: str) -> None:
    found = pull_request.read(data)
    assert isinstance(found, tuple)
    assert where in {one.where for one in found}


def test_an_object_name_of_digits_alone_is_told_by_its_digits() -> None:
    name = b"1234567890" * 4
    data = write(request()).replace(f"base-revision: {BASE}".encode(), b"base-revision: " + name)
    record = pull_request.read(data)
    assert isinstance(record, PullRequest)
    assert record.base_revision == name.decode()
    short = pull_request.read(data.replace(name, name[:-1]))
    assert isinstance(short, tuple)
    assert [(one.code, one.where) for one in short] == [("wrong-type", "base-revision")]


@pytest.mark.parametrize(
    ("code", "value", "where"),
    [
        ("unsupported-pull-request-version", request(intent_pull_request="2.0.0"), "intent-pull-request"),
        ("invalid-pull-request-id", request(id="Resume it"), "id"),
        ("pull-request-title", request(title="Resume jobs"), "title"),
        ("pull-request-title", request(title="fix: resume\n\nImpact: major"), "title"),
        ("pull-request-word", request(state="open"), "state"),
        ("pull-request-word", request(targets=[target(impact="huge")]), "targets[0].impact"),
        ("pull-request-word", request(verification=[claim(status="fine")]), "verification[0].status"),
        ("claim-without-command", request(verification=[claim(command=None)]), "verification[0].command"),
        ("claim-without-command", request(verification=[claim(command=" ")]), "verification[0].command"),
        ("revision-not-full", request(base_revision="1a2b3c4"), "base-revision"),
        ("revision-not-full", request(evidence_revision=""), "evidence-revision"),
        ("revision-not-full", request(evidence_revision=HEAD.upper()), "evidence-revision"),
        ("pull-request-not-ready", request(state="draft"), "state"),
        ("pull-request-not-ready", request(state="closed"), "state"),
        ("pull-request-too-long", request(title="fix: " + "é" * 68), "title"),
        ("pull-request-too-long", request(approach="é" * 4_000), ""),
        ("blank-text", request(summary=" "), "summary"),
        ("blank-text", request(rationale=""), "rationale"),
        ("blank-text", request(approach=""), "approach"),
        ("blank-text", request(trade_offs=""), "trade-offs"),
        ("blank-text", request(state="draft", summary="", rationale=" "), "summary"),
        ("blank-text", request(targets=[target(stream="")]), "targets[0].stream"),
        ("blank-text", request(verification=[claim(evidence="")]), "verification[0].evidence"),
        ("blank-text", request(verification=[claim(name=" ")]), "verification[0].name"),
        ("rationale-repeats-summary", request(rationale="settlement jobs go  on after a restart."), "rationale"),
        ("no-targets", request(targets=[]), "targets"),
        ("duplicate-target", request(targets=[target(), target(impact="minor")]), "targets[1]"),
        ("major-without-migration", request(targets=[target(impact="major")]), "targets[0].migration"),
        ("no-provenance", request(provenance={}), "provenance"),
        ("no-provenance", request(state="draft", provenance={"issues": [" "]}), "provenance"),
        ("not-in-profile", request(targets=[target(release_unit="apps/lathe")]), "targets[0].release-unit"),
        ("not-in-profile", request(targets=[target(stream="lts")]), "targets[0].stream"),
        ("not-in-profile", request(verification=[claim(status="skipped")]), "verification[0].status"),
        ("embargo-without-terms", request(disclosure={**PUBLIC, "state": "embargoed"}), "disclosure"),
    ],
)
def test_each_breach_is_named_at_its_place(code: str, value: dict[str, Any], where: str) -> None:
    assert (code, where) in refused(value)


STRICTER: Final = {
    "missing-field": (
        request(targets=[{"release-unit": "u", "stream": "s", "impact": "patch"}]),
        "6.6: a target has migration",
    ),
    "disclosure-field-not-null": (request(disclosure={**PUBLIC, "policy": "cve"}), "6.9: what does not apply is null"),
    "redacted-without-placeholder": (request(disclosure={**PUBLIC, "state": "redacted"}), "6.9: redacted has a placeholder"),
    "wrong-type": (request(rollback=True), "12: by the Core Schema this is no text"),
}
"""What the peer takes and we refuse, by code, each with the section of Intent Changesets that the suite's records share."""


@pytest.mark.parametrize("code", STRICTER)
def test_where_we_are_stricter_than_the_peer_the_suite_says_so(code: str) -> None:
    value, _ = STRICTER[code]
    found = pull_request.read(write(value))
    told = found if isinstance(found, tuple) else pull_request_rules.validate(found)
    assert [one.code for one in told] == [code]


@pytest.mark.parametrize(
    "value",
    [
        request(state="draft", approach="", trade_offs="", targets=[], base_revision="", evidence_revision="soon"),
        request(state="draft", summary=""),
        request(state="closed", verification=[claim(status="skipped", command=None)]),
        request(targets=[target(impact="major", migration="Drain first"), target(release_unit="any", stream="thing")]),
        request(title="fix: " + "e" * 500, approach="é" * 50_000),
        request(evidence_revision="c" * 64, verification=[], risks=[]),
    ],
)
def test_what_only_a_project_or_a_ready_request_forbids_passes_alone(value: dict[str, Any]) -> None:
    assert refused(value, alone=True) == set()


def test_lengths_count_code_points_and_hold_at_the_limit() -> None:
    assert refused(request(title="fix: " + "é" * 67)) == set()
    room = 4_000 - len(page(read(request(approach=""))))
    whole = request(approach="é" * (room - len("## How\n\n\n\n")))
    assert len(page(read(whole))) == 4_000
    assert refused(whole) == set()
    assert refused({**whole, "approach": whole["approach"] + "é"}) == {("pull-request-too-long", "")}


def test_without_a_policy_for_requests_the_title_has_the_limit_of_headers() -> None:
    profile = replace(PROFILE, pull_requests=None)
    record = read(request(state="draft", title="fix: " + "e" * 68, verification=[claim(status="skipped")]))
    assert {(one.code, one.where) for one in pull_request_rules.validate(record, profile)} == {
        ("pull-request-too-long", "title")
    }


# the body


def test_the_body_tells_every_part_and_leaves_out_what_is_blank() -> None:
    assert page(read(request())) == (
        "Settlement jobs go on after a restart\n\n"
        "## Why\n\nOperators replayed lost jobs by hand\n\n"
        "## How\n\nThe worker asks the ledger for what it had begun\n\n"
        "## Trade-offs\n\nStarting takes a query more\n\n"
        "## Release impact\n\n- `apps/worker` (stable), patch\n\n"
        "## Risks\n\n- A broken job is tried again\n\n"
        "## Checked by\n\n- unit tests, passed, `make test`: build 77\n"
    )
    told = page(read(request(risks=[], rollback="Start the\nold one", targets=[target(impact="major", migration="a\nb")])))
    assert "## Risks" not in told
    assert "## Rollback\n\nStart the\nold one\n\n" in told
    assert "- `apps/worker` (stable), major: a b\n" in told


@pytest.mark.requirement("IC-6.9e", "IC-12.5")
def test_the_body_of_a_record_that_is_not_public_tells_nothing_of_it() -> None:
    assert page(read(request(disclosure=EMBARGOED))) == ""
    assert page(read(request(disclosure=REDACTED))) == "A security fix\n"


# against a decision


def decision(*targets: dict[str, Any], disclosure: dict[str, Any] = PUBLIC) -> Changeset:
    found = changeset.read(
        changeset.write(
            {
                "intent-changeset": "1.0.0",
                "id": "resume-settlement-jobs",
                "source-repository": PROFILE.repository,
                "summary": "Resume settlement jobs",
                "rationale": "Avoid manual recovery",
                "targets": [{"type": "reliability", "audiences": ["operators"], **one} for one in targets],
                "provenance": {"issues": ["DEVELOP-219"]},
                "relations": {"reverts": [], "supersedes": []},
                "disclosure": disclosure,
            }
        )
    )
    assert isinstance(found, Changeset), found
    return found


def against(record: dict[str, Any], told: Changeset) -> tuple[Finding, ...]:
    return integrating.disagreements(read(record), of_changeset(told))


@pytest.mark.requirement("IC-7.2")
@pytest.mark.parametrize(
    ("said", "decided", "expected"),
    [
        (target(), target(), []),
        (target(), target(migration="Nothing to do"), []),
        (target(), target(impact="minor"), [("impact-conflict", "targets[0].impact")]),
        (target(), target(stream="lts"), [("target-not-in-request", "targets")]),
        (target(), target(release_unit="apps/gateway"), [("target-not-in-request", "targets")]),
        (target(), {key: value for key, value in target().items() if key != "stream"}, []),
        (target(impact="major", migration="Drain\nfirst"), target(impact="major", migration="Drain first"), []),
        (
            target(impact="major", migration="Drain first"),
            target(impact="major", migration="Stop first"),
            [("migration-conflict", "targets[0].migration")],
        ),
    ],
)
def test_each_target_of_a_decision_has_its_equal_in_the_request(
    said: dict[str, Any], decided: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert [(one.code, one.where) for one in against(request(targets=[said]), decision(decided))] == expected


def test_a_request_may_have_more_targets_than_a_decision() -> None:
    assert against(request(targets=[target(release_unit="apps/gateway"), target()]), decision(target())) == ()


@pytest.mark.requirement("IC-12.5")
@pytest.mark.parametrize(
    ("ours", "theirs"), [(PUBLIC, EMBARGOED), (PUBLIC, REDACTED), (EMBARGOED, PUBLIC)], ids=["embargoed", "redacted", "request"]
)
def test_nothing_that_is_not_public_is_quoted(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    told = decision(target(impact="minor"), target(release_unit="apps/gateway", stream="lts"), disclosure=theirs)
    found = against(request(disclosure=ours), told)
    assert [one.code for one in found] == ["impact-conflict", "target-not-in-request"]
    said = " ".join(one.message for one in found)
    assert "resume-settlement-jobs" in said
    assert not any(word in said for word in ("patch", "minor", "gateway", "lts", "A security fix"))
