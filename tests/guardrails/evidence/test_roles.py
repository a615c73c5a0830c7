"""Roles: what a path is for, by its name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.evidence.roles import Role, role

ROLES = {
    Role.SOURCE: (
        *("src/db/pool.ts", "llm/models.py", "app.go", "conf/application.yml", "contest/main.py", "src/latest.rs", "Testing"),
        *(
            "src/spectrum.js",
            "core/src/changelog.rs",
            "app/news.py",
            "lib/security.rb",
            "CMakeLists.cpp",
            "detest.py",
            "src/main/resources/db.sql",
            "a",
            "document/sql/mall.sql",
            "document/sh/start.sh",
        ),
        *("src/tool/templates/default.md", "prompts/draft.md", "lib/scripts/run.sh"),
    ),
    Role.TESTS: (
        *("tests/test_app.py", "src/app.test.ts", "src/app_test.go", "spec/models/user_spec.rb", "conftest.py", "test.py"),
        *("src/test/java/AppTest.java", "pkg/testdata/in.json", "src/__tests__/a.js", ".github/fixtures/a/cliff.toml"),
        *("tests/requirements.txt", "app/tests.py"),
    ),
    Role.DOCUMENTATION: (
        *("README.md", "docs/usage.rst", "docs/conf.py", "CHANGELOG", "LICENSE", "website/src/index.tsx", "notes.txt"),
        *("src/towncrier/newsfragments/12.bugfix", "docs/templates/a.md", "SECURITY.md"),
    ),
    Role.DEPENDENCIES: (
        *("package.json", "crates/core/Cargo.toml", "pyproject.toml", "requirements.txt", "requirements-dev.txt", "go.mod"),
        *("dev-requirements.in", "mall-admin/pom.xml", "App/App.csproj", "setup.cfg", "MANIFEST.in", "docs/requirements.txt"),
    ),
    Role.AUTOMATION: (
        *(".github/workflows/ci.yml", ".pre-commit-config.yaml", "Dockerfile", "Dockerfile.dev", "Makefile", "tox.ini"),
        *("noxfile.py", ".gitignore", "tsconfig.json", "web/eslint.config.mjs", ".changeset/config.json"),
        *(".git-blame-ignore-revs", "scripts/lock", "FUNDING.json", "docs/docker/docker-compose-env.yml"),
    ),
    Role.GENERATED: (
        "uv.lock",
        "requirements-dev.lock",
        "tests/cassettes/test_a/b.yaml",
        "web/package-lock.json",
        "vendor/github.com/x/y.go",
        "docs/node_modules/a.md",
        "a_pb2.py",
    ),
}


@pytest.mark.parametrize(("path", "expected"), [(path, role) for role, paths in ROLES.items() for path in paths])
def test_a_path_has_the_role_that_its_name_tells(path: str, expected: Role) -> None:
    assert role(path) is expected


@given(st.text())
def test_every_path_has_a_role(path: str) -> None:
    assert isinstance(role(path), Role)
