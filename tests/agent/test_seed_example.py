"""The seed's own examples, drafted: to the byte when all evidence is there, and open in one field when one piece is missing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.agent.payments import ANSWERS, GATEWAY, ISSUE, MESSAGE, PROFILE, RATIONALE, RECORD, RULES, SUMMARY, Road, payments

ROTATION = """\
intent-changeset: 1.0.0
id: rotate-service-credentials
source-repository: https://github.com/example/platform
summary: Rotate service credentials without downtime
rationale: Remove planned credential rotation from the deployment critical path
targets:
  - release-unit: apps/gateway
    stream: stable
    type: security
    impact: minor
    audiences: [operators, security-teams]
    migration: Deploy overlapping credentials before revoking the old set
  - release-unit: apps/worker
    stream: stable
    type: security
    impact: patch
    audiences: [operators]
    migration: null
provenance:
  issues: [SECURITY-84]
  decisions: [ADR-0042]
relations:
  reverts: []
  supersedes: []
disclosure:
  state: public
  not-before: null
  policy: null
  placeholder: null
"""


@dataclass(frozen=True)
class Given:
    """All that a draft is made from."""

    message: str = MESSAGE
    profile: str = PROFILE
    rules: str = RULES
    answers: tuple[str, ...] = ANSWERS
    source: str = "apps/worker/settlement.py"

    def draft(self, road: Road, path: Path, *, json: bool = False) -> Any:
        return road.draft(
            payments(path, self.message, profile=self.profile, rules=self.rules, source=self.source),
            "HEAD~1..HEAD",
            answers=self.answers,
            json=json,
        )


WHOLE = Given()
BARE = WHOLE.message.replace("resume interrupted settlement jobs", "!!!")
BODILESS = MESSAGE.replace("Prevent deployment shutdowns from leaving settlement jobs incomplete.\n\n", "")
TWO_UNITS = PROFILE.replace("release-units:\n", f"release-units:\n{GATEWAY}")
SCOPED = replace(WHOLE, message=MESSAGE.replace("apps/worker", "settlement"), profile=TWO_UNITS, source="settlement.py")
TWO_STREAMS = PROFILE.replace(
    "ledger-directory",
    "".join(PROFILE.partition("      stable:\n")[1:2]).replace("stable", "lts")
    + '        release-line: "0"\n        channel: general\n        changelog: .ack/changelog/worker-lts.yaml\n'
    "        manifests: .ack/releases/worker-lts\nledger-directory",
    1,
)
MAJOR = MESSAGE.replace("Impact: patch", "Impact: major\nMigration: Drain the queue before the upgrade")
EMBARGOED = RULES.replace('"public"', '"embargoed"')
REDACTED = RULES.replace('"public"', '"redacted"')


def without(text: str, *pieces: str) -> str:
    for piece in pieces:
        assert piece in text
        text = text.replace(piece, "", 1)
    return text


@dataclass(frozen=True)
class Missing:
    """One piece of evidence that a complete draft loses: what stays open, and what of the record goes with it."""

    whole: Given
    less: Given
    field: str
    gone: str = ""
    """The part of the record that only the open field decides, as a path; the field itself when empty."""


def loses_answer(whole: Given, answer: str, field: str) -> Missing:
    return Missing(whole, replace(whole, answers=tuple(one for one in whole.answers if one != answer)), field)


def adds(whole: Given, *answers: str) -> Given:
    return replace(whole, answers=(*whole.answers, *answers))


NOT_BEFORE = "disclosure.not-before=2027-01-01T00:00:00Z"
PLACEHOLDER = "disclosure.placeholder=Details follow."
NO_DEFAULT = adds(replace(WHOLE, profile=without(PROFILE, "  fix: {default-impact: patch}\n")), "targets[0].migration=null")
CASES = {
    "id, by its trailer": Missing(WHOLE, replace(WHOLE, message=without(MESSAGE, "Changeset: resume-settlement-jobs\n")), "id"),
    "summary, by its answer": loses_answer(replace(WHOLE, message=BARE), SUMMARY, "summary"),
    "rationale, by its answer": loses_answer(replace(WHOLE, message=BODILESS), RATIONALE, "rationale"),
    "release unit, by a scope of the profile": Missing(
        SCOPED,
        replace(SCOPED, profile=without(TWO_UNITS, "  settlement: {release-unit: apps/worker}\n")),
        "targets",
    ),
    "stream, by a rule": Missing(
        replace(WHOLE, profile=TWO_STREAMS, rules=RULES + '[rules.streams]\n"apps/worker" = "stable"\n'),
        replace(WHOLE, profile=TWO_STREAMS),
        "targets[0].stream",
    ),
    "type, by a rule": Missing(
        replace(WHOLE, rules=RULES.replace("reliability = [", '"apps/worker" = [')),
        replace(WHOLE, rules=without(RULES.replace("reliability = [", '"apps/worker" = ['), 'fix = "reliability"\n')),
        "targets[0].type",
    ),
    "impact, by its trailer": Missing(
        NO_DEFAULT, replace(NO_DEFAULT, message=without(MESSAGE, "Impact: patch\n")), "targets[0].impact"
    ),
    "impact, by the default of the profile": Missing(
        adds(replace(WHOLE, message=without(MESSAGE, "Impact: patch\n")), "targets[0].migration=null"),
        replace(NO_DEFAULT, message=without(MESSAGE, "Impact: patch\n")),
        "targets[0].impact",
    ),
    "audiences, by a rule": Missing(
        WHOLE, replace(WHOLE, rules=without(RULES, 'reliability = ["operators"]\n')), "targets[0].audiences"
    ),
    "migration of a major impact, by its trailer": Missing(
        replace(WHOLE, message=MAJOR),
        replace(WHOLE, message=without(MAJOR, "Migration: Drain the queue before the upgrade\n")),
        "targets[0].migration",
    ),
    "provenance, by its answer": loses_answer(WHOLE, ISSUE, "provenance"),
    "relations, of a revert of something unknown": loses_answer(
        adds(
            replace(WHOLE, message=MESSAGE.replace("\n\nImpact", f"\n\nThis reverts commit {'ab12' * 10}.\n\nImpact")),
            "relations.reverts=[]",
        ),
        "relations.reverts=[]",
        "relations.reverts",
    ),
    "state of disclosure, by a rule": Missing(
        WHOLE, replace(WHOLE, rules=without(RULES, 'disclosure = "public"\n')), "disclosure.state", gone="disclosure"
    ),
    "end of an embargo, by its answer": loses_answer(
        adds(replace(WHOLE, rules=EMBARGOED), NOT_BEFORE), NOT_BEFORE, "disclosure.not-before"
    ),
    "placeholder of something redacted, by its answer": loses_answer(
        adds(replace(WHOLE, rules=REDACTED), PLACEHOLDER), PLACEHOLDER, "disclosure.placeholder"
    ),
}


@pytest.mark.requirement("UC-07", "IC-5.1", "AI-1")
def test_the_seeds_first_example_is_drafted_to_the_byte(tmp_path: Path, road: Road) -> None:
    ran = WHOLE.draft(road, tmp_path)
    assert (ran.code, ran.out) == (0, RECORD)


@pytest.mark.requirement("UC-06", "AI-6", "AI-3")
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_piece_of_evidence_that_is_left_out_leaves_exactly_its_field_open(tmp_path: Path, road: Road, case: Missing) -> None:
    drafted = case.whole.draft(road, tmp_path / "whole", json=True)
    assert (drafted.code, drafted.json["status"]) == (0, "DRAFTED")
    asked = case.less.draft(road, tmp_path / "less", json=True)
    assert (asked.code, asked.json["status"], asked.fields) == (3, "NEEDS_INPUT", [case.field])
    assert asked.json["partial"] == less(drafted.json["record"], case.gone or case.field)


@pytest.mark.requirement("IC-10.1", "AI-2")
def test_the_source_repository_cannot_be_open_for_a_profile_without_one_is_refused(tmp_path: Path, road: Road) -> None:
    profile = without(PROFILE, "repository: https://github.com/example/payments\n")
    ran = replace(WHOLE, profile=profile).draft(road, tmp_path, json=True)
    assert (ran.code, ran.json["status"], ran.json["error"]["where"]) == (2, "ERROR", ".ack/profile.yaml")


def test_supersedes_cannot_be_open_for_nothing_but_an_answer_says_it(tmp_path: Path, road: Road) -> None:
    ran = adds(WHOLE, "relations.supersedes=[pause-settlement-jobs]").draft(road, tmp_path)
    assert (ran.code, ran.out) == (0, RECORD.replace("supersedes: []", "supersedes: [pause-settlement-jobs]"))


def less(record: dict[str, Any], path: str) -> dict[str, Any]:
    """The record without what stands at `path`, and without what is empty then."""
    head, _, rest = path.partition(".")
    if head == "targets[0]":
        return {**record, "targets": [{name: value for name, value in record["targets"][0].items() if name != rest}]}
    if rest:
        return {**record, head: {name: value for name, value in record[head].items() if name != rest}}
    return {name: value for name, value in record.items() if name != head}


@pytest.mark.requirement("IC-6.6f", "IC-6.7", "AI-1")
def test_the_seeds_second_example_has_a_target_for_each_application(tmp_path: Path, road: Road) -> None:
    profile = TWO_UNITS.replace("example/payments", "example/platform").replace("end-users", "security-teams")
    rules = (
        '[rules]\ntrackers = ["SECURITY"]\ndisclosure = "public"\n[rules.types]\nfix = "security"\nfeat = "security"\n'
        '[rules.audiences]\n"apps/gateway" = ["operators", "security-teams"]\n"apps/worker" = ["operators"]\n'
    )
    folder = payments(tmp_path, None, profile=profile, rules=rules)
    link = "Changeset: rotate-service-credentials\nRefs: SECURITY-84\n"
    folder.commit(
        "feat(apps/gateway): rotate service credentials without downtime\n\nImpact: minor\n"
        f"Migration: Deploy overlapping credentials before revoking the old set\n{link}",
        {"apps/gateway/keys.py": "OVERLAP = True\n"},
    )
    folder.commit(
        f"fix(apps/worker): accept overlapping credentials\n\nImpact: patch\n{link}",
        {"apps/worker/keys.py": "OVERLAP = True\n"},
    )
    decision = tmp_path.parent / f"{tmp_path.name}-adr-0042.md"
    decision.write_text("# ADR-0042 Overlapping credentials\n\nCredentials are rotated while both sets are valid.\n", "utf-8")
    reason = "rationale=Remove planned credential rotation from the deployment critical path"
    ran = road.draft(folder, "HEAD~2..HEAD", "--evidence", str(decision), answers=[reason])
    assert (ran.code, ran.out) == (0, ROTATION)
