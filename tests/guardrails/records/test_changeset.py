from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.findings import Finding
from guardrails.records.changeset import FIELDS, Changeset, read, validate, write
from guardrails.records.profile import Profile
from guardrails.records.profile import read as read_profile
from guardrails.strict_yaml import read as read_yaml
from guardrails.strict_yaml import write as write_yaml

CORPUS: Final = Path(__file__).parents[2] / "cases" / "intent"
TWO_UNITS: Final = (CORPUS / "changesets" / "two-units.yaml").read_text()
MINIMAL: Final = (CORPUS / "changesets" / "minimal.yaml").read_text()


def _profile() -> Profile:
    profile = read_profile((CORPUS / "profiles" / "base.yaml").read_bytes())
    assert isinstance(profile, Profile)
    return profile


def _changeset(text: str) -> Changeset:
    record = read(text.encode())
    assert isinstance(record, Changeset), record
    return record


def _findings(text: str, profile: Profile | None = None) -> tuple[Finding, ...]:
    record = read(text.encode())
    return record if isinstance(record, tuple) else validate(record, profile)


@pytest.mark.requirement("IC-13.1")
def test_a_record_is_read_into_its_view() -> None:
    example = (CORPUS / "examples" / "section-15.yaml").read_bytes()
    record = _changeset(example.decode())
    assert record.id == "rotate-service-credentials"
    assert record.source_repository == "https://github.com/example/platform"
    assert [(target.release_unit, target.stream, target.impact) for target in record.targets] == [
        ("apps/gateway", "stable", "minor"),
        ("apps/worker", "stable", "patch"),
    ]
    assert record.targets[0].audiences == ("operators", "security-teams")
    assert record.targets[0].migration == "Deploy overlapping credentials before revoking the old set"
    assert record.targets[1].migration is None
    assert record.provenance == {"issues": ("SECURITY-84",), "decisions": ("ADR-0042",)}
    assert record.relations.reverts == record.relations.supersedes == ()
    assert record.disclosure.is_public
    assert record.document.data == example


@pytest.mark.requirement("IC-6.6f")
@pytest.mark.parametrize("name", ["section-5", "section-15"])
def test_the_examples_of_the_specification_are_valid(name: str) -> None:
    assert _findings((CORPUS / "examples" / f"{name}.yaml").read_text()) == ()


@pytest.mark.requirement("IC-5.2")
@pytest.mark.requirement("IC-12.3")
@pytest.mark.requirement("IC-13.1")
def test_unknown_fields_are_kept_as_data() -> None:
    extra = "x-run: {command: '$(rm -rf /)', template: '{{ secrets }}'}\n"
    record = _changeset(MINIMAL.replace("    stream: stable\n", "    stream: stable\n    x-lane: 3\n") + extra)
    assert record.unknown == {"x-run": {"command": "$(rm -rf /)", "template": "{{ secrets }}"}}
    assert record.targets[0].unknown == {"x-lane": 3}
    assert validate(record) == ()
    assert read_yaml(write(record.document.value)).value == record.document.value


@pytest.mark.requirement("IC-6.1")
@pytest.mark.parametrize("name", FIELDS)
def test_each_required_field_is_missed(name: str) -> None:
    value: dict[str, Any] = read_yaml(MINIMAL.encode()).value
    del value[name]
    (finding, *_) = _findings(write(value).decode())
    assert (finding.code, finding.where) == ("missing-field", name)


