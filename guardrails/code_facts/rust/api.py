"""What Rust offers to others: what is `pub` on a way from the root of a library (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.rust.attributes import attributes
from guardrails.code_facts.rust.calls import Calls
from guardrails.code_facts.rust.crates import Target
from guardrails.code_facts.rust.declarations import head
from guardrails.code_facts.rust.modules import Module, Modules, Names
from guardrails.code_facts.rust.resolution import UNKNOWN, External, Item, Resolver, Space, is_local
from guardrails.code_facts.rust.survey import Declared, Survey, Use
from guardrails.code_facts.rust.syntax import visibility
from guardrails.code_facts.trees import child, written

MAX_WAYS: Final = 8
"""A module that is offered under so many names is offered under no more."""
_API: Final = frozenset({Kind.API})
_TELLING: Final = frozenset({"cfg", "deprecated", "derive", "must_use", "non_exhaustive", "repr", "target_feature"})
"""Attributes that others see; the rest is told of the symbol alone."""
_NONE: Final = Names()


@dataclass(slots=True)
class Api:
    """What the libraries of a snapshot offer, by the path from their root."""

    surveys: Mapping[str, Survey]
    resolver: Resolver
    calls: Calls
    offered: dict[tuple[str, tuple[str, ...], Declared], None] = field(default_factory=dict)
    """Items by their file, and the names of the path that leads to them."""
    passed: dict[tuple[str, tuple[str, ...]], tuple[Use, tuple[str, ...]]] = field(default_factory=dict)
    """What comes from elsewhere and is passed on: by whom, and what it is."""
    libraries: list[str] = field(default_factory=list)
    gaps: dict[Blind, None] = field(default_factory=dict)

    def tell(self) -> Iterator[Occurrence | Blind]:
        """Walk through every library from its root, and tell what is met."""
        modules = self.resolver.modules
        for file, top in modules.roots.items():
            if top.root.target is Target.LIBRARY or (top.root.target is Target.LOOSE and _is_library(file, modules)):
                self.libraries.append(file)
                self._walk(top)
        for file, path, item in self.offered:
            yield from self._item(file, path, item)
        for (file, path), (use, whole) in self.passed.items():
            yield Occurrence(Kind.API, file, ".".join(path), "use\0" + "::".join(whole), use.line)
        yield from self._macros()
        for file, line, words in self.calls.unplaced:
            yield Blind(_API, file, "what has functions here may be one of several types", line, words=words)
        yield from self.gaps

    def _walk(self, top: Module) -> None:
        """Breadth first, so that the shortest ways are those that are told; no way goes through a module twice."""
        waiting: deque[tuple[Module, tuple[str, ...], tuple[Module, ...]]] = deque([(top, (), (top,))])
        ways: dict[Module, set[tuple[str, ...]]] = {}
        while waiting:
            module, path, around = waiting.popleft()
            known = ways.setdefault(module, set())
            if path in known:
                continue
            if len(known) >= MAX_WAYS:
                self.gaps[Blind(_API, module.file, f"a module is offered under more than {MAX_WAYS} names")] = None
                continue
            known.add(path)
            for inner, name in self._offer(module, path):
                if inner not in around:
                    waiting.append((inner, (*path, *name), (*around, inner)))

    def _offer(self, module: Module, path: tuple[str, ...]) -> Iterator[tuple[Module, tuple[str, ...]]]:
        """Keep what a module offers below `path`; the modules among that, each with the name that it adds."""
        names = self.resolver.modules.names.get((module.file, module.inner), _NONE)
        for own, told in names.items.items():
            for one in told:
                if visibility(one.node) != "pub" or _is_of_tests(one):
                    continue
                if one.node.type == "mod_item":
                    children = self.resolver.modules.children.get(module, {}).get(own, ())
                    yield from ((inner, (own,)) for inner in children)
                elif one.node.type != "macro_definition":
                    self.offered[module.file, (*path, own), one] = None
        for use in (*(use for told in names.uses.values() for use in told), *names.globs):
            if use.visibility == "pub" and use.alias != "_":
                yield from self._pass(module, path, use)

    def _pass(self, module: Module, path: tuple[str, ...], use: Use) -> Iterator[tuple[Module, tuple[str, ...]]]:
        own = () if use.alias == "*" else (use.alias,)
        spaces = (Space.TYPE,) if use.alias == "*" else tuple(Space)
        found = {one: None for space in spaces for one in self.resolver.find(module, use.path, space, is_use=True)}
        if len(found) > 1:
            # What is found in one of these may be open in the others, where nobody expects it.
            found.pop(UNKNOWN, None)
        if not found:
            found = {UNKNOWN if is_local(use.path) else External(use.path): None}
        for one in found:
            if isinstance(one, Module):
                yield one, own
            elif isinstance(one, Item) and not one.member and own:
                if one.declared.node.type != "macro_definition":
                    self.offered[one.module.file, (*path, *own), one.declared] = None
            elif isinstance(one, External) and one != UNKNOWN and own:
                self.passed.setdefault((module.file, (*path, *own)), (use, one.path))
            elif isinstance(one, Item) and own:
                item = (one.module.file, one.declared.name, *one.member)
                self.passed.setdefault((module.file, (*path, *own)), (use, item))
            elif isinstance(one, Item):
                self.passed.setdefault((module.file, (*path, "*")), (use, (one.module.file, one.declared.name)))
            else:
                name = ".".join((*path, *own)) if own and use.alias != "*" else None
                reason = "what is passed on comes from where nobody reads"
                below = () if name is None else (f"{name}.",)
                self.gaps[Blind(_API, module.file, reason, use.line, name=name, below=below)] = None

    def _item(self, file: str, path: tuple[str, ...], item: Declared) -> Iterator[Occurrence]:
        found = self.surveys[file]
        name = ".".join(path)
        yield Occurrence(Kind.API, file, name, _outline(item, found), item.line)
        for own, told in self.calls.members.get((file, item.name), {}).items():
            for place, one in told:
                if visibility(one.node) == "pub":
                    value = f"{head(one.place, self.surveys[place])}\n{_outline(one, self.surveys[place])}"
                    yield Occurrence(Kind.API, place, f"{name}.{own}", value, one.line)

    def _macros(self) -> Iterator[Occurrence]:
        for file in self.libraries:
            for name, told in self.resolver.modules.exported.get(file, {}).items():
                for module, one in told:
                    rules = [child(rule, "left") for rule in one.node.named_children if rule.type == "macro_rule"]
                    value = f"macro\n{self.surveys[module.file].form(*rules)}"
                    yield Occurrence(Kind.API, module.file, name, value, one.line)


def _outline(item: Declared, found: Survey) -> str:
    """What others may rely on: of functions all but their bodies and the names of parameters, of types what is public."""
    node = item.node
    telling = [one for one in item.attributes if any(told.path[:1] and told.path[0] in _TELLING for told in attributes((one,)))]
    parts: list[str] = [found.form(*telling), node.type]
    for one in node.children:
        kind = one.type
        if kind in {"block", "attribute_item", "line_comment", "block_comment", "="} or one == child(node, "value"):
            continue
        if kind == "parameters":
            parts += [_parameter(part, found) for part in one.named_children]
        elif kind in {"field_declaration_list", "ordered_field_declaration_list"} and node.type != "enum_item":
            parts += _fields(one, found)
        elif kind == "declaration_list":
            parts += [_promise(part, found) for part in one.named_children]
        else:
            parts.append(found.form(one))
    return "\n".join(parts)


def _parameter(part: Node, found: Survey) -> str:
    type_ = child(part, "type")
    return found.form(type_ if part.type == "parameter" and type_ is not None else part) if part.id in found.stretches else ""


def _fields(body: Node, found: Survey) -> list[str]:
    """The public fields, and whether there are others: those keep a type from being made by its fields."""
    told: list[str] = []
    is_closed = False
    if body.type == "field_declaration_list":
        for one in body.named_children:
            if one.type == "field_declaration" and visibility(one) == "pub":
                told.append(found.form(one))
            is_closed = is_closed or (one.type == "field_declaration" and visibility(one) != "pub")
        return [*told, "closed" if is_closed else ""]
    seen = False
    for one in body.named_children:
        if one.type == "visibility_modifier":
            seen = written(one) == "pub"
        elif one.type not in {"attribute_item", "line_comment", "block_comment"}:
            told.append(found.form(one) if seen else "_")
            seen = False
    return told


def _promise(part: Node, found: Survey) -> str:
    """A member of a trait: all but its body, but whether it has one."""
    if part.id not in found.stretches:
        return ""
    body = child(part, "body") if part.type == "function_item" else None
    if body is None:
        return found.form(part)
    return "\n".join(("default", *(found.form(one) for one in part.children if one != body and one.id in found.stretches)))


def _is_of_tests(one: Declared) -> bool:
    return any(told.path == ("cfg",) and told.given == "(test)" for told in attributes(one.attributes))


def _is_library(file: str, modules: Modules) -> bool:
    return file.rpartition("/")[2] == "lib.rs" and modules.crates.around(file) is None
