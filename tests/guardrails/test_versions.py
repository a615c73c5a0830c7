from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version as Pep440

from guardrails.versions import Named, Version, read


def named(text: str) -> Named:
    found = read(text)
    assert found is not None, text
    return found


def version(text: str) -> Version:
    return named(text).version


ORDERED = [
    ("0.9", "0.10", "0.12"),
    # Semantic Versioning 2.0.0, section 11
    ("1.0.0", "2.0.0", "2.1.0", "2.1.1"),
    ("1.0.0-alpha", "1.0.0"),
    ("1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0"),
    ("1.0.0-0.3.7", "1.0.0-1", "1.0.0-x.7.z.92", "1.0.0"),
    # PEP 440, summary of permitted suffixes and relative ordering
    (
        "1.dev0",
        "1.0.dev456",
        "1.0a1",
        "1.0a2.dev456",
        "1.0a12.dev456",
        "1.0a12",
        "1.0b1.dev456",
        "1.0b2",
        "1.0b2.post345.dev456",
    ),
    ("1.0b2.post345.dev456", "1.0b2.post345", "1.0rc1.dev456", "1.0rc1", "1.0", "1.0+abc.5", "1.0+abc.7"),
    ("1.0+abc.7", "1.0.post456.dev34", "1.0.post456", "1.0.15", "1.1.dev1", "1!0.1"),
    # dates
    ("2021-02-28", "2021-03-04", "2021-11-01"),
    ("19.9.0rc1", "19.9.0", "21.3.0.dev0", "21.3.0.rc1", "21.3.0", "21.9.0"),
    # what people do beside the schemes
    ("1.0.0-rc9", "1.0.0-rc10", "1.0.0"),
    ("v1.20.4+k3s1", "v1.20.4+k3s2", "v1.20.5+k3s1"),
    ("8.4", "8.4p1", "8.5"),
    ("4.1.0.Alpha1", "4.1.0.Beta2", "4.1.0.CR1", "4.1.0.Final", "4.1.1.Final"),
    ("2.0-beta9", "2.0-rc1", "2.0", "2.0.1"),
]


@pytest.mark.parametrize("names", ORDERED, ids=lambda names: names[0])
def test_versions_come_in_the_order_of_their_schemes(names: tuple[str, ...]) -> None:
    assert [later for earlier, later in pairwise(names) if not version(earlier) < version(later)] == []


EQUAL = [("1.2", "1.2.0"), ("v1.2.0", "1.2.0"), ("1.0rc1", "1.0.0-rc.1"), ("1.0.0.Final", "1.0"), ("1.0-preview.2", "1.0rc2")]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_one_version_has_several_spellings(one: str, other: str) -> None:
    assert version(one) == version(other)
    assert hash(version(one)) == hash(version(other))


FAMILIES = {
    "v1.2.0": "",
    "V1.2.0": "",
    "1.2.0": "",
    "release-1.2.0": "",
    "release/v1.2.0": "",
    "REL_13_2": "",
    "REL9_6_1": "",
    "rel/2.0-beta9": "",
    "@acme/cli@2.0.0": "@acme/cli@",
    "pkg/v1.0": "pkg/",
    "pkg-v1.0.0": "pkg-",
    "pkg-1.0.0-rc.1": "pkg-",
    "go1.17rc1": "go",
    "log4j-2.17.0": "log4j-",
    "py39-1.2.0": "py39-",
    "s3-plugin-2.0": "s3-plugin-",
    "nightly-2021-03-04": "nightly-",
    "OpenSSL_1_0_2": "OpenSSL_",
}


@pytest.mark.parametrize(("name", "family"), FAMILIES.items())
def test_a_name_tells_whose_version_it_is(name: str, family: str) -> None:
    assert named(name).family == family


@pytest.mark.parametrize(
    "name",
    [
        *("latest", "nightly", "stable-x", "1.x", "8.0.x", "v1.2.3foo", "beta2", "OpenSSL_1_0_2k", "foo-3f2a9b1c", ""),
        *("v1.0 final", "v1.0;reboot", "v1.0\u202e", "$(v1.0)", "v1.0`", f"v{'1' * 300}", f"v1.{'9' * 30}"),
    ],
)
def test_what_tells_no_version_or_cannot_be_shown_is_none(name: str) -> None:
    assert read(name) is None


@pytest.mark.parametrize(
    ("name", "is_final"),
    [
        *(
            ("1.0", True),
            ("1.0.post1", True),
            ("8.4p1", True),
            ("1.0.0.Final", True),
            ("2021-03-04", True),
            ("v1.0+k3s1", True),
        ),
        *(("1.0rc1", False), ("1.0.dev1", False), ("1.0.post1.dev2", False), ("1.0-SNAPSHOT", False), ("1.2.3-1", False)),
    ],
)
def test_a_step_on_the_way_to_a_release_is_none(name: str, is_final: bool) -> None:
    assert version(name).is_final is is_final


@pytest.mark.parametrize(
    ("inner", "outer", "is_within"),
    [("4.2.1", "4", True), ("4.2.1", "4.2", True), ("4.0.0", "4", True), ("4.2.1", "4.2.1", False), ("5.0.0", "4", False)],
)
def test_a_shorter_version_can_stand_for_a_longer_one(inner: str, outer: str, is_within: bool) -> None:
    assert version(inner).is_within(version(outer)) is is_within


NUMBERS = st.lists(st.integers(0, 30), min_size=1, max_size=4).map(lambda numbers: ".".join(map(str, numbers)))
SEMANTIC = st.builds(
    "{}-{}".format, NUMBERS, st.lists(st.from_regex(r"[a-z]{1,6}|0|[1-9][0-9]?", fullmatch=True), max_size=4).map(".".join)
).map(lambda text: text.rstrip("-"))
PYTHON = st.builds(
    "{}{}{}{}".format,
    NUMBERS,
    st.sampled_from(("", "a", "b", "rc", ".rc", "-alpha.")).flatmap(
        lambda w: st.just(w) if not w else st.integers(0, 12).map(lambda n: f"{w}{n}")
    ),
    st.sampled_from(("", ".post1", ".post12")),
    st.sampled_from(("", ".dev0", ".dev3")),
)


@given(st.lists(st.one_of(SEMANTIC, PYTHON), min_size=3, max_size=3))
def test_the_order_is_total(texts: list[str]) -> None:
    one, two, three = map(version, texts)
    assert (one < two) + (one == two) + (one > two) == 1
    assert not (one <= two <= three) or one <= three


@given(PYTHON, PYTHON)
def test_the_order_is_that_of_pep_440(one: str, other: str) -> None:
    assert (version(one) < version(other)) == (Pep440(one) < Pep440(other))


@given(st.text(max_size=40))
def test_any_name_is_read(name: str) -> None:
    found = read(name)
    assert found is None or name.endswith(found.version.text)
