"""Words that people have for a kind of change: types, labels, release types, news fragments, verbs (Describe Changes: kind).

Each word gives the set of kinds that it may mean; a word that may mean several narrows, and one that is not here says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from guardrails.drafts.envelope import KINDS
from guardrails.wording.words import words

FEATURE, BUG_FIX, IMPROVEMENT, SECURITY, OPS, DOCS, BREAKING = KINDS


def _table(*rows: tuple[str, str]) -> Mapping[str, frozenset[str]]:
    """A table out of rows: kinds with spaces between them, then the words that mean one of them, with commas between them."""
    return {word.strip(): frozenset(kinds.split()) for kinds, line in rows for word in line.split(",")}


_TYPES: Final = _table(
    (FEATURE, "feat, feats, feature, features, new, add, added"),
    (BUG_FIX, "fix, fixes, fixed, bugfix, bug, hotfix"),
    (IMPROVEMENT, "perf, performance, improve, improvement, improvements"),
    (f"{FEATURE} {IMPROVEMENT}", "enhancement, enhance, enh"),
    (SECURITY, "security, sec"),
    (DOCS, "docs, doc, documentation"),
    (OPS, "build, ci, cd, chore, test, tests, style, refactor, refact, deps, dep, ops, infra, release, lint, typing, cleanup"),
    (OPS, "maint, tst, sty, bld"),
    (BREAKING, "breaking"),
)
"""What a commit type says by convention. `refactor` and `style` change by their own names nothing that a user meets: ops."""
_UPKEEP_SCOPES: Final = _table(
    (DOCS, "docs, doc, documentation, readme"),
    (OPS, "ci, cd, test, tests, e2e, fixtures, deps, deps-dev, dep, release, build, lint, workflow, workflows, benchmarks"),
)
"""Scopes that name upkeep and no part of a product."""
_LABELS: Final = _table(
    (FEATURE, "feature, features, new feature, feature request, feat"),
    (BUG_FIX, "bug, bugs, bugfix, bug fix, fix, fixed, hotfix, regression, crash"),
    (IMPROVEMENT, "improvement, improvements, performance, perf, optimization, optimisation"),
    (f"{FEATURE} {IMPROVEMENT}", "enhancement, enhancements"),
    (SECURITY, "security, vulnerability, security fix, security vulnerability"),
    (DOCS, "documentation, docs, doc"),
    (OPS, "dependencies, dependency, deps, dependency update, chore, ci, ci cd, build, tests, test, testing, maintenance"),
    (OPS, "internal, infrastructure, tooling, refactor, refactoring, cleanup, housekeeping, github actions"),
    (BREAKING, "breaking, breaking change, breaking changes, semver major, version major, backwards incompatible"),
)
"""Labels of requests, without signs and numbers; `major` alone may be a priority."""
_LABEL_PREFIXES: Final = words("type kind t c category changelog pr")
_RELEASE_TYPES: Final = _table(
    (FEATURE, "feature, features, new-feature, new-features, added, new"),
    (BUG_FIX, "correction, fix, fixed, fixes, bug-fix, bug-fixes, bugfix, bugfixes"),
    (IMPROVEMENT, "improvement, improvements, performance, performance-improvements, enhancement"),
    (f"{FEATURE} {IMPROVEMENT}", "changed"),
    (SECURITY, "security, security-fix, security-fixes"),
    (DOCS, "documentation, docs"),
    (OPS, "internal, maintenance, operations, ops, dependencies"),
    (BREAKING, "breaking, breaking-change"),
)
_FRAGMENTS: Final = _table(
    (FEATURE, "feature, added"),
    (IMPROVEMENT, "improvement"),
    (f"{FEATURE} {IMPROVEMENT}", "enhancement, changed"),
    (BUG_FIX, "bugfix, bug, fix, fixed"),
    (DOCS, "doc, docs"),
    (f"{OPS} {DOCS} {IMPROVEMENT}", "misc, trivial"),
    (OPS, "internal, contrib, packaging, dev"),
)
"""The types of news fragments. A removal may break something and may not: it says nothing."""
_FRAGMENT: Final = re.compile(
    r"(?:[^/\n]{1,200}/){0,20}(?:newsfragments|newsfiles|news|changelog\.d|changelog|changes)/"
    r"[\w+-]{1,60}\.([a-z]{2,20})(?:\.\d{1,4})?(?:\.(?:rst|md|txt))?"
)


def of_type(word: str) -> frozenset[str]:
    """What a commit type may mean."""
    return _TYPES.get(word.casefold(), frozenset())


def of_scope(word: str | None) -> frozenset[str]:
    """What a scope means that names upkeep and no part of the product."""
    return _UPKEEP_SCOPES.get((word or "").casefold(), frozenset())


def of_label(label: str) -> frozenset[str]:
    """What a label of a request may mean: `bug`, `type: bug`, `kind/bug` are one; `area: docs` names a place: nothing."""
    said = re.findall(r"[^\W\d_]+", label.casefold())
    if len(said) > 1 and said[0] in _LABEL_PREFIXES:
        said = said[1:]
    return _LABELS.get(" ".join(said), frozenset())


def of_release_type(word: str) -> frozenset[str]:
    """What a release type of a profile may mean by its name."""
    return _RELEASE_TYPES.get(word.casefold(), frozenset())


def of_fragment(path: str) -> frozenset[str]:
    """What a news fragment says by its name: `newsfragments/12.bugfix.rst`."""
    match = _FRAGMENT.fullmatch(path.casefold())
    return _FRAGMENTS.get(match[1], frozenset()) if match else frozenset()
