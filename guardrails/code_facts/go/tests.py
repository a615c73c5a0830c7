"""Which tests Go defines, by the rules of `go test`: functions, and subtests by their literal names (Change Contracts: fact
clauses).

A test that never runs is none. What a test hands its `t` to may run subtests that the text does not name; what a framework of
its own defines is a gap of its file.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.go.declarations import Declared, declaration, declared
from guardrails.code_facts.go.packages import Source
from guardrails.code_facts.go.survey import Call
from guardrails.code_facts.go.syntax import children, literal
from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.trees import child, first, line, written

_TESTS: Final = frozenset({Kind.TEST_DEFINITION})
_GIVEN: Final = {"Test": "T", "Benchmark": "B", "Fuzz": "F"}
"""What the functions of each kind are given a pointer to."""
_FRAMEWORKS: Final = (
    "github.com/onsi/ginkgo",
    "github.com/smartystreets/goconvey/convey",
    "gopkg.in/check.v1",
    "github.com/go-check/check",
)
_SKIPPING: Final = frozenset({"Skip", "Skipf", "SkipNow"})
_BEFORE: Final = frozenset({"Helper", "Parallel"})
_OUTPUT: Final = re.compile(r"\s*(?:unordered )?output:", re.IGNORECASE)
_SPACES: Final = frozenset("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {
    chr(code) for code in range(0x2000, 0x200B)
}
_CONTROLS: Final = {"\a": "\\a", "\b": "\\b"}
_DEEPEST: Final = 16
"""So many subtests within each other are told."""


def definitions(source: Source) -> Iterator[Occurrence | Blind]:
    """Tests, benchmarks, fuzz tests, and examples whose output is compared; subtests after a slash, as `go test` names them."""
    folders = source.folder.split("/") if source.folder else []
    is_passed_over = any(one in {"testdata", "vendor"} or one.startswith(("_", ".")) for one in folders)
    if not source.is_test or source.condition.is_never or is_passed_over:
        return
    for one in source.found.imports:
        if one.path.startswith(_FRAMEWORKS):
            yield Blind(_TESTS, source.path, "a framework of its own defines tests here", one.line)
    running: dict[int, str] = {}
    for told in declared(source.root):
        if told.node.type == "function_declaration" and told.name != "TestMain":
            yield from _function(source, told, running)
    yield from _subtests(source, running)


def _function(source: Source, told: Declared, running: dict[int, str]) -> Iterator[Occurrence | Blind]:
    """What one function is to `go test`; what runs with a `t` of its own is noted in `running`."""
    kind = next((kind for kind in (*_GIVEN, "Example") if _is_called(told.name, kind)), None)
    if kind == "Example":
        if _has_output(told.node, source):
            yield _occurrence(source, told.name, told.node)
    elif kind is not None and not _is_given(told.node, source, _GIVEN[kind]):
        reason = "a function is called like a test and is not given what `go test` gives"
        yield Blind(_TESTS, source.path, reason, line(told.node), is_blocking=False, name=told.name)
    elif kind is not None and not _is_skipped(told.node):
        running[told.node.id] = told.name
        yield _occurrence(source, told.name, told.node)
        if kind == "Fuzz":
            yield _below(source, {f"{told.name}/": line(told.node)}, "seeds are named by files and numbers")


def _subtests(source: Source, running: dict[int, str]) -> Iterator[Occurrence | Blind]:
    """What tests run within themselves; `running` grows by the functions that are given to subtests."""
    named: dict[str, int] = {}
    elsewhere: dict[str, int] = {}
    for call in source.found.calls:
        above = _run(call, running)
        if above is None:
            continue
        arguments = child(call.node, "arguments")
        given = [one for one in arguments.named_children if one.type != "comment"] if arguments is not None else []
        said = literal(given[0]) if given else None
        name = f"{above}/{_rewritten(said) or '#00'}" if said is not None else ""
        if not name or name.count("/") > _DEEPEST:
            yield _below(source, {f"{above}/": line(call.node)}, "the name of a subtest is computed", is_blocking=True)
            continue
        yield _occurrence(source, name, call.node)
        named.setdefault(f"{name}#" if said else f"{above}/#", line(call.node))
        function = source.found.given.get(call.node.id)
        if function is not None:
            running[function] = name
        else:
            elsewhere.setdefault(f"{name}/", line(call.node))
    handed = {f"{running[function]}/": at for function, at in source.found.handed.items() if function in running}
    for names, reason in (
        (named, "a subtest that runs again under its name gets a number"),
        (elsewhere, "what a subtest does stands elsewhere"),
        (handed, "what tests are handed to may run subtests"),
    ):
        if names:
            yield _below(source, names, reason)


def _run(call: Call, running: Mapping[int, str]) -> str | None:
    """The test whose `Run` is called; None where something else is."""
    function = child(call.node, "function")
    name = child(function, "field") if function is not None and function.type == "selector_expression" else None
    operand = child(function, "operand") if function is not None else None
    is_run = name is not None and written(name) == "Run" and operand is not None and operand.type == "identifier"
    return running.get(call.head.function) if is_run and call.head is not None else None


def _is_called(name: str, kind: str) -> bool:
    rest = name.removeprefix(kind)
    return name.startswith(kind) and (not rest or unicodedata.category(rest[0]) != "Ll")


def _is_given(node: Node, source: Source, wanted: str) -> bool:
    """Whether a function is given one pointer to a type of `testing`, and gives nothing back."""
    parameters = child(node, "parameters")
    given = [one for one in parameters.named_children if one.type != "comment"] if parameters is not None else []
    if child(node, "result") is not None or child(node, "type_parameters") is not None or len(given) != 1:
        return False
    typed = child(given[0], "type")
    if len(children(given[0], "name")) > 1 or typed is None or typed.type != "pointer_type":
        return False
    inner = next((one for one in typed.named_children if one.type != "comment"), None)
    names = {one.name or "testing" for one in source.found.imports if one.path == "testing"}
    if inner is None or inner.type == "type_identifier":
        return inner is not None and "." in names and written(inner) == wanted
    package, name = child(inner, "package"), child(inner, "name")
    return package is not None and name is not None and written(package) in names and written(name) == wanted


def _is_skipped(node: Node) -> bool:
    """Whether a test begins by skipping itself, without a condition."""
    parameters, body = child(node, "parameters"), child(node, "body")
    own = [
        written(name) for one in (parameters.named_children if parameters is not None else ()) for name in children(one, "name")
    ]
    statements = first(body, "statement_list") if body is not None else None
    for one in statements.named_children if statements is not None else ():
        call = first(one, "call_expression") if one.type == "expression_statement" else None
        function = child(call, "function") if call is not None else None
        operand, name = (child(function, "operand"), child(function, "field")) if function is not None else (None, None)
        if one.type == "comment":
            continue
        if operand is None or name is None or written(operand) not in own:
            return False
        if written(name) in _SKIPPING:
            return True
        if written(name) not in _BEFORE:
            return False
    return False


def _has_output(node: Node, source: Source) -> bool:
    """Whether an example ends in a comment that tells its output; others are built and not run."""
    parameters, body = child(node, "parameters"), child(node, "body")
    if body is None or parameters is None or parameters.named_child_count or child(node, "result") is not None:
        return False
    comments = source.found.comments
    at = bisect_left(comments, body.end_byte, key=lambda one: one.start_byte) - 1
    if at < 0 or comments[at].start_byte < body.start_byte:
        return False
    while at and comments[at - 1].start_byte > body.start_byte and _is_one(comments[at - 1], comments[at], source.data):
        at -= 1
    return _OUTPUT.match(written(comments[at])[2:]) is not None


def _is_one(one: Node, other: Node, text: bytes) -> bool:
    """Whether two comments are one text: on lines that follow each other, the first with nothing before it on its line."""
    is_near = other.start_point[0] - one.end_point[0] < 2 and not text[one.end_byte : other.start_byte].strip()
    return is_near and not text[text.rfind(b"\n", 0, one.start_byte) + 1 : one.start_byte].strip()


def _rewritten(name: str) -> str:
    """A name as `go test` shows it: no spaces, and nothing that cannot be printed."""
    return "".join("_" if one in _SPACES else one if one.isprintable() else _quoted(one) for one in name)


def _quoted(one: str) -> str:
    code = ord(one)
    if one in _CONTROLS:
        return _CONTROLS[one]
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _below(source: Source, names: Mapping[str, int], reason: str, *, is_blocking: bool = False) -> Blind:
    """That tests whose names begin with those of `names` may be there; a person looks at the first line."""
    return Blind(_TESTS, source.path, reason, min(names.values()), is_blocking=is_blocking, below=tuple(names))


def _occurrence(source: Source, name: str, node: Node) -> Occurrence:
    return declaration(Kind.TEST_DEFINITION, source, name, source.found.form(node), node)
