"""The Consumer's plan: what would be written, or everything that stands against it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.records import changeset
from guardrails.records.consuming import Disposal, Plan, released
from guardrails.records.consuming.plans import Act
from guardrails.strict_yaml import read
from tests.agent.payments import RECORD
from tests.consuming import (
    ARCHIVED,
    GATE,
    ID,
    LEDGERS,
    OLD_WORKER,
    PENDING,
    POLICY,
    THREE,
    WORKER,
    World,
    codes,
    entries,
    entry,
    ledger,
    policy,
    world,
)

ONE, TWO, OWN = ("1" * 40, "2" * 40, "3" * 40)
UNSEEN = "a text that nobody may read"


def planned(made: World, **options: Any) -> Plan:
    found = made.plan(**options)
    assert isinstance(found, Plan), found
    return found


# what is transferred


@pytest.mark.requirement("IC-8.1", "IC-7.4")
def test_each_target_becomes_one_entry_of_its_own_ledger_with_all_that_the_decision_says() -> None:
    done = world((PENDING, THREE)).done({ID: (ONE, TWO)})
    (entry_of_gateway,) = entries(done.files[GATE])
    assert entry_of_gateway == {
        "id": ID,
        "type": "security",
        "summary": "Resume settlement jobs interrupted during shutdown",
        "rationale": "Avoid manual recovery when deployments interrupt long jobs",
        "impact": "major",
        "audiences": ["end-users"],
        "migration": "Deploy twice.\nThen look: it works.\n",
        "affects": ["apps/gateway"],
        "provenance": {"issues": ["DEVELOP-219"], "changesets": [ID], "commits": [ONE, TWO]},
        "relations": {"reverts": [], "supersedes": []},
        "disclosure": {"state": "public"},
    }
    (of_worker,), (of_lts,) = entries(done.files[WORKER]), entries(done.files[OLD_WORKER])
    assert (of_worker["impact"], of_worker["affects"], of_worker["audiences"]) == ("patch", ["apps/worker"], ["operators"])
    assert (of_lts["impact"], of_lts["affects"], of_lts["audiences"]) == ("none", ["apps/worker"], ["operators", "end-users"])


@pytest.mark.requirement("IC-8.1")
def test_references_that_a_decision_has_stay_before_those_that_are_added() -> None:
    record = RECORD.replace("[DEVELOP-219]", f"[DEVELOP-219]\n  commits: ['{OWN}', '{ONE}']\n  changesets: [older]")
    (made,) = entries(world((PENDING, record)).done({ID: (ONE, TWO)}).files[WORKER])
    assert made["provenance"] == {"issues": ["DEVELOP-219"], "commits": [OWN, ONE, TWO], "changesets": ["older", ID]}


@pytest.mark.requirement("IC-8.1")
def test_disclosure_and_relations_travel_with_the_entry() -> None:
    record = RECORD.replace("reverts: []", "reverts: [older]").replace("state: public", "state: embargoed")
    (made,) = entries(world((PENDING, record.replace("policy: null", "policy: later"))).done().files[WORKER])
    assert made["relations"] == {"reverts": ["older"], "supersedes": []}
    assert made["disclosure"] == {"state": "embargoed", "policy": "later"}


@pytest.mark.requirement("IC-5.2")
def test_unknown_fields_stay_with_the_archived_bytes_and_mean_nothing_in_a_ledger() -> None:
    record = RECORD.replace("    migration: null\n", "    migration: null\n    x-cost: 3\n") + "x-note: kept\n"
    done = world((PENDING, record)).done()
    assert done.files[ARCHIVED] == record
    assert "x-" not in done.files[WORKER].replace("x-curator", "")


@pytest.mark.requirement("IC-5.2", "IC-8.2")
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_nothing_of_a_ledger_changes_but_that_it_has_one_more_entry(newline: str) -> None:
    before = ledger("apps/worker", "stable", entries=entry(id="id: other", provenance="provenance: {issues: [A-1]}"))
    after = world((WORKER, before.replace("\n", newline))).done().files[WORKER].encode().decode()
    head, tail = before.replace("\n", newline).split(f"amendments: []{newline}")
    assert after.startswith(head)
    assert after.endswith(f"amendments: []{newline}{tail}")
    assert after.removeprefix(head).startswith(f"  - id: {ID}{newline}")


def test_two_decisions_of_one_ledger_are_consumed_together_in_the_order_of_their_files() -> None:
    second = RECORD.replace(ID, "another-decision")
    made = planned(world((".ack/changes/another-decision.yaml", second)))
    (write,) = made.ledgers
    assert [one["id"] for one in entries(write.after.decode())] == ["another-decision", ID]
    assert [one.id for one in made.consumed] == ["another-decision", ID]


@pytest.mark.requirement("IC-8.4")
@pytest.mark.parametrize(
    ("after", "disposals"),
    [
        ("archive", [Disposal(PENDING, RECORD.encode(), ARCHIVED)]),
        ("delete", [Disposal(PENDING, RECORD.encode(), None)]),
        ("keep", []),
    ],
)
def test_what_becomes_of_the_record_is_for_the_profile_to_say(after: str, disposals: list[Disposal]) -> None:
    assert list(planned(world(after=after)).disposals) == disposals


@pytest.mark.requirement("IC-9.1")
def test_consuming_publishes_nothing() -> None:
    done = world((PENDING, THREE)).done()
    assert [read(done.files[path].encode()).value["date"] for path in LEDGERS] == [None] * 3
    assert done.files.keys() - {ARCHIVED} == LEDGERS.keys()


# what is there already


@pytest.mark.requirement("IC-8.3")
def test_a_plan_that_was_carried_out_leaves_nothing_to_do() -> None:
    once = world((PENDING, THREE), after="keep").done({ID: (ONE,)})
    again = planned(once, links={ID: (ONE,)})
    assert [write.is_change for write in again.ledgers] == [False] * 3
    assert {told.act for one in again.consumed for told in one.targets} == {Act.PRESENT}


@pytest.mark.requirement("IC-8.3")
def test_only_the_missing_targets_of_an_interrupted_run_are_written_and_all_are_verified() -> None:
    whole = world((PENDING, THREE)).done()
    for there in ({WORKER}, {GATE}, {WORKER, OLD_WORKER}, {WORKER, OLD_WORKER, GATE}):
        begun = world((PENDING, THREE), *((path, whole.files[path]) for path in there))
        made = planned(begun)
        assert {write.path for write in made.ledgers if not write.is_change} == there
        assert {write.path for write in made.ledgers} == LEDGERS.keys()
        assert begun.done().files == whole.files


@pytest.mark.requirement("IC-8.3", "IC-8.4")
def test_a_record_whose_archiving_was_interrupted_is_archived_and_taken_away() -> None:
    whole = world().done()
    begun = world((WORKER, whole.files[WORKER]), (ARCHIVED, RECORD))
    assert begun.done().files == whole.files


SAME = {
    "disclosure": "disclosure: {state: public, not-before: null, policy: null, placeholder: null}",
    "audiences": "audiences:\n      - operators",
    "id": "id: renamed",
    "provenance": f"provenance:\n      issues: [DEVELOP-219]\n      commits: ['{OWN}']\n      changesets: [{ID}]",
}


@pytest.mark.requirement("IC-8.3")
@pytest.mark.parametrize("key", SAME)
def test_an_entry_that_means_the_same_is_the_same(key: str) -> None:
    there = ledger("apps/worker", "stable", entries=entry(**{key: SAME[key]}))
    (write,) = planned(world((WORKER, there))).ledgers
    assert not write.is_change


@pytest.mark.requirement("IC-8.1", "IC-8.2")
@pytest.mark.parametrize(
    ("provenance", "added"),
    [
        (f"{{changesets: [{ID}], issues: [DEVELOP-219]}}", [ONE, TWO]),
        (f"{{changesets: [{ID}], issues: [DEVELOP-219], commits: []}}", [ONE, TWO]),
        (f"{{changesets: [{ID}], issues: [DEVELOP-219], commits: ['{OWN}', '{TWO}']}}", [OWN, TWO, ONE]),
        (
            f"\n      commits:\n        - '{OWN}'   # by hand\n      changesets: [{ID}]\n      issues: [DEVELOP-219]",
            [OWN, ONE, TWO],
        ),
    ],
    ids=["none", "empty", "some", "block"],
)
def test_commits_that_were_verified_later_are_added_and_none_is_dropped(provenance: str, added: list[str]) -> None:
    there = ledger("apps/worker", "stable", entries=entry(provenance=f"provenance: {provenance}"))
    done = world((WORKER, there), after="keep").done({ID: (ONE, TWO)})
    (made,) = entries(done.files[WORKER])
    assert made["provenance"]["commits"] == added
    assert "# by hand" in done.files[WORKER] or "# by hand" not in there
    assert not any(write.is_change for write in planned(done, links={ID: (ONE, TWO)}).ledgers)


EDITS = {
    "summary": "summary: Jobs go on after a shutdown",
    "rationale": "rationale: Because it helps",
    "impact": "impact: minor",
    "type": "type: security",
    "audiences": "audiences: [operators, end-users]",
    "migration": "migration: Restart it",
    "affects": "affects: [apps/worker, apps/gateway]",
    "provenance": f"provenance: {{changesets: [{ID}], issues: [DEVELOP-219, DEVELOP-220]}}",
    "relations": "relations: {supersedes: [older], reverts: []}",
    "disclosure": "disclosure: {state: redacted, placeholder: A fix}",
}


@pytest.mark.requirement("IC-8.2")
@pytest.mark.parametrize("key", EDITS)
def test_what_an_editor_changed_is_reported_with_both_sides_and_kept(key: str) -> None:
    there = ledger("apps/worker", "stable", entries=entry(**{key: EDITS[key]}))
    found = world((WORKER, there)).plan()
    assert codes(found) == [(PENDING, "entry-conflict", "targets[0]")]
    assert not isinstance(found, Plan)
    message = found[0].finding.message
    line = 1 + there[: there.index(EDITS[key])].count("\n")
    assert f"entries[0] of {WORKER} says something else, and is kept: {key}" in message
    assert f"(line {line} there, line " in message
    assert EDITS[key].partition(": ")[2] not in message


@pytest.mark.requirement("IC-8.2")
@pytest.mark.parametrize(("after", "is_reported"), [("archive", False), ("delete", False), ("keep", True)])
def test_an_edited_entry_is_kept_and_reported_for_as_long_as_its_record_is_pending(after: str, is_reported: bool) -> None:
    done = world(after=after).done()
    (said,) = (entry["summary"] for entry in entries(done.files[WORKER]))
    edited = World({**done.files, WORKER: done.files[WORKER].replace(said, "Jobs go on")}, done.profile)
    if is_reported:
        assert codes(edited.plan()) == [(PENDING, "entry-conflict", "targets[0]")]
    else:
        assert edited.done().files == edited.files
    agreed = World({path: text.replace(said, "Jobs go on") for path, text in edited.files.items()}, done.profile)
    assert agreed.done().files == agreed.files


@pytest.mark.requirement("IC-8.2", "IC-12.5")
def test_nothing_is_quoted_of_a_conflict_about_what_is_not_public() -> None:
    record = RECORD.replace("state: public", "state: embargoed").replace("policy: null", "policy: later")
    there = ledger("apps/worker", "stable", entries=entry(summary=f"summary: {UNSEEN}"))
    found = world((PENDING, record), (WORKER, there)).plan()
    assert codes(found) == [(PENDING, "entry-conflict", "targets[0]")]
    told = repr(found)
    assert UNSEEN not in told
    assert "shutdown" not in told
    assert "apps/worker" not in told
    assert WORKER not in told


# what is refused


OTHER = RECORD.replace(ID, "other")
ENTRY = entry()
CASES: dict[str, tuple[list[tuple[str, str | None]], list[tuple[str, str, str]]]] = {
    "no ledger": ([(WORKER, None)], [(WORKER, "ledger-missing", "")]),
    "ledger that is none": ([(WORKER, "a: [")], [(WORKER, "yaml-syntax", "")]),
    "ledger that is not valid": (
        [(WORKER, LEDGERS[WORKER].replace("release: 2.0.0", "release: ' '"))],
        [(WORKER, "blank-text", "release")],
    ),
    "ledger of another channel": (
        [(WORKER, LEDGERS[WORKER].replace("channel: general", "channel: special"))],
        [(WORKER, "ledger-conflict", "channel")],
    ),
    "ledger of another unit": (
        [(WORKER, LEDGERS[GATE])],
        [(PENDING, "foreign-ledger", "targets[0]")],
    ),
    "ledger of another stream": (
        [(WORKER, LEDGERS[OLD_WORKER])],
        [(PENDING, "foreign-ledger", "targets[0]")],
    ),
    "released ledger": (
        [(WORKER, ledger("apps/worker", "stable", date="2026-02-01"))],
        [(WORKER, "released-while-pending", "date")],
    ),
    "released with its entry": (
        [(WORKER, ledger("apps/worker", "stable", date="2026-02-01", entries=ENTRY))],
        [(WORKER, "released-while-pending", "date"), (PENDING, "id-in-use", "id")],
    ),
    "released before": (
        [(".ack/changelog/old/1.yaml", ledger("apps/worker", "stable", date="2026-01-01", entries=ENTRY))],
        [(PENDING, "id-in-use", "id")],
    ),
    "consumed for another unit": (
        [(GATE, ledger("apps/gateway", "stable", entries=entry(affects="affects: [apps/gateway]")))],
        [(PENDING, "entry-conflict", "targets")],
    ),
    "two entries": (
        [
            (
                WORKER,
                ledger(
                    "apps/worker",
                    "stable",
                    entries=entry(id="id: one") + entry(id="id: two").removeprefix("entries:   # reviewed"),
                ),
            )
        ],
        [(PENDING, "repeated-entry", "targets[0]")],
    ),
    "entry that does not name it": (
        [(WORKER, ledger("apps/worker", "stable", entries=entry(provenance="provenance: {issues: [DEVELOP-219]}")))],
        [(PENDING, "entry-conflict", "targets[0]")],
    ),
    "record that is not valid": (
        [(PENDING, RECORD.replace("[operators]", "[nobody]"))],
        [(PENDING, "not-in-profile", "targets[0].audiences[0]")],
    ),
    "record that is none": ([(PENDING, RECORD.replace("summary:", "summry:"))], [(PENDING, "missing-field", "summary")]),
    "record of an unknown unit": (
        [(PENDING, RECORD.replace("unit: apps/worker", "unit: apps/x"))],
        [(PENDING, "not-in-profile", "targets[0].release-unit")],
    ),
    "another name": ([(PENDING, None), (".ack/changes/x.yaml", RECORD)], [(".ack/changes/x.yaml", "not-pending", "id")]),
    "another folder": (
        [(PENDING, None), (f".ack/changes/deep/{ID}.yaml", RECORD)],
        [(f".ack/changes/deep/{ID}.yaml", "not-pending", "id")],
    ),
    "two files": (
        [(".ack/changes/x.yaml", RECORD)],
        [
            (PENDING, "id-in-use", "id"),
            (".ack/changes/x.yaml", "not-pending", "id"),
            (".ack/changes/x.yaml", "id-in-use", "id"),
        ],
    ),
    "archived before": ([(ARCHIVED, RECORD.replace("DEVELOP-219", "DEVELOP-1"))], [(PENDING, "id-in-use", "id")]),
    "archived, and not in its ledger": ([(ARCHIVED, RECORD)], [(PENDING, "id-in-use", "id")]),
    "archived elsewhere": ([(".ack/archive/2025/x.yaml", RECORD)], [(PENDING, "id-in-use", "id")]),
    "archive taken": ([(ARCHIVED, OTHER)], [(PENDING, "archive-taken", "id")]),
    "unreadable in the archive": ([(".ack/archive/x.yaml", "a: [")], [(".ack/archive/x.yaml", "yaml-syntax", "")]),
    "unreadable ledger of nobody": (
        [(".ack/changelog/x.yaml", "- 1")],
        [(".ack/changelog/x.yaml", "record-not-a-mapping", "")],
    ),
}


@pytest.mark.requirement("IC-8.3", "IC-13.4")
@pytest.mark.parametrize("name", CASES)
def test_every_target_and_every_file_is_looked_at_before_there_is_a_plan(name: str) -> None:
    changes, expected = CASES[name]
    assert codes(world(*changes).plan()) == expected


@pytest.mark.requirement("IC-8.3")
@pytest.mark.parametrize("path", LEDGERS)
def test_no_target_is_written_when_one_of_them_cannot_be(path: str) -> None:
    assert codes(world((PENDING, THREE), (path, None)).plan()) == [(path, "ledger-missing", "")]


@pytest.mark.requirement("IC-8.4")
def test_a_record_is_never_archived_over_itself() -> None:
    same = POLICY.replace("archive-directory: .ack/archive", "archive-directory: .ack/changes")
    assert codes(World(world().files, policy(more=same)).plan()) == [(PENDING, "archive-taken", "id")]
    assert isinstance(World(world().files, policy("keep", same)).plan(), Plan)


@pytest.mark.requirement("IC-7.4")
def test_an_entry_that_bears_the_id_and_names_nothing_is_told_as_such() -> None:
    there = ledger("apps/worker", "stable", entries=entry(provenance="provenance: {issues: [DEVELOP-219]}"))
    found = world((WORKER, there)).plan()
    assert not isinstance(found, Plan)
    assert found[0].finding.message == f"entries[0] of {WORKER} has its id and does not name it under provenance.changesets"


@pytest.mark.requirement("IC-6.3")
@pytest.mark.parametrize(
    ("path", "text"), [(ARCHIVED, RECORD + "x-note: other\n"), (".ack/archive/2025/x.yaml", RECORD)], ids=["bytes", "place"]
)
def test_only_its_own_bytes_in_its_own_place_are_an_archiving_that_was_interrupted(path: str, text: str) -> None:
    begun = world((WORKER, world().done().files[WORKER]), (path, text))
    assert codes(begun.plan()) == [(PENDING, "id-in-use", "id")]


def test_an_entry_of_another_ledger_that_only_bears_the_id_spends_nothing() -> None:
    by_hand = ledger("apps/worker", "stable", date="2026-01-01", entries=entry(provenance="provenance: {issues: [A-1]}"))
    (target,) = planned(world((".ack/changelog/old/1.yaml", by_hand))).consumed[0].targets
    assert (target.ledger, target.release_unit, target.stream, target.act) == (WORKER, "apps/worker", "stable", Act.ADDED)


@pytest.mark.requirement("IC-6.3")
def test_an_id_that_another_record_had_in_the_history_is_spent() -> None:
    found = world().plan(spent={ID: f"{PENDING} in the git history"})
    assert codes(found) == [(PENDING, "id-in-use", "id")]
    assert isinstance(world().plan(spent={"other": PENDING}), Plan)


def test_all_that_stands_against_several_records_is_told_at_once_and_once() -> None:
    second = RECORD.replace(ID, "another-decision").replace("[operators]", "[nobody]")
    third = RECORD.replace(ID, "third-decision")
    made = world((".ack/changes/another-decision.yaml", second), (".ack/changes/third-decision.yaml", third), (WORKER, None))
    assert codes(made.plan()) == [
        (".ack/changes/another-decision.yaml", "not-in-profile", "targets[0].audiences[0]"),
        (WORKER, "ledger-missing", ""),
    ]


def test_a_record_that_is_not_chosen_need_not_be_valid_but_readable() -> None:
    invalid = OTHER.replace("[operators]", "[nobody]")
    assert isinstance(world((".ack/changes/other.yaml", invalid)).plan(only=PENDING), Plan)
    assert codes(world((".ack/changes/other.yaml", "a: [")).plan(only=PENDING)) == [
        (".ack/changes/other.yaml", "yaml-syntax", "")
    ]


def test_a_decision_that_cites_another_does_not_stand_for_it() -> None:
    citing = RECORD.replace(ID, "a-citing-one").replace("[DEVELOP-219]", f"[DEVELOP-219]\n  changesets: [{ID}]")
    first = world((PENDING, None), (".ack/changes/a-citing-one.yaml", citing)).done()
    then = World({**first.files, PENDING: RECORD}, policy()).done()
    assert [one["id"] for one in entries(then.files[WORKER])] == ["a-citing-one", ID]
    lost = World({path: text for path, text in first.files.items() if "a-citing-one" not in path} | {PENDING: RECORD}, policy())
    assert codes(lost.plan()) == [(PENDING, "entry-conflict", "targets[0]")]


def test_an_entry_that_its_ledger_could_not_hold_is_refused_with_the_record_that_it_comes_of() -> None:
    reason = RECORD.replace("Avoid manual recovery when deployments interrupt long jobs", "Self-evident")
    assert codes(world((PENDING, reason)).plan()) == [(PENDING, "self-evident", "entries[0].rationale")]


def test_a_ledger_that_would_grow_beyond_what_is_read_is_refused() -> None:
    large = LEDGERS[WORKER] + "".join(f"x-{number}: {'x' * 60_000}\n" for number in range(17))
    made = world((WORKER, large + f"x-last: {'x' * (1_048_576 - len(large) - 100)}\n"))
    assert codes(made.plan()) == [(WORKER, "yaml-bound", "")]


# kept records


@pytest.mark.requirement("IC-9.1")
def test_a_kept_record_that_was_released_with_all_its_targets_is_done_with() -> None:
    worker = ledger("apps/worker", "stable", date="2026-01-01", entries=ENTRY)
    gateway = ledger("apps/gateway", "stable", date="2026-01-01", entries=entry(affects="affects: [apps/gateway]"))
    old = (".ack/changelog/old/w.yaml", worker)
    assert released(world(old).records) == {PENDING}
    assert released(world().records) == released(world((PENDING, THREE), old).records) == frozenset()
    assert released(world((WORKER, ledger("apps/worker", "stable", entries=ENTRY))).records) == frozenset()
    assert released(world((GATE, gateway)).records) == frozenset()
    assert released(world((PENDING, "a: ["), old).records) == frozenset()


# any decision, any ledger

TEXT = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=30).filter(str.strip)
IDS = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?", fullmatch=True)
TARGET = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["feature", "reliability", "security"]),
        "impact": st.sampled_from(["none", "patch", "minor"]),
        "audiences": st.lists(st.sampled_from(["operators", "end-users"]), min_size=1, unique=True),
        "migration": st.none() | TEXT,
    }
)
PARTS = st.fixed_dictionaries(
    {
        "summary": TEXT,
        "rationale": TEXT,
        "targets": st.dictionaries(
            st.sampled_from([("apps/worker", "stable"), ("apps/gateway", "stable")]), TARGET, min_size=1
        ),
        "provenance": st.dictionaries(
            st.sampled_from(["issues", "decisions", "commits"]), st.lists(TEXT, min_size=1, max_size=2), min_size=1
        ),
    }
)


def record(name: str, parts: dict[str, Any]) -> str:
    targets = [{"release-unit": unit, "stream": stream, **rest} for (unit, stream), rest in parts["targets"].items()]
    made = {
        "intent-changeset": "1.0.0",
        "id": name,
        "source-repository": "https://github.com/example/payments",
        "relations": {"reverts": [], "supersedes": []},
        "disclosure": {"state": "public", "not-before": None, "policy": None, "placeholder": None},
        **parts,
        "targets": targets,
    }
    return changeset.write(made).decode()


@pytest.mark.requirement("IC-8.1", "IC-8.2", "IC-8.3")
@settings(max_examples=60)
@given(
    decisions=st.dictionaries(IDS, PARTS, min_size=1, max_size=3),
    linked=st.lists(st.sampled_from([ONE, TWO]), unique=True),
    kept=st.booleans(),
)
def test_consuming_anything_once_or_twice_is_the_same_and_leaves_the_rest_of_every_ledger(
    decisions: dict[str, dict[str, Any]], linked: list[str], kept: bool
) -> None:
    files = {f".ack/changes/{name}.yaml": record(name, parts) for name, parts in decisions.items()}
    before = World({**LEDGERS, **files}, policy("keep" if kept else "archive"))
    if not isinstance(before.plan(), Plan):
        return  # a rationale that says the summary again, and the like
    links = dict.fromkeys(decisions, tuple(linked))
    once = before.done(links)
    assert once.done(links).files == once.files
    for name, parts in decisions.items():
        for (unit, _), target in parts["targets"].items():
            path = GATE if unit == "apps/gateway" else WORKER
            (made,) = (one for one in entries(once.files[path]) if one["id"] == name)
            assert {key: made[key] for key in target} == target
            assert (made["summary"], made["rationale"]) == (parts["summary"], parts["rationale"])
            assert set(linked) <= set(made["provenance"].get("commits", ()))
    for path, text in LEDGERS.items():
        head, tail = text.split("entries: []\n")
        assert once.files[path].startswith(head)
        assert once.files[path].endswith(tail)


def test_the_profile_of_these_tests_is_the_one_that_archives() -> None:
    assert "after-consumption: archive" in POLICY