SHAPES: Final = [
    ("intent-changeset: 1.0.0", "intent-changeset: 1.0", "wrong-type", "intent-changeset"),
    ("id: drain-intake-on-stop", "id: true", "wrong-type", "id"),
    ("id: drain-intake-on-stop", "id: 0x10", "wrong-type", "id"),
    ("summary: Intake", "summary: 7\nx-summary: Intake", "wrong-type", "summary"),
    ("summary: Intake", "summary: ~\nx-summary: Intake", "wrong-type", "summary"),
    ("    release-unit: svc/intake\n", "", "missing-field", "targets[0].release-unit"),
    ("    migration: null\n", "", "missing-field", "targets[0].migration"),
    ("audiences: [operators]", "audiences: operators", "wrong-type", "targets[0].audiences"),
    ("audiences: [operators]", "audiences: [~]", "wrong-type", "targets[0].audiences[0]"),
    ("migration: null", "migration: [restart]", "wrong-type", "targets[0].migration"),
    ("stream: stable", "stream: null", "wrong-type", "targets[0].stream"),
    ("issues: [HARV-31]", "issues: HARV-31", "wrong-type", "provenance.issues"),
    ("issues: [HARV-31]", "issues: [31]", "wrong-type", "provenance.issues[0]"),
    ("issues: [HARV-31]", "7: [HARV-31]", "wrong-type", "provenance[7]"),
    ("reverts: []", "reverts: null", "wrong-type", "relations.reverts"),
    ("  supersedes: []\n", "", "missing-field", "relations.supersedes"),
    ("  policy: null\n", "", "missing-field", "disclosure.policy"),
    ("not-before: null", "not-before: 2026", "wrong-type", "disclosure.not-before"),
]

RULES: Final = [
    pytest.param(old, new, code, where, marks=pytest.mark.requirement(rule), id=f"{code} {where} {new[:24]!r}")
    for rule, old, new, code, where in [
        ("IC-6.2", "intent-changeset: 1.0.0", "intent-changeset: 1.0.1", "unsupported-changeset-version", "intent-changeset"),
        ("IC-6.3", "id: drain-intake-on-stop", "id: Drain", "invalid-changeset-id", "id"),
        ("IC-6.3", "id: drain-intake-on-stop", "id: -drain", "invalid-changeset-id", "id"),
        ("IC-6.3", "id: drain-intake-on-stop", "id: drain-", "invalid-changeset-id", "id"),
        ("IC-6.3", "id: drain-intake-on-stop", 'id: "drain\\n"', "invalid-changeset-id", "id"),
        ("IC-6.3", "id: drain-intake-on-stop", "id: dräin", "invalid-changeset-id", "id"),
        ("IC-6.3", "id: drain-intake-on-stop", 'id: ""', "invalid-changeset-id", "id"),
        ("IC-6.4", "summary: Intake", 'summary: " "\nx-summary: Intake', "blank-text", "summary"),
        ("IC-6.5", "rationale: Crews", 'rationale: ""\nx-rationale: Crews', "blank-text", "rationale"),
        (
            "IC-6.5",
            "rationale: Crews",
            "rationale: intake  JOBS that are running finish before the service stops.\nx-rationale: Crews",
            "rationale-repeats-summary",
            "rationale",
        ),
        ("IC-6.6a", "type: correction", 'type: ""', "blank-text", "targets[0].type"),
        ("IC-6.6a", "impact: patch", 'impact: " "', "blank-text", "targets[0].impact"),
        ("IC-6.6d", "audiences: [operators]", "audiences: []", "no-audiences", "targets[0].audiences"),
        ("IC-6.6d", "audiences: [operators]", 'audiences: [operators, ""]', "blank-text", "targets[0].audiences[1]"),
        ("IC-6.6e", "impact: patch", "impact: major", "major-without-migration", "targets[0].migration"),
        ("IC-6.6e", "migration: null", 'migration: ""', "blank-text", "targets[0].migration"),
        ("IC-6.7", "issues: [HARV-31]", "issues: []", "no-provenance", "provenance"),
        ("IC-6.7", "issues: [HARV-31]", 'issues: [HARV-31, " "]', "blank-text", "provenance.issues[1]"),
        ("IC-6.8", "reverts: []", "reverts: [Not an id]", "invalid-relation", "relations.reverts[0]"),
        ("IC-6.8", "reverts: []", "reverts: [drain-intake-on-stop]", "invalid-relation", "relations.reverts[0]"),
        ("IC-6.8", "supersedes: []", "supersedes: [a, b, a]", "invalid-relation", "relations.supersedes[2]"),
        ("IC-6.9a", "state: public", "state: hidden", "unknown-disclosure-state", "disclosure.state"),
    ]
]


