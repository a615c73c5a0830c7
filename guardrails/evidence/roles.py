"""What a changed path is for, by its name: code, tests, documents, dependencies, automation (Describe Changes: detail_md).

Generated, locked, recorded and vendored files are one role of their own: nobody wrote them for a reader.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import Final

from guardrails.evidence.generated import is_generated


class Role(StrEnum):
    """What people keep a file for."""

    SOURCE = "source"
    """What users meet: the program, its configuration, and whatever has no other role."""
    TESTS = "tests"
    DOCUMENTATION = "documentation"
    DEPENDENCIES = "dependencies"
    """Manifests of packages, which name them and much else."""
    AUTOMATION = "automation"
    """Continuous integration, builds, checks, editors and repository housekeeping."""
    GENERATED = "generated"


_FOLDERS: Final = {
    Role.TESTS: frozenset(
        ("test", "tests", "testing", "spec", "specs", "__tests__", "testdata", "test-data", "fixtures", "e2e", "__mocks__")
    ),
    Role.DOCUMENTATION: frozenset(("doc", "docs", "documentation", "document", "website", "newsfragments", "newsfiles")),
    Role.AUTOMATION: frozenset(
        (".github", ".gitlab", ".circleci", ".buildkite", ".azure", ".devcontainer", ".vscode", ".idea", ".husky", ".changeset")
    ),
}
_NAMES: Final = {
    Role.DEPENDENCIES: re.compile(
        r"(?:package\.json|cargo\.toml|pyproject\.toml|setup\.(?:py|cfg)|pipfile|gemfile|go\.(?:mod|work)|pom\.xml|composer\.json"
        r"|build\.gradle(?:\.kts)?|libs\.versions\.toml|pubspec\.yaml|mix\.exs|packages\.config|directory\.packages\.props"
        r"|manifest\.in|pnpm-workspace\.yaml|environment\.ya?ml|[\w.-]{1,60}\.(?:gemspec|podspec|csproj|fsproj)"
        r"|(?:[\w-]{1,40}[-_.])?requirements(?:[-_.][\w.-]{1,40})?\.(?:txt|in))"
    ),
    Role.TESTS: re.compile(
        r"(?:tests?|conftest)\.\w{1,5}|tests?[_-][\w.-]{1,200}|[\w.-]{1,200}[._-](?:tests?|spec|e2e)\.[\w.]{1,12}"
    ),
    Role.AUTOMATION: re.compile(
        r"(?:\.travis|\.gitlab-ci|appveyor|azure-pipelines|\.pre-commit-config|\.readthedocs|codecov|\.codecov|dependabot"
        r"|renovate|\.golangci|\.rubocop|mkdocs|netlify|funding)\.(?:ya?ml|json5?|toml)|(?:dockerfile|containerfile)(?:\.[\w-]{1,40})?"
        r"|(?:docker-)?compose(?:[._-][\w.-]{1,60})?\.ya?ml|mkdocs\.[\w-]{1,40}\.ya?ml|\.git-blame-ignore-revs"
        r"|makefile|justfile|rakefile|jenkinsfile|tox\.ini|noxfile\.py|\.(?:git|docker|npm|eslint|prettier|helm)ignore"
        r"|\.gitattributes|\.gitmodules|\.editorconfig|\.mailmap|codeowners|\.flake8|\.pylintrc|\.coveragerc|mypy\.ini|pytest\.ini"
        r"|ruff\.toml|rustfmt\.toml|clippy\.toml|\.(?:eslint|prettier|babel|stylelint)rc(?:\.\w{1,5})?|tsconfig(?:\.[\w-]{1,40})?\.json"
        r"|(?:eslint|prettier|jest|vitest|babel|webpack|rollup|vite|tsdown)\.config\.\w{1,5}"
    ),
    Role.DOCUMENTATION: re.compile(
        r"[\w.-]{1,200}\.(?:md|mdx|rst|adoc|asciidoc|markdown|txt)|(?:readme|changelog|changes|news|history|license|licence|copying"
        r"|notice|authors|contributors|contributing|security|code_of_conduct)(?:[_-][\w-]{1,40})?(?:\.(?:old|html?|org|tex))?"
    ),
}
"""Names in small letters, in the order in which they are asked; `requirements.txt` is no document."""
_RECORDED: Final = frozenset(("cassettes", "vcr_cassettes"))
"""Folders that tests record into."""
_TEMPLATES: Final = frozenset(("template", "templates", "prompts"))
"""Folders whose texts the program itself reads or gives out."""


@lru_cache(maxsize=4096)
def role(path: str) -> Role:
    """The role of a path with forward slashes. Pure and total: what nothing is known of is source."""
    *folders, name = path.casefold().split("/")
    around = frozenset(folders)
    if is_generated(path.encode("utf-8", "backslashreplace")) or not around.isdisjoint(_RECORDED):
        return Role.GENERATED
    by_folder = next((role for role, known in _FOLDERS.items() if not known.isdisjoint(around)), None)
    by_name = next((role for role, pattern in _NAMES.items() if pattern.fullmatch(name)), None)
    if by_folder is Role.DOCUMENTATION:
        return _among_documents(name, by_name)
    if by_folder is None and by_name is Role.DOCUMENTATION and not around.isdisjoint(_TEMPLATES):
        return Role.SOURCE
    return by_folder or by_name or (Role.AUTOMATION if folders[:1] == ["scripts"] else Role.SOURCE)


def _among_documents(name: str, by_name: Role | None) -> Role:
    """What is built, installed or run is no document for lying among them."""
    if by_name in {Role.DEPENDENCIES, Role.AUTOMATION}:
        return by_name
    return Role.SOURCE if name.endswith((".sql", ".sh")) else Role.DOCUMENTATION
