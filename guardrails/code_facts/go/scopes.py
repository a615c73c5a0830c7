"""What names mean inside of functions of Go: exactly the scopes of the language (Change Contracts: fact clauses)."""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node

from guardrails.code_facts.trees import child, written


@dataclass(frozen=True, slots=True)
class Binding:
    """What a function binds a name to. `function` is the node that has it as a parameter, 0 for all else.

    `name` is the type that it is declared with, itself or by a pointer, "" where that is not one name; `package` is the name
    that the file knows the package of the type by, "" for its own.
    """

    function: int = 0
    package: str = ""
    name: str = ""


OPAQUE = Binding()


@dataclass(slots=True)
class Scopes:
    """The names that are bound at one place of a walk."""

    held: dict[str, list[Binding]] = field(default_factory=dict)
    frames: list[set[str]] = field(default_factory=list)

    def enter(self) -> None:
        """Open a scope."""
        self.frames.append(set())

    def leave(self) -> None:
        """Forget what the innermost scope binds."""
        for name in self.frames.pop():
            self.held[name].pop()

    def bind(self, name: str, binding: Binding = OPAQUE) -> None:
        """Bind a name in the innermost scope; outside of functions, and for `_`, that says nothing."""
        if not self.frames or name == "_":
            return
        if name in self.frames[-1]:
            self.held[name].pop()
        self.frames[-1].add(name)
        self.held.setdefault(name, []).append(binding)

    def look(self, name: str) -> Binding | None:
        """What a name means here; None where no function binds it."""
        told = self.held.get(name)
        return told[-1] if told else None

    def is_here(self, name: str) -> bool:
        """Whether the innermost scope itself binds a name."""
        return bool(self.frames) and name in self.frames[-1]

    def typed(self, node: Node | None, function: int = 0) -> Binding:
        """The binding of what is declared with the type `node`, as far as one name tells it."""
        if node is not None and node.type == "pointer_type":
            node = next((one for one in node.children if one.is_named and one.type != "comment"), None)
        if node is not None and node.type == "generic_type":
            node = child(node, "type")
        if node is not None and node.type == "type_identifier":
            name = written(node)
            return Binding(function, "", "" if self.look(name) else name)
        if node is not None and node.type == "qualified_type":
            package, inner = child(node, "package"), child(node, "name")
            if package is not None and inner is not None and self.look(written(package)) is None:
                return Binding(function, written(package), written(inner))
        return Binding(function)

    def valued(self, node: Node | None) -> Binding:
        """The binding of what gets the value `node`: a literal names its type."""
        if node is not None and node.type == "unary_expression":
            operator, node = child(node, "operator"), child(node, "operand")
            if operator is None or written(operator) != "&":
                return OPAQUE
        return self.typed(child(node, "type")) if node is not None and node.type == "composite_literal" else OPAQUE
