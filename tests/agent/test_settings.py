"""Settings: layers in their order, unknown keys refused by name, paths of the repository kept below its root."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent import settings
from agent.errors import ConfigurationFailure

TOML = b"""
profile = ".ack/profile.yaml"
policy = ".ack/policy.yaml"
model = "extractive"
decisions = ["docs/adr/**"]

[rules.types]
fix = "reliability"
"""


def load(
    toml: bytes | None = None,
    environ: dict[str, str] | None = None,
    flags: dict[str, object] | None = None,
    name: str = "evidraft.toml",
) -> settings.Settings:
    return settings.load({} if toml is None else {name: toml}, environ or {}, flags or {})


def test_without_any_layer_the_extractive_drafter_is_used_and_no_path_is_guessed() -> None:
    assert load() == settings.Settings()
    assert load().model == "extractive"
    assert (load().profile, load().policy, load().decisions, dict(load().rules)) == (None, None, (), {})


@pytest.mark.requirement("IC-5.3")
def test_a_file_says_where_records_lie_and_rules_are_handed_on_raw() -> None:
    found = load(TOML)
    assert (found.profile, found.policy) == (".ack/profile.yaml", ".ack/policy.yaml")
    assert found.decisions == ("docs/adr/**",)
    assert found.rules == {"types": {"fix": "reliability"}}


def test_pyproject_toml_holds_the_same_table_under_tool() -> None:
    pyproject = b'[project]\nname = "x"\n' + b"[tool.evidraft]\n" + TOML.replace(b"[rules.", b"[tool.evidraft.rules.")
    found, expected = load(pyproject, name="pyproject.toml"), load(TOML)
    assert found.rules == expected.rules
    assert found.profile == expected.profile
    assert found.origins["profile"] == "pyproject.toml"


@pytest.mark.parametrize("content", [b"", b"[tool.other]\nx = 1\n", b"tool = 1\n"])
def test_a_pyproject_toml_without_our_table_says_nothing(content: bytes) -> None:
    assert load(content, name="pyproject.toml") == settings.Settings()
    assert settings.load({"pyproject.toml": content, "evidraft.toml": TOML}, {}, {}) == load(TOML)


def test_two_configurations_are_refused() -> None:
    with pytest.raises(ConfigurationFailure, match="more than one file"):
        settings.load({"evidraft.toml": TOML, "pyproject.toml": b"[tool.evidraft]\n"}, {}, {})


def test_a_variable_wins_over_a_file_and_a_flag_over_both() -> None:
    environ = {"EVIDRAFT_MODEL": "openai:b", "EVIDRAFT_PROFILE": "b.yaml", "HOME": "/x", "EVIDRAFT_POLICY": ""}
    found = load(TOML, environ, {"model": "openai:c", "profile": None})
    assert (found.model, found.profile, found.policy) == ("openai:c", "b.yaml", ".ack/policy.yaml")
    assert found.origins == {
        "profile": "EVIDRAFT_PROFILE",
        "policy": "evidraft.toml",
        "model": "--model",
        "decisions": "evidraft.toml",
        "rules": "evidraft.toml",
    }


@pytest.mark.requirement("IC-5.3")
def test_only_a_path_that_configuration_names_is_a_repository_path() -> None:
    found = load(TOML, {"EVIDRAFT_PROFILE": "/home/ada/profile.yaml"}, {"policy": "../policy.yaml"})
    assert not found.is_repository_path("profile")
    assert not found.is_repository_path("policy")
    assert found.is_repository_path("decisions")
    assert not load().is_repository_path("profile")


def test_a_list_in_a_variable_is_split_at_commas() -> None:
    assert load(None, {"EVIDRAFT_DECISIONS": "docs/adr, docs/rfc"}).decisions == ("docs/adr", "docs/rfc")


REFUSED: dict[str, tuple[bytes | None, dict[str, str], dict[str, object], str]] = {
    "unknown key, with the near one": (b'modle = "x"', {}, {}, "evidraft.toml: unknown key 'modle' (did you mean model?)"),
    "unknown table": (b"[zzz]", {}, {}, "known are profile, policy, model, decisions, rules"),
    "unknown variable": (None, {"EVIDRAFT_MODLE": "x"}, {}, "did you mean EVIDRAFT_MODEL?"),
    "rules are no variable": (None, {"EVIDRAFT_RULES": "x"}, {}, "unknown key 'EVIDRAFT_RULES'"),
    "unknown flag": (None, {}, {"profil": "x"}, "--profil: unknown key"),
    "number for text": (b"profile = 1", {}, {}, "evidraft.toml: profile: Input should be a valid string"),
    "text for list": (b'decisions = "docs"', {}, {}, "evidraft.toml: decisions: Input should be a valid tuple"),
    "number in list": (b'decisions = ["docs", 1]', {}, {}, "evidraft.toml: decisions.1"),
    "text for rules": (b'rules = "x"', {}, {}, "evidraft.toml: rules"),
    "empty text": (b'profile = ""', {}, {}, "at least 1 character"),
    "unprintable text": (None, {"EVIDRAFT_MODEL": "x\x1b[1m"}, {}, "EVIDRAFT_MODEL: String should hold printable"),
    "no TOML, with its line": (b'model = "x"\nprofile =\n', {}, {}, "at line 2"),
    "key twice": (b'model = "x"\nmodel = "y"\n', {}, {}, "line 2"),
    "no UTF-8": (b'model = "\xff"', {}, {}, "evidraft.toml, byte 9: this is not UTF-8"),
    "too deep": (b"rules = " + b"[" * 20_000, {}, {}, "evidraft.toml: this"),
    "endless digits": (b"rules = " + b"9" * 5_000, {}, {}, "not TOML"),
    "too large": (b"#" * (settings.MAX_BYTES + 1), {}, {}, "at most 1048576 are read"),
}


@pytest.mark.parametrize(("toml", "environ", "flags", "message"), REFUSED.values(), ids=REFUSED)
def test_a_setting_that_cannot_be_used_is_named_with_its_place(
    toml: bytes | None, environ: dict[str, str], flags: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigurationFailure) as caught:
        load(toml, environ, flags)
    assert message in str(caught.value)


@pytest.mark.parametrize("path", ["/etc/passwd", "../profile.yaml", "a/../../b", "~/x", "C:/x", "a\\\\b", "."])
@pytest.mark.parametrize("key", ["profile", "policy", "decisions"])
@pytest.mark.requirement("IC-5.3")
@pytest.mark.requirement("IC-12.4")
def test_a_path_in_a_file_stays_below_the_repositorys_root(key: str, path: str) -> None:
    value = f'["docs", "{path}"]' if key == "decisions" else f'"{path}"'
    with pytest.raises(ConfigurationFailure, match="below the repository's root"):
        load(f"{key} = {value}".encode())


def test_a_tool_table_that_is_a_value_is_refused() -> None:
    with pytest.raises(ConfigurationFailure, match=r"tool\.evidraft: got a value"):
        load(b"[tool]\nevidraft = 1\n", name="pyproject.toml")


@given(st.binary(max_size=200), st.sampled_from(settings.FILES))
def test_any_bytes_are_settings_or_a_configuration_failure(data: bytes, name: str) -> None:
    try:
        found = load(data, name=name)
    except ConfigurationFailure:
        return
    assert found.model
