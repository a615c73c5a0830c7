"""Which tests Go defines, as `go test` names them, and what stays open."""

from __future__ import annotations

import pytest

from guardrails.code_facts.model import Kind
from guardrails.contracts import facts as judged
from guardrails.contracts.results import Status
from tests.facts import gaps, names, read, side

IMPORT = 'import "testing"'
FUNCTIONS = [
    ("func TestA(t *testing.T) {}", ["TestA"]),
    ("func Test(t *testing.T) {}", ["Test"]),
    ("func Test_a(_ *testing.T) {}", ["Test_a"]),
    ("func Test1(*testing.T) {}", ["Test1"]),
    ("func TestÉtat(t *testing.T) {}", ["TestÉtat"]),
    ("func Testing(t *testing.T) {}", []),
    ("func Testétat(t *testing.T) {}", []),
    ("func testA(t *testing.T) {}", []),
    ("func TestA(t *testing.T, n int) {}", []),
    ("func TestA(a, b *testing.T) {}", []),
    ("func TestA(t *testing.T) error { return nil }", []),
    ("func TestA[T any](t *testing.T) {}", []),
    ("func TestA(t testing.T) {}", []),
    ("func TestA(t *testing.B) {}", []),
    ("func TestA() {}", []),
    ("func (s *S) TestA(t *testing.T) {}", []),
    ("func TestMain(m *testing.M) {}", []),
    ("func BenchmarkA(b *testing.B) {}", ["BenchmarkA"]),
    ("func FuzzA(f *testing.F) {}", ["FuzzA"]),
    ("var TestA = func(t *testing.T) {}", []),
    ('func TestA(t *testing.T) { t.Skip("later") }', []),
    ("func TestA(t *testing.T) {\n\tt.Helper()\n\t// why\n\tt.Parallel()\n\tt.SkipNow()\n}", []),
    ("func TestA(t *testing.T) { if testing.Short() { t.Skip() } }", ["TestA"]),
    ("func TestA(t *testing.T) { f(); t.Skip() }", ["TestA"]),
    ("func ExampleA() {\n\tf()\n\t// Output: x\n}", ["ExampleA"]),
    ("func Example() {\n\tf()\n\t// Unordered output:\n\t// a\n\t// b\n}", ["Example"]),
    ("func ExampleA() {\n\tf() // why\n\t// Output: x\n}", ["ExampleA"]),
    ("func ExampleA() {\n\tf()\n\t/* Output:\n\tx */\n}", ["ExampleA"]),
    ("func ExampleA() {\n\tf() // Output: x\n}", ["ExampleA"]),
    ("func ExampleA() {\n\t// and\n\t// Output: x\n}", []),
    ("func ExampleA() {\n\t// Output: x\n\n\t// and\n}", []),
    ("func ExampleA() {\n\t// and\n\n\t// Output: x\n}", ["ExampleA"]),
    ("func ExampleA() { f() }", []),
    ("func ExampleA(x int) {\n\t// Output: x\n}", []),
    ("func Exampleb() {\n\t// Output: x\n}", []),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), FUNCTIONS)
def test_tests_are_what_go_test_runs(source: str, expected: list[str]) -> None:
    assert names(Kind.TEST_DEFINITION, {"m_test.go": f"package p\n\n{IMPORT}\n\n{source}\n"}) == expected


PLACES = [
    ("m_test.go", "package p", True),
    ("m_test.go", "package p_test", True),
    ("a/b/m_linux_test.go", "package b", True),
    ("m_test.go", "//go:build integration\n\npackage p", True),
    ("m_test.go", "//go:build ignore\n\npackage p", False),
    ("m.go", "package p", False),
    ("mtest.go", "package p", False),
    ("_test.go", "package p", False),
    ("testdata/m_test.go", "package p", False),
    ("vendor/a.b/c/m_test.go", "package c", False),
    ("_old/m_test.go", "package p", False),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("path", "clause", "is_test"), PLACES)
def test_tests_stand_where_go_test_looks(path: str, clause: str, is_test: bool) -> None:
    text = f"{clause}\n\n{IMPORT}\n\nfunc TestA(t *testing.T) {{}}\n"
    assert names(Kind.TEST_DEFINITION, {path: text}) == (["TestA"] if is_test else [])


IMPORTED = [
    ('import tt "testing"', "*tt.T", True),
    ('import . "testing"', "*T", True),
    ('import "testing"', "*T", False),
    ('import "mine/testing"', "*testing.T", False),
    ("", "*testing.T", False),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("imported", "given", "is_test"), IMPORTED)
def test_the_type_that_a_test_is_given_is_that_of_testing(imported: str, given: str, is_test: bool) -> None:
    text = f"package p\n\n{imported}\n\nfunc TestA(t {given}) {{}}\n"
    assert names(Kind.TEST_DEFINITION, {"m_test.go": text}) == (["TestA"] if is_test else [])
    named = [one.name for one in read({"m_test.go": text}).blind if Kind.TEST_DEFINITION in one.kinds]
    assert named == ([] if is_test else ["TestA"])


def within(body: str, given: str = "t *testing.T") -> dict[str, str]:
    return {"m_test.go": f"package p\n\n{IMPORT}\n\nfunc TestA({given}) {{\n\t{body}\n}}\n"}


