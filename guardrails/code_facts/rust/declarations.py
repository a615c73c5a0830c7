"""What Rust declares: items by their names (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.code_facts.model import Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.rust.places import Place
from guardrails.code_facts.rust.survey import Survey
from guardrails.code_facts.trees import child, first


def symbols(file: str, found: Survey) -> Iterator[Occurrence]:
    """Items, also in functions, and members of traits and of types; bodies, attributes and the head of an `impl` count."""
    for one in found.declared:
        value = found.form(*one.attributes, one.node)
        if one.place.is_member and one.place.impl is not None:
            value = f"{head(one.place, found)}\n{value}"
        yield Occurrence(Kind.SYMBOL, file, one.name, value, one.line)


def head(place: Place, found: Survey) -> str:
    """What an `impl` says before its body: trait, type, parameters, and what must hold of these."""
    node = place.impl
    if node is None:
        return ""
    parts = (child(node, "type_parameters"), child(node, "trait"), child(node, "type"), first(node, "where_clause"))
    negated = "!" if any(one.type == "!" for one in node.children) else ""
    return "\n".join(["impl", negated, *(found.form(one) for one in parts)])
