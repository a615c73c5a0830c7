"""Reports of `go test`: which file a test is of, by its package and its name (Change Contracts: evidence)."""

from __future__ import annotations

import json

import pytest

from guardrails.contracts.test_reports import READERS, Outcome, Places, Report, ReportFault

pytestmark = pytest.mark.requirement("CC-14")


def defining(package: str, *functions: str) -> str:
    given = {"Test": "T", "Benchmark": "B"}
    told = (f"func {kind}{name}(_ *testing.{given[kind]}) {{}}" for kind, name in (one.split() for one in functions))
    return "\n\n".join((f"package {package}", 'import "testing"', *told, ""))


TEXTS = {
    "go.mod": "module example.com/shop\n",
    "basket/basket.go": "package basket\n",
    "basket/put_test.go": defining("basket", "Test Put"),
    "basket/take_test.go": defining("basket_test", "Test Take", "Benchmark Take"),
    "root_test.go": defining("shop", "Test Put"),
    "basket/a_linux_test.go": defining("basket", "Test On"),
    "basket/a_windows_test.go": defining("basket", "Test On"),
    "basket/later_test.go": 'package basket\n\nimport "testing"\n\nfunc TestLater(t *testing.T) { t.Skip("later") }\n',
    "tool/go.mod": "module example.com/shop/tool\n",
    "tool/t_test.go": defining("tool", "Test Tool"),
}
PLACES = Places("/home/dev/shop", frozenset(TEXTS), TEXTS)
SHOP = "example.com/shop"


def junit(package: str, name: str, suite: str = "", inner: str = "") -> bytes:
    case = f'<testcase classname="{package}" name="{name}" time="0.1">{inner}</testcase>'
    whole = f'<testsuite name="{suite or package}" tests="1" timestamp="2026-12-01T10:00:00Z">{case}</testsuite>'
    return f"<testsuites>{whole}</testsuites>".encode()


def ctrf(package: str, name: str, file: str | None = None) -> bytes:
    test = {"name": name, "status": "passed", "duration": 1, "suite": [package], **({"filePath": file} if file else {})}
    counts = {"tests": 1, "passed": 1, "failed": 0, "pending": 0, "skipped": 0, "other": 0, "start": 1764583200000, "stop": 0}
    return json.dumps({"results": {"tool": {"name": "gotest"}, "summary": counts, "tests": [test]}}).encode()


def told(report: Report) -> tuple[str, str, str, Outcome]:
    (run,) = report.runs
    return run.file, run.scenario, run.title, run.outcome


TESTS = [
    (f"{SHOP}/basket", "TestPut", "basket/put_test.go"),
    (f"{SHOP}/basket", "TestPut/one_apple", "basket/put_test.go"),
    (f"{SHOP}/basket", "TestTake/a/b", "basket/take_test.go"),
    (f"{SHOP}/basket", "BenchmarkTake-8", "basket/take_test.go"),
    (f"{SHOP}/basket", "TestLater", "basket/later_test.go"),
    (SHOP, "TestPut", "root_test.go"),
    (f"{SHOP}/tool", "TestTool", "tool/t_test.go"),
]


@pytest.mark.parametrize(("package", "name", "file"), TESTS)
def test_a_test_is_of_the_file_that_defines_it_in_its_package(package: str, name: str, file: str) -> None:
    expected = (file, name, name, Outcome.PASSED)
    assert told(READERS["junit"](junit(package, name), PLACES)) == expected
    assert told(READERS["ctrf"](ctrf(package, name), PLACES)) == expected


def test_a_short_name_of_a_class_gives_way_to_the_path_of_the_suite() -> None:
    report = READERS["junit"](junit("basket", "TestPut", f"{SHOP}/basket"), PLACES)
    assert told(report)[0] == "basket/put_test.go"


def test_how_a_test_ended_is_kept() -> None:
    report = READERS["junit"](junit(f"{SHOP}/basket", "TestPut", inner='<failure message="Failed"/>'), PLACES)
    assert (told(report)[3], report.success) == (Outcome.FAILED, False)


def test_the_package_decides_over_a_file_that_is_guessed_by_a_name() -> None:
    assert told(READERS["ctrf"](ctrf(SHOP, "TestPut", "basket/put_test.go"), PLACES))[0] == "root_test.go"


@pytest.mark.parametrize("kind", ["junit", "ctrf"])
@pytest.mark.parametrize(
    ("name", "message"), [("TestNowhere", "no file of the package that can be read defines"), ("TestOn", "2 files define")]
)
def test_a_test_that_no_file_alone_defines_is_refused(kind: str, name: str, message: str) -> None:
    data = junit(f"{SHOP}/basket", name) if kind == "junit" else ctrf(f"{SHOP}/basket", name)
    with pytest.raises(ReportFault, match=message):
        READERS[kind](data, PLACES)


def test_a_package_of_another_module_is_none_of_ours() -> None:
    with pytest.raises(ReportFault, match="no file fits"):
        READERS["junit"](junit("example.com/other", "TestPut"), PLACES)
    with pytest.raises(ReportFault, match="no filePath"):
        READERS["ctrf"](ctrf("example.com/other", "TestPut"), PLACES)


def test_a_package_that_two_modules_have_is_not_chosen() -> None:
    texts = {**TEXTS, "copy/go.mod": "module example.com/shop\n", "copy/basket/put_test.go": TEXTS["basket/put_test.go"]}
    with pytest.raises(ReportFault):
        READERS["junit"](junit(f"{SHOP}/basket", "TestPut"), Places("/home/dev/shop", frozenset(texts), texts))
