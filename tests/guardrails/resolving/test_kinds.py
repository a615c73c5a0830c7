"""The kind of a change is decided by documented rules, asked where they are silent, and never guessed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.drafts.envelope import KINDS
from guardrails.evidence.model import Change, Commit, Hunk
from guardrails.resolving.kinds.classifying import KIND_CONFLICT
from guardrails.resolving.rules import Rules
from tests.guardrails.resolving.building import commit, record, target
from tests.guardrails.resolving.describing_case import CODE, issue, kinds, permits, request

DECIDED = {
    "breaking": (
        "feat!: drop the v1 report endpoint",
        "feat(api)!: rename a field",
        "BREAKING CHANGE: rename `result` to `output`",
        "Rename a field\n\nBREAKING CHANGE: callers use the new name",
        "Rename a field\n\nImpact: major",
        "Rename a field\n\nTarget-Impact: apps/worker=major",
        "docs!: move the manual",
    ),
    "security": (
        "security: check the signature of uploads",
        "fix: check signatures (CVE-2026-1234)",
        "Fix GHSA-aaaa-bbbb-cccc by checking signatures",
        "Check signatures\n\nThis fixes CVE-2026-1234.",
        "Check signatures\n\nFixes: CVE-2026-1234",
        "chore(deps): bump torch to 2.12.1 to close CVE-2026-3000",
    ),
    "feature": (
        *("feat: per-user watermark", "feature(ui): dark theme", "Add a --json option", "Adds CSV export", "Allow rest days"),
        *(":sparkles: Add CSV export", "[worker] Add CSV export", "DEVELOP-12: Add CSV export", "cli/run: add CSV export"),
        *("Ability to export rows (#12)", "Added support for tuple types.  This fixes #239"),
        *("Support `../` in paths", "Add `retries` to `Client`", "添加会员登录接口", "#12: Implement retries"),
    ),
    "bug_fix": (
        *("fix: a crash on start", "bugfix(api): a crash", "Fix a crash on start", "Fixed redirect loop", "Prevent a deadlock"),
        *(
            "Fixed a regression in names of a dev dependency",
            "Fixed an issue where names got lost",
            "Correctly handle addresses",
        ),
        *("Fixed generated function name.  This fixes #221", "Fix issues: #274, #280"),
        *("Fix the bug", "Resolve an issue with proxies", "修复跨域问题", "DEVELOP-12 Fix a crash on start"),
    ),
    "improvement": (
        *("perf: cache the index", "Improve the error message", "Speed up start-up", "Make the prefix configurable"),
        *("Better error message for an invalid key", "perf(api): fewer queries"),
    ),
    "docs": (
        "docs: say how to install",
        "Document the release process",
        "Fix the docstrings",
        "Fix documentation of rows",
        "docs(lib): comment the fields",
    ),
    "ops": (
        *(
            "chore: update flakes",
            "ci: run on 3.13",
            "test(template): more cases",
            "refactor: split the module",
            "style: format",
        ),
        *("v2.9.3", "Release 0.32", "Version 0.18.2 (#1690)", "Version Packages (next) (#2192)", "Prepare for 1.2.0"),
        *("Minor decoder refactoring. (#1276)", "cleanups", "clean up", "Move functions from _utils.py to _models.py (#3387)"),
        *("Update version.", "This is 4.0-dev", "Bump to dev version", "Update for final version."),
        *(
            "Fix flake8 errors",
            "Fix Ruff v0.3.0 violations",
            "Run black",
            "Small namedtuple refactor (#1329)",
            "Refactor the client",
        ),
    ),
}
"""Messages of a commit that changes the product."""
PLACED = {
    "docs": (
        ("Update README.md", ("README.md",)),
        ("Fix a typo", ("docs/usage.md", "docs/conf.py")),
        ("fix: a broken link", ("docs/usage.md",)),
        ("fix(docs): a broken link", ("docs/usage.md", "docs/requirements.txt")),
        ("Draft release notes for 0.32", ("docs/changelog.md",)),
    ),
    "ops": (
        ("Remove tox environments that are not used.", ("tox.ini",)),
        ("add CPython 3.10, replace PyPy 3.6 with 3.8", (".github/workflows/ci.yml", "tox.ini")),
        ("Fix the tests", ("tests/test_app.py",)),
        ("fix: do not publish on forks", (".github/workflows/publish.yml",)),
        ("fix(ci): pin nightly", ("Cargo.toml", ".github/workflows/ci.yml")),
        ("Unpin hatchling", ("pyproject.toml",)),
        ("Drop async_generator", ("setup.py",)),
        ("chore(deps): bump log from 0.4.20 to 0.4.21", ("Cargo.lock",)),
        ("fix(deps): bump log from 0.4.20 to 0.4.21", ("Cargo.lock",)),
        ("[pre-commit.ci] pre-commit autoupdate", (".pre-commit-config.yaml",)),
        ("chore(release): prepare for v2.7.0", ("CHANGELOG.md", "Cargo.toml")),
        ("Release 0.31", ("docs/changelog.md", "docs/index.md", "setup.py")),
    ),
    "bug_fix": (
        ("fix(npm): the path of the program", ("npm/package.json",)),
        ("fix: render a title without a name", ("src/templates/default.md", "tests/test_build.py")),
    ),
    "feature": (
        ("feat(docker): publish for arm64", (".github/workflows/cd.yml", "Dockerfile")),
        ("Add an option", ("src/app.py", "docs/usage.md", "tests/test_app.py")),
    ),
}
OPEN = (
    *("Use get_list consistently", "Replace pkg_resources", "Rename a class", "Move the templates", "Remove a default value"),
    *("Drop chardet", "Update SecurityConfig.java", "llm is now styled LLM", "bloop", "fix", "fixes", "Fix failing unit tests"),
    *("Fix a type hint", "Add a helper function", "Add a missing newline", "Add cookies to the retried request"),
    *("Make sure that it works", "Fix a typo", "build: if draft, return early", "build", "Better function name", "问题修复"),
    *(
        "Fix #339: Provide a --version option",
        "Add tests for the parser",
        "Fix runner_test to make no folders",
        "Tidy up the formatting of requests",
        "添加测试sql文件",
        "",
    ),
)
"""Messages of a commit that changes the product, and that leave its kind open."""


@pytest.mark.requirement("DC-02")
@pytest.mark.parametrize(("message", "kind"), [(message, kind) for kind, rows in DECIDED.items() for message in rows])
def test_a_message_decides_by_mark_type_or_verb(message: str, kind: str) -> None:
    found = kinds(message)
    assert (found.value, found.evidence, found.contradiction) == (kind, ("C1",), None)
    assert kind in permits(message)


@pytest.mark.requirement("DC-02")
@pytest.mark.parametrize(("message", "paths", "kind"), [(*row, kind) for kind, rows in PLACED.items() for row in rows])
def test_the_paths_decide_where_nothing_changed_that_users_meet(message: str, paths: tuple[str, ...], kind: str) -> None:
    one = commit(1, message, *paths)
    found = kinds(one, why="single")
    assert (found.value, found.contradiction) == (kind, None)
    assert kind in permits(one, why="single")


@pytest.mark.requirement("DC-02")
@pytest.mark.parametrize("message", OPEN)
def test_what_no_rule_decides_is_asked_with_what_is_not_excluded(message: str) -> None:
    found = kinds(message)
    assert (found.value, found.contradiction) == (None, None)
    assert {kind for kind, _, _ in found.sides} <= permits(message)
    assert found.sides


@pytest.mark.parametrize(
    ("message", "paths"),
    [
        ("Fix what is packed", ("pyproject.toml",)),
        ("Drop Python 3.6", ("setup.py", "tox.ini")),
        ("bump lowest supported node version to v22", ("package.json", ".github/workflows/ci.yml")),
        ("Update the data", ("document/sql/mall.sql",)),
    ],
)
def test_a_file_that_users_may_meet_leaves_it_open(message: str, paths: tuple[str, ...]) -> None:
    assert kinds(commit(1, message, *paths)).value is None


@pytest.mark.requirement("DC-02")
@pytest.mark.parametrize(
    "message",
    [
        "Split the run\n\nThis is not a\nbreaking change but not a small one either",
        "Split the run\n\n## Breaking changes\n\nNone",
        "Split the run\n\nBreaking change: no",
        "Split the run\n\nBREAKING CHANGE: none",
    ],
)
def test_prose_about_breaking_changes_is_no_sign_of_one(message: str) -> None:
    assert "breaking" not in {kind for kind, _, why in kinds(message).sides if why != "nothing excludes it"}
    assert kinds(f"fix: {message}").value == "bug_fix"


def test_a_claim_of_a_breaking_change_in_prose_is_asked() -> None:
    found = kinds("feat: split the run\n\n**Breaking change**: callers name the run.")
    assert found.value is None
    assert [kind for kind, _, _ in found.sides] == ["breaking", "feature"]


@pytest.mark.requirement("DC-02")
@pytest.mark.parametrize(
    ("message", "labels", "kind"),
    [
        ("Watermark popups", ("bug",), "bug_fix"),
        ("Watermark popups", ("type: bug", "area: ui"), "bug_fix"),
        ("Watermark popups", ("kind/feature",), "feature"),
        ("Watermark popups", ("Breaking Change",), "breaking"),
        ("Watermark popups", ("security",), "security"),
        ("fix: a crash", ("security",), "security"),
        ("feat: popups", ("documentation", "enhancement"), "feature"),
        ("feat: popups", ("documentation",), "feature"),
        ("Add popups", ("enhancement",), "feature"),
        ("Improve popups", ("enhancement",), "improvement"),
        ("Watermark popups", ("enhancement",), None),
        ("Watermark popups", ("patch", "area: docs", "wontfix"), None),
    ],
)
def test_labels_of_the_request_speak_beside_its_title(message: str, labels: tuple[str, ...], kind: str | None) -> None:
    found = kinds("wip", documents=(request(message, labels=labels),))
    assert (found.value, found.contradiction) == (kind, None)


@pytest.mark.requirement("DC-02")
@pytest.mark.parametrize(
    ("message", "labels"),
    [
        ("fix: a crash", ("enhancement",)),
        ("feat: popups", ("bug",)),
        ("docs: popups", ("bug",)),
        ("feat: popups", ("security",)),
    ],
)
def test_a_label_against_a_type_is_a_contradiction_and_neither_wins(message: str, labels: tuple[str, ...]) -> None:
    found = kinds(commit(1, message, CODE), documents=(request(message, labels=labels),))
    assert found.value is None
    assert found.contradiction is not None
    assert (found.contradiction.code, found.contradiction.contradicts) == (KIND_CONFLICT.name, True)
    assert found.contradiction.evidence == ("P1",)
    assert len(found.sides) > 1


def test_a_mark_against_an_impact_is_a_contradiction_unless_a_rule_reads_the_mark() -> None:
    message = "feat!: popups\n\nImpact: minor"
    found = kinds(message)
    assert found.contradiction is not None
    assert (found.value, found.contradiction.code) == (None, "breaking-marker-conflict")
    assert kinds(message, rules=Rules(breaking_marker="minor")).value == "feature"
    assert kinds(message, rules=Rules(breaking_marker="major")).value == "breaking"


@pytest.mark.parametrize(
    ("rules", "kind"),
    [
        (Rules(), None),
        (Rules(kinds={"task": "ops"}), "ops"),
        (Rules(kinds={"task": "breaking"}), "breaking"),
        (Rules(types={"task": "correction"}), "bug_fix"),
        (Rules(types={"task": "reliability"}), None),
        (Rules(types={"task": "reliability"}, kinds={"reliability": "improvement"}), "improvement"),
    ],
)
def test_the_projects_own_rules_say_what_a_type_means(rules: Rules, kind: str | None) -> None:
    assert kinds("task: watermark popups", rules=rules).value == kind


@pytest.mark.parametrize(
    ("rules", "kind"),
    [
        (Rules(kinds={"S-hot": "bug_fix"}), "bug_fix"),
        (Rules(type_labels={"S-hot": "feature"}), "feature"),
        (Rules(type_labels={"S-hot": "speed"}, kinds={"speed": "improvement"}), "improvement"),
    ],
)
def test_the_projects_own_rules_say_what_a_label_means(rules: Rules, kind: str) -> None:
    assert kinds("wip", documents=(request("Watermark popups", labels=("S-hot",)),), rules=rules).value == kind


@pytest.mark.parametrize(
    ("fields", "kind"),
    [({"type": "security"}, "security"), ({"impact": "major"}, "breaking"), ({"type": "feature"}, "feature"), ({}, None)],
)
def test_a_linked_changeset_speaks(fields: dict[str, object], kind: str | None) -> None:
    migration = {"migration": "Do this."} if "impact" in fields else {}
    linked = record(1, targets=[target(**fields, **migration)])
    message = "Resume jobs\n\nChangeset: resume-settlement-jobs"
    assert kinds(message, records=(linked,)).value == kind
    assert kinds("Resume jobs\n\nChangeset: another", records=(linked,)).value is None


def test_a_changeset_file_that_asks_for_a_major_release_breaks() -> None:
    one = commit(1, "Bump the lowest Node version to 22", CODE, ".changeset/brave-cats.md")
    text = '+---\n+"@acme/cli": major\n+---\n+\n+Node 22'
    hunk = Hunk("H1", "git:1", "", 0, 0, 1, 5, "", text)
    added = replace(one.files[1], change=Change.ADDED, hunks=(hunk,))
    assert kinds(replace(one, files=(one.files[0], added))).value == "breaking"
    quiet = replace(added, hunks=(replace(hunk, text=text.replace("major", "patch")),))
    assert kinds(replace(one, files=(one.files[0], quiet))).value is None


@pytest.mark.parametrize(
    ("fragment", "message", "kind"),
    [
        ("src/newsfragments/12.bugfix.rst", "Keep long words", "bug_fix"),
        ("newsfragments/12.feature", "Keep long words", "feature"),
        ("newsfragments/12.enhancement", "Keep long words", None),
        ("changelog.d/+keep.feature.md", "Add words", "feature"),
        ("newsfragments/12.removal.rst", "Keep long words", None),
        ("src/news/reader.py", "Keep long words", None),
    ],
)
def test_a_news_fragment_says_by_its_name_what_it_tells(fragment: str, message: str, kind: str | None) -> None:
    assert kinds(commit(1, message, CODE, fragment)).value == kind


@pytest.mark.parametrize(
    ("paths", "kind"),
    [
        (("newsfragments/12.feature", "setup.cfg"), "feature"),
        (("newsfragments/12.misc", "setup.cfg"), "ops"),
        (("newsfragments/12.feature",), "docs"),
        (("newsfragments/12.feature", "README.md"), "docs"),
    ],
)
def test_a_fragment_says_more_than_the_paths_beside_it(paths: tuple[str, ...], kind: str) -> None:
    assert kinds(commit(1, "Python 3.12", *paths)).value == kind


def entries(*lines: str) -> Commit:
    """A commit that changes the product and a changelog, by these lines with their signs."""
    one = commit(1, "Keep long words", CODE, "CHANGELOG.md")
    hunk = Hunk("H1", "git:1", "", 1, 3, 1, 4, "", "\n".join(lines))
    return replace(one, files=(one.files[0], replace(one.files[1], hunks=(hunk,))))


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ((" ### Fixed", " ", "+* Keep long words."), "bug_fix"),
        (("+## 1.2", "+", "+### :bug: Bug fixes", "+", "+- Keep long words."), "bug_fix"),
        ((" Added", " -----", "+- Long words."), "feature"),
        ((" ### Fixed", " - Old.", "-- Older.", " ### Added", "+- Long words."), "feature"),
        ((" ### Added", "+- Long words.", " ### Fixed", "+- Short words."), None),
        ((" ### Fixed", "+- Short words.", " ### Removed", "+- Long words."), None),
        ((" ### Changed", "+- Long words."), None),
        ((" ### Security", "+- Long words."), None),
        ((" ### Fixed", "-- Long words."), None),
        ((" - Old.", "+- Long words."), None),
    ],
)
def test_an_entry_of_a_changelog_is_what_its_section_says(lines: tuple[str, ...], kind: str | None) -> None:
    assert kinds(entries(*lines)).value == kind


def test_a_section_of_any_other_document_says_nothing() -> None:
    one = entries(" ### Fixed", "+- Long words.")
    assert kinds(replace(one, files=(one.files[0], replace(one.files[1], path="docs/words.md")))).value is None


@pytest.mark.requirement("DC-01")
@pytest.mark.parametrize("message", ["Fix spelling", "Typo in Tuple", "Minor typo correction", "Fix a comment"])
def test_texts_within_code_may_be_told_as_docs(message: str) -> None:
    assert "docs" in permits(commit(1, message, CODE))
    assert "docs" not in permits(commit(1, "Fix a crash on start", CODE))


@pytest.mark.requirement("DC-23")
@pytest.mark.parametrize(
    ("message", "paths", "kind"),
    [
        ('Revert "Raise the pool size (#1471)"\n\nThis reverts commit a91b3f2.', (CODE,), "bug_fix"),
        ('Revert "feat: raise the pool size" (#1480)', (CODE,), "bug_fix"),
        ('Revert "feat!: raise the pool size"', (CODE,), "bug_fix"),
        ('Revert "fix: CVE-2026-1234"', (CODE,), "bug_fix"),
        ("revert(git): use timestamps", (CODE,), "bug_fix"),
        ('Revert "docs: say how to install"', (CODE,), "docs"),
        ("revert: chore(config): include ids", (CODE,), "ops"),
        ('Revert "Bump the image"', ("Dockerfile",), "ops"),
        ('Revert "Say how to install"', ("README.md",), "docs"),
        ("feat!: revert to the old layout", (CODE,), "breaking"),
        ('Reapply "Raise the pool size"', (CODE,), None),
        ('Revert "Revert "Raise the pool size""', (CODE,), None),
    ],
)
def test_a_revert_of_the_product_is_a_bug_fix_unless_stated_otherwise(
    message: str, paths: tuple[str, ...], kind: str | None
) -> None:
    assert kinds(commit(1, message, *paths), why="revert").value == kind


@pytest.mark.parametrize(
    ("messages", "kind"),
    [
        (("feat: popups", "fix: a typo in popups", "docs: popups", "test: popups"), "feature"),
        (("fix: a crash", "test: the crash", "docs: the crash"), "bug_fix"),
        (("Add popups", "Address review", "Fix lint"), "feature"),
        (("perf: cache", "fix: a crash"), None),
        (("Watermark popups", "Fix the watermark"), None),
        (("Watermark popups", "docs: popups", "test: popups"), None),
        (("Fix the watermark", "Popups too"), "bug_fix"),
        (("fix: a crash", "fix!: another"), "breaking"),
        (("feat: popups", 'Revert "feat: popups"'), None),
    ],
)
def test_the_commits_of_one_change_speak_together(messages: tuple[str, ...], kind: str | None) -> None:
    assert kinds(*messages).value == kind


@pytest.mark.parametrize(
    ("messages", "kind"),
    [
        (("feat: popups", "fix: a crash"), None),
        (("feat: popups", "bloop"), None),
        (("fix: a crash", "fix: another"), "bug_fix"),
        (("feat!: popups", "bloop"), "breaking"),
    ],
)
def test_commits_that_were_only_selected_together_must_agree(messages: tuple[str, ...], kind: str | None) -> None:
    assert kinds(*messages, why="single").value == kind


def test_a_title_comes_before_the_commits_that_it_heads() -> None:
    merged = commit(2, "Merge pull request #7 from acme/popups\n\nAdd popups", parents=2)
    assert kinds("Fix a crash on start", merged).value == "feature"
    assert kinds("wip", "Fix a crash", documents=(request("feat: popups"),), why="single").value == "feature"


def test_what_a_bot_quotes_of_others_says_nothing() -> None:
    notes = "BREAKING CHANGE: no more Node 18\n\nfixes CVE-2026-1"
    body = f"<details><summary>Notes</summary>\n\n{notes}\n</details>\n\n> fixes CVE-2026-2"
    update = commit(1, "chore(deps): bump log from 0.4.20 to 0.4.21", "Cargo.lock")
    assert kinds(update, documents=(request(update.subject, body, labels=("dependencies",)),)).value == "ops"
    assert kinds("fix: a crash", documents=(request("fix: a crash", body),)).value == "bug_fix"


def test_without_a_diff_words_alone_speak() -> None:
    silent = replace(commit(1, "Update the readme"), diff_known=False)
    assert kinds(silent).value == "docs"
    assert {"docs", "ops"} <= permits(replace(silent, message="Watermark popups"))
    assert kinds(documents=(request("fix: a crash"),)).value == "bug_fix"


PERMITTED = [
    ("Fix a crash", (CODE,), {"bug_fix", "improvement"}),
    ("fix: a crash", (CODE,), {"bug_fix"}),
    ("feat: popups", (CODE,), {"feature", "improvement"}),
    ("Conversations using tools", (CODE,), {"feature", "bug_fix", "improvement"}),
    ("Use get_list", (CODE,), {"feature", "bug_fix", "improvement", "ops"}),
    ("Remove the v1 endpoint", (CODE,), {"breaking", "feature", "bug_fix", "improvement", "ops"}),
    ("Remove a tox environment", ("tox.ini",), {"ops"}),
    ("Escape titles to prevent XSS", (CODE,), {"security", "feature", "bug_fix", "improvement"}),
    ("Edit the changelog", ("docs/changelog.md",), {"docs"}),
    ("chore(deps): bump log from 1.0 to 1.1", ("Cargo.toml", "Cargo.lock"), {"ops"}),
    ("test(template): add tests", (CODE,), {"ops"}),
    ("refactor: no longer accept lists", (CODE,), {"ops", "improvement", "breaking"}),
    ('Revert "feat: popups"', (CODE,), {"bug_fix"}),
    ("Add a field to the package data", ("setup.cfg",), {"ops", "feature", "improvement"}),
]


@pytest.mark.requirement("DC-02")
@pytest.mark.parametrize(("message", "paths", "expected"), PERMITTED)
def test_a_foreign_kind_is_permitted_unless_the_evidence_excludes_it(
    message: str, paths: tuple[str, ...], expected: set[str]
) -> None:
    assert permits(commit(1, message, *paths)) == expected


def test_an_issue_that_tells_of_a_weakness_permits_security() -> None:
    assert "security" in permits("Check uploads", documents=(issue("Uploads are a vulnerability"),))
    assert "security" not in permits("Check uploads", documents=(issue("Uploads fail"),))


@given(st.lists(st.text(), min_size=1, max_size=3), st.sampled_from(("single", "paths", "revert")))
def test_every_message_has_a_kind_of_the_seven_or_none(messages: list[str], why: str) -> None:
    value, allowed = kinds(*messages, why=why).value, permits(*messages, why=why)
    assert value is None or value in allowed
    assert allowed
    assert allowed <= set(KINDS)
