"""Hostile documents are refused as records of every kind, in bounded room; what is not touched stays byte for byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.records import changeset, profile, pull_request, release_manifest
from guardrails.records.changeset import Changeset
from guardrails.records.fields import MOST_FINDINGS, one_of
from guardrails.records.profile import Profile
from guardrails.strict_yaml import YamlFault, read, rewrite, write
from tests.guardrails.records.hostile import CORPUS, DOCUMENTS, HONEST, LISTS, asked, honest, judged
from tests.guardrails.records.test_pull_request import request
from tests.guardrails.records.test_release_manifest import manifest

ROOT: Final = Path(__file__).parents[3]
KINDS: Final = pytest.mark.parametrize("kind", HONEST)


def codes(kind: str, data: bytes) -> set[str]:
    return {one.code for one in judged(kind, data)}


@KINDS
def test_what_is_spoilt_is_honest_otherwise(kind: str) -> None:
    assert codes(kind, honest(kind)) == set()


@pytest.mark.requirement("IC-12.1", "IC-12.2")
def test_a_process_with_little_room_refuses_each_document_as_each_kind() -> None:
    """Room and processor time are limits of the system: a reader that built what it is told would be killed by them."""
    program = [sys.executable, "-m", "tests.guardrails.records.hostile"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(program, cwd=ROOT, env=environment, capture_output=True, check=False)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (told[-1:], done.stderr[-2_000:])
    assert [(kind, name) for kind, name, *_ in told] == [(kind, name) for kind in HONEST for name in asked(kind)]
    wrong = [one for one in told if one[2] != [DOCUMENTS[one[1]][0]] and (DOCUMENTS[one[1]][0] or not one[2])]
    assert wrong == []
    assert max(count for *_, count, _ in told) == MOST_FINDINGS
    assert max(longest for *_, longest in told) < 500


@KINDS
@given(data=st.binary(max_size=300), place=st.integers(0, 1_500))
def test_foreign_bytes_in_a_record_are_read_or_refused(kind: str, data: bytes, place: int) -> None:
    record = honest(kind)
    found = judged(kind, record[:place] + data + record[place + len(data) :])
    assert all(one.code and len(one.message) < 500 for one in found)


@pytest.mark.requirement("IC-12.1")
@KINDS
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_an_encoding_that_says_itself_is_read(kind: str, encoding: str) -> None:
    assert codes(kind, honest(kind).decode().encode(encoding)) == set()
    assert codes(kind, honest(kind).replace(b"\n", b"\r\n")) == set()


def test_the_words_of_a_huge_profile_are_cut_in_messages() -> None:
    assert one_of(("none", "patch")) == "one of none, patch"
    many = tuple(f"{number}-{'x' * 200}" for number in range(50_000))
    assert one_of(many).startswith("one of 0-xxx")
    assert one_of(many).endswith("… and 49960 more")
    assert len(one_of(many)) < 4_000


def test_many_words_are_looked_up_among_many() -> None:
    """A profile may come with the change under review: what it lists is looked up, and not gone through each time."""
    many = [f"a{number}" for number in range(30_000)]
    text = honest("profile").decode()
    start, end = text.index("audiences:"), text.index("disclosures:")
    active = profile.read(f"{text[:start]}audiences: [{', '.join(many)}]\n{text[end:]}".encode())
    assert isinstance(active, Profile), active
    strange = ", ".join(f"b{number}" for number in range(30_000))
    spoilt = honest("changeset").decode().replace("audiences: [operators]", f"audiences: [{strange}]")
    record = changeset.read(spoilt.encode())
    assert isinstance(record, Changeset), record
    found = [one for one in changeset.validate(record, active) if one.code == "not-in-profile"]
    assert len(found) == MOST_FINDINGS


# what is not touched

FILES: Final = sorted(path for folder in set(HONEST.values()) for path in (CORPUS / folder).parent.iterdir())


@pytest.mark.requirement("IC-5.2", "IC-13.1")
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_record_that_nothing_edits_is_written_byte_for_byte(path: Path) -> None:
    data = path.read_bytes()
    try:
        document = read(data)
    except YamlFault:
        return
    assert (rewrite(data, {}), document.data) == (data, data)


KEEPING: Final = st.dictionaries(
    st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=20).map(lambda name: f"x-{name}"),
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=30),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text("ab<{$", min_size=1, max_size=5), inner, max_size=3)
        ),
        max_leaves=6,
    ),
    max_size=4,
)
REMARKS: Final = st.lists(st.sampled_from(["# a remark", "", "#", "# {{ template }} $(command)"]), max_size=3)


@pytest.mark.requirement("IC-5.2", "IC-12.3")
@KINDS
@given(unknown=KEEPING, remarks=REMARKS)
def test_unknown_fields_and_remarks_are_kept_as_they_are(kind: str, unknown: dict[str, object], remarks: list[str]) -> None:
    data = honest(kind) + "\n".join(("", *remarks, "")).encode() + (write(unknown) if unknown else b"")
    if kind == "profile":
        assert codes(kind, data) == ({"unknown-profile-key"} if unknown else set())
    else:
        assert codes(kind, data) == set()
    assert rewrite(data, {}) == data
    assert rewrite(data, {("y-more",): 1}).replace(b"y-more: 1\n", b"", 1) == data


@pytest.mark.requirement("IC-5.2")
@given(unknown=KEEPING)
def test_what_is_written_is_read_again_and_written_the_same(unknown: dict[str, object]) -> None:
    for value, write_record in (
        (request(**unknown), pull_request.write),
        ({**manifest(), **unknown}, release_manifest.write),
    ):
        data = write_record(value)
        assert read(data).value == value
        assert write_record(read(data).value) == data


@pytest.mark.parametrize("kind", LISTS)
def test_a_deep_record_and_a_wide_one_at_the_bound_are_read(kind: str) -> None:
    """The bound stands where it is said to stand: one level and one item less pass the YAML reader."""
    deep = b"x: " + b"[" * 63 + b"]" * 63 + b"\n"
    assert codes(kind, honest(kind) + deep) <= {"unknown-profile-key"}
    assert codes(kind, honest(kind) + b"x: " + b"[" * 64 + b"]" * 64 + b"\n") == {"yaml-bound"}