@pytest.mark.requirement("IC-13.2")
@pytest.mark.requirement("IC-12.1")
@pytest.mark.parametrize(("old", "new", "code", "where"), SHAPES, ids=[f"{where} {new[:24]!r}" for _, new, _, where in SHAPES])
def test_a_fault_of_form_is_found_by_the_reader(old: str, new: str, code: str, where: str) -> None:
    text = MINIMAL.replace("  - release-unit", "  -\n    release-unit")
    assert old in text
    findings = read(text.replace(old, new, 1).encode())
    assert isinstance(findings, tuple)
    assert [(finding.code, finding.where) for finding in findings] == [(code, where)]
    assert findings[0].line is not None


@pytest.mark.requirement("IC-13.2")
@pytest.mark.parametrize(("old", "new", "code", "where"), RULES)
def test_a_breach_of_a_rule_is_found_by_the_validator(old: str, new: str, code: str, where: str) -> None:
    assert old in MINIMAL
    findings = validate(_changeset(MINIMAL.replace(old, new, 1)))
    assert [(finding.code, finding.where) for finding in findings] == [(code, where)]
    assert findings[0].line is not None


@pytest.mark.requirement("IC-6.6a")
def test_a_record_without_targets_is_refused() -> None:
    value: dict[str, Any] = read_yaml(MINIMAL.encode()).value
    assert [finding.code for finding in _findings(write({**value, "targets": []}).decode())] == ["no-targets"]


@pytest.mark.requirement("IC-6.6b")
def test_a_unit_may_come_twice_in_different_streams_only() -> None:
    streams = (CORPUS / "changesets" / "two-streams.yaml").read_text()
    assert _findings(streams, _profile()) == ()
    (finding,) = _findings(streams.replace("stream: lts", "stream: stable"), _profile())
    assert (finding.code, finding.where) == ("duplicate-target", "targets[1]")


@pytest.mark.requirement("IC-6.6c")
@pytest.mark.parametrize(
    ("uri", "valid"),
    [
        ("https://example.org/a", True),
        ("ssh://git@example.org/a.git", True),
        ("file:///srv/a", True),
        ("urn:example:a", True),
        ("git@example.org:a/b", False),
        ("example.org:a/b", False),
        ("example.org/a", False),
        ("//example.org/a", False),
        ("https://", False),
        ("https://exa mple.org", False),
        ("", False),
    ],
)
def test_the_source_repository_is_an_absolute_uri(uri: str, valid: bool) -> None:
    text = MINIMAL.replace("https://git.example.org/orchard/harvest", f'"{uri}"')
    codes = [finding.code for finding in validate(_changeset(text))]
    assert codes == ([] if valid else ["invalid-source-repository"])


POLICY: Final = [
    ("IC-6.6c", "orchard/harvest", "orchard/other", "invalid-source-repository", "source-repository"),
    ("IC-6.3", "id: drain-intake-on-stop", "id: 1-drain", "invalid-changeset-id", "id"),
    ("IC-6.6c", "release-unit: svc/intake", "release-unit: svc/other", "not-in-profile", "targets[0].release-unit"),
    ("IC-6.6c", "stream: stable", "stream: nightly", "not-in-profile", "targets[0].stream"),
    ("IC-6.6c", "    stream: stable\n", "", "not-in-profile", "targets[0].stream"),
    ("IC-6.6d", "type: correction", "type: other", "not-in-profile", "targets[0].type"),
    ("IC-6.6d", "impact: patch", "impact: tiny", "not-in-profile", "targets[0].impact"),
    ("IC-6.6d", "audiences: [operators]", "audiences: [operators, robots]", "not-in-profile", "targets[0].audiences[1]"),
]


@pytest.mark.requirement("IC-13.2")
@pytest.mark.requirement("IC-10.1")
@pytest.mark.parametrize(
    ("old", "new", "code", "where"),
    [pytest.param(*case, marks=pytest.mark.requirement(rule), id=f"{case[3]} {case[1]!r}") for rule, *case in POLICY],
)
def test_with_a_profile_each_word_must_be_declared(old: str, new: str, code: str, where: str) -> None:
    assert old in MINIMAL
    text = MINIMAL.replace(old, new, 1)
    assert [(finding.code, finding.where) for finding in _findings(text, _profile())] == [(code, where)]
    assert _findings(text) == ()


