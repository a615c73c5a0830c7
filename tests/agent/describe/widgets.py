"""The contract's own examples as repositories: a popup's watermark, a pool that shrinks back, a release of nine changes."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from tests.agent.payments import PROFILE, RECORD
from tests.repositories import GitFolder

ORIGIN = "https://github.com/acme/widgets.git"
RULES = """\
policy = ".ack/policy.yaml"

[rules]
trackers = ["PROJ"]
"""
POLICY = "keep-people: true\n"

QUERY, POOL = "src/server/release/query.ts", "src/db/pool.ts"
WATERMARK = """\
feat(release): Per-user watermark on the release popup

The what's-new popup now shows only entries published since you last dismissed it.

Opening the app after time away shows the changes that landed while you were gone, rather than the same list every time.
Dismissing it records where you got to, and the list is capped at the last thirty days so a long absence does not produce
hundreds of items.

Closes: PROJ-412
Reported-by: @octocat
"""
GROWN = """\
perf(db): raise the connection-pool size (#1471)

More requests can be served at once.
"""
UNDONE = """\
Revert "perf(db): raise the connection-pool size (#1471)"

This reverts commit {oid}.

The increased pool exhausted the database's own connection limit when three service instances were running, producing
connection errors under load. The underlying capacity question is not addressed.
"""


def watermark(path: Path) -> GitFolder:
    """The single example: the last commit filters the popup's query by a watermark, in lines 41 to 78."""
    return _copied(_watermark, path)


def revert(path: Path) -> GitFolder:
    """The worked example: the last commit takes back the one before it, in line 22."""
    return _copied(_revert, path)


def release(path: Path) -> GitFolder:
    """The itemized example: nine changes between the tags v2.3.0 and v2.4.0; one more that cures a weakness in v2.4.1."""
    return _copied(_release, path)


def begun(place: Path, files: Mapping[str, str] | None = None) -> GitFolder:
    """A repository whose first commit holds the rules and files by path."""
    folder = GitFolder.init(place)
    folder.git("remote", "add", "origin", ORIGIN)
    laid: dict[str | bytes, str | bytes | None] = {"evidraft.toml": RULES, ".ack/policy.yaml": POLICY}
    laid.update(files or {})
    folder.commit("chore: begin", laid)
    return folder


def _copied(build: Callable[[Path], GitFolder], path: Path) -> GitFolder:
    return _pattern(build).copy(path)


@cache
def _pattern(build: Callable[[Path], GitFolder]) -> GitFolder:
    """The repository that each test gets a copy of: many git processes take longer than a copy."""
    place = Path(mkdtemp(prefix="widgets-"))
    atexit.register(rmtree, place)
    return build(place)


_ENTRIES = """\
import {{ db, greatest, now }} from "../../db";
import type {{ Entry, User }} from "./types";

{constants}
/** The entries that the popup shows. */
export async function popupEntries(user: User): Promise<Entry[]> {{
{body}}}
"""
_LABELS = "".join(f'export const LABEL_{number} = "{number}";\n' for number in range(1, 35))
_BEFORE = _ENTRIES.format(constants=_LABELS, body='  return db.select("release_entries");\n')
_FILTER = (
    """\
  // Only what is newer than the last dismissal, and never older than the window.
  const window = days(user.settings.window ?? 30);
  const floor = greatest(user.watermark, now() - window);
"""
    + "".join(f"  const step{number} = floor + {number};\n" for number in range(1, 35))
    + """\
  return db.select("release_entries").where("published_at", ">", floor);
"""
)
_AFTER = _ENTRIES.format(constants=_LABELS, body=_FILTER)


def _watermark(place: Path) -> GitFolder:
    folder = begun(place, {QUERY: _BEFORE})
    folder.commit(WATERMARK, {QUERY: _AFTER})
    return folder


def _pool(size: int) -> str:
    options = "".join(f"  option{number}: {number},\n" for number in range(3, 22))
    return f'import {{ Pool }} from "pg";\nexport const pool = new Pool({{\n{options}  maxConnections: {size},\n}});\n'


def _revert(place: Path) -> GitFolder:
    folder = begun(place, {POOL: _pool(10)})
    grown = folder.commit(GROWN, {POOL: _pool(40)})
    folder.commit(UNDONE.format(oid=grown), {POOL: _pool(10)})
    return folder


REMOVED = """\
feat(reports)!: Remove the deprecated v1 report endpoint

The deprecated v1 report endpoint is gone.

BREAKING CHANGE: Existing v1 callers must move to v2 before the next release.
"""
_NINE: tuple[tuple[str, str, int], ...] = (
    (
        "fix(filters): Keep filters between sessions\n\nFilters are no longer lost when a session ends.\n",
        "src/filters/keep.ts",
        3,
    ),
    ("perf(reports): Load reports faster\n\nReports are read in one query.\n", "src/reports/load.ts", 9),
    ("feat(export): Export reports as CSV\n\nReports can be exported as CSV.\n", "src/export/csv.ts", 40),
    ("fix(login): Accept addresses with a plus sign\n", "src/login/address.ts", 2),
    ("perf(search): Answer searches from the index\n", "src/search/index.ts", 17),
    (REMOVED, "src/reports/v1.ts", 5),
    ("fix(popup): Close the popup with the escape key\n", "src/popup/keys.ts", 4),
    ("perf(images): Load images when they are seen\n", "src/images/lazy.ts", 30),
    ("perf(queue): Send mails in the background\n", "src/queue/mails.ts", 12),
)
"""The messages of nine changes, the file that each of them touches, and how many lines it adds."""
CURED = "security(mails): Escape names in mails\n\nNames are escaped before they are sent.\n"


def _lines(path: str, count: int) -> str:
    return "".join(f"export const line{number} = {number}; // {path}\n" for number in range(count))


def _release(place: Path) -> GitFolder:
    folder = begun(place, {path: _lines(path, 10) for _, path, _ in _NINE})
    folder.git("tag", "v2.3.0")
    for message, path, count in _NINE:
        folder.commit(message, {path: _lines(path, 10 + count)})
    folder.git("tag", "v2.4.0")
    folder.commit("docs: Tell how to export\n", {"docs/export.md": "# Export\n\nReports can be exported as CSV.\n"})
    folder.commit(CURED, {"src/queue/escape.ts": "export const escape = true;\n"})
    folder.git("tag", "v2.4.1")
    return folder


# A request, as its forge tells it

REQUEST = """\
Reports can be exported as CSV, so that accountants need not copy them by hand.

Closes #31.
"""
_TABLE = "def table(rows):\n    return rows\n"
_CSV = _TABLE + "\n\ndef csv(rows):\n    return '\\n'.join(rows)\n"


def request(path: Path) -> GitFolder:
    """A branch of two commits, made as one request to main, which went on since then."""
    return _copied(_request, path)


def _request(place: Path) -> GitFolder:
    folder = begun(place, {"src/report.py": _TABLE})
    folder.branch("csv")
    folder.commit("feat: Export reports as CSV\n\nAccountants can take them over.\n", {"src/report.py": _CSV})
    folder.commit("test: Prove the export\n", {"tests/test_report.py": "def test_csv():\n    assert True\n"})
    folder.switch("main")
    folder.commit("docs: Tell who we are\n", {"docs/us.md": "# Us\n"})
    folder.switch("csv")
    return folder


def pull(folder: GitFolder, **parts: object) -> dict[str, object]:
    """What GitHub tells of the request, number 12; `parts` replace or add something beside its `pull_request`."""
    repository = {"full_name": "acme/widgets", "default_branch": "main"}
    told = {
        "number": 12,
        "title": "Export reports as CSV",
        "html_url": "https://github.com/acme/widgets/pull/12",
        "state": "open",
        "user": {"login": "ada"},
        "body": REQUEST,
        "labels": [{"name": "enhancement"}],
        "base": {"ref": "main", "sha": folder.oid("main"), "repo": repository},
        "head": {"ref": "csv", "sha": folder.oid("csv"), "repo": repository},
    }
    return {"action": "opened", "number": 12, "pull_request": told, "repository": repository, **parts}


# A change that must not be told

HIDDEN = "mend-the-zebra-cipher"
CANARIES = ("zebra", "Zebra", "cipher.py", "Ada Author", "ada@example.org")
"""What stands only in the embargoed change, and who wrote it."""


def secretive(path: Path) -> GitFolder:
    """A range of three commits: an ordinary feature, an embargoed fix with its record, an ordinary fix."""
    return _copied(_secretive, path)


def _secretive(place: Path) -> GitFolder:
    folder = GitFolder.init(place)
    folder.git("remote", "add", "origin", ORIGIN)
    folder.commit(
        "chore: begin", {".ack/profile.yaml": PROFILE, "src/report.py": _TABLE, "src/login.py": "def login():\n    pass\n"}
    )
    folder.git("tag", "base")
    folder.commit("feat: Export reports as CSV\n\nAccountants can take them over.\n", {"src/report.py": _CSV})
    embargoed = RECORD.replace("id: resume-settlement-jobs", f"id: {HIDDEN}").replace(
        "Resume settlement jobs interrupted during shutdown", "The zebra cipher is broken"
    )
    embargoed = embargoed.replace("state: public\n  not-before: null", "state: embargoed\n  not-before: 2030-01-01T00:00:00Z")
    folder.commit(
        f"fix: the zebra cipher is broken\n\nChangeset: {HIDDEN}\n",
        {f".ack/changes/{HIDDEN}.yaml": embargoed, "src/cipher.py": "def zebra():\n    return None\n"},
    )
    folder.commit("fix: Accept addresses with a plus sign\n", {"src/login.py": "def login(address):\n    return address\n"})
    return folder
