"""What Python calls, by its text and, where names alone tell it, by what is meant (Change Contracts: fact clauses)."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.python.modules import Modules, specifiers
from guardrails.code_facts.python.survey import Place, Scope, Survey, is_empty_part

_LINKS: Final = 32
"""So many imports are followed from one name to where it is declared."""
_MOST: Final = 32
"""So many links of one chain are told; what stands before them is left out."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What a name of a module is: declared there, or imported as a module or as a member of one."""

    is_declared: bool = False
    dotted: str = ""
    level: int = 0
    member: str | None = None


@dataclass(slots=True)
class Names:
    """The names of one module that mean one thing only, and the modules that it takes all names from."""

    bound: dict[str, Bound] = field(default_factory=dict)
    stars: list[tuple[str, int]] = field(default_factory=list)


def callee(node: ast.expr) -> str:
    """What is called, as people write it: arguments and indices are left out of it."""
    ends: list[str] = []
    while len(ends) < _MOST:
        if isinstance(node, ast.Attribute):
            ends.append(f".{node.attr}")
            node = node.value
        elif isinstance(node, ast.Call):
            ends.append("(...)" if node.args or node.keywords else "()")
            node = node.func
        elif isinstance(node, ast.Subscript):
            ends.append("[...]")
            node = node.value
        else:
            break
    return (_head(node) + "".join(reversed(ends))).lstrip()


def call_sites(file: str, found: Survey) -> Iterator[Occurrence]:
    """Every call, by whoever owns it."""
    for call, place in found.calls:
        name = callee(call.func)
        yield Occurrence(Kind.CALL_SITE, file, name, own_text(call), call.lineno, _owner(file, place), name)


def own_text(call: ast.Call) -> str:
    """The normal form of a call without the calls and functions in it: those are facts of their own."""
    told: list[str] = []
    waiting: list[object] = list(reversed(["Call", callee(call.func), *call.args, *call.keywords]))
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, ast.Call):
            told.append(f"<{callee(thing.func)}>")
        elif isinstance(thing, ast.Lambda):
            told.append("<lambda>")
        elif isinstance(thing, ast.AST):
            told.append(type(thing).__name__)
            parts = [(name, getattr(thing, name, None)) for name in thing._fields if name not in {"ctx", "kind"}]
            waiting.append(_END)
            for name, value in reversed(parts):
                values = value if isinstance(value, list) else [value]
                waiting.extend(one for one in reversed(values) if not is_empty_part(thing, one))
                waiting.append(_Word(name))
        elif isinstance(thing, _Word):
            told.append(thing.text)
        else:
            told.append(hex(thing) if type(thing) is int else repr(thing))
    return "\0".join(told)


def names(tree: ast.Module, found: Survey) -> Names:
    """What the names of a module mean."""
    result = Names()
    met: dict[str, list[Bound]] = {}
    for node, place in found.declared:
        if place.is_top:
            met.setdefault(node.name, []).append(Bound(is_declared=True))
    for statement, place in found.imports:
        if place.is_top:
            _import(statement, met, result.stars)
    for assigned, name, place in found.assigned:
        if place.is_top and isinstance(getattr(assigned, "value", None), ast.Lambda):
            met.setdefault(name, []).append(Bound(is_declared=True))
    often = found.bound.get(tree, Counter())
    for name, told in met.items():
        if often[name] == len(told) and len(set(told)) == 1 and name not in found.of_module:
            result.bound[name] = told[0]
    return result


def _import(node: ast.Import | ast.ImportFrom, met: dict[str, list[Bound]], stars: list[tuple[str, int]]) -> None:
    for alias, (_, dotted, level, member) in zip(node.names, specifiers(node), strict=True):
        if member == "*":
            stars.append((dotted, level))
        elif member is None and alias.asname is None:
            top = dotted.partition(".")[0]
            met.setdefault(top, []).append(Bound(dotted=top))
        else:
            met.setdefault(alias.asname or alias.name, []).append(Bound(dotted=dotted, level=level, member=member))


@dataclass(frozen=True, slots=True)
class Calls:
    """Resolves calls over the modules of a snapshot."""

    modules: Modules
    names: Mapping[str, Names]

    def resolved(self, file: str, found: Survey) -> Iterator[Occurrence | Blind]:
        """Calls of functions and classes at the top of a local module, wherever their names come from."""
        missed = 0
        for call, place in found.calls:
            path = dotted_path(call.func)
            target = self._target(file, found, path, place) if path else None
            if target is None:
                missed += 1
            else:
                yield Occurrence(Kind.RESOLVED_CALL, file, target, own_text(call), call.lineno, _owner(file, place), target)
        if missed:
            reason = f"{missed} calls lead to methods, values, or code outside that text alone does not tell"
            yield Blind(frozenset({Kind.RESOLVED_CALL}), file, reason, is_blocking=False)

    def _target(self, file: str, found: Survey, path: list[str], place: Place) -> str | None:
        inner = place.scopes[1:]
        for index, scope in enumerate(reversed(inner)):
            if isinstance(scope, ast.ClassDef) and index:
                continue
            if path[0] in found.bound.get(scope, ()):
                return self._local(file, found, path, scope)
        return self._follow(file, path, _LINKS)

    def _local(self, file: str, found: Survey, path: list[str], scope: Scope) -> str | None:
        """A name that a function binds once, by an import."""
        met: dict[str, list[Bound]] = {}
        for node, place in found.imports:
            if place.scopes[-1] is scope:
                _import(node, met, [])
        told = met.get(path[0], [])
        if len(told) != 1 or found.bound[scope][path[0]] != 1:
            return None
        return self._through(file, told[0], path, _LINKS)

    def _follow(self, file: str, path: list[str], links: int) -> str | None:
        """Where `path` leads in the module `file`."""
        known = self.names.get(file)
        if known is None or not links:
            return None
        bound = known.bound.get(path[0])
        if bound is not None:
            return self._through(file, bound, path, links)
        starred = {self._follow(self.modules.reach(file, *star).module, path, links - 1) for star in known.stars}
        starred.discard(None)
        return starred.pop() if len(starred) == 1 else None

    def _through(self, file: str, bound: Bound, path: list[str], links: int) -> str | None:
        if bound.is_declared:
            return f"{file}#{path[0]}" if len(path) == 1 else None
        if bound.member is not None:
            reached = self.modules.reach(file, bound.dotted, bound.level)
            below = self.modules.member(reached, bound.member) if reached.is_whole else None
            if below is not None:
                return self._follow(below, path[1:], links - 1) if len(path) > 1 else None
            return self._follow(reached.module, [bound.member, *path[1:]], links - 1) if reached.is_whole else None
        # The longest start of the path that is a module; what follows is one of its names.
        written = bound.dotted.split(".")
        for end in range(len(path) - 1, 0, -1):
            reached = self.modules.reach(file, ".".join([*written, *path[1:end]]))
            if reached.is_whole and reached.module:
                return self._follow(reached.module, path[end:], links - 1)
        return None


def dotted_path(node: ast.expr) -> list[str]:
    """The names of `a.b.c`, none for anything else."""
    path: list[str] = []
    while isinstance(node, ast.Attribute):
        path.append(node.attr)
        node = node.value
    return [*path, node.id][::-1] if isinstance(node, ast.Name) else []


@dataclass(frozen=True, slots=True)
class _Word:
    text: str


_END: Final = _Word(")")


def _head(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= 40:
        return repr(node.value)
    return "(...)"


def _owner(file: str, place: Place) -> str:
    return f"{file}#{place.owner}" if place.names else file
