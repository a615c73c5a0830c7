"""One walk over a Python tree: its normal form, and what stands in it where (Change Contracts: fact clauses).

The normal form is the tree written out as tokens. Every node has a stretch of it, so that the form of a declaration is cut out
of the form of its file.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

Function = ast.FunctionDef | ast.AsyncFunctionDef
Import = ast.Import | ast.ImportFrom
Scope = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

_LEFT_OUT: Final = frozenset({"ctx", "type_comment", "type_ignores", "kind"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands: the scopes around it from the outermost, the names of those, and whether checkers alone see it."""

    scopes: tuple[Scope, ...] = ()
    names: tuple[str, ...] = ()
    checkers_only: bool = False

    @property
    def owner(self) -> str:
        """The dotted name of the declaration around it; "" at the top."""
        return ".".join(self.names)

    @property
    def is_top(self) -> bool:
        """Whether it stands in no function and no class."""
        return len(self.scopes) == 1

    @property
    def is_declaring(self) -> bool:
        """Whether a name that is bound here belongs to a module or a class."""
        return isinstance(self.scopes[-1], ast.Module | ast.ClassDef)


@dataclass(slots=True)
class Survey:
    """What a walk found, in the order of the text."""

    tokens: list[str] = field(default_factory=list)
    stretches: dict[ast.AST, tuple[int, int]] = field(default_factory=dict)
    declared: list[tuple[Function | ast.ClassDef, Place]] = field(default_factory=list)
    assigned: list[tuple[ast.stmt, str, Place]] = field(default_factory=list)
    imports: list[tuple[Import, Place]] = field(default_factory=list)
    calls: list[tuple[ast.Call, Place]] = field(default_factory=list)
    bound: dict[Scope, Counter[str]] = field(default_factory=dict)
    """How often each scope binds which names, in whatever way."""
    of_module: set[str] = field(default_factory=set)
    """Names of the module that some function binds anew."""

    def form(self, *nodes: ast.AST) -> str:
        """The normal form of `nodes`."""
        return "\n".join("\0".join(self.tokens[slice(*self.stretches[node])]) for node in nodes)


@dataclass(frozen=True, slots=True)
class _End:
    node: ast.AST
    start: int


def survey(tree: ast.Module) -> Survey:
    """Walk over `tree`."""
    found = Survey()
    waiting: list[tuple[object, Place]] = [(tree, Place((tree,)))]
    while waiting:
        thing, place = waiting.pop()
        if isinstance(thing, _End):
            found.stretches[thing.node] = (thing.start, len(found.tokens))
            found.tokens.append(")")
        elif isinstance(thing, ast.AST):
            _note(found, thing, place)
            waiting.append((_End(thing, len(found.tokens)), place))
            found.tokens.append(type(thing).__name__)
            waiting.extend(reversed(list(_parts(thing, place))))
        else:
            found.tokens.append(hex(thing) if type(thing) is int else repr(thing))
    return found


def _parts(node: ast.AST, place: Place) -> Iterator[tuple[object, Place]]:
    """The fields of `node` that hold something, each behind its name, in the order of the grammar."""
    inner = _inside(node, place)
    for name in node._fields:
        value = getattr(node, name, None)
        if name in _LEFT_OUT or value is None or value == []:
            if isinstance(node, ast.Constant) and name == "value":
                yield None, place
            continue
        yield name, place
        here = inner if name == "body" else place
        if isinstance(value, list):
            yield from ((one, here) for one in value)
        else:
            yield value, here


def _inside(node: ast.AST, place: Place) -> Place:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return replace(place, scopes=(*place.scopes, node), names=(*place.names, node.name))
    if isinstance(node, ast.Lambda):
        return replace(place, scopes=(*place.scopes, node))
    if isinstance(node, ast.If) and _is_checking(node.test):
        return replace(place, checkers_only=True)
    return place


def _is_checking(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    return name == "TYPE_CHECKING"


def _note(found: Survey, node: ast.AST, place: Place) -> None:
    names = found.bound.setdefault(place.scopes[-1], Counter())
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        found.declared.append((node, place))
        names[node.name] += 1
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        found.bound[node] = Counter(one.arg for one in _parameters(node.args))
    elif isinstance(node, ast.Import | ast.ImportFrom):
        found.imports.append((node, place))
        names.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.Global):
        found.of_module.update(node.names)
    elif isinstance(node, ast.Call):
        found.calls.append((node, place))
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
        names[node.id] += 1
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        names[node.name] += 1
    elif isinstance(node, ast.MatchMapping) and node.rest:
        names[node.rest] += 1
    if isinstance(node, ast.stmt):
        found.assigned.extend((node, name, place) for name in _targets(node))


def _parameters(given: ast.arguments) -> Iterator[ast.arg]:
    yield from (*given.posonlyargs, *given.args, *given.kwonlyargs)
    yield from (one for one in (given.vararg, given.kwarg) if one is not None)


def _targets(node: ast.stmt) -> Iterator[str]:
    """The names that a statement declares as variables, those of `type X = ...` among them."""
    if type(node).__name__ == "TypeAlias":
        waiting = [getattr(node, "name")]  # noqa: B009 - younger than the oldest Python that types are checked for
    elif isinstance(node, ast.Assign):
        waiting = list(reversed(node.targets))
    else:
        waiting = [node.target] if isinstance(node, ast.AnnAssign) else []
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.Tuple | ast.List):
            waiting.extend(reversed(one.elts))
        elif isinstance(one, ast.Starred):
            waiting.append(one.value)
