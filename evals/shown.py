"""What git and a forge show of one operation: the ground that an envelope is checked against. No code of ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from evals import requests
from evals.operations import Operation
from evals.patches import EMPTY_TREE, RENAMES, Patch, patches, readable
from evals.selecting import git

Envelope = dict[str, Any]
_PRINT = ("log", "-p", "-m", "--no-ext-diff", "--no-textconv", "--format=fuller")


@dataclass(frozen=True)
class Shown:
    """One operation of a repository; without one, the payload alone."""

    repository: Path | None
    operation: Operation

    @cached_property
    def head(self) -> str:
        """Its newer end."""
        return self._named(self.operation.head)

    @cached_property
    def base(self) -> str:
        """Its older end: where a request left its target, the empty tree before the root."""
        if self.operation.base is None:
            return EMPTY_TREE
        base = self._named(self.operation.base)
        return self._git("merge-base", base, self.head).strip() if self.operation.payload else base

    @cached_property
    def parents(self) -> Mapping[str, tuple[str, ...]]:
        """Every commit of it, and its parents."""
        if self.repository is None:
            return {}
        span = (self.head,) if self.operation.base is None else (f"{self.base}..{self.head}",)
        told = [line.split() for line in self._git("rev-list", "--parents", *span).splitlines()]
        return {oid: tuple(parents) for oid, *parents in told}

    def patches_to(self, commit: str) -> Iterator[Mapping[str, Patch]]:
        """What changed to a commit: from each of its parents, and from the base where it is the head."""
        if self.repository is not None:
            own = self.parents.get(commit)
            olds = [] if own is None else list(own) or [EMPTY_TREE]
            olds += [self.base] if commit == self.head else []
            yield from (patches(self.repository, old, commit) for old in dict.fromkeys(olds))

    def patches_from(self, commit: str) -> Iterator[Mapping[str, Patch]]:
        """What changed from a commit to each of its children in the operation, and to the head where it is the base."""
        if self.repository is not None:
            news = [child for child, parents in self.parents.items() if commit in parents]
            news += [self.head] if commit == self.base else []
            yield from (patches(self.repository, commit, new) for new in dict.fromkeys(news))

    @cached_property
    def printed(self) -> str:
        """All that is shown: messages, names and patches of its commits, what they revert, and what the forge tells."""
        told = requests.texts(self.operation.payload) if self.operation.payload else ""
        if self.repository is None:
            return told
        span, paths = self.head if self.operation.base is None else f"{self.base}..{self.head}", readable(self.repository)
        patches_ = (
            self._git(*words, *renames, *between, *paths)
            for renames in (("--no-renames",), RENAMES)
            for words, between in ((_PRINT, (span,)), (("diff",), (self.base, self.head)))
        )
        log = self._git("log", "--format=fuller", span)
        return "\n".join((told, log, *patches_, *self._reverted(log)))

    def _reverted(self, log: str) -> Iterator[str]:
        for words in (line.split() for line in log.splitlines() if "This reverts commit" in line):
            for oid in (word.strip(".,") for word in words):
                if len(oid) >= 7 and oid.isalnum():
                    yield self._git("show", "--no-patch", "--format=%H%n%B", oid)

    def _named(self, name: str) -> str:
        return self._git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").strip()

    def _git(self, *arguments: str) -> str:
        return git(self.repository, *arguments) if self.repository is not None else ""
