"""Messages of a history against the decisions they link: every contradiction told once, with both sides and their places."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.findings import Finding
from guardrails.records import changelog
from guardrails.records.changelog import Changelog
from guardrails.records.changeset import Changeset, read
from guardrails.records.decisions import decisions, of_changeset, repeated, unreadable
from guardrails.records.linking import LinkFinding, Said, by_id, links_of, validate_links
from guardrails.records.profile import Profile
from guardrails.records.profile import read as read_profile
from guardrails.records.stored import Records, Stored
from guardrails.strict_yaml import write
from tests.guardrails.resolving.building import PROFILE, PROFILE_TEXT, record, target

ID = "resume-settlement-jobs"
PATH = f".ack/changes/{ID}.yaml"
ARCHIVE = f".ack/archive/{ID}.yaml"
LINK = f"Changeset: {ID}"
HIDDEN = "Nobody may know that the key was lost"
EMBARGOED = {"state": "embargoed", "not-before": None, "policy": "advisory", "placeholder": None}
LEDGERS = {
    ("apps/gateway", "stable"): "led/gs.yaml",
    ("apps/gateway", "lts"): "led/gl.yaml",
    ("apps/worker", "stable"): "led/ws.yaml",
}


def changeset(*targets: dict[str, object], **changes: object) -> Changeset:
    decision = read(record(1, targets=list(targets) or [target()], **changes).data)
    assert isinstance(decision, Changeset)
    return decision


def stored(decision: Changeset, path: str = PATH) -> Stored[Changeset]:
    return Stored(path, decision.document.data, decision)


def ledgers(decision: Changeset, **changes: object) -> tuple[Stored[Changelog], ...]:
    """The ledgers that a decision was consumed into, after an entry that tells another one."""
    return tuple(
        ledger(unit, stream, *(entry(unit, "other-one"), *entries(decision, unit, stream, changes)))
        for unit, stream in dict.fromkeys((one.release_unit, str(one.stream)) for one in decision.targets)
    )


def entries(decision: Changeset, unit: str, stream: str, changes: dict[str, object]) -> Iterable[dict[str, object]]:
    for one in decision.targets:
        if (one.release_unit, one.stream) == (unit, stream):
            yield {**entry(unit, decision.id), "impact": one.impact, "migration": one.migration, **changes}


def entry(unit: str, name: str) -> dict[str, object]:
    return {
        "id": name,
        "type": "reliability",
        "summary": "Settlement jobs go on",
        "rationale": "They were lost",
        "impact": "patch",
        "audiences": ["operators"],
        "migration": None,
        "affects": [unit],
        "provenance": {"changesets": [name]},
        "relations": {"reverts": [], "supersedes": []},
        "disclosure": {"state": "public"},
    }


def ledger(unit: str, stream: str, *told: dict[str, object]) -> Stored[Changelog]:
    head = {"intent-changelog": "1.0.0", "release-unit": unit, "release": "1", "source-repository": PROFILE.repository}
    place = {"stream": stream, "release-line": "1", "channel": "general", "date": None}
    data = write({**head, **place, "entries": list(told), "amendments": []})
    read_one = changelog.read(data)
    assert isinstance(read_one, Changelog)
    return Stored(LEDGERS[unit, stream], data, read_one)


def said(*messages: str) -> tuple[Said, ...]:
    return tuple(Said.of(f"{number:040x}", message) for number, message in enumerate(messages, 1))


def brief(found: Iterable[LinkFinding]) -> list[tuple[int, str]]:
    return [(int(one.oid, 16), one.finding.code) for one in found]


def found(records: Records, *messages: str, profile: Profile = PROFILE) -> tuple[LinkFinding, ...]:
    return tuple(validate_links(said(*messages), decisions(records), profile))


# which decision is meant


@pytest.mark.requirement("IC-7.1")
def test_an_id_that_no_record_has_is_unknown() -> None:
    (one,) = found(Records(pending=(stored(changeset()),)), f"fix(apps/worker): link it\n\n{LINK}\nChangeset: no-such-one")
    assert (one.finding.code, one.changeset, one.path) == ("unknown-changeset", "no-such-one", "")


@pytest.mark.requirement("IC-7.1")
def test_what_is_no_id_is_a_fault_of_the_message_and_is_looked_up_nowhere() -> None:
    assert brief(found(Records(), "fix(apps/worker): link it\n\nChangeset: Not_An_Id")) == [(1, "invalid-changeset")]


@pytest.mark.requirement("IC-13.3")
@pytest.mark.parametrize(
    ("records", "path"),
    [
        (Records(pending=(stored(changeset()),)), PATH),
        (Records(archived=(stored(changeset(), ARCHIVE),)), ARCHIVE),
        (Records(ledgers=ledgers(changeset())), "led/ws.yaml"),
        (Records(archived=(stored(changeset(), ARCHIVE),), ledgers=ledgers(changeset(), impact="minor")), ARCHIVE),
    ],
    ids=["pending", "archived", "ledger", "its file before its entries"],
)
def test_a_decision_is_found_wherever_it_stands_and_its_place_is_told(records: Records, path: str) -> None:
    assert found(records, f"fix(apps/worker): agree\n\n{LINK}") == ()
    (one,) = found(records, f"fix(apps/worker): differ\n\nImpact: none\n{LINK}")
    assert (one.finding.code, one.changeset, one.path) == ("impact-conflict", ID, path)
    document = {place.path: place.data for group in (records.pending, records.archived, records.ledgers) for place in group}
    line = document[path].decode().splitlines()[(one.finding.line or 0) - 1]
    assert line.strip().startswith(("impact: patch", "impact: minor"))
    assert one.finding.where in {"targets[0].impact", "entries[1].impact"}
    assert "says none" in one.finding.message
    assert "patch" in one.finding.message


def test_what_a_file_does_not_say_is_looked_up_in_no_record_that_cannot_be_read() -> None:
    broken = Stored(PATH, b"id: x", read(b"id: x"))
    records = Records(pending=(broken,))
    assert decisions(records) == {}
    assert [(path, finding.code) for path, finding in unreadable(records)] == [(PATH, "missing-field")]
    assert list(unreadable(Records(pending=(stored(changeset()),), ledgers=ledgers(changeset())))) == []


@pytest.mark.requirement("IC-6.3")
def test_one_id_in_two_files_is_told_but_for_an_interrupted_consumption() -> None:
    one, other = stored(changeset()), stored(changeset(summary="Something else"), ARCHIVE)
    assert repeated(Records(pending=(one, Stored("x.yaml", one.data, one.record)))) == ((ID, PATH, "x.yaml"),)
    assert repeated(Records(pending=(one,), archived=(other,))) == ((ID, PATH, ARCHIVE),)
    interrupted = Records(pending=(one,), archived=(Stored(ARCHIVE, one.data, one.record),))
    assert repeated(interrupted) == ()
    assert decisions(interrupted)[ID].place.path == PATH
    twice = (Stored(ARCHIVE, one.data, one.record), Stored("y.yaml", one.data, one.record))
    assert repeated(Records(archived=twice)) == ((ID, ARCHIVE, "y.yaml"),)


# what contradicts


GATEWAY = target(**{"release-unit": "apps/gateway"})
STREAMLESS = {key: value for key, value in GATEWAY.items() if key != "stream"}
LTS = target(**{"release-unit": "apps/gateway"}, stream="lts", impact="none")


@pytest.mark.requirement("IC-7.2")
@pytest.mark.parametrize(
    ("message", "targets", "expected"),
    [
        (f"fix(apps/gateway): x\n\nTarget-Impact: apps/gateway@lts=none\n{LINK}", [GATEWAY, LTS], []),
        (f"fix(apps/gateway): x\n\n{LINK}", [GATEWAY, LTS], [("impact-conflict", "targets[1].impact")]),
        (f"fix(apps/gateway): x\n\nTarget-Impact: apps/gateway@lts=none\n{LINK}", [GATEWAY], []),
        (
            f"fix(apps/gateway): x\n\nTarget-Impact: apps/gateway@lts=patch\n{LINK}",
            [GATEWAY],
            [("stream-conflict", "targets")],
        ),
        (
            f"fix(apps/gateway): x\n\nTarget-Impact: apps/gateway@odd=patch\n{LINK}",
            [GATEWAY],
            [("unknown-target-stream", "Target-Impact")],
        ),
        (
            f"fix(apps/worker): x\n\nTarget-Impact: apps/gateway@lts=patch\n{LINK}",
            [target(), GATEWAY],
            [("unknown-target-impact", "Target-Impact")],
        ),
        (f"fix(apps/worker): x\n\nImpact: huge\n{LINK}", [target()], [("invalid-impact", "Impact")]),
        (
            f"fix(apps/gateway): x\n\nTarget-Migration: apps/gateway@lts=Wait\n{LINK}",
            [GATEWAY],
            [("stream-conflict", "targets")],
        ),
        (f"fix(apps/gateway): x\n\nTarget-Impact: apps/gateway@lts=patch\n{LINK}", [STREAMLESS], []),
        (
            f"fix(apps/gateway): x\n\nTarget-Migration: apps/gateway@lts=Wait\n  a day\n{LINK}",
            [GATEWAY, {**LTS, "impact": "patch", "migration": "Wait a  day"}],
            [],
        ),
        (
            f"fix(apps/gateway): x\n\nTarget-Migration: apps/gateway=Wait\n{LINK}",
            [GATEWAY, {**LTS, "impact": "patch"}],
            [("migration-conflict", "targets[0].migration"), ("migration-conflict", "targets[1].migration")],
        ),
        (
            f"fix(apps/worker): x\n\n{LINK}\n{LINK}",
            [GATEWAY],
            [("duplicate-changeset", "Changeset"), ("release-unit-conflict", "targets")],
        ),
    ],
)
def test_contradictions_of_targets_and_streams(
    message: str, targets: list[dict[str, object]], expected: list[tuple[str, str]]
) -> None:
    records = Records(pending=(stored(changeset(*targets)),))
    assert [(one.finding.code, one.finding.where) for one in found(records, message)] == expected


@pytest.mark.requirement("IC-7.2")
def test_a_commit_may_advance_decisions_about_different_units_and_has_to_touch_each() -> None:
    gateway = changeset(GATEWAY, id="route-calls")
    records = Records(pending=(stored(changeset()), stored(gateway, "b.yaml")))
    both = f"{LINK}\nChangeset: route-calls"
    assert found(records, f"fix(apps/worker): x\n\nAffects: apps/gateway\n{both}") == ()
    (one,) = found(records, f"fix(apps/worker): x\n\n{both}")
    assert (one.finding.code, one.changeset, one.path) == ("release-unit-conflict", "route-calls", "b.yaml")
    (one,) = found(records, f"fix(apps/worker): x\n\nAffects: apps/gateway\n{LINK}")
    assert (one.finding.code, one.changeset) == ("release-unit-conflict", ID)


def test_units_that_an_entry_affects_are_covered_though_another_ledger_owns_them() -> None:
    records = Records(ledgers=ledgers(changeset(), affects=["apps/worker", "apps/gateway"]))
    assert found(records, f"fix(apps/gateway): x\n\n{LINK}") == ()
    (one,) = found(Records(ledgers=ledgers(changeset())), f"fix(apps/gateway): x\n\n{LINK}")
    assert (one.finding.code, one.finding.where, one.path) == ("release-unit-conflict", "entries[1].affects", "led/ws.yaml")


@pytest.mark.requirement("IC-7.4")
def test_an_entry_that_only_cites_a_decision_does_not_speak_for_it() -> None:
    own = entry("apps/worker", ID)
    citing = {
        **entry("apps/worker", "go-on"),
        "impact": "major",
        "migration": "Do it",
        "provenance": {"changesets": ["go-on", ID]},
    }
    renamed = {**own, "id": "another-name"}
    message = f"fix(apps/worker): x\n\n{LINK}"
    for told in (own, renamed):
        assert found(Records(ledgers=(ledger("apps/worker", "stable", citing, told),)), message) == ()
    (one,) = found(Records(ledgers=(ledger("apps/worker", "stable", citing),)), message)
    assert (one.finding.code, one.finding.where) == ("impact-conflict", "entries[0].impact")


def test_findings_stand_in_the_order_of_commits_messages_and_targets() -> None:
    records = Records(pending=(stored(changeset(target(migration="Do it"), GATEWAY)),))
    messages = (
        f"feat(apps/gateway): ask more\n\nAffects: apps/worker\nMigration: Do that\n{LINK}",
        "no header",
        f"fix(apps/worker): repeat\n\nAffects: apps/worker\nImpact: none\n{LINK}",
        f"fix: touch nothing\n\n{LINK}",
    )
    expected = [
        (1, "impact-conflict"),
        (1, "migration-conflict"),
        (1, "impact-conflict"),
        (1, "migration-conflict"),
        (2, "malformed-message"),
        (3, "primary-scope-in-affects"),
        (3, "impact-conflict"),
        (4, "unresolved-release-unit"),
    ]
    assert brief(found(records, *messages)) == expected


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
