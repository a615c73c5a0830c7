"""A place that a page names leads to its lines where a reference holds them; references stand under their commit."""

from __future__ import annotations

import pytest

from agent.render import places
from agent.render.forge_links import Links
from agent.render.marks import Marks
from guardrails.evidence.references import Reference

ACME = Links.of("github.com", "acme/widgets")
BLOB = "https://github.com/acme/widgets/blob"
REFS = (
    Reference("a.py", "3-9", "1111111"),
    Reference("a.py", "40", "2222222"),
    Reference("b.py", None, "1111111", "binary"),
    Reference("c.py", "1", None, "Map<K, V> of #12"),
)


@pytest.mark.requirement("DC-06")
@pytest.mark.parametrize(
    ("code", "address"),
    [
        ("a.py:3-9", f"{BLOB}/1111111/a.py#L3-L9"),
        ("a.py:4", f"{BLOB}/1111111/a.py#L4"),
        ("a.py:40", f"{BLOB}/2222222/a.py#L40"),
        ("a.py", f"{BLOB}/1111111/a.py"),
        ("b.py", f"{BLOB}/1111111/b.py"),
        ("a.py:9-10", None),
        ("a.py:9-3", None),
        ("a.py:41", None),
        ("b.py:1", None),
        ("c.py:1", None),
        ("d.py:1", None),
        ("a.py()", None),
    ],
)
def test_a_place_leads_to_its_lines_if_a_reference_holds_them(code: str, address: str | None) -> None:
    assert places.at(REFS, Marks.to(ACME)).target.place(code) == address
    assert places.at(REFS, Marks()).target.place(code) is None


def test_references_stand_under_the_commit_that_their_lines_are_valid_at() -> None:
    assert places.listed(REFS, Marks()) == (
        "- `c.py:1` — Map\\<K, V> of #12\n\nAt `1111111`:\n\n- `a.py:3-9`\n- `b.py` — binary\n\nAt `2222222`:\n\n- `a.py:40`"
    )
    assert places.listed((), Marks()) == ""


def test_of_references_that_a_page_names_only_the_commit_is_told_unless_a_note_says_more() -> None:
    page = "`a.py:3-9`, `a.py:40` and `b.py`, not c.py:1"
    assert places.listed(REFS, Marks(), page=page) == (
        "- `c.py:1` — Map\\<K, V> of #12\n\nAt `1111111`:\n\n- `b.py` — binary\n\nLines as of `2222222`."
    )
    assert places.listed(REFS[:2], Marks(), page=page) == "Lines as of `1111111`, `2222222`."
