"""Activities are refused, results are let through, and the limits are stated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.wording.activity import is_activity

ACTIVITIES = """
update files
Update files.
refactor code
Refactor code
Refactoring
Refactor the session manager
Refactor parser to use the new helper
Refactor the parser to improve readability
Restructure modules
Reorganize imports
fix lint
Fix lint errors in worker
chore: fix linting
bump version
Bump version to 1.2.3
chore(release): bump the version
Bump deps
Update dependencies
Update dependency versions
WIP
wip: retries
cleanup
Clean up code
Code cleanup and refactoring
Merge branch 'main' into feature/retries
Merge pull request #12 from example/retries
Merge remote-tracking branch 'origin/main'
fixup! Add retries
squash! Add retries
feat
fix
fix: fix
chore: stuff
Misc
misc changes
Minor fixes
Various improvements
Small tweaks and updates
Add tests
Add missing unit tests
Add tests for the parser
Add more tests for queue handling
Fix flaky tests
Fix tests on Windows
Increase test coverage of the parser
Address review comments
Address PR feedback
Apply suggestions from code review
Fix typo
Fix typo in README.md
Fix typos and grammar
docs: update readme
Update documentation
Update changelog
Update src/app/main.py
Update `parse_config`
Modify UserHelper class
Rename variables
Remove unused imports
Remove dead code
Delete old files
Move helper functions to separate module
Improve code style
Reformat with black
Run prettier
Add type hints
Fix CI
Fix build
Update config
initial commit
Prepare release 2.0.0
release 2.0.0
[skip ci] update files
:art: format code
Fix #123
Fixes
bug fixes
Fix bug
Tests
.
...
更新文件
重构代码
修复错误
コードをリファクタリングしました
テスト追加
Dateien aktualisieren
Corriger les tests
Actualizar archivos
Atualizar dependências
Update LICENSE
update rp
Update MSRV
Update mall.sql
Prepare for v2.2.0-rc.2
Edits to changelog for 0.32
Update final release.
Update version for final release
Update release notes for the final release.
Release instructions
Release version
formatting junk
pre-commit autoupdate
Add newsfragment
Consolidated some code
More fixes for tests under Windows
Minor things to trigger a build
Combination of PRs #64 and #66
Make a few more tests pass on Windows
文档完善
"""

RESULTS = """
Resume settlement jobs interrupted during shutdown
Refactor the queue so that retries keep their order
Refactor the cache to halve memory use
Fix crash when the file is empty
Fix a crash on empty files
fix: retry requests after a timeout
feat(worker): resume interrupted jobs
Update the default timeout to 30 seconds
Change `timeout` from 10 to 30
Update time zone data to 2026b
Bump the minimum supported Python to 3.12
Update OpenSSL to 3.0.12
Bump lodash from 4.17.20 to 4.17.21
Drop support for Python 3.9
Remove the v1 report endpoint
Drop v1
Remove `foo()`
Rename `--color` to `--colour`
Add `--json`
Add CSV export
Add support for tests in Rust
Run tests in parallel by default
Show test coverage in the report
Improve error messages
Improve performance of large imports
Clean up temporary files on exit
Reformat dates as ISO 8601
Merge adjacent ranges
Merge duplicate contacts
Allow comments in configuration files
Lint Dockerfiles in subfolders
Lock accounts after five failed attempts
Format amounts by locale
Move settings to the profile page
Extract archives with long paths
Document the retry header
Revert the connection-pool size increase
Revert "Add CSV export"
Imports no longer lose rows
Reject passwords shorter than twelve characters
The lockfile is verified before install
Make the version visible in the footer
Deprecate `render_old`
Initial release
Change license to MIT
Change the default timeout
Support release dates
Bump lodash to 4.17.21
Release locks after a crash
依赖版本升级，支持Spring Boot 2.7.5
后台删除用户时先删除缓存中的用户信息
Keep the order of retries
Security: reject unsigned tokens
Encrypt backups
Close idle connections
Fix wrong totals in invoices
Update prices hourly
Sync calendars in the background
修复空文件导致的崩溃
支持导出表格
空のファイルで落ちる問題
Absturz bei leeren Dateien behoben
Corrige el cálculo del impuesto
Ajoute l'export CSV
Corrige o total das faturas
"""


def _rows(table: str) -> list[str]:
    return table.strip().split("\n")


@pytest.mark.requirement("IC-6.4")
@pytest.mark.parametrize("text", _rows(ACTIVITIES))
def test_an_activity_is_no_summary(text: str) -> None:
    assert is_activity(text)


@pytest.mark.requirement("IC-6.4")
@pytest.mark.parametrize("text", _rows(RESULTS))
def test_a_result_is_no_activity(text: str) -> None:
    assert not is_activity(text)


@pytest.mark.parametrize("text", ["Introduce AbstractSessionManagerFactory", "Thread the context through the call chain"])
def test_an_activity_in_words_of_its_own_is_beyond_a_table(text: str) -> None:
    assert not is_activity(text)


@given(st.sampled_from(_rows(ACTIVITIES)), st.sampled_from(["fix: ", "chore(deps): ", "[core] ", ":bug: ", "  "]))
def test_a_prefix_makes_no_result_of_an_activity(text: str, prefix: str) -> None:
    assert is_activity(prefix + text)


@given(st.text())
def test_any_text_is_judged(text: str) -> None:
    assert is_activity(text) in {True, False}
