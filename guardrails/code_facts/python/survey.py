"""One walk over a Python tree: its normal form, and what stands in it where (Change Contracts: fact clauses).

The normal form is the tree written out as tokens. Every node has a stretch of it, so that the form of a declaration is cut out
of the form of its file.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

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
    tokens = found.tokens
    waiting: list[tuple[str, ast.AST | _End | None, Place]] = [("", tree, Place((tree,)))]
    while waiting:
        name, node, place = waiting.pop()
        if isinstance(node, _End):
            tokens.append(")")
            found.stretches[node.node] = (node.start, len(tokens))
        elif node is None:
            tokens.append(f"{name}:")
        else:
            start = len(tokens)
            tokens.append(f"{name}:{type(node).__name__}")
            note = _NOTES.get(type(node))
            if note is not None:
                note(found, node, place)
            if isinstance(node, ast.stmt):
                found.assigned.extend((node, target, place) for target in _targets(node))
            waiting.append(("", _End(node, start), place))
            waiting.extend(reversed(_parts(node, place, tokens)))
    return found


def _parts(node: ast.AST, place: Place, tokens: list[str]) -> list[tuple[str, ast.AST | None, Place]]:
    """The nodes in `node`, each with the name of its field; what is no node is written to the tokens at once."""
    inner = _inside(node, place)
    parts: list[tuple[str, ast.AST | None, Place]] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            if name != "ctx":
                parts.append((name, value, inner if name == "body" else place))
        elif isinstance(value, list):
            here = inner if name == "body" else place
            for one in value:
                if is_empty_part(node, one):
                    continue
                if one is None or isinstance(one, ast.AST):
                    parts.append((name, one, here))
                else:
                    tokens.append(f"{name}={one!r}")
        elif name not in _LEFT_OUT and (value is not None or name == "value"):
            tokens.append(f"{name}={hex(value) if type(value) is int else repr(value)}")
    return parts


def is_empty_part(node: ast.AST, part: object) -> bool:
    """Some releases of Python put empty texts between the parts of a formatted one, others do not."""
    return isinstance(node, ast.JoinedStr) and isinstance(part, ast.Constant) and part.value == ""


def _inside(node: ast.AST, place: Place) -> Place:
    enter = _ENTER.get(type(node))
    return place if enter is None else enter(node, place)


def _in_declaration(node: Function | ast.ClassDef, place: Place) -> Place:
    return replace(place, scopes=(*place.scopes, node), names=(*place.names, node.name))


def _in_lambda(node: ast.Lambda, place: Place) -> Place:
    return replace(place, scopes=(*place.scopes, node))


def _in_branch(node: ast.If, place: Place) -> Place:
    return replace(place, checkers_only=True) if _is_checking(node.test) else place


_ENTER: Final[Mapping[type[ast.AST], Callable[[Any, Place], Place]]] = {
    ast.FunctionDef: _in_declaration,
    ast.AsyncFunctionDef: _in_declaration,
    ast.ClassDef: _in_declaration,
    ast.Lambda: _in_lambda,
    ast.If: _in_branch,
}


def _is_checking(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    return name == "TYPE_CHECKING"


def _bind(found: Survey, place: Place, *names: str | None) -> None:
    bound = found.bound.setdefault(place.scopes[-1], Counter())
    for name in names:
        if name is not None:
            bound[name] += 1


def _note_declaration(found: Survey, node: Function | ast.ClassDef, place: Place) -> None:
    found.declared.append((node, place))
    _bind(found, place, node.name)
    if not isinstance(node, ast.ClassDef):
        _note_parameters(found, node, place)


def _note_parameters(found: Survey, node: Function | ast.Lambda, _: Place) -> None:
    found.bound[node] = Counter(one.arg for one in _parameters(node.args))


def _note_import(found: Survey, node: Import, place: Place) -> None:
    found.imports.append((node, place))
    _bind(found, place, *(alias.asname or alias.name.partition(".")[0] for alias in node.names))


def _note_call(found: Survey, node: ast.Call, place: Place) -> None:
    found.calls.append((node, place))


def _note_global(found: Survey, node: ast.Global, _: Place) -> None:
    found.of_module.update(node.names)


def _note_name(found: Survey, node: ast.Name, place: Place) -> None:
    if not isinstance(node.ctx, ast.Load):
        _bind(found, place, node.id)


def _note_capture(found: Survey, node: ast.ExceptHandler | ast.MatchAs | ast.MatchStar, place: Place) -> None:
    _bind(found, place, node.name)


def _note_rest(found: Survey, node: ast.MatchMapping, place: Place) -> None:
    _bind(found, place, node.rest)


_NOTES: Final[Mapping[type[ast.AST], Callable[[Survey, Any, Place], None]]] = {
    ast.FunctionDef: _note_declaration,
    ast.AsyncFunctionDef: _note_declaration,
    ast.ClassDef: _note_declaration,
    ast.Lambda: _note_parameters,
    ast.Import: _note_import,
    ast.ImportFrom: _note_import,
    ast.Call: _note_call,
    ast.Global: _note_global,
    ast.Name: _note_name,
    ast.ExceptHandler: _note_capture,
    ast.MatchAs: _note_capture,
    ast.MatchStar: _note_capture,
    ast.MatchMapping: _note_rest,
}


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