@pytest.mark.requirement("IC-13.2")
def test_all_faults_are_found_at_once_each_with_its_line() -> None:
    text = MINIMAL.replace("impact: patch", "impact: major").replace("state: public", "state: hidden").replace("HARV-31", '" "')
    findings = _findings(text)
    assert [finding.code for finding in findings] == ["major-without-migration", "blank-text", "unknown-disclosure-state"]
    lines = text.splitlines()
    assert [lines[(finding.line or 0) - 1].strip() for finding in findings] == [
        "migration: null",
        'issues: [" "]',
        "state: hidden",
    ]


def test_a_finding_does_not_repeat_what_the_record_says() -> None:
    text = (
        MINIMAL.replace("id: drain", "id: PRIVATE drain")
        .replace("state: public", "state: PRIVATE")
        .replace("[]", "[PRIVATE]", 1)
    )
    findings = _findings(text.replace("correction", "PRIVATE"), _profile())
    assert len(findings) >= 4
    assert not any("PRIVATE" in finding.message for finding in findings)


@pytest.mark.requirement("IC-5.1")
@pytest.mark.parametrize("name", ["section-5", "section-15"])
def test_a_record_is_written_in_the_order_of_the_specification(name: str) -> None:
    example = (CORPUS / "examples" / f"{name}.yaml").read_bytes()
    value: dict[str, Any] = read_yaml(example).value
    shuffled = {
        key: dict(reversed(item.items())) if isinstance(item, dict) and key != "provenance" else item
        for key, item in value.items()
    }
    shuffled["targets"] = [dict(reversed(target.items())) for target in value["targets"]]
    assert write(dict(reversed(shuffled.items()))) == example


@pytest.mark.requirement("IC-5.2")
def test_unknown_fields_are_written_after_the_known_ones() -> None:
    value: dict[str, Any] = read_yaml(MINIMAL.encode()).value
    written = write({"x-first": 1, **value})
    assert list(read_yaml(written).value) == [*FIELDS, "x-first"]


TEXT: Final = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30)


@pytest.mark.requirement("IC-13.1")
@settings(max_examples=80, deadline=None)
@given(
    summary=TEXT,
    rationale=TEXT,
    migration=st.none() | TEXT,
    issues=st.lists(TEXT, max_size=3),
    extra=st.dictionaries(TEXT, TEXT),
)
def test_what_is_written_is_read_as_it_was_meant(
    summary: str, rationale: str, migration: str | None, issues: list[str], extra: dict[str, str]
) -> None:
    value: dict[str, Any] = read_yaml(MINIMAL.encode()).value
    value |= {"summary": summary, "rationale": rationale, "provenance": {"issues": issues}}
    value["targets"][0]["migration"] = migration
    record = _changeset(write({**extra, **value}).decode())
    assert (record.summary, record.rationale, record.targets[0].migration) == (summary, rationale, migration)
    assert record.provenance["issues"] == tuple(issues)
    assert record.unknown == {key: text for key, text in extra.items() if key not in FIELDS}


JUNK: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3), max_leaves=4
)

JUNK_PARTS: Final = st.dictionaries(st.sampled_from(["state", "issues", "reverts"]), JUNK)


@pytest.mark.requirement("IC-13.2")
@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from([*FIELDS, "x"]), JUNK | st.dictionaries(st.sampled_from(["state", "issues", "reverts"]), JUNK)
    )
)
def test_no_record_breaks_the_reader_or_the_validator(junk: dict[str, Any]) -> None:
    value: dict[str, Any] = read_yaml(MINIMAL.encode()).value
    record = read(write_yaml(value | junk))
    findings = record if isinstance(record, tuple) else validate(record, _profile())
    assert all(finding.where and finding.line for finding in findings)
