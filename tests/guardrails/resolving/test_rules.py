"""Rules turn a project's habits into profile words and add none."""

from __future__ import annotations

import tomllib

import pytest

from guardrails.resolving.rules import Rules, check, read
from tests.guardrails.resolving.building import PROFILE, RULES

TABLE = """
trackers = ["DEVELOP", "SECURITY"]
disclosure = "public"
subject-number = "pull-request"
decisions = ["docs/adr/*.md"]
[types]
fix = "reliability"
feat = "feature"
[type-labels]
"kind/security" = "security"
[audience-labels]
for-security = ["security-teams"]
[units]
"apps/worker/**" = "apps/worker"
"apps/gateway/**" = "apps/gateway"
[streams]
"apps/gateway" = "stable"
[audiences]
"apps/worker" = ["operators"]
"apps/gateway" = ["operators"]
"""


def test_a_table_is_read_as_rules() -> None:
    assert read(tomllib.loads(TABLE)) == RULES
    assert read({}) == Rules()
    assert check(RULES, PROFILE) == ()


@pytest.mark.parametrize(
    ("table", "where"),
    [
        ({"tracker": ["A"]}, "rules.tracker"),
        ({"subject_number": "issue"}, "rules.subject_number"),
        ({"subject-number": "maybe"}, "rules.subject-number"),
        ({"trackers": "DEVELOP"}, "rules.trackers"),
        ({"trackers": ["DE VELOP"]}, "rules.trackers.0"),
        ({"types": {"fix": 1}}, "rules.types.fix"),
        ({"audiences": {"fix": []}}, "rules.audiences.fix"),
        ({"disclosure": True}, "rules.disclosure"),
        ({"kinds": {"task": "bugfix"}}, "rules.kinds.task"),
        ({"kinds": {"task": "feature\n"}}, "rules.kinds.task"),
    ],
)
def test_a_table_of_another_shape_is_refused_by_key(table: dict[str, object], where: str) -> None:
    findings = read(table)
    assert isinstance(findings, tuple)
    assert [(finding.code, finding.where) for finding in findings] == [("rule-shape", where)]


@pytest.mark.parametrize("pattern", ["/abs/**", "../up", "a/**b"])
def test_a_path_rule_is_a_pattern_below_the_root(pattern: str) -> None:
    findings = read({"units": {pattern: "apps/worker"}})
    assert isinstance(findings, tuple)
    assert [(finding.code, finding.where) for finding in findings] == [("rule-glob", "rules.units")]


@pytest.mark.requirement("IC-6.6c")
@pytest.mark.requirement("IC-6.6d")
@pytest.mark.parametrize(
    ("rules", "where"),
    [
        (Rules(disclosure="secret"), "rules.disclosure"),
        (Rules(breaking_marker="huge"), "rules.breaking-marker"),
        (Rules(types={"fix": "bugfix"}), "rules.types.fix"),
        (Rules(impacts={"fix": "huge"}), "rules.impacts.fix"),
        (Rules(type_labels={"l": "bugfix"}), "rules.type-labels.l"),
        (Rules(audience_labels={"l": ("people",)}), "rules.audience-labels.l"),
        (Rules(units={"**": "apps/none"}), "rules.units.**"),
        (Rules(streams={"apps/worker": "lts"}), "rules.streams.apps/worker"),
        (Rules(audiences={"apps/none": ("operators",)}), "rules.audiences.apps/none"),
        (Rules(audiences={"security": ("people",)}), "rules.audiences.security"),
    ],
)
def test_a_rule_adds_no_word_to_the_profile(rules: Rules, where: str) -> None:
    assert [(finding.code, finding.where) for finding in check(rules, PROFILE)] == [("rule-outside-profile", where)]


def test_the_first_matching_path_rule_names_the_unit() -> None:
    rules = Rules(units={"apps/worker/docs/**": "apps/gateway", "apps/worker/**": "apps/worker"})
    paths = ("apps/worker/docs/a.md", "apps/worker/a.py", "lib/a.py")
    assert [rules.unit_of(path) for path in paths] == ["apps/gateway", "apps/worker", None]


def test_a_rule_gives_a_word_of_the_project_one_of_the_seven_kinds() -> None:
    rules = read({"kinds": {"task": "ops", "S-hot": "bug_fix"}})
    assert isinstance(rules, Rules)
    assert rules.kinds == {"task": "ops", "S-hot": "bug_fix"}


def test_without_a_rule_the_number_of_a_subject_cites_nothing() -> None:
    assert Rules().subject_number is None
