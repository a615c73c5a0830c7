"""Every text of an envelope keeps the rules of its field; each rule has a text that breaks it and one that just keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.drafts import register
from guardrails.findings import Finding, Severity

Rule = Callable[[str, str], Iterator[Finding]]
RULES: dict[str, Rule] = {
    "title": register.title,
    "short": register.short,
    "medium": register.medium,
    "detail": register.detail,
    "note": register.note,
}
PAGE = "## What changed\n\n- `src/db/pool.ts:22` — `maxConnections` returns to 10 from 40.\n"
DC = {"title": "DC-03", "short": "DC-04", "medium": "DC-05", "detail": "DC-06", "note": "DC-12"}

BROKEN = [
    ("title", "A" * 80, "title-too-long"),
    ("title", "add CSV export", "title-case"),
    ("title", "Show The Popup For New Users", "title-case"),
    ("title", "feature/csv-export", "title-branch-name"),
    ("title", "# CSV export", "markup-not-allowed"),
    ("title", "Render <pre> as text", "markup-not-allowed"),
    ("title", "CSV export\nfor reports", "text-not-one-line"),
    ("title", " CSV export", "text-not-one-line"),
    ("title", "", "text-blank"),
    ("title", "N/A", "text-blank"),
    ("title", "<commit message>", "placeholder-text"),
    ("title", "TODO", "placeholder-text"),
    ("short", "x" * 141, "short-too-long"),
    ("short", "Exports **all** reports", "markup-not-allowed"),
    ("short", "Exports ~~all~~ reports", "markup-not-allowed"),
    ("short", "See [the docs](https://example.com)", "markup-not-allowed"),
    ("short", "Accepts List<T> types", "markup-not-allowed"),
    ("short", "![logo](a.png) is new", "markup-not-allowed"),
    ("short", "- Exports reports", "markup-not-allowed"),
    ("short", "• Exports reports", "markup-not-allowed"),
    ("short", "Exports reports\u2028and more", "text-not-one-line"),
    ("short", "…", "text-blank"),
    ("short", "See the diff.", "placeholder-text"),
    ("medium", "One paragraph.\n\nAnother one.", "medium-not-one-paragraph"),
    ("medium", "- A list\n- of two", "medium-not-one-paragraph"),
    ("medium", "# A heading", "medium-not-one-paragraph"),
    ("medium", "Calls `run` again.", "medium-code"),
    ("medium", "    indented code", "medium-code"),
    ("medium", "The pool in src/db/pool.ts is smaller.", "medium-path"),
    ("medium", "The value of max_connections is smaller.", "medium-symbol"),
    ("medium", "It is <b>smaller</b>.", "markup-not-allowed"),
    ("medium", "   ", "text-blank"),
    ("medium", "TODO: describe this.", "placeholder-text"),
    ("medium", "Exports are faster. For details, see the diff.", "placeholder-text"),
    ("detail", f"{PAGE}\n<details>more</details>", "markup-not-allowed"),
    ("detail", f"{PAGE}\n<!-- hidden -->", "markup-not-allowed"),
    ("detail", f"{PAGE}\n![chart](chart.png)", "markup-not-allowed"),
    ("detail", f"{PAGE}\n```ts\nconst a = 1", "page-unreadable"),
    ("detail", "> " * 200 + "deep", "page-unreadable"),
    ("detail", "a " * 200_000, "page-unreadable"),
    ("medium", "a " * 200_000, "page-unreadable"),
    ("title", "![" * 100_000, "title-too-long"),
    ("short", "![" * 100_000, "short-too-long"),
    ("note", "![" * 100_000, "note-not-one-clause"),
    ("detail", "See the diff", "placeholder-text"),
    ("detail", "## What changed\n\nSee the diff for details.", "placeholder-text"),
    ("detail", f"{PAGE}\n- TODO", "placeholder-text"),
    ("detail", "\n\n", "text-blank"),
    ("note", "reads the file. Then closes it", "note-not-one-clause"),
    ("note", "reads the file; closes it", "note-not-one-clause"),
    ("note", "x" * 121, "note-not-one-clause"),
    ("note", "reads\nthe file", "text-not-one-line"),
    ("note", "<br>", "markup-not-allowed"),
    ("note", "…", "text-blank"),
]

HELD = [
    ("title", "A" + "b" * 78),
    ("title", "A" + "e\u0301" * 78),
    ("title", "Per-user watermark on the release popup"),
    ("title", "Add tests for template trimming and the upper_first filter"),
    ("title", "Render `<pre>` as text"),
    ("title", "iPhone photos keep their date"),
    ("title", "#1471 is reverted"),
    ("short", "x" * 140),
    ("short", "Exports `all` reports of a_b_c * 2"),
    ("short", "Accepts `List<T>` types"),
    ("short", "Shows the diff before saving, 1 < 2 & 3 > 2"),
    ("short", "-v prints more"),
    ("medium", "It's one paragraph\nover two lines, and/or *more*."),
    ("medium", "Show the TODO comments of Node.js projects, e.g. in CI/CD, unless MAX_JOBS or --quiet is set."),
    ("medium", 'It says "can\'t find your project" at 10 a.m., as before.'),
    ("detail", PAGE),
    (
        "detail",
        f"{PAGE}\n```html\n<b>TODO</b>\n```\n\n| a | b |\n| - | - |\n| - | n/a |\n\n1. *a*\n2. [b](https://example.com)\n\n> c",
    ),
    ("detail", f"{PAGE}\n## Description\n\nAccepts `<title>` and `<!-- x -->`.\n\n---\n\n[docs]: https://example.com"),
    ("note", "watermark floor via greatest(watermark, now - window)"),
    ("note", "import first, fall back to the source directory, e.g. on failure"),
]


def codes(field: str, text: str) -> list[str]:
    return [finding.code for finding in RULES[field](f"change.{field}", text)]


@pytest.mark.requirement("DC-03", "DC-04", "DC-05", "DC-06", "DC-12", "DC-22")
@pytest.mark.parametrize(("field", "text", "code"), BROKEN, ids=[f"{field}-{text[:40]!r}" for field, text, _ in BROKEN])
def test_a_text_that_breaks_a_rule_is_found(field: str, text: str, code: str) -> None:
    assert code in codes(field, text)


@pytest.mark.requirement("DC-03", "DC-04", "DC-05", "DC-06", "DC-12")
@pytest.mark.parametrize(("field", "text"), HELD)
def test_a_text_that_keeps_the_rules_is_let_through(field: str, text: str) -> None:
    assert codes(field, text) == []


@pytest.mark.parametrize(
    ("field", "text", "severity"),
    [
        ("title", "towncrier exits with 1", Severity.WARNING),
        ("title", "Show the New Popup for Returning Users", Severity.WARNING),
        ("title", "add CSV export", Severity.ERROR),
        ("note", "reads; closes", Severity.WARNING),
        ("note", "It reads. It closes.", Severity.ERROR),
    ],
)
def test_a_doubt_about_style_only_warns(field: str, text: str, severity: Severity) -> None:
    assert [finding.severity for finding in RULES[field]("", text)] == [severity]


def test_lengths_are_code_points_of_the_composed_form() -> None:
    assert register.length("e\u0301") == 1
    assert register.length("\U0001f469\u200d\U0001f4bb") == 3
    assert codes("short", "e\u0301" * 140) == []
    assert codes("short", "\U0001f600" * 141) == ["short-too-long", "text-blank"]


@pytest.mark.parametrize("field", RULES)
@given(text=st.text(alphabet="aA1 .\n`*_<>[]()#-;…/\u2028\u0301", max_size=120))
def test_any_text_is_judged_without_being_quoted(field: str, text: str) -> None:
    marked = f"{text}Zq9Zq"
    for finding in RULES[field]("change.x", marked):
        assert finding.where == "change.x"
        assert "Zq9Zq" not in finding.message
