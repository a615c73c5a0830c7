"""Draft over a real repository's history and hold every outcome against a check of its own.

    python -m evals.real_histories REPO [REPO …] [--ranges 20] [--seed 1] [--json FILE]

For each repository it takes single commits, merges, short ranges and tag ranges at random, gives a plain profile and a page of
rules, and drafts each selection twice: as it is, and with a person's answers for what stayed open. It counts outcomes and reasons,
and it looks for every identifier of every draft in what `git log -p` prints for the selection, with `in`, not with the validator.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import re
import subprocess  # noqa: TID251 - the check must not share the product's way to git
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent.cli import draft_changeset

PROFILE = """\
intent-profile: 1.0.0
repository: https://github.com/example/{name}
specifications: {{commits: 1.0.0, changesets: 1.0.0, changelog: 1.0.0, release-manifest: 1.0.0}}
types:
  feat: {{default-impact: minor}}
  fix: {{default-impact: patch}}
  perf: {{default-impact: patch}}
  docs: {{default-impact: none}}
  chore: {{default-impact: none}}
  ci: {{default-impact: none}}
  test: {{default-impact: none}}
  refactor: {{default-impact: none}}
scopes:
  product: {{release-unit: product}}
release-units:
  product:
    streams:
      stable: {{release-line: "1", channel: general, changelog: .ack/ledger/product.yaml, manifests: .ack/manifests/product}}
ledger-directory: .ack/ledger
release-manifest-directory: .ack/manifests
release-pattern: '^v?[0-9]'
release-types: [feature, fix, internal]
release-impacts: [none, patch, minor, major]
audiences: [users]
disclosures: [public, embargoed, redacted]
channels: [general]
changesets:
  directory: .ack/changes
  archive-directory: .ack/archive
  after-consumption: archive
  conflict-policy: preserve
  required-impacts: [minor, major]
