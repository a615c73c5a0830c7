"""No file, whatever its bytes, brings the checks down."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.commands.recognising import VALID, Checked, check_record, kind_of
from agent.errors import InputFailure

CORPUS: Final = Path(__file__).parents[2] / "cases" / "intent"
RECORDS: Final = [
    (CORPUS / "profiles" / "base.yaml").read_bytes(),
    (CORPUS / "changesets" / "minimal.yaml").read_bytes(),
    (CORPUS / "changelogs" / "released.yaml").read_bytes(),
    (CORPUS / "pull-requests" / "ready.yaml").read_bytes(),
    (CORPUS / "releases" / "complete.yaml").read_bytes(),
    (CORPUS / "commits" / "linked.txt").read_bytes(),
    b'{"evidraft-record": "1.0.0", "selection": {"kind": "range"}}',
    (CORPUS.parent / "envelopes" / "seed" / "single.json").read_bytes(),
    (CORPUS.parent / "contracts" / "proposals" / "with-a-test.yaml").read_bytes(),
]
KINDS: Final = st.sampled_from([None, *VALID])


def check(data: bytes, kind: str | None) -> Checked | InputFailure:
    try:
        return check_record("file", data, kind, lambda: None)
    except InputFailure as failure:
        return failure


@given(data=st.binary(max_size=200), kind=KINDS)
def test_any_bytes_are_judged_or_refused(data: bytes, kind: str | None) -> None:
    assert isinstance(check(data, kind), Checked | InputFailure)


@given(record=st.sampled_from(RECORDS), place=st.integers(0, 2_000), new=st.binary(max_size=8), kind=KINDS)
def test_a_record_with_foreign_bytes_in_it_is_judged_or_refused(
    record: bytes, place: int, new: bytes, kind: str | None
) -> None:
    result = check(record[:place] + new + record[place + 1 :], kind)
    assert isinstance(result, InputFailure) or result.kind == kind or kind is None


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b'{"intent-changeset": "1.0.0"}', "changeset"),
        (b"\xef\xbb\xbfintent-profile: 1.0.0\n", "profile"),
        ("intent-profile: 1.0.0\n".encode("utf-16"), "profile"),
        (b'"intent-changeset": 1.0.0\n"intent-changeset": 1.0.0\n', "changeset"),
        (b"# intent-profile: 1.0.0\nintent-changeset: 1.0.0\n", "changeset"),
        (b'{"shape": "single"}', "envelope"),
        (b'{"operation": {}, "change": {}}', "envelope"),
        (b'{"operation": {}, "items": []}', "envelope"),
        (b'{"shape": "single", "shape": "single"}', "envelope"),
        (b'{\n  "operation": {},\n  "shape": NaN\n}', "envelope"),
        (b"intent-changeset: 1.0.0\nshape: round\n", "changeset"),
        (b"schema: '0.3'\nchange: { name: t }\n", "contract"),
        (b"schema: '0.3'\nchange: { name: t }\nwrong: [\n", "contract"),
        (b'{"schema": "0.3", "change": {}, "operation": {}}', "envelope"),
        (b"intent-changeset: 1.0.0\nschema: '0.3'\nchange: {}\n", "changeset"),
        (b'{"evidraft-record": "1.0.0", "shape": "single"}', "draft-record"),
        (b"{intent-changeset: 1.0.0}", "changeset"),
        (b"nested:\n  text: |\n    intent-profile: 1.0.0\nintent-changeset: 1.0.0\n", "changeset"),
    ],
)
def test_the_marker_is_a_key_of_the_root_however_it_is_written(data: bytes, kind: str) -> None:
    assert kind_of("file", data) == kind
