"""Settings: layers in their order, unknown keys refused by name, paths of the repository kept below its root."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent import settings
from agent.errors import ConfigurationFailure

TOML = b"""
profile = ".ack/profile.yaml"
policy = ".ack/policy.yaml"
model = "extractive"

[rules.types]
fix = "reliability"
"""


def load(
    toml: bytes | None = None,
    environ: dict[str, str] | None = None,
    flags: dict[str, object] | None = None,
    name: str = "evidraft.toml",
) -> settings.Settings:
    return settings.load(toml, name, environ or {}, flags or {})


@pytest.mark.requirement("IC-5.3")
def test_without_any_layer_the_extractive_drafter_is_used_and_no_path_is_guessed() -> None:
    found = load()
    assert (found.model, found.profile, found.policy, found.origin) == ("extractive", None, None, "")
    assert (found.profile_from_person, found.policy_from_person, dict(found.rules)) == (None, None, {})


@pytest.mark.requirement("IC-5.3")
def test_a_file_says_where_the_profile_lies_and_rules_are_handed_on_raw() -> None:
    found = load(TOML)
    assert (found.profile, found.policy, found.origin) == (".ack/profile.yaml", ".ack/policy.yaml", "evidraft.toml")
    assert found.rules == {"types": {"fix": "reliability"}}
    assert (found.profile_from_person, found.policy_from_person) == (None, None)


def test_what_a_drafter_is_asked_at_most_is_said_by_file_and_variable_and_the_variable_wins() -> None:
    toml = b"max-cost = 0.5\nmax-tokens = 1000\njobs = 2\ntimeout = 30.0\n"
    found = load(toml, {"EVIDRAFT_MAX_COST": "1.25", "EVIDRAFT_JOBS": "8"})
    assert (found.max_cost, found.max_tokens, found.jobs, found.timeout) == (1.25, 1000, 8, 30.0)
    assert (load().max_cost, load().max_tokens, load().jobs, load().timeout) == (None, None, 4, 600.0)


@pytest.mark.parametrize(
    ("toml", "environ"),
    [
        (b"max-cost = -1.0", {}),
        (b"max-cost = nan", {}),
        (b"max-tokens = 0.5", {}),
        (b"jobs = 0", {}),
        (b'jobs = "4"', {}),
        (b"timeout = 0.0", {}),
        (None, {"EVIDRAFT_JOBS": "many"}),
        (None, {"EVIDRAFT_MAX_COST": "-2"}),
        (None, {"EVIDRAFT_TIMEOUT": "inf"}),
    ],
)
def test_a_limit_that_is_none_is_refused_by_name(toml: bytes | None, environ: dict[str, str]) -> None:
    with pytest.raises(ConfigurationFailure, match=r"max-cost|max-tokens|jobs|timeout"):
        load(toml, environ)


def test_the_key_of_a_server_of_ones_own_is_no_setting() -> None:
    assert load(environ={"EVIDRAFT_ENDPOINT_KEY": "made-up"}) == load()
    assert "made-up" not in repr(load(environ={"EVIDRAFT_ENDPOINT_KEY": "made-up"}))


def test_pyproject_toml_holds_the_same_table_under_tool() -> None:
    pyproject = b'[project]\nname = "x"\n' + b"[tool.evidraft]\n" + TOML.replace(b"[rules.", b"[tool.evidraft.rules.")
    found, expected = load(pyproject, name="sub/pyproject.toml"), load(TOML)
    assert replace(found, origin="evidraft.toml") == expected


@pytest.mark.parametrize("content", [b"", b"[tool.other]\nx = 1\n", b"tool = 1\n"])
def test_a_pyproject_toml_without_our_table_says_nothing(content: bytes) -> None:
    assert replace(load(content, name="pyproject.toml"), origin="") == load()


@pytest.mark.requirement("IC-5.3")
def test_a_variable_wins_over_a_file_and_a_flag_over_both() -> None:
    environ = {"EVIDRAFT_MODEL": "b", "EVIDRAFT_PROFILE": "/b/profile.yaml", "HOME": "/x", "EVIDRAFT_POLICY": ""}
    assert load(TOML.replace(b"extractive", b"a")).model == "a"
    assert load(TOML, environ).model == "b"
    found = load(TOML, environ, {"model": "c", "profile": None, "policy": Path("../c.yaml")})
    assert found.model == "c"
    assert (found.profile_from_person, found.policy_from_person) == (Path("/b/profile.yaml"), Path("../c.yaml"))
    assert (found.profile, found.policy) == (".ack/profile.yaml", ".ack/policy.yaml")


REFUSED: dict[str, tuple[bytes | None, dict[str, str], dict[str, object], str]] = {
    "unknown key, with the near one": (b'modle = "x"', {}, {}, "evidraft.toml: unknown key 'modle' (did you mean model?)"),
    "unknown table": (
        b"[zzz]",
        {},
        {},
        "known are profile, policy, model, shape, repository, max-cost, max-tokens, jobs, timeout, rules",
    ),
    "unknown variable": (None, {"EVIDRAFT_MODLE": "x"}, {}, "did you mean EVIDRAFT_MODEL?"),
    "rules are no variable": (None, {"EVIDRAFT_RULES": "x"}, {}, "unknown key 'EVIDRAFT_RULES'"),
    "number for text": (b"profile = 1", {}, {}, "evidraft.toml: profile: Input should be a valid string"),
    "list for text": (b'profile = ["a"]', {}, {}, "evidraft.toml: profile"),
    "text for rules": (b'rules = "x"', {}, {}, "evidraft.toml: rules"),
    "empty text": (b'profile = ""', {}, {}, "at least 1 character"),
    "unprintable text": (b'model = "\\u001b[1m"', {}, {}, "evidraft.toml: model: Text should hold printable"),
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
@pytest.mark.parametrize("key", ["profile", "policy"])
@pytest.mark.requirement("IC-5.3")
@pytest.mark.requirement("IC-12.4")
def test_a_path_in_a_file_stays_below_the_repositorys_root(key: str, path: str) -> None:
    with pytest.raises(ConfigurationFailure, match="below the repository's root"):
        load(f'{key} = "{path}"'.encode())


def test_a_tool_table_that_is_a_value_is_refused() -> None:
    with pytest.raises(ConfigurationFailure, match=r"tool\.evidraft: got a value"):
        load(b"[tool]\nevidraft = 1\n", name="pyproject.toml")


@given(st.binary(max_size=200), st.sampled_from(["evidraft.toml", "pyproject.toml"]))
def test_any_bytes_are_settings_or_a_configuration_failure(data: bytes, name: str) -> None:
    try:
        found = load(data, name=name)
    except ConfigurationFailure:
        return
    assert found.model


def test_a_shape_and_a_repository_come_from_a_file_or_the_environment() -> None:
    found = load(b'shape = "itemized"\nrepository = "acme/widgets"\n')
    assert (found.shape, found.repository) == ("itemized", "acme/widgets")
    again = load(b'shape = "itemized"\n', {"EVIDRAFT_SHAPE": "ask", "EVIDRAFT_REPOSITORY": "acme/group/widgets"})
    assert (again.shape, again.repository) == ("ask", "acme/group/widgets")
    assert (load().shape, load().repository) == (None, None)


@pytest.mark.parametrize("value", ["both", "Single", "single "])
def test_a_shape_that_there_is_not_is_refused_with_those_there_are(value: str) -> None:
    for toml, environ in ((f'shape = "{value}"'.encode(), {}), (None, {"EVIDRAFT_SHAPE": value})):
        with pytest.raises(ConfigurationFailure, match="'ask', 'single' or 'itemized'") as refused:
            load(toml, environ)
        assert "shape" in str(refused.value.where)


@pytest.mark.parametrize("value", ["widgets", "https://host/acme/widgets", "acme/", "a b/c", "acme/widgets\n"])
def test_a_repository_is_an_owner_and_a_name(value: str) -> None:
    with pytest.raises(ConfigurationFailure):
        load(environ={"EVIDRAFT_REPOSITORY": value})
