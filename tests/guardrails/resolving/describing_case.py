"""One change to decide fields of: a group of all commits and documents of a small bundle, read as describing reads it."""

from __future__ import annotations

from typing import Any

from guardrails.evidence.model import Bundle, Commit, Document, DocumentKind
from guardrails.resolving.envelopes.reading import Reading
from guardrails.resolving.grouping.grouping import Group
from guardrails.resolving.kinds.classifying import Kinds, classify, permitted
from guardrails.resolving.rules import Rules
from tests.guardrails.resolving.building import NO_RULES, bundle, commit, document

CODE = "src/app.py"


def change(
    *commits: Commit | str, why: str = "paths", documents: tuple[Document, ...] = (), **parts: Any
) -> tuple[Group, Bundle]:
    """A group of everything; a message alone changes one file of the product."""
    made = [one if isinstance(one, Commit) else commit(place, one, CODE) for place, one in enumerate(commits, 1)]
    history = bundle(*made, documents=documents, **parts)
    files = tuple(file.id for one in made for file in one.files)
    ids = tuple(document.id for document in documents)
    return Group(made[0].oid[:7] if made else "", tuple(one.id for one in made), files, ids, why), history


def kinds(*commits: Commit | str, rules: Rules = NO_RULES, **parts: Any) -> Kinds:
    """The kind of that change."""
    one, history = change(*commits, **parts)
    return classify(Reading.of(history).part(one), rules)


def permits(*commits: Commit | str, rules: Rules = NO_RULES, **parts: Any) -> frozenset[str]:
    """The kinds that a foreign writer may give it."""
    one, history = change(*commits, **parts)
    return permitted(Reading.of(history).part(one), rules)


def request(title: str, body: str = "", number: int = 1, **fields: Any) -> Document:
    """A pull request #7, #8 and so on."""
    plain = {"key": f"#{number + 6}", "url": f"https://github.com/acme/widgets/pull/{number + 6}"}
    return document(number, DocumentKind.PULL_REQUEST, title=title, body=body, **{**plain, **fields})


def issue(title: str, number: int = 1, **fields: Any) -> Document:
    """An issue #41, #42 and so on."""
    plain = {"key": f"#{number + 40}", "url": f"https://github.com/acme/widgets/issues/{number + 40}"}
    return document(number, DocumentKind.ISSUE, title=title, **{**plain, **fields})
