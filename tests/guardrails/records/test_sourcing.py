"""What commits give for a changelog: by their greatest impact, and nothing of what is not public or not known."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from guardrails.records.changeset import Changeset, read
from guardrails.records.commit import Message
from guardrails.records.commit import read as read_message
from guardrails.records.decisions import Decision, of_changeset
from guardrails.records.linking import Said
from guardrails.records.sourcing import Drawn, draw, greatest_impact, withheld
from tests.guardrails.resolving.building import PROFILE, record

NULL = {"not-before": None, "policy": None, "placeholder": None}
STATES = {
    "open-one": {**NULL, "state": "public"},
    "shut-one": {**NULL, "state": "embargoed", "policy": "advisory"},
    "bare-one": {**NULL, "state": "redacted", "placeholder": "A matter of safety was mended."},
    "odd-one": {**NULL, "state": "secret"},
}


def decision(name: str) -> Decision:
    changeset = read(record(1, id=name, disclosure=STATES[name]).data)
    assert isinstance(changeset, Changeset)
    return of_changeset(changeset)


DECISIONS = {name: decision(name) for name in STATES}


def drawn(*messages: str) -> Drawn:
    commits = [Said.of(f"{number:040x}", message) for number, message in enumerate(messages, 1)]
    return draw(commits, DECISIONS, PROFILE)


def linking(*names: str) -> str:
    return "fix(apps/worker): mend the hidden thing\n\n" + "".join(f"Changeset: {name}\n" for name in names)


@pytest.mark.requirement("IC-11.7")
@pytest.mark.parametrize(
    ("names", "told", "placeholders", "withheld", "codes"),
    [
        ((), 1, (), 0, []),
        (("open-one",), 1, (), 0, []),
        (("shut-one",), 0, (), 1, []),
        (("bare-one",), 0, ("A matter of safety was mended.",), 0, []),
        (("open-one", "bare-one"), 0, ("A matter of safety was mended.",), 0, []),
        (("open-one", "shut-one"), 0, (), 1, []),
        (("bare-one", "shut-one"), 0, (), 1, []),
        (("odd-one",), 0, (), 1, []),
        (("no-such-one",), 0, (), 1, ["unknown-changeset"]),
        (("bare-one", "no-such-one"), 0, (), 1, ["unknown-changeset"]),
    ],
)
def test_a_commit_is_told_where_all_that_it_links_is_known_and_public(
    names: tuple[str, ...], told: int, placeholders: tuple[str, ...], withheld: int, codes: list[str]
) -> None:
    found = drawn(linking(*names))
    assert (len(found.told), found.placeholders, found.withheld) == (told, placeholders, withheld)
    assert [one.finding.code for one in found.findings] == codes
    assert ("hidden" in str(asdict(found))) == bool(told)


def test_a_placeholder_stands_once_for_all_commits_of_a_decision() -> None:
    assert drawn(linking("bare-one"), linking("bare-one")).placeholders == ("A matter of safety was mended.",)


def test_a_fault_of_a_commit_that_is_not_told_is_named_without_its_words() -> None:
    message = "hidden(apps/worker): x\n\nAffects: apps/hidden\nChangeset: shut-one"
    assert "hidden" in drawn(message.replace("shut", "open")).findings[0].finding.message
    found = drawn(message)
    assert [one.finding.code for one in found.findings] == ["unknown-type"]
    assert "hidden" not in str(asdict(found))


OIDS = (*(f"{number}a" * 20 for number in range(1, 5)), "1a" * 19 + "bb")


@pytest.mark.requirement("IC-11.7")
@pytest.mark.parametrize(
    ("messages", "hidden", "reaches_out"),
    [
        ((linking("open-one"), f"revert: it\n\nReverts: {OIDS[0]}"), (), False),
        ((linking("shut-one"), f"revert: it\n\nReverts: {OIDS[0]}"), (0, 1), False),
        ((linking("shut-one"), f"revert: it\n\nReverts: {OIDS[0][:7].upper()}"), (0, 1), False),
        ((linking("shut-one"), f"revert: it\n\nThis reverts commit {OIDS[0]}.\n\nReverts: {OIDS[0]}"), (0, 1), False),
        ((linking("shut-one"), f"revert: it\n\nReverts: {OIDS[0]}", f"fix: again\n\nReverts: {OIDS[1]}"), (0, 1, 2), False),
        (("Mend it\n\nChangeset: shut-one", f'Revert "Mend it"\n\nThis reverts commit {OIDS[0]}.'), (0, 1), False),
        ((linking("no-such-one"), "fix: x"), (0,), False),
        (("fix: x", f"revert: it\n\nReverts: {OIDS[3]}"), (), True),
        ((f"revert: it\n\nReverts: {OIDS[3]}", "fix: x"), (), True),
        ((linking("shut-one"), f"revert: it\n\nReverts: {OIDS[4]}"), (0,), True),
        (("fix: x\n\nChangeset: Not An Id",), (), False),
    ],
)
def test_what_reverts_a_hidden_commit_is_hidden_as_well(
    messages: tuple[str, ...], hidden: tuple[int, ...], reaches_out: bool
) -> None:
    found = withheld(zip(OIDS, messages, strict=False), DECISIONS)
    assert found == (frozenset(OIDS[number] for number in hidden), reaches_out)


def test_a_commit_that_is_hidden_for_another_reason_than_its_links_is_not_told() -> None:
    said = Said.of("a" * 40, "fix(apps/worker): the hidden thing")
    found = draw([said], DECISIONS, PROFILE, hidden={"a" * 40})
    assert (found.told, found.withheld) == ((), 1)


def test_messages_of_another_layout_are_named_by_their_commit_alone() -> None:
    found = drawn("Merge the hidden thing", "fix(apps/worker): x")
    assert (found.malformed, [one.oid for one in found.told]) == ((f"{1:040x}",), [f"{2:040x}"])
    assert [one.finding.code for one in found.findings] == ["malformed-message"]
    assert "hidden" not in str(asdict(found))


def test_without_a_profile_commits_are_told_by_what_they_say_themselves() -> None:
    found = draw([Said.of("a" * 40, "fix: x\n\nImpact: minor"), Said.of("b" * 40, linking("open-one"))], {}, None)
    assert [(one.oid[0], one.impact) for one in found.told] == [("a", "minor")]
    assert [one.finding.code for one in found.findings] == ["unknown-changeset"]


@pytest.mark.parametrize(
    ("message", "impact"),
    [
        ("security(apps/worker): x", None),
        ("fix(apps/worker): x", "patch"),
        ("fix(apps/worker): x\n\nImpact: none", "none"),
        ("fix(apps/worker): x\n\nImpact: odd", None),
        ("fix(apps/worker): x\n\nTarget-Impact: apps/worker=major", "major"),
        ("feat(apps/worker): x\n\nTarget-Impact: apps/worker=patch", "minor"),
    ],
)
def test_a_commit_is_told_under_the_greatest_impact_that_it_has_anywhere(message: str, impact: str | None) -> None:
    read = read_message(message)
    assert isinstance(read, Message)
    assert greatest_impact(read, PROFILE) == impact
