"""What Python calls, by its text and, where names alone tell it, by what is meant (Change Contracts: fact clauses)."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.python.modules import Modules, specifiers
from guardrails.code_facts.python.survey import Place, Scope, Survey, is_empty_part

_LINKS: Final = 32
"""So many imports are followed from one name to where it is declared."""
_STEPS: Final = 1_000_000
"""So many modules are looked at in one snapshot, each as often as it is; what calls are left lead nowhere that is known."""
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


@dataclass(frozen=True, slots=True)
class Called:
    """One call by its text, and what its own file tells of where it leads.

    `path` is empty where that is no name, or one that a scope around binds otherwise than by one import, which `bound` is.
    """

    name: str
    text: str
    line: int
    owner: str
    path: tuple[str, ...]
    bound: Bound | None


def calls(file: str, found: Survey) -> Iterator[Called]:
    """Every call, by whoever owns it."""
    inner: dict[Scope, dict[str, list[Bound]]] = {}
    for statement, place in found.imports:
        _import(statement, inner.setdefault(place.scopes[-1], {}), [])
    for call, place in found.calls:
        path, bound = dotted_path(call.func), None
        scope = _binding(path[0], found, place) if path else None
        if scope is not None:
            told = inner.get(scope, {}).get(path[0], [])
            is_plain = len(told) == 1 and found.bound[scope][path[0]] == 1
            path, bound = (path, told[0]) if is_plain else ([], None)
        yield Called(callee(call.func), own_text(call), call.lineno, _owner(file, place), tuple(path), bound)


def _binding(name: str, found: Survey, place: Place) -> Scope | None:
    """The function or class around that binds a name, as Python looks for it; None where that is the module's."""
    for index, scope in enumerate(reversed(place.scopes[1:])):
        if name in found.bound.get(scope, ()) and not (isinstance(scope, ast.ClassDef) and index):
            return scope
    return None


def call_sites(file: str, told: Iterable[Called]) -> Iterator[Occurrence]:
    """Every call as a fact."""
    for one in told:
        yield Occurrence(Kind.CALL_SITE, file, one.name, one.text, one.line, one.owner, one.name)


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


@dataclass(slots=True)
class Calls:
    """Resolves calls over the modules of a snapshot."""

    modules: Modules
    names: Mapping[str, Names]
    _left: int = _STEPS
    _known: dict[tuple[str, tuple[str, ...]], str | None] = field(default_factory=dict)

    def resolved(self, file: str, told: Iterable[Called]) -> Iterator[Occurrence | Blind]:
        """Calls of functions and classes at the top of a local module, wherever their names come from."""
        missed = 0
        for one in told:
            target = self._target(file, one)
            if target is None:
                missed += 1
            else:
                yield Occurrence(Kind.RESOLVED_CALL, file, target, one.text, one.line, one.owner, target)
        if missed:
            reason = f"{missed} calls lead to methods, values, or code outside that text alone does not tell"
            yield Blind(frozenset({Kind.RESOLVED_CALL}), file, reason, is_blocking=False)

    def _target(self, file: str, one: Called) -> str | None:
        if one.bound is not None:
            return self._through(file, one.bound, list(one.path), _LINKS)
        key = (file, one.path)
        if one.path and key not in self._known:
            self._known[key] = self._follow(file, list(one.path), _LINKS)
        return self._known.get(key)

    def _follow(self, file: str, path: list[str], links: int) -> str | None:
        """Where `path` leads in the module `file`: by its own name, or by that of the nearest that it takes all names from."""
        found: set[str | None] = set()
        seen = {file}
        waiting = [file] if links else []
        while waiting and self._left:
            self._left -= 1
            here = waiting.pop()
            known = self.names.get(here)
            if known is None:
                continue
            bound = known.bound.get(path[0])
            if bound is not None:
                found.add(self._through(here, bound, path, links))
                continue
            reached = {self.modules.reach(here, *star).module for star in known.stars} - seen
            seen |= reached
            waiting += sorted(reached)
        found.discard(None)
        return found.pop() if len(found) == 1 and not waiting else None

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
        for end in range(min(len(path) - 1, _LINKS), 0, -1):
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