FUNC = "func(t *testing.T) {}"
SUBTESTS = [
    (f't.Run("one", {FUNC})', ["TestA/one"]),
    (f't.Run("one two", {FUNC})', ["TestA/one_two"]),
    (f"t.Run(`a\tb`, {FUNC})", ["TestA/a_b"]),
    (f't.Run("a/b", {FUNC})', ["TestA/a/b"]),
    (f't.Run("\\x00\\u00e9\\u200b", {FUNC})', ["TestA/\\x00é\\u200b"]),
    (f't.Run("", {FUNC})', ["TestA/#00"]),
    ('t.Run("one", check)', ["TestA/one"]),
    ('t.Run("one", func(t *testing.T) { t.Run("in", func(t *testing.T) {}) })', ["TestA/one", "TestA/one/in"]),
    (
        't.Run("one", func(u *testing.T) { t.Run("out", check); u.Run("in", check) })',
        ["TestA/one", "TestA/one/in", "TestA/out"],
    ),
    (f'if x {{ t.Run("one", {FUNC}) }}', ["TestA/one"]),
    (f'for range 3 {{ t.Run("one", {FUNC}) }}', ["TestA/one"]),
    (f't.Run("a"+"b", {FUNC})', []),
    (f"t.Run(name, {FUNC})", []),
    (f'x.Run("one", {FUNC})', []),
    (f't := x; t.Run("one", {FUNC})', ["TestA/one"]),
    (f'{{ t := x; t.Run("one", {FUNC}) }}', []),
    (f'func(t *testing.T) {{ t.Run("one", {FUNC}) }}(t)', []),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("body", "expected"), SUBTESTS)
def test_subtests_are_told_by_the_names_that_go_test_gives_them(body: str, expected: list[str]) -> None:
    assert names(Kind.TEST_DEFINITION, within(body)) == ["TestA", *expected]


@pytest.mark.parametrize("given", ["_ *testing.T", "*testing.T"])
def test_who_gives_no_name_to_t_runs_no_subtests(given: str) -> None:
    assert names(Kind.TEST_DEFINITION, within('t.Run("one", check)', given)) == ["TestA"]


@pytest.mark.requirement("CC-12")
def test_benchmarks_run_others_within_themselves() -> None:
    text = 'package p\nimport "testing"\nfunc BenchmarkA(b *testing.B) { b.Run("n=1", func(b *testing.B) {}) }\n'
    assert names(Kind.TEST_DEFINITION, {"m_test.go": text}) == ["BenchmarkA", "BenchmarkA/n=1"]


def asked(files: dict[str, str], name: str) -> Status:
    return judged.defined(name, "m_test.go", side(files)).status


OPEN = [
    ("t.Run(name, check)", "TestA/x", Status.UNKNOWN),
    ("t.Run(name, check)", "TestB", Status.INCOMPLETE),
    ("t.Run(name, check)", "TestB/x", Status.INCOMPLETE),
    ("t.Run(name, check)", "TestA", Status.PASS),
    ("helper(t)", "TestA/x", Status.UNKNOWN),
    ("helper(t)", "TestB", Status.INCOMPLETE),
    ("x := t; _ = x", "TestA/x", Status.UNKNOWN),
    ("run := t.Run; _ = run", "TestA/x", Status.UNKNOWN),
    ('t.Errorf("x")', "TestA/x", Status.INCOMPLETE),
    ('t.Run("a", check)', "TestA/a", Status.PASS),
    ('t.Run("a", check)', "TestA/a/x", Status.UNKNOWN),
    ('t.Run("a", check)', "TestA/b", Status.INCOMPLETE),
    ('t.Run("a", func(t *testing.T) { helper(t) })', "TestA/a/x", Status.UNKNOWN),
    ('t.Run("a", func(t *testing.T) { helper(t) })', "TestA/b", Status.INCOMPLETE),
    ('t.Run("a", check); t.Run("a", check)', "TestA/a#01", Status.UNKNOWN),
    ('for range 3 { t.Run("a", check) }', "TestA/a#02", Status.UNKNOWN),
    ('for range 3 { t.Run("", func(t *testing.T) {}) }', "TestA/#00", Status.PASS),
    ('for range 3 { t.Run("", func(t *testing.T) {}) }', "TestA/#01", Status.UNKNOWN),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("body", "name", "status"), OPEN)
def test_only_subtests_stay_open_that_the_text_does_not_name(body: str, name: str, status: Status) -> None:
    assert asked(within(body), name) is status


def test_seeds_of_fuzz_tests_stay_open() -> None:
    files = {"m_test.go": f"package p\n\n{IMPORT}\n\nfunc FuzzA(f *testing.F) {{ f.Add(1) }}\n"}
    assert (asked(files, "FuzzA"), asked(files, "FuzzA/seed#0")) == (Status.PASS, Status.UNKNOWN)


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize("path", ["github.com/onsi/ginkgo/v2", "gopkg.in/check.v1"])
def test_a_framework_of_its_own_leaves_the_tests_of_its_file_open(path: str) -> None:
    text = f'package p\n\nimport . "{path}"\n\nvar _ = Describe("x", func() {{ It("y", func() {{}}) }})\n'
    assert [one.line for one in gaps(Kind.TEST_DEFINITION, {"m_test.go": text})] == [3]


@pytest.mark.requirement("CC-13")
def test_when_a_test_is_built_is_part_of_what_it_is() -> None:
    text = f"package p\n\n{IMPORT}\n\nfunc TestA(t *testing.T) {{}}\n"
    told = [read({"m_test.go": f"{head}{text}"}).facts for head in ("", "//go:build slow\n\n")]
    one, other = (next(fact for fact in facts if fact.kind is Kind.TEST_DEFINITION) for facts in told)
    assert (one.id, one.fingerprint) != (other.id, other.fingerprint)


def test_subtests_that_nest_without_end_are_told_within_bounds() -> None:
    body = 't.Run("a", func(t *testing.T) { ' * 200 + "})" * 200
    told = names(Kind.TEST_DEFINITION, within(body))
    assert len(told) == 17
    assert asked(within(body), "TestA" + "/a" * 17) is Status.UNKNOWN
