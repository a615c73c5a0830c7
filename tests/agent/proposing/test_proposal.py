"""The proposed text is a valid profile whatever was seen, and its rules are those of that profile."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.proposing.habits import observe
from agent.proposing.manifests import Manifest
from agent.proposing.profile import Sight, profile_lines
from agent.proposing.rules import rules_lines
from agent.proposing.units import release_units, unit_word
from guardrails.records import profile as profiles
from guardrails.records.profile import Profile
from guardrails.resolving import rules as reviewed
from guardrails.resolving.rules import Rules

FOLDERS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), max_size=4)
MESSAGES = st.lists(
    st.one_of(
        st.text(max_size=60),
        st.from_regex(
            r"(feat|fix|docs|ops)(\([a-z0-9./-]{1,8}\))?!?: [a-z]{1,9}( \(#[1-9]\))?(\n\nRefs: [A-Z]{2,5}-[1-9])?",
            fullmatch=True,
        ),
    ),
    max_size=8,
)


def text_of(sight: Sight) -> str:
    return "".join(f"{line}\n" for line in (*profile_lines(sight), *rules_lines(sight)))


def sight_of(folders: list[str], messages: list[str], tags: list[str], uri: str | None = None) -> Sight:
    manifests = [Manifest(f"{folder}/package.json", folder, f"pkg-{folder}") for folder in folders]
    habits = observe(
        messages, tags, [f"docs/adr/{name}.md" for name in ("1", "2")], "### Added\n### Added\n### Fixed\n### Fixed\n"
    )
    return Sight(uri, unit_word("harvest"), release_units(manifests, "harvest"), habits, tuple(folders))


def read(text: str) -> Profile:
    profile = profiles.read(text.encode())
    assert isinstance(profile, Profile), profile
    return profile


def rules_in(text: str) -> dict[str, object]:
    """The TOML that stands commented out below the profile."""
    _, _, below = text.partition("# [rules]\n")
    lines = ["[rules]", *(line.removeprefix("#").removeprefix(" ") for line in below.splitlines())]
    rules = tomllib.loads("\n".join(lines))["rules"]
    assert isinstance(rules, dict)
    return rules


@pytest.mark.requirement("IC-4.1")
@given(folders=FOLDERS, messages=MESSAGES, tags=st.lists(st.text(max_size=20), max_size=3))
def test_the_proposal_is_a_valid_profile_whatever_was_seen(folders: list[str], messages: list[str], tags: list[str]) -> None:
    text = text_of(sight_of(folders, messages, tags))
    profile = read(text)
    rules = reviewed.read(rules_in(text))
    assert isinstance(rules, Rules), rules
    assert reviewed.check(rules, profile) == ()


SIGHT = sight_of(
    ["apps/worker", "apps/web"],
    ["fix(worker): resume (#12)\n\nRefs: DEVELOP-1", "fix(worker): again\n\nRefs: DEVELOP-2", "ops(web)!: move"],
    ["v2.1.0"],
    "https://git.example.org/orchard/harvest",
)


def test_what_was_seen_is_told_with_its_count_and_every_guess_is_a_question() -> None:
    lines = text_of(SIGHT).splitlines()
    assert "  fix: {default-impact: patch}  # seen: 2 of 3 commits. QUESTION: is patch the impact of an ordinary one?" in lines
    assert "  ops: {}  # seen: 1 of 3 commits. QUESTION: which impact has an ordinary one?" in lines
    assert "  worker: {release-unit: apps/worker}  # seen: 2 of 3 commits. QUESTION: is this the unit it stands for?" in lines
    assert "repository: https://git.example.org/orchard/harvest  # seen: the remote called origin" in lines
    guessed = (
        "audiences:",
        "channels:",
        "release-types:",
        "release-pattern:",
        "ledger-directory:",
        "  directory:",
        "  required-impacts:",
    )
    assert all("QUESTION: " in line for line in lines if line.startswith(guessed))


def test_no_audience_is_guessed_from_the_evidence() -> None:
    assert read(text_of(SIGHT)).audiences == ("users",)


def test_without_a_public_remote_the_address_is_a_question() -> None:
    text = text_of(sight_of([], [], []))
    assert "QUESTION: what is the repository's public address?" in text
    assert read(text).repository == "https://example.org/harvest"


def test_the_proposed_rules_name_trackers_units_and_meanings() -> None:
    rules = reviewed.read(rules_in(text_of(SIGHT)))
    assert isinstance(rules, Rules)
    assert rules.trackers == {"DEVELOP"}
    assert rules.types == {"fix": "fixed"}
    assert rules.decisions == ("docs/adr/*.md",)
    assert rules.unit_of("apps/worker/src/x.ts") == "apps/worker"
    assert (rules.subject_number, rules.breaking_marker) == ("pull-request", "major")


def test_the_only_unit_stands_for_every_scope() -> None:
    profile = read(text_of(sight_of([], ["fix(parser): x", "fix(parser): y"], [])))
    assert profile.unit_for("parser") == "harvest"
