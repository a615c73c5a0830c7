"""Reports of tests: what ran, how it ended, and what is refused (Change Contracts: evidence)."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.contracts.test_reports import READERS, Outcome, Places, Report, ReportFault

pytestmark = pytest.mark.requirement("CC-14")
CASES = Path(__file__).parents[2] / "cases" / "contracts" / "reports"
ROOT = "/home/dev/project"
PASSED, FAILED, SKIPPED, INCONCLUSIVE = Outcome
Ended = dict[tuple[str, str], list[Outcome]]


def places(*paths: str, root: str = ROOT) -> Places:
    return Places(root, frozenset(paths))


def ended(report: Report) -> Ended:
    found: Ended = {}
    for run in report.runs:
        found.setdefault((run.file, run.scenario), []).append(run.outcome)
    return found


def read(kind: str, name: str, where: Places) -> Report:
    return READERS[kind]((CASES / name).read_bytes(), where)


def test_a_report_of_vitest_is_read() -> None:
    report = read("vitest", "vitest-4.1.12.json", places())
    file = "vt/t/a.test.ts"
    assert ended(report) == {
        (file, "outer inner passes here"): [PASSED],
        (file, "outer inner skipped one"): [SKIPPED],
        (file, "outer todo one"): [SKIPPED],
        (file, "outer fails"): [FAILED],
        (file, "top level"): [PASSED],
        (file, "each 1"): [PASSED],
        (file, "each 2"): [PASSED],
        (file, "flaky"): [INCONCLUSIVE],
        (file, "dup"): [PASSED, PASSED],
    }
    assert report.runs[0].title == "passes here"
    assert (report.success, report.started) == (False, datetime(2026, 11, 30, 8, 21, 43, 515000, UTC))


def test_a_report_of_jest_is_read() -> None:
    report = read("jest", "jest.json", places())
    file = "js/a.test.js"
    assert ended(report) == {
        (file, "flaky"): [INCONCLUSIVE],
        (file, "outer ok"): [PASSED],
        (file, "outer sk"): [SKIPPED],
        (file, "outer td"): [SKIPPED],
    }
    assert report.success


def test_a_report_of_pytest_names_files_by_their_modules() -> None:
    report = read("junit", "pytest-junit.xml", places("test_a.py", "src/b.py"))
    file = "test_a.py"
    assert ended(report) == {
        (file, "TestBox::test_in_class"): [PASSED],
        (file, "test_p[1]"): [PASSED],
        (file, "test_p[2]"): [PASSED],
        (file, "test_s"): [SKIPPED],
        (file, "test_xf"): [SKIPPED],
        (file, "test_xp"): [PASSED],
        (file, "test_f"): [FAILED],
        (file, "test_err"): [FAILED],
        (file, "test_tderr"): [FAILED],
    }
    assert report.runs[0].title == "test_in_class"
    assert (report.success, report.started) == (False, datetime(2026, 11, 30, 8, 22, 12, 434689, UTC))


@pytest.mark.parametrize(("kind", "name"), [("junit", "pytest-junit-xunit1.xml"), ("ctrf", "pytest-ctrf.json")])
def test_a_report_of_pytest_that_names_files_needs_no_guess(kind: str, name: str) -> None:
    found = ended(read(kind, name, places("pt/test_a.py", "other/pt/test_a.py", "pt/sub/test_b.py")))
    assert found["pt/test_a.py", "TestBox::test_in"] == [PASSED]
    assert found["pt/sub/test_b.py", "test_p[2]"] == [PASSED]
    assert found["pt/sub/test_b.py", "test_xf"] == [SKIPPED]
    assert found["pt/test_a.py", "test_err"] == [FAILED]
    assert FAILED in found["pt/test_a.py", "test_td"]


@pytest.mark.parametrize(
    ("paths", "told"),
    [
        ((), "no file fits"),
        (("test_a.md",), "no file fits"),
        (("a/test_a.py", "b/test_a.py"), "2 files fit, as a/test_a.py and b/test_a.py"),
    ],
)
def test_a_class_that_lies_in_no_file_or_in_several_is_refused_with_a_cure(paths: tuple[str, ...], told: str) -> None:
    with pytest.raises(ReportFault, match=f"{told}.*junit_family=xunit1"):
        read("junit", "pytest-junit.xml", places(*paths))


def test_the_file_that_most_of_a_name_is_of_counts() -> None:
    where = places("tests.py", "tests/test_a.py")
    assert where.of_class("tests.test_a.TestX") == "tests/test_a.py"
    assert where.of_class("tests.TestX") == "tests.py"
    assert places("src/test/java/com/e/BarTest.java").of_class("com.e.BarTest") == "src/test/java/com/e/BarTest.java"


@pytest.mark.parametrize(
    "name", ["/elsewhere/a.ts", "../a.ts", "/home/dev/project/../a.ts", "/home/dev/projects/a.ts", "", "C:/a"]
)
def test_a_file_outside_the_project_is_refused(name: str) -> None:
    with pytest.raises(ReportFault, match="outside the project"):
        places("a.ts").of(name)


@pytest.mark.parametrize(
    ("name", "path"), [("/home/dev/project/t/a.ts", "t/a.ts"), ("./t/a.ts", "t/a.ts"), ("t//a.ts", "t/a.ts")]
)
def test_a_file_is_named_from_the_root(name: str, path: str) -> None:
    assert places().of(name) == path


def changed(name: str, change: Callable[[Any], object]) -> bytes:
    document = json.loads((CASES / name).read_bytes())
    change(document)
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("vitest", changed("vitest-4.1.12.json", lambda said: said.update(success=True))),
        ("vitest", changed("vitest-4.1.12.json", lambda said: said.update(numPassedTests=8))),
        ("vitest", changed("vitest-4.1.12.json", lambda said: said["testResults"].pop(0))),
        ("vitest", changed("vitest-4.1.12.json", lambda said: said.update(startTime=-1))),
        ("vitest", changed("vitest-4.1.12.json", lambda said: said.update(startTime=1e300))),
        ("vitest", changed("vitest-4.1.12.json", lambda said: said.pop("startTime"))),
        ("vitest", changed("vitest-4.1.12.json", lambda said: said["testResults"][0].update(name="/elsewhere/a.ts"))),
        ("jest", changed("jest.json", lambda said: said.update(wasInterrupted=True))),
        ("jest", changed("jest.json", lambda said: said.update(numRuntimeErrorTestSuites=1))),
        ("jest", changed("jest.json", lambda said: said["testResults"][0]["assertionResults"][0].update(status="fine"))),
        ("ctrf", changed("pytest-ctrf.json", lambda said: said["results"]["tests"].pop())),
        ("ctrf", changed("pytest-ctrf.json", lambda said: said["results"]["tests"][0].pop("filePath"))),
        ("ctrf", changed("pytest-ctrf.json", lambda said: said.update(reportFormat="other"))),
        ("ctrf", b"[]"),
        ("jest", b'{"success": true, "success": false}'),
    ],
)
def test_a_report_that_is_none_or_contradicts_itself_is_refused(kind: str, data: bytes) -> None:
    with pytest.raises(ReportFault):
        READERS[kind](data, places())


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        ({}, PASSED),
        ({"retries": 1}, INCONCLUSIVE),
        ({"flaky": True}, INCONCLUSIVE),
        ({"retryAttempts": [{"attempt": 1}]}, INCONCLUSIVE),
        ({"status": "other"}, INCONCLUSIVE),
        ({"status": "pending"}, SKIPPED),
        ({"status": "failed", "retries": 2}, FAILED),
    ],
)
def test_a_retried_test_of_a_common_report_shows_nothing(more: dict[str, Any], outcome: Outcome) -> None:
    test = {"name": "works", "status": "passed", "duration": 1, "suite": ["outer", "inner"], "filePath": "a.ts", **more}
    counts = {name: int(test["status"] == name) for name in ("passed", "failed", "skipped", "pending", "other")}
    summary = {"tests": 1, **counts, "start": 1, "stop": 2}
    said = {
        "reportFormat": "CTRF",
        "specVersion": "1.0.0",
        "results": {"tool": {"name": "x"}, "summary": summary, "tests": [test]},
    }
    report = READERS["ctrf"](json.dumps(said).encode(), places())
    assert [(run.scenario, run.title, run.outcome) for run in report.runs] == [("outer inner works", "works", outcome)]
    assert report.success is (outcome is not FAILED and test["status"] != "other")


SUITE = '<testsuite name="s" timestamp="2026-12-01T05:00:00" {}>{}</testsuite>'


def junit(tests: str, counters: str = "") -> Report:
    return READERS["junit"](SUITE.format(counters, tests).encode(), places("a.test.ts"))


@pytest.mark.parametrize(
    ("inner", "outcome"),
    [
        ("", PASSED),
        ("<system-out>failure</system-out>", PASSED),
        ("<skipped/>", SKIPPED),
        ("<failure/>", FAILED),
        ("<error/>", FAILED),
        ("<flakyFailure/>", INCONCLUSIVE),
        ("<rerunFailure/><failure/>", FAILED),
        ("<rerun/>", INCONCLUSIVE),
        ("<properties><failure/></properties>", PASSED),
    ],
)
def test_what_stands_in_a_test_says_how_it_ended(inner: str, outcome: Outcome) -> None:
    assert [run.outcome for run in junit(f'<testcase name="x" file="a.test.ts">{inner}</testcase>').runs] == [outcome]


@pytest.mark.parametrize("attribute", ['status="notrun"', 'result="suppressed"', 'status="disabled"'])
def test_a_test_that_did_not_run_did_not_pass(attribute: str) -> None:
    assert junit(f'<testcase name="x" file="a.test.ts" {attribute}/>').runs[0].outcome is SKIPPED


def test_a_file_may_be_told_by_class_or_suite() -> None:
    assert junit('<testcase name="x > y" classname="a.test.ts"/>').runs[0].file == "a.test.ts"
    assert junit('<testsuite name="a.test.ts"><testcase name="x"/></testsuite>').runs[0].file == "a.test.ts"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<testsuite>",
        b"<html/>",
        b'<!DOCTYPE x [<!ENTITY a "b">]><testsuite/>',
        b"<testsuite/>",
        b"<testsuite><testcase/></testsuite>",
        b'<testsuite><testcase name="x" file="a.test.ts"/></testsuite>',
        b'<testsuite timestamp="soon"><testcase name="x" file="a.test.ts"/></testsuite>',
        b"<testsuites>" * 100,
        b'<?xml version="1.0" encoding="no-such"?><testsuite/>',
        SUITE.format('tests="2"', '<testcase name="x" file="a.test.ts"/>').encode(),
        SUITE.format('tests="1" failures="1"', '<testcase name="x" file="a.test.ts"/>').encode(),
        SUITE.format("", '<testcase name="x" file="/elsewhere"/>').encode(),
    ],
)
def test_xml_that_is_no_whole_report_is_refused(data: bytes) -> None:
    with pytest.raises(ReportFault):
        READERS["junit"](data, places("a.test.ts"))


@given(st.sampled_from(sorted(READERS)), st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(kind: str, data: bytes) -> None:
    with pytest.raises(ReportFault):
        READERS[kind](data, places())
