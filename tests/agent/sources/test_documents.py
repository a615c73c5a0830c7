"""Documents: every known shape is read, everything else is refused with what, where and what to do."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import InputFailure
from agent.sources import documents, inputs
from guardrails.digests import sha256
from guardrails.evidence.model import Document, DocumentKind

CASES = Path(__file__).parents[2] / "cases" / "documents"
EXPECTED = json.loads((CASES / "expected.json").read_text("utf-8"))


def shown(document: Document) -> dict[str, object]:
    lists = {"labels": list(document.labels), "closes": list(document.closes)}
    return {key: value for key, value in asdict(document).items() if key != "digest"} | lists


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.requirement("AI-1")
def test_every_known_shape_is_read_as_the_golden_file_says(name: str) -> None:
    data = (CASES / name).read_bytes()
    found = documents.read(data, name)
    assert [shown(document) for document in found] == EXPECTED[name]
    assert {document.digest for document in found} == {sha256(data)}


def test_every_case_has_an_expectation() -> None:
    assert {path.name for path in CASES.iterdir()} == {*EXPECTED, "expected.json"}


def test_ids_are_numbered_per_kind_from_the_first_free_number() -> None:
    before = documents.read((CASES / "plain.yaml").read_bytes(), "plain.yaml")
    after = documents.read((CASES / "gitlab-rest.json").read_bytes(), "gitlab-rest.json", {"P": 1, "I": 2, "D": 2})
    assert [document.id for document in (*before, *after)] == ["I1", "D1", "P1", "I2"]


@pytest.mark.requirement("AI-1")
def test_comments_in_an_export_are_no_evidence() -> None:
    (document,) = documents.read((CASES / "gh-pr.json").read_bytes(), "gh-pr.json")
    assert "embargoed" not in repr(asdict(document))


REFUSED = {
    "empty": ("x.json", b" \n", "empty"),
    "no shape": ("x.json", b'{"name": "x"}', "known are"),
    "scalar": ("x.json", b"3", "known are"),
    "empty list": ("x.json", b"[]", "known are"),
    "list of texts": ("x.json", b'["a"]', "x.json#1"),
    "key twice": ("x.json", b'{"number": 1, "number": 2, "title": "x", "url": "/issues/1"}', "'number' stands twice"),
    "not a number": ("x.json", b'{"number": NaN, "title": "x"}', "NaN is no JSON value"),
    "infinite": ("x.json", b'{"number": -Infinity, "title": "x"}', "-Infinity is no JSON value"),
    "not JSON, with its line": ("x.json", b'{\n"number": 1,\n}', "line 3"),
    "not UTF-8": ("x.json", b'{"title": "\xff"}', "byte 11"),
    "half a surrogate pair": ("x.json", b'{"number": 1, "title": "\\ud800", "url": "/issues/1"}', "surrogate"),
    "endless digits": ("x.json", b'{"number": ' + b"9" * 5_000 + b', "title": "x"}', "refused"),
    "just too deep": ("x.json", b"[" * 65 + b"]" * 65, "deeper than 64"),
    "far too deep": ("x.json", b"[" * 100_000, "deeper than 64"),
    "issue or pull request": ("x.json", b'{"number": 1, "title": "x"}', "export it with its `url`"),
    "no title": ("x.json", b'{"number": 1, "title": " ", "url": "/issues/1"}', "got no title"),
    "number as text": ("x.json", b'{"number": "1", "title": "x", "url": "/issues/1"}', "got no number under 'number'"),
    "number as truth": ("x.json", b'{"iid": true, "title": "x"}', "got no number under 'iid'"),
    "body as list": ("x.json", b'{"number": 1, "title": "x", "url": "/issues/1", "body": []}', "got list under 'body'"),
    "labels as text": (
        "x.json",
        b'{"number": 1, "title": "x", "url": "/issues/1", "labels": "a"}',
        "got no list under 'labels'",
    ),
    "unknown kind": ("x.yml", b"kind: rumour\ntitle: x\n", "expected one of pull-request, issue, decision"),
    "YAML with its line": ("x.yaml", b"kind: issue\ntitle: x\ntitle: y\n", "x.yaml, line 3"),
    "YAML alias": ("x.yaml", b"kind: &a issue\ntitle: *a\n", "this YAML is refused"),
    "binary": ("x.md", b"# x\0", "no text"),
    "front matter without end": ("x.md", b"---\ntitle: x\n", "no end"),
    "front matter of another kind": ("x.md", b"---\n- a\n---\n# x\n", "no mapping"),
    "front matter with its line": ("x.md", b"---\na: 1\na: 2\n---\n", "x.md, line 3"),
    "number that lost its zeros": ("x.md", b"---\nid: 0042\n---\n# x\n", "put it in quotes"),
}


@pytest.mark.parametrize(("name", "data", "message"), REFUSED.values(), ids=REFUSED)
def test_other_input_is_refused_with_what_and_where(name: str, data: bytes, message: str) -> None:
    with pytest.raises(InputFailure) as caught:
        documents.read(data, name)
    assert message in str(caught.value)
    assert name in str(caught.value)


def test_sixty_four_levels_are_still_read() -> None:
    inputs.parse_json(b"[" * 64 + b"1" + b"]" * 64, "x.json")


def test_too_many_documents_are_refused() -> None:
    items = [{"kind": "issue", "title": "x"}] * (documents.MAX_DOCUMENTS + 1)
    with pytest.raises(InputFailure, match="at most 1000"):
        documents.read(json.dumps(items).encode(), "x.json")


def test_a_file_over_the_bound_is_refused() -> None:
    with pytest.raises(InputFailure, match="larger than"):
        documents.read(b"a" * (inputs.MAX_BYTES + 1), "x.md")


@pytest.mark.parametrize(
    ("name", "text", "key", "title"),
    [
        ("ADR-0042.md", "# Rotate", "ADR-0042", "Rotate"),
        ("docs/adr-0042-rotate.md", "# ADR-7: Rotate", "ADR-0042", "ADR-7: Rotate"),
        ("notes.md", "# ADR-7: Rotate", "ADR-7", "ADR-7: Rotate"),
        ("notes.md", "# CVE-2026-12345", "CVE-2026-12345", "CVE-2026-12345"),
        ("notes.md", "# About ADR-7", "", "About ADR-7"),
        ("0042-rotate.md", "# Rotate", "", "Rotate"),
        ("utf-8.md", "# SHA-256 for all", "", "SHA-256 for all"),
        ("notes.md", "Rotate\n======\nText", "", "Rotate"),
        ("notes.md", "just text", "", "notes"),
        ("-", "just text", "", "-"),
        ("x.md", "---\nkey: INC-3\ntitle: Outage\nurl: https://x.example/3\n---\n# Other", "INC-3", "Outage"),
    ],
)
@pytest.mark.requirement("IC-6.7")
def test_a_key_is_only_what_the_file_itself_carries(name: str, text: str, key: str, title: str) -> None:
    (document,) = documents.read(text.encode(), name)
    assert (document.key, document.title) == (key, title)
    assert document.kind is DocumentKind.DECISION


def test_markdown_bytes_that_are_no_text_are_shown_as_escapes() -> None:
    (document,) = documents.read(b"# Caf\xe9\n", "x.md")
    assert document.title == "Caf\\xe9"


def test_standard_input_is_json_by_its_first_character() -> None:
    (document,) = documents.read(b'\n {"kind": "issue", "title": "x"}', "-")
    assert document.kind is DocumentKind.ISSUE


@given(st.binary(max_size=200), st.sampled_from(["x.json", "x.yaml", "x.md", "-"]))
def test_any_bytes_are_read_or_refused(data: bytes, name: str) -> None:
    try:
        found = documents.read(data, name)
    except InputFailure:
        return
    assert all(document.title.encode() for document in found)


def test_what_an_earlier_run_of_ours_wrote_into_a_body_is_no_evidence() -> None:
    body = "Why: deployments.\n\n<!-- evidraft:begin -->\nIt is 3x faster.\n<!-- evidraft:end -->\n"
    (document,) = documents.read(json.dumps({"kind": "pull-request", "title": "x", "body": body}).encode(), "x.json")
    assert document.body.strip() == "Why: deployments."
