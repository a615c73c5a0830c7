"""Links that a profile requires, that may not be quoted, and that hold; and what holds for all decisions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.findings import Finding
from guardrails.records.changeset import Changeset
from guardrails.records.decisions import decisions, of_changeset
from guardrails.records.linking import by_id, links_of
from guardrails.records.profile import Profile
from guardrails.records.profile import read as read_profile
from guardrails.records.stored import Records
from tests.guardrails.records.linked import (
    EMBARGOED,
    GATEWAY,
    HIDDEN,
    ID,
    LEDGERS,
    LINK,
    PATH,
    brief,
    changeset,
    found,
    ledgers,
    said,
    stored,
)
from tests.guardrails.resolving.building import PROFILE, PROFILE_TEXT, target

# missing decisions


def demanding(impacts: str = "[]", types: str = "[]") -> Profile:
    text = PROFILE_TEXT.replace("required-impacts: [minor, major]", f"required-impacts: {impacts}")
    profile = read_profile(text.replace("required-commit-types: []", f"required-commit-types: {types}").encode())
    assert isinstance(profile, Profile)
    return profile


@pytest.mark.requirement("IC-4.3", "IC-7.3")
@pytest.mark.parametrize(
    ("message", "profile", "is_missing"),
    [
        ("fix(apps/worker): x\n\nImpact: major\nMigration: Do it", demanding("[major]"), True),
        ("feat(apps/worker): x", demanding("[minor]"), True),
        ("fix(apps/worker): x", demanding("[minor]"), False),
        ("fix(apps/worker): x\n\nTarget-Impact: apps/worker=major\nMigration: Do it", demanding("[major]"), True),
        ("fix(apps/gateway): x\n\nTarget-Impact: apps/gateway@lts=minor", demanding("[minor]"), True),
        ("fix(apps/worker): x\n\nTarget-Impact: apps/worker=none", demanding("[minor]"), False),
        ("security(apps/worker): x", demanding(types="[security]"), True),
        ("security(apps/worker): x", demanding(types="[feat]"), False),
    ],
)
def test_a_required_decision_that_is_missing_is_reported_and_never_guessed(
    message: str, profile: Profile, is_missing: bool
) -> None:
    records = Records(pending=(stored(changeset()),))
    assert brief(found(records, message, profile=profile)) == ([(1, "missing-changeset")] if is_missing else [])


# what may not be told


@pytest.mark.requirement("IC-11.7")
@pytest.mark.parametrize("place", ["pending", "ledger", "only the ledger withholds"])
def test_what_is_not_public_is_not_quoted(place: str) -> None:
    guided = target(impact="major", migration=HIDDEN)
    hidden = changeset(guided, summary=HIDDEN, disclosure=EMBARGOED)
    records = {
        "pending": Records(pending=(stored(hidden),)),
        "ledger": Records(ledgers=ledgers(hidden, disclosure=EMBARGOED)),
        "only the ledger withholds": Records(
            archived=(stored(changeset(guided)),), ledgers=ledgers(hidden, disclosure=EMBARGOED)
        ),
    }[place]
    told = found(records, f"fix(apps/worker): mend\n\nMigration: Wait\n{LINK}")
    assert [one.finding.code for one in told] == ["impact-conflict", "migration-conflict"]
    assert not any(word in str(told) for word in (HIDDEN, "major", "advisory"))


# who links and holds


@pytest.mark.requirement("IC-8.1")
def test_commits_that_link_and_hold_are_told_apart_from_those_that_do_not() -> None:
    commits = said(
        f"fix(apps/worker): hold\n\n{LINK}",
        "fix(apps/worker): link nothing",
        f"fix(apps/worker): ask for more\n\nImpact: minor\n{LINK}",
        f"no header\n\n{LINK}",
        f"fix(apps/worker): be twice\n\nImpact: patch\n{LINK}\n{LINK}",
        f"fix(apps/worker): hold too\n\n{LINK}\nChangeset: other-one",
    )
    oids, told = links_of(commits, changeset(), PROFILE, PATH)
    assert [int(oid, 16) for oid in oids] == [1, 6]
    assert brief(told) == [(3, "impact-conflict"), (5, "duplicate-changeset")]
    conflict = told[0]
    assert (conflict.path, conflict.changeset, conflict.finding.where) == (PATH, ID, "targets[0].impact")
    assert isinstance(conflict.finding, Finding)
    assert conflict.finding.line is not None
    assert {name: [int(one.oid, 16) for one in linking] for name, linking in by_id(commits).items()} == {
        ID: [1, 3, 5, 6],
        "other-one": [6],
    }


def test_the_other_decisions_of_a_commit_count_where_they_are_known() -> None:
    commits = said(f"fix(apps/worker): x\n\nAffects: apps/gateway\n{LINK}\nChangeset: route-calls")
    other = {"route-calls": of_changeset(changeset(GATEWAY, id="route-calls"))}
    assert links_of(commits, changeset(), PROFILE, PATH, other) == ((commits[0].oid,), ())
    assert brief(links_of(commits, changeset(), PROFILE, PATH)[1]) == [(1, "release-unit-conflict")]


def test_what_a_ledger_withholds_is_not_quoted_of_the_file_either() -> None:
    public = changeset(target(impact="major", migration=HIDDEN))
    known = decisions(Records(pending=(stored(public),), ledgers=ledgers(public, disclosure=EMBARGOED)))
    (one,) = links_of(said(f"fix(apps/worker): x\n\n{LINK}"), public, PROFILE, PATH, known)[1]
    assert one.finding.code == "impact-conflict"
    assert "major" not in str(one)


# for all decisions


TARGETS = st.lists(
    st.tuples(st.sampled_from(sorted(LEDGERS)), st.sampled_from(["none", "patch", "minor", "major"]), st.booleans()),
    min_size=1,
    max_size=3,
    unique_by=lambda one: one[0],
)


def decided(targets: list[tuple[tuple[str, str], str, bool]]) -> Changeset:
    return changeset(
        *(
            target(
                **{"release-unit": unit},
                stream=stream,
                impact=impact,
                migration=f"Do it in {stream}" if guided or impact == "major" else None,
            )
            for (unit, stream), impact, guided in targets
        )
    )


def telling(decision: Changeset, **other: str) -> str:
    """A message that says of each target what the decision says; `other` is the impact of the first one."""
    units = list(dict.fromkeys(one.release_unit for one in decision.targets))
    lines = [f"Affects: {unit}" for unit in units[1:]]
    for number, one in enumerate(decision.targets):
        impact = other.get("impact", one.impact) if number == 0 else one.impact
        lines.append(f"Target-Impact: {one.release_unit}@{one.stream}={impact}")
        if one.migration:
            lines.append(f"Target-Migration: {one.release_unit}@{one.stream}={one.migration}")
    return f"fix({units[0]}): tell it all\n\n" + "\n".join((*lines, LINK))


@pytest.mark.requirement("IC-7.4")
@given(TARGETS, st.booleans())
def test_a_commit_that_says_what_its_decision_says_agrees_before_and_after_consumption(
    targets: list[tuple[tuple[str, str], str, bool]], consumed: bool
) -> None:
    decision = decided(targets)
    records = Records(ledgers=ledgers(decision)) if consumed else Records(pending=(stored(decision),))
    assert found(records, telling(decision)) == ()


@pytest.mark.requirement("IC-7.2")
@given(TARGETS, st.booleans(), st.sampled_from(["none", "patch", "minor"]))
def test_one_target_with_another_impact_is_one_conflict(
    targets: list[tuple[tuple[str, str], str, bool]], consumed: bool, impact: str
) -> None:
    decision = decided(targets)
    records = Records(ledgers=ledgers(decision)) if consumed else Records(pending=(stored(decision),))
    told = found(records, telling(decision, impact=impact))
    assert [one.finding.code for one in told] == (["impact-conflict"] if impact != decision.targets[0].impact else [])
    first = decision.targets[0]
    assert all(one.path == (LEDGERS[first.release_unit, str(first.stream)] if consumed else PATH) for one in told)