"""
RULES = """\
[rules]
disclosure = "public"
subject-number = "pull-request"
breaking-marker = "major"
[rules.types]
feat = "feature"
fix = "fix"
perf = "fix"
docs = "internal"
chore = "internal"
ci = "internal"
test = "internal"
refactor = "internal"
[rules.units]
"**" = "product"
"""
PERSON = {
    "id": "recorded-by-a-person",
    "summary": "What a person says of it",
    "rationale": "Because a person decided so.",
    "targets[0].type": "fix",
    "targets[0].impact": "patch",
    "targets[0].migration": None,
    "provenance": ["a-person-said-so"],
    "relations.reverts": [],
    "disclosure.state": "public",
}
NAMED = re.compile(
    r"https?://\S+|`[^`]+`|#\d+|[A-Z]{2,}-\d+|\b[0-9a-f]{7,64}\b|\bv?\d+(?:\.\d+)+\b|\b\d+\b|[\w.-]+/[\w./-]+|\w+\.\w+\(?\)?"
)


@dataclass(frozen=True, slots=True)
class Row:
    """One selection and what came of it."""

    repository: str
    selection: str
    kind: str
    code: int
    status: str
    seconds: float
    open_fields: tuple[str, ...]
    answered: str
    not_found: tuple[str, ...]
    findings: tuple[str, ...]
    summary: str


def git(repository: Path, *arguments: str) -> str:
    """What git prints, as text."""
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, capture_output=True, check=False).stdout.decode("utf-8", "replace")


def selections(repository: Path, count: int, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Kinds and operands: half single commits, then merges, short ranges and tag ranges, and the root."""
    commits = git(repository, "rev-list", "--first-parent", "HEAD").split()
    merges = git(repository, "rev-list", "--merges", "HEAD").split()
    tags = git(repository, "tag", "--sort=creatordate", "--merged", "HEAD").split()
    singles = chance.sample(commits[:-1], min(count // 2, len(commits) - 1))
    yield from (("commit", oid) for oid in singles)
    yield from (("merge", oid) for oid in chance.sample(merges, min(count // 6, len(merges))))
    for _ in range(count // 5):
        start = chance.randrange(max(1, len(commits) - 8))
        yield "range", f"{commits[min(len(commits) - 1, start + chance.randint(2, 6))]}..{commits[start]}"
    pairs = [(old, new) for old, new in zip(tags, tags[1:], strict=False) if git(repository, "rev-list", f"{old}..{new}")]
    yield from (("tags", f"{old}..{new}") for old, new in chance.sample(pairs, min(count // 8, len(pairs))))
    yield "root", commits[-1]


def drafted(arguments: list[str]) -> tuple[int, dict[str, Any], float]:
    """Exit code, JSON outcome and seconds of one `draft-changeset`; a traceback is not caught."""
    out = io.StringIO()
    start = time.perf_counter()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        code = draft_changeset([*arguments, "--format", "json", "--no-interactive"])
    return code, json.loads(out.getvalue()), time.perf_counter() - start


def texts(value: object) -> Iterator[str]:
    """Every text leaf of a record."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


def not_found(record: dict[str, Any], seen: str) -> tuple[str, ...]:
    """Identifiers of a record that stand nowhere in what git prints, the profile or the person's answers."""
    own = PROFILE + RULES + json.dumps(PERSON)
    missing = []
    for text in texts(
        {name: record.get(name) for name in ("id", "summary", "rationale", "targets", "provenance", "relations")}
    ):
        for found in NAMED.findall(text):
            name = found.strip("`.,;:!?)('\"")
            number = re.fullmatch(r"https://github\.com/example/[^/]+/(?:pull|issues)/(\d+)", name)
            wanted = f"#{number[1]}" if number else name
            if wanted and wanted not in seen and wanted not in own:
                missing.append(name)
    return tuple(missing)


def measure(repository: Path, count: int, seed: int, folder: Path) -> Iterator[Row]:
    """Draft each selection of one repository; yields a row each."""
    name = repository.parent.name if repository.name in {"repo", ".git"} else repository.name
    profile, rules, answers = folder / "profile.yaml", folder / "evidraft.toml", folder / "answers.json"
    profile.write_text(PROFILE.format(name="project"), "utf-8")
    rules.write_text(RULES, "utf-8")
    common = ["--repo", str(repository), "--profile", str(profile), "--config", str(rules)]
    for kind, operand in selections(repository, count, random.Random(seed)):  # noqa: S311 - repeatable, not secret
        code, outcome, seconds = drafted([*common, operand])
        questions = outcome.get("unresolved", [])
        again = dict(outcome)
        for _ in range(3):
            open_fields = {question["field"] for question in again.get("unresolved", [])}
            if not open_fields & PERSON.keys():
                break
            given = {**({} if again is outcome else json.loads(answers.read_text("utf-8")))}
            answers.write_text(
                json.dumps({**given, **{field: PERSON[field] for field in open_fields & PERSON.keys()}}), "utf-8"
            )
            _, again, _ = drafted([*common, operand, "--answers", str(answers)])
        shown = operand if ".." in operand else f"{operand}^!"
        seen = git(repository, "log", "-p", "-m", "--first-parent" if kind == "merge" else "--no-ext-diff", shown)
        seen += git(repository, "log", "--format=%B%n%H", f"{operand}^1..{operand}" if kind == "merge" else shown)
        records = [outcome.get("record") or outcome.get("partial") or {}, again.get("record") or again.get("partial") or {}]
        yield Row(
            repository=name,
            selection=operand,
            kind=kind,
            code=code,
            status=outcome["status"],
            seconds=round(seconds, 2),
            open_fields=tuple(f"{question['field']}:{question['reason']}" for question in questions),
            answered=again["status"],
            not_found=tuple(name for record in records for name in not_found(record, seen)),
            findings=tuple(finding["code"] for finding in again.get("findings", [])),
            summary=str(records[0].get("summary") or ""),
        )


def main() -> int:
    """Print one table; exit 1 when an identifier was not found or an outcome was refused."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("repositories", nargs="+", type=Path)
    options.add_argument("--ranges", type=int, default=20)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--json", type=Path)
    options.add_argument("--verbose", action="store_true")
    chosen = options.parse_args()
    rows: list[Row] = []
    for repository in chosen.repositories:
        with tempfile.TemporaryDirectory() as folder:
            for row in measure(repository, chosen.ranges, chosen.seed, Path(folder)):
                rows.append(row)
                if chosen.verbose:
                    print(row)
    for name in dict.fromkeys(row.repository for row in rows):
        own = [row for row in rows if row.repository == name]
        first, answered = Counter(row.status for row in own), Counter(row.answered for row in own)
        fields = Counter(field.split(":")[0] for row in own for field in row.open_fields)
        print(f"{name}: {len(own)} selections; {dict(first)}; with answers {dict(answered)}; open {dict(fields)}")
        print(f"  identifiers not found: {[missing for row in own for missing in row.not_found]}")
        print(
            f"  slowest {max(row.seconds for row in own)} s; still refused: {Counter(c for row in own for c in row.findings)}"
        )
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(row) for row in rows], indent=1), "utf-8")
    return int(any(row.not_found or row.answered != "DRAFTED" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
