"""What users of such tools complained about in public, each a small repository that describing has to get right.

The numbers are those of our own list of complaints. Its rows of other classes are proved where they belong; of these classes
    20, 65  stand in `test_describe_sources.py` and `test_writing_bodies.py`: our words are no evidence, those of others stay
    21      in `test_describe_output.py`: a record tells when it is stale
    46, 48  in `test_degraded.py`: shallow clones
    54      does not apply: an envelope has one place, which the caller names
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from guardrails.grounding.verdict import Accepted
from guardrails.redaction.secrets import SecretEngine
from tests.agent.describe.drafting import Saying, Text, codes, drafted, open_fields
from tests.agent.describe.widgets import begun, release, watermark
from tests.agent.payments import Ran, Road, program
from tests.repositories import GitFolder

Files = Mapping[str | bytes, str | bytes | None]
SINGLE, ITEMIZED = ("--shape", "single"), ("--shape", "itemized")
NULL: Final = {"ticket": None, "request": None, "reporter": None}


def made(tmp_path: Path, *commits: tuple[str, Files]) -> GitFolder:
    """A repository with these commits behind the tag `base`."""
    folder = begun(tmp_path / "widgets", {"src/old.py": "old = 1\n" * 9})
    folder.git("tag", "base")
    for message, files in commits:
        folder.commit(message, files)
    return folder


def one(message: str, path: str) -> tuple[str, Files]:
    """A commit that adds one line in a file of its own."""
    return message, {path: "a = 1\n"}


def change(ran: Ran) -> Any:
    assert ran.code == 0, ran
    return ran.json["change"]


def items(ran: Ran) -> Any:
    assert ran.code == 0, ran
    return ran.json["items"]


# Class H, invented facts

HONEST: Final[dict[str, Text]] = {
    "title": "Per-user watermark on the release popup",
    "short_md": "The popup now shows only entries published since you last dismissed it",
    "medium_md": "Dismissing it records where you got to.",
    "detail_md": "`popupEntries` filters by a floor.",
}
INVENTED: Final[dict[str, tuple[str, Text, str]]] = {
    "1 a file that is not in the diff": ("detail_md", "`src/popup/keys.ts` closes the popup.", "unsupported-code"),
    "1 lines that are not in the diff": ("detail_md", "`src/server/release/query.ts:3` filters.", "ref-range-outside"),
    "1 lines of another file": ("detail_md", "`src/popup/keys.ts:41` filters.", "ref-path-unchanged"),
    "1 a hunk that was not shown": ("detail_md", ("`popupEntries` filters.", ["H9"]), "unknown-evidence"),
    "1 a claim that nothing carries": ("medium_md", "Invoices are encrypted.", "claim-unsupported"),
    "2 a number as a ticket": ("medium_md", "Dismissing it closes #56.", "unsupported-number"),
    "3 a key that nobody cites": ("medium_md", "Dismissing it closes PROJ-999.", "unsupported-issue-key"),
    "5 the prompt's own example": ("short_md", "Keep EXAMPLE-0000 orders", "reserved-example"),
    "5 the prompt's own host": ("detail_md", "A failed call to example.invalid is tried again.", "reserved-example"),
    "8 a measure without data": ("short_md", "The popup is 2-4x faster", "unsupported-quantity"),
    "8 a measure in the details": ("detail_md", "`popupEntries` takes 30% less time.", "unsupported-quantity"),
    "12 an address": ("medium_md", "See https://example.com/changes for more.", "unsupported-url"),
    "12 a contributor": ("medium_md", "Thanks to @stranger for the idea.", "unsupported-handle"),
    "43 a breaking change": ("medium_md", "This is a breaking change of what the popup shows.", "breaking-beside-kind"),
    "no words at all": ("medium_md", "TODO", "placeholder-text"),
    "a template's mark": ("title", "<title>", "placeholder-text"),
    "a page for a page": ("detail_md", "See the diff.", "claim-unsupported"),
}


@pytest.mark.requirement("DC-06", "DC-07", "DC-22", "DC-02")
@pytest.mark.parametrize(("name", "text", "code"), INVENTED.values(), ids=INVENTED)
def test_what_a_drafter_invents_is_taken_out_and_asked(
    tmp_path: Path, engine: SecretEngine, name: str, text: Text, code: str
) -> None:
    outcome = drafted(watermark(tmp_path / "widgets"), engine, Saying({**HONEST, name: text}))
    assert code in codes(outcome)[f"change.{name}"]
    assert open_fields(outcome) == [f"change.{name}"]


def test_honest_words_are_accepted(tmp_path: Path, engine: SecretEngine) -> None:
    outcome = drafted(watermark(tmp_path / "widgets"), engine, Saying(HONEST))
    assert isinstance(outcome.verdict, Accepted)
    assert codes(outcome) == {}


@pytest.mark.requirement("DC-02")
def test_43_a_drafter_may_say_breaking_of_what_is(tmp_path: Path, engine: SecretEngine) -> None:
    folder = made(tmp_path, ("feat!: Drop the v1 endpoint\n\nOld clients fail.\n", {"src/v1.py": "gone = True\n"}))
    texts: dict[str, Text] = {
        "title": "Drop the v1 endpoint",
        "short_md": "Drops the v1 endpoint",
        "medium_md": "The v1 endpoint is gone, which is a breaking change: old clients fail.",
        "detail_md": "Sets `gone`.",
    }
    assert "breaking-beside-kind" not in {
        code for found in codes(drafted(folder, engine, Saying(texts))).values() for code in found
    }


@pytest.mark.requirement("DC-08")
@pytest.mark.parametrize(
    ("body", "relations"),
    [
        ("This is the same idea as PR #56, but simpler.", NULL),
        ("See also #56 and acme/other#7.", NULL),
        ("Texts are UTF-8, digests SHA-256, dates ISO-8601, and CI-123 is green.", NULL),
        ("Digests are SHA-256.\n\nCloses: PROJ-412", {**NULL, "ticket": "PROJ-412"}),
        ("PROJ-412 and PROJ-413 asked for it.", NULL),
        ("Closes: SHA-256", NULL),
    ],
    ids=["2 like a PR", "2 bare numbers", "3 tokens like keys", "3 the project's key", "3 keys in prose", "3 no key of ours"],
)
def test_2_3_only_what_is_cited_as_one_is_a_ticket(
    tmp_path: Path, road: Road, body: str, relations: dict[str, str | None]
) -> None:
    folder = made(tmp_path, (f"fix: Keep drafts\n\n{body}\n", {"src/a.py": "a = 1\n"}))
    assert change(road.describe(folder, "HEAD", *SINGLE))["relations"] == relations


@pytest.mark.parametrize("operand", ["HEAD", "HEAD..HEAD", "base..HEAD"])
def test_7_where_nothing_changed_no_drafter_is_asked(tmp_path: Path, road: Road, engine: SecretEngine, operand: str) -> None:
    folder = made(tmp_path, ("feat: Nothing yet\n", {}))
    model = Saying(HONEST)
    assert open_fields(drafted(folder, engine, model, operand)) == ["range"]
    assert model.prompts == []
    ran = road.describe(folder, operand, *SINGLE, json=True)
    assert (ran.code, ran.json["unresolved"][0]["reason"], ran.json["partial"]) == (3, "nothing-to-describe", {})


@pytest.mark.requirement("DC-06")
def test_10_every_sentence_can_be_traced_and_none_is_excused(tmp_path: Path, road: Road) -> None:
    receipt = tmp_path / "receipt.json"
    ran = road.describe(release(tmp_path / "widgets"), "v2.3.0..v2.4.0", "--record", str(receipt))
    told = json.loads(receipt.read_text("utf-8"))
    known = {item["id"] for item in told["evidence"]}
    sentences = [one for found in told["fields"].values() for one in found.get("sentences") or ()]
    assert len(sentences) > 9 * 3
    assert [one for one in sentences if not one["evidence"] or not set(one["evidence"]) <= known] == []
    assert "inaccura" not in ran.out


def test_11_no_change_is_dropped_and_none_is_added_by_a_drafter(tmp_path: Path, engine: SecretEngine) -> None:
    folder = release(tmp_path / "widgets")
    outcome = drafted(folder, engine, Saying({}), "v2.3.0..v2.4.0", "itemized")
    keys = {folder.oid(f"v2.4.0~{number}")[:7] for number in range(9)}
    assert set(outcome.resolved.coverage.values()) == keys
    names = ("title", "short_md", "medium_md", "detail_md")
    assert set(open_fields(outcome)) == {f"items[{key}].{name}" for key in keys for name in names}


# Class E, lost evidence

BULLETS: Final = "* feat(csv): Export reports as CSV\n{}* fix(login): Accept plus signs\n{}* docs: Tell how to export\n"


@pytest.mark.requirement("DC-18")
@pytest.mark.parametrize("between", ["", "\nAccountants asked for it.\n\n"], ids=["13 bullets", "14 with prose between"])
def test_13_14_the_lines_of_a_squashed_commit_are_changes(tmp_path: Path, road: Road, between: str) -> None:
    message = f"Autumn work (#31)\n\n{BULLETS.format(between, between)}"
    files: Files = {"src/csv/a.py": "a = 1\n", "src/login/b.py": "b = 1\n", "docs/csv.md": "# CSV\n"}
    told = items(road.describe(made(tmp_path, (message, files)), "HEAD", *ITEMIZED))
    assert [(one["kind"], one["title"], one["relations"]["request"]) for one in told] == [
        ("feature", "Export reports as CSV", "#31"),
        ("bug_fix", "Accept plus signs", "#31"),
    ]
    assert {ref["path"] for one in told for ref in one["refs"]} == {"src/csv/a.py", "src/login/b.py", "docs/csv.md"}


@pytest.mark.requirement("DC-23", "DC-18")
def test_16_a_feature_and_its_revert_are_told_neither_as_in_effect_nor_at_all(tmp_path: Path, road: Road) -> None:
    folder = made(tmp_path, ("feat: Export reports as CSV\n", {"src/csv.py": "csv = 1\n"}))
    folder.git("revert", "--no-edit", "HEAD")
    folder.commit("fix: Accept plus signs\n", {"src/login.py": "plus = 1\n"})
    receipt = tmp_path / "receipt.json"
    ran = road.describe(folder, "base..HEAD", *ITEMIZED, "--record", str(receipt))
    assert [one["title"] for one in items(ran)] == ["Accept plus signs"]
    assert "Export" not in ran.out
    coverage = json.loads(receipt.read_text("utf-8"))["coverage"]
    assert sorted(told.partition(" ")[0] for told in coverage.values())[1:] == ["reverted", "reverts"]
    alone = change(road.describe(folder, "HEAD~1", *SINGLE))
    assert (alone["kind"], alone["title"]) == ("bug_fix", 'Revert "Export reports as CSV"')


def test_18_every_commit_is_in_a_change_or_accounted_for(tmp_path: Path, road: Road) -> None:
    commits = [one(f"feat: Show page {number}\n", f"src/page{number}.py") for number in range(11)]
    folder, receipt = made(tmp_path, *commits, ("chore: Nothing\n", {})), tmp_path / "receipt.json"
    told = items(road.describe(folder, "base..HEAD", "--record", str(receipt)))
    assert {one["title"] for one in told} == {f"Show page {number}" for number in range(11)}
    coverage = json.loads(receipt.read_text("utf-8"))["coverage"]
    assert len(coverage) == 12
    assert list(coverage.values()).count("changes nothing") == 1


@pytest.mark.requirement("DC-07")
def test_20_what_came_and_went_is_not_described(tmp_path: Path, road: Road) -> None:
    folder = made(
        tmp_path,
        ("feat: Export reports as CSV\n", {"src/csv.py": "csv = 1\n", "src/report.py": "report = 1\n"}),
        ("refactor: Drop the module again\n", {"src/csv.py": None}),
    )
    assert [ref["path"] for ref in change(road.describe(folder, "base..HEAD", *SINGLE))["refs"]] == ["src/report.py"]


PLAIN: Final[dict[str, tuple[Any, list[dict[str, str]]]]] = {
    "renamed": (
        lambda folder: folder.git("mv", "src/old.py", "src/new.py"),
        [{"path": "src/new.py", "note": "renamed from src/old.py"}],
    ),
    "mode": (lambda folder: (folder.path / "src/old.py").chmod(0o755), [{"path": "src/old.py", "note": "mode changed"}]),
    "binary": (lambda folder: folder.write({"logo.png": b"\x00\x01\xff"}), [{"path": "logo.png", "note": "binary"}]),
    "empty": (lambda folder: folder.write({"src/empty.py": ""}), [{"path": "src/empty.py", "note": "empty file"}]),
}


@pytest.mark.requirement("DC-10", "DC-09", "DC-12")
@pytest.mark.parametrize(("act", "refs"), PLAIN.values(), ids=PLAIN)
def test_60_what_has_no_lines_has_a_path_and_no_range(tmp_path: Path, road: Road, act: Any, refs: list[dict[str, str]]) -> None:
    folder = made(tmp_path)
    act(folder)
    head = folder.commit("feat: Move things\n")
    told = change(road.describe(folder, "HEAD", *SINGLE))["refs"]
    assert told == [{"path": ref["path"], "sha": head, "note": ref["note"]} for ref in refs]


@pytest.mark.requirement("DC-13")
def test_60_a_deleted_file_has_its_old_lines_at_the_commit_that_had_them(tmp_path: Path, road: Road) -> None:
    folder = made(tmp_path, ("feat: Drop the old module\n", {"src/old.py": None}))
    (ref,) = change(road.describe(folder, "HEAD", *SINGLE))["refs"]
    assert ref == {"path": "src/old.py", "range": "1-9", "sha": folder.oid("HEAD~1"), "note": "removed"}


def test_70_a_huge_file_hides_no_small_one_and_cannot_be_cited_unread(tmp_path: Path, road: Road, engine: SecretEngine) -> None:
    files: Files = {"src/huge.py": "x = 1\n" * 30_000, "src/a.py": "def small():\n    pass\n", "src/b.py": "b = 1\n"}
    folder = made(tmp_path, ("feat: Add three modules\n", files))
    told = change(road.describe(folder, "HEAD", *SINGLE))
    assert {ref["path"] for ref in told["refs"]} == {"src/huge.py", "src/a.py", "src/b.py"}
    model = Saying({"detail_md": ("Adds `small`.", ["H3"])})
    outcome = drafted(folder, engine, model)
    (prompt,) = model.prompts
    (sources,) = {one.sources for one in prompt.requests if one.field.endswith("detail_md")}
    hunks = {file.path: file.hunks[0].id for file in outcome.evidence.bundle.files()}
    assert {hunks["src/a.py"], hunks["src/b.py"]} <= set(sources)
    if hunks["src/huge.py"] not in sources:
        unread = Saying({**HONEST, "detail_md": ("Adds `x`.", [hunks["src/huge.py"]])})
        assert "outside-sources" in codes(drafted(folder, engine, unread))["change.detail_md"]


# Class R, ranges and tags


def test_49_of_several_possible_bases_none_is_guessed(tmp_path: Path, road: Road) -> None:
    folder = made(tmp_path, *(one(f"feat: Show {number}\n", f"src/{number}.py") for number in range(3)))
    folder.branch("topic")
    folder.git("branch", "-f", "main", "HEAD~1")
    folder.git("branch", "-f", "develop", "HEAD~2")
    ran = road.describe(folder, json=True)
    (question,) = ran.json["unresolved"]
    assert (ran.code, question["field"]) == (3, "range")
    assert [one["value"] for one in question["suggestions"]] == ["main..HEAD", "develop..HEAD"]
    assert question["accepts"] == ["<A..B>", "<revision>"]
    folder.git("branch", "-D", "develop")
    ran = road.describe(folder, *SINGLE)
    assert (ran.code, ran.err.splitlines()[0]) == (0, "range: main..HEAD")


@pytest.mark.requirement("DC-15")
def test_50_the_range_that_was_named_is_the_one_that_is_told(tmp_path: Path, road: Road) -> None:
    folder = made(tmp_path)
    for number, name in enumerate(("v0.9", "v0.10", "v0.12", "v0.13")):
        folder.commit(f"feat: Show {name}\n", {f"src/{number}.py": "a = 1\n"})
        folder.git("tag", name)
    ran = road.describe(folder, "v0.12..v0.13", *ITEMIZED)
    assert [one["title"] for one in items(ran)] == ["Show v0.13"]
    assert (ran.json["operation"]["id"], ran.json["summary"]["title"]) == ("v0.12..v0.13", "Release 0.13")


# Class T, type and impact


@pytest.mark.requirement("DC-02")
@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("feat: Export reports\n\nThis is no\nbreaking change but a new button.\n", "feature"),
        ("feat: Export reports\n\nOld clients fail, a\nbreaking change for them.\n", "feature"),
        ("feat: Export reports\n\nBREAKING CHANGE: old clients fail.\n", "breaking"),
        ("feat!: Export reports\n", "breaking"),
    ],
)
def test_43_prose_breaks_nothing_and_a_footer_does(tmp_path: Path, road: Road, message: str, kind: str) -> None:
    folder = made(tmp_path, (message, {"src/a.py": "a = 1\n"}))
    assert change(road.describe(folder, "HEAD", *SINGLE))["kind"] == kind


@pytest.mark.requirement("DC-02")
def test_45_a_label_and_a_commit_that_disagree_are_put_to_a_person(tmp_path: Path, road: Road) -> None:
    folder = made(tmp_path, ("fix: Accept plus signs (#12)\n", {"src/a.py": "a = 1\n"}))
    request = {"number": 12, "title": "Accept plus signs", "body": "", "url": "https://github.com/acme/widgets/pull/12"}
    file = tmp_path / "request.json"
    file.write_text(json.dumps({**request, "headRefName": "x", "labels": [{"name": "enhancement"}]}), "utf-8")
    ran = road.describe(folder, "HEAD", *SINGLE, "--evidence", str(file), json=True)
    assert (ran.code, ran.fields) == (3, ["change.kind"])
    assert [one["code"] for one in ran.json["contradictions"]] == ["kind-conflict"]


# Class M, markdown and what it does on forges


@pytest.mark.requirement("DC-08")
def test_62_nobody_s_name_becomes_a_reporter_or_a_mention(tmp_path: Path, road: Road) -> None:
    folder = begun(tmp_path / "widgets")
    named = ("-c", "user.name=Jared G", "-c", "user.email=jared@example.org")
    folder.write({"src/a.py": "a = 1\n"})
    folder.git("add", "--all")
    message = b"fix: Keep drafts\n\nReported-by: Jared G <jared@example.org>\nReviewed-by: @maintainer\n"
    folder.git(*named, "commit", "-q", "--author=Jared G <jared@example.org>", "-F", "-", given=message)
    assert change(road.describe(folder, "HEAD", *SINGLE))["relations"] == NULL
    page = road.describe(folder, "HEAD", *SINGLE, "--render", "markdown").out
    assert [word for word in ("Jared", "@maintainer", "jared@") if word in page] == []


@pytest.mark.requirement("DC-01")
@pytest.mark.parametrize(
    "subject",
    [
        "Show <pre> as text",
        "Show `<T>` as text",
        "Read a_b_c and *all* of it",
        "Read a | b and ]",
        "Tell @octocat and #7 apart",
    ],
)
def test_63_a_subject_breaks_no_page(tmp_path: Path, road: Road, subject: str) -> None:
    folder = made(tmp_path, (f"feat: {subject}\n", {"src/a.py": "a = 1\n"}))
    ran = road.describe(folder, "HEAD", *SINGLE)
    page = road.describe(folder, "HEAD", *SINGLE, "--render", "markdown")
    assert ran.code in {0, 3}
    assert page.code == ran.code
    if ran.code == 0:
        title = change(ran)["title"]
        assert title.replace("`", "") == subject.replace("`", "")
        text = road.describe(folder, "HEAD", *SINGLE, "--render", "text").out
        assert text.startswith(subject.replace("`", "") + "\n")
    assert "<pre>" not in page.out.replace("`<pre>`", "")


def test_68_trailers_of_helpers_are_in_no_text(tmp_path: Path, road: Road) -> None:
    trailers = (
        "Co-authored-by: Helper <noreply@helper.invalid>\nCo-authored-by: Ada <ada@example.org>\nSigned-off-by: Cem <c@d.ef>\n"
    )
    folder = made(tmp_path, (f"feat: Export reports\n\nAccountants asked for it.\n\n{trailers}", {"src/a.py": "a = 1\n"}))
    for rendering in ("json", "markdown", "text"):
        out = road.describe(folder, "HEAD", *SINGLE, "--render", rendering).out
        assert [word for word in ("Helper", "noreply", "Co-authored", "Signed-off", "Cem") if word in out] == []


# Class U, units


def test_52_from_a_folder_the_same_is_told_with_whole_paths(tmp_path: Path, road: Road) -> None:
    folder = made(tmp_path, ("feat: Export reports\n", {"a/x.py": "a = 1\n", "b/y.py": "b = 1\n"}))
    inside = road.describe(folder.path / "a", "HEAD", *SINGLE)
    assert inside.out == road.describe(folder, "HEAD", *SINGLE).out
    assert [ref["path"] for ref in change(inside)["refs"]] == ["a/x.py", "b/y.py"]


# Class X, encodings


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "none"])
def test_55_a_message_in_any_encoding_is_read(tmp_path: Path, road: Road, encoding: str) -> None:
    folder = made(tmp_path)
    folder.write({"src/a.py": "a = 1\n"})
    folder.git("add", "--all")
    more = () if encoding == "none" else ("-c", f"i18n.commitEncoding={encoding}")
    folder.git(*more, "commit", "-q", "-F", "-", given=b"feat: Export the caf\xe9 menu \x9d\n")
    texts = [f"change.{name}=Export the menu" for name in ("title", "short_md", "medium_md")]
    told = change(road.describe(folder, "HEAD", *SINGLE, answers=texts))
    assert (told["kind"], told["refs"][0]["path"]) == ("feature", "src/a.py")


@pytest.mark.parametrize(
    "environment", [{"LC_ALL": "zh_CN.GBK"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "ascii"}]
)
def test_56_the_locale_changes_nothing(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = made(tmp_path, ("feat: Export the menu — 再開\n", {"src/é.py": "a = 1\n"}))
    words = ["evidraft", "describe", "--repo", str(folder.path), "HEAD", *SINGLE]
    done = program(words, environment=environment)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.decode("utf-8"))["change"]
    assert (told["title"], told["refs"][0]["path"]) == ("Export the menu — 再開", "src/é.py")


def test_58_files_of_an_old_code_page_are_described(tmp_path: Path, road: Road) -> None:
    folder = made(tmp_path, ("feat: Greet in German\n", {"src/greet.pas": b"begin\r\n  writeln('Gr\xfc\xdfe');\r\nend.\r\n"}))
    (ref,) = change(road.describe(folder, "HEAD", *SINGLE))["refs"]
    assert (ref["path"], ref["range"]) == ("src/greet.pas", "1-3")
