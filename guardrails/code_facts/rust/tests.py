"""Which tests Rust defines, by the attributes of its harness and of those that build on it (Change Contracts: fact clauses).

A test that is ignored is none. What may be a test and cannot be told for certain is a gap of its name, or of the file where a
table makes the names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.rust.attributes import Attribute, attributes
from guardrails.code_facts.rust.crates import Target
from guardrails.code_facts.rust.modules import Modules
from guardrails.code_facts.rust.survey import Declared, Survey
from guardrails.code_facts.trees import child

_TESTS: Final = frozenset({Kind.TEST_DEFINITION})
_ALSO: Final = frozenset({"rstest", "quickcheck", "test_case", "test_matrix"})
"""Attributes that make a test without saying so by the word alone."""
_TABLES: Final = frozenset({"case", "test_case", "test_matrix", "values", "files"})


def definitions(file: str, found: Survey, modules: Modules) -> Iterator[Occurrence | Blind]:
    """Functions of modules that an attribute makes a test, by their own names."""
    why = _unrun(file, modules)
    for one in found.declared:
        if one.node.type != "function_item" or not one.place.is_of_module:
            continue
        told = list(attributes(one.attributes))
        if any(attribute.path == ("ignore",) for attribute in told):
            continue
        if not any(_is_test(attribute) for attribute in told):
            if any(_may_be_test(attribute) for attribute in told):
                yield Blind(_TESTS, file, "an attribute may make a test", one.line, is_blocking=False, name=one.own)
            continue
        if why:
            yield Blind(_TESTS, file, why, one.line, is_blocking=False, name=one.own)
            continue
        if _is_table(one, told):
            yield Blind(_TESTS, file, "names of tests are made from a table", one.line)
        yield Occurrence(Kind.TEST_DEFINITION, file, one.own, f"{one.name}\0{found.form(*one.attributes, one.node)}", one.line)
    if found.documented:
        yield Blind(_TESTS, file, "examples in comments are tests that nobody reads", found.documented, is_blocking=False)


def _is_test(attribute: Attribute) -> bool:
    return attribute.path[-1:] == ("test",) or attribute.path[-1:] in {(word,) for word in _ALSO}


def _may_be_test(attribute: Attribute) -> bool:
    """Whether another attribute calls itself a test, or one stands under a condition."""
    name = attribute.path[-1] if attribute.path else ""
    return name.endswith("test") or (name == "cfg_attr" and attribute.given.endswith(("test)", "test,)")))


def _is_table(one: Declared, told: list[Attribute]) -> bool:
    parameters = child(one.node, "parameters")
    inner = [part for part in (parameters.named_children if parameters is not None else ()) if part.type == "attribute_item"]
    words = {attribute.path[-1] for attribute in (*told, *attributes(inner)) if attribute.path}
    return not words.isdisjoint(_TABLES)


def _unrun(file: str, modules: Modules) -> str:
    """Why no test of a file runs; "" where some crate runs them, or nothing tells of crates."""
    roots = [module.root for module in modules.at.get((file, ()), ())]
    if any(root.runs_tests and (root.target is not Target.LOOSE or root.package is None) for root in roots):
        return ""
    if all(root.target is Target.LOOSE for root in roots):
        return "no crate of the package reaches the file"
    return "its crate is not run as tests are"
