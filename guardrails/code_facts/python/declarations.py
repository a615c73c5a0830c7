"""What Python declares: symbols, and the signatures that it offers to others (Change Contracts: fact clauses)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from guardrails.code_facts.model import Blind, Kind
from guardrails.code_facts.occurrences import Occurrence
from guardrails.code_facts.python.survey import Function, Place, Survey


def symbols(file: str, found: Survey) -> Iterator[Occurrence]:
    """Functions, classes, methods, and the variables of the module and of classes; bodies and decorators count."""
    for node, place in found.declared:
        yield Occurrence(Kind.SYMBOL, file, _within(place, node.name), found.form(node), node.lineno)
    for statement, assigned in groupby(found.assigned, itemgetter(0)):
        form = found.form(statement)
        for _, name, place in assigned:
            if place.is_declaring:
                yield Occurrence(Kind.SYMBOL, file, _within(place, name), form, statement.lineno)


def api(file: str, tree: ast.Module, found: Survey) -> Iterator[Occurrence | Blind]:
    """Public functions, methods of public classes, and aliases, as far as annotations write their types out.

    Of a class its bases and annotated fields are told beside the signatures of its public methods. What is public and not
    annotated in full is told as a gap of that name.
    """
    public = _listed(tree)
    if public is _COMPUTED:
        yield Blind(frozenset({Kind.API}), file, "what the module exports is computed")
    for node, place in found.declared:
        if place.checkers_only or not _is_public(node.name, place, public):
            continue
        name = _within(place, node.name)
        if isinstance(node, ast.ClassDef):
            yield Occurrence(Kind.API, file, name, _outline(node, found), node.lineno)
        elif _is_annotated(node, is_method=not place.is_top):
            yield Occurrence(Kind.API, file, name, _signature(node, found), node.lineno)
        else:
            reason = "the function is public and its signature is not annotated in full"
            yield Blind(frozenset({Kind.API}), file, reason, node.lineno, is_blocking=False, name=name)
    for statement, name, place in found.assigned:
        if place.is_top and _is_alias(statement) and _is_public(name, place, public):
            yield Occurrence(Kind.API, file, name, found.form(statement), statement.lineno)


_COMPUTED: frozenset[str] = frozenset({"*"})


def _listed(tree: ast.Module) -> frozenset[str] | None:
    """The names of `__all__`; None where there is none, and `_COMPUTED` where its text does not tell."""
    names: set[str] | None = None
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign | ast.AugAssign) and statement.value is not None:
            targets, value = [statement.target], statement.value
        else:
            continue
        if not any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            continue
        texts = [getattr(one, "value", None) for one in getattr(value, "elts", [None])]
        if not all(isinstance(text, str) for text in texts):
            return _COMPUTED
        names = names or set()
        names.update(str(text) for text in texts)
    return None if names is None else frozenset(names)


def _is_public(name: str, place: Place, listed: frozenset[str] | None) -> bool:
    """By `__all__` at the top, else by the leading underscore; what stands in a function is nobody's."""
    if any(not isinstance(scope, ast.Module | ast.ClassDef) for scope in place.scopes):
        return False
    top = place.names[0] if place.names else name
    is_offered = not top.startswith("_") if listed is None or listed is _COMPUTED else top in listed
    inner = (*place.names[1:], name) if place.names else ()
    return is_offered and all(not one.startswith("_") or _is_special(one) for one in inner)


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _is_annotated(node: Function, *, is_method: bool) -> bool:
    positional = [*node.args.posonlyargs, *node.args.args]
    decorators = {getattr(one, "id", "") for one in node.decorator_list}
    bound = positional[:1] if is_method and "staticmethod" not in decorators else []
    others = (node.args.vararg, node.args.kwarg)
    needed = [*positional[len(bound) :], *node.args.kwonlyargs, *(one for one in others if one is not None)]
    return node.returns is not None and all(one.annotation is not None for one in needed)


def _signature(node: Function, found: Survey) -> str:
    """Parameters by name, kind, annotation and whether they may be left out, the type returned, and what decorates it."""
    given = node.args
    positional = [*given.posonlyargs, *given.args]
    optional = len(positional) - len(given.defaults)
    told = [type(node).__name__]
    told += [f"@{found.form(one)}" for one in node.decorator_list]
    for index, one in enumerate(positional):
        told.append(
            f"{'/' if index < len(given.posonlyargs) else ''}{_parameter(one, found)}{'=' if index >= optional else ''}"
        )
    told += [f"*{_parameter(one, found)}" for one in (given.vararg,) if one is not None]
    told += [
        f"*,{_parameter(one, found)}{'' if default is None else '='}"
        for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
    ]
    told += [f"**{_parameter(one, found)}" for one in (given.kwarg,) if one is not None]
    told += [f"[{found.form(one)}" for one in getattr(node, "type_params", ())]
    told.append(f"->{found.form(node.returns)}" if node.returns is not None else "")
    return "\n".join(told)


def _parameter(one: ast.arg, found: Survey) -> str:
    return f"{one.arg}:{'' if one.annotation is None else found.form(one.annotation)}"


def _outline(node: ast.ClassDef, found: Survey) -> str:
    """What a class is besides its methods: decorators, bases, and the fields that it annotates."""
    fields = [
        f"{found.form(one.target)}:{found.form(one.annotation)}{'' if one.value is None else '='}"
        for one in node.body
        if isinstance(one, ast.AnnAssign) and not getattr(one.target, "id", "_").startswith("_")
    ]
    parts = [*node.decorator_list, *node.bases, *node.keywords, *getattr(node, "type_params", ())]
    return "\n".join(["class", *(found.form(one) for one in parts), *fields])


def _is_alias(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.AnnAssign):
        named = statement.annotation
        return "TypeAlias" in {getattr(named, "id", ""), getattr(named, "attr", "")}
    return type(statement).__name__ == "TypeAlias"


def _within(place: Place, name: str) -> str:
    return f"{place.owner}.{name}" if place.names else name
