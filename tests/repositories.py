"""Throw-away git repositories for tests: fixed names and dates, cut off from the configuration of this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

START = 1_700_000_000
"""When the first commit is made; each later one a minute after the one before."""
_QUIET = {
    "init.defaultBranch": "main",
    "commit.gpgSign": "false",
    "core.autocrlf": "false",
    "core.hooksPath": os.devnull,
    "gc.auto": "0",
    "maintenance.auto": "false",
    "merge.conflictStyle": "merge",
    "protocol.file.allow": "always",
    "advice.detachedHead": "false",
}


@dataclass
class GitFolder:
    """A folder that git is run in."""

    path: Path
    _clock: int = field(default=START, repr=False)

    @classmethod
    def init(cls, path: Path, *options: str) -> GitFolder:
        """A new repository at `path`; `options` are those of `git init`."""
        path.mkdir(parents=True, exist_ok=True)
        made = cls(path)
        made.git("init", "-q", *options)
        return made

    @classmethod
    def clone(cls, origin: GitFolder, path: Path, *options: str) -> GitFolder:
        """A clone of `origin` at `path`, over a transport so that depth and filters count."""
        origin.git("clone", "-q", *options, f"file://{origin.path}", str(path))
        return cls(path)

    def copy(self, path: Path) -> GitFolder:
        """The same repository once more, at `path`."""
        shutil.copytree(self.path, path, symlinks=True, dirs_exist_ok=True)
        return GitFolder(path, self._clock)

    def git(self, *arguments: str | bytes, given: bytes = b"", fails: bool | None = False) -> bytes:
        """The output of one git command; `fails` when it is expected to, None when it may."""
        moment = f"{self._clock} +0000"
        self._clock += 60
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.path),
            "LC_ALL": "C",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "Ada Author",
            "GIT_AUTHOR_EMAIL": "ada@example.org",
            "GIT_AUTHOR_DATE": moment,
            "GIT_COMMITTER_NAME": "Cem Committer",
            "GIT_COMMITTER_EMAIL": "cem@example.org",
            "GIT_COMMITTER_DATE": moment,
        }
        quiet = [word for key, value in _QUIET.items() for word in ("-c", f"{key}={value}")]
        done = subprocess.run(
            ["git", *quiet, *arguments], cwd=self.path, env=environment, input=given, capture_output=True, check=False
        )
        if fails is not None and (done.returncode != 0) != fails:
            raise AssertionError(f"git {arguments[0]!r} ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done.stdout

    def write(self, files: Mapping[str | bytes, str | bytes | None]) -> None:
        """Lay files into the work tree; None removes one."""
        for name, content in files.items():
            target = Path(os.fsdecode(os.fsencode(self.path) + b"/" + os.fsencode(name)))
            if content is None:
                target.unlink()
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, message: str | bytes, files: Mapping[str | bytes, str | bytes | None] | None = None, *options: str) -> str:
        """Lay `files`, stage everything that changed, and commit; the commit's object name."""
        self.write(files or {})
        self.git("add", "--all")
        text = message.encode() if isinstance(message, str) else message
        self.git("commit", "-q", "--allow-empty", "--no-verify", "--cleanup=verbatim", *options, "-F", "-", given=text)
        return self.oid("HEAD")

    def oid(self, revision: str) -> str:
        """The object name of `revision`."""
        return self.git("rev-parse", "--verify", revision).decode().strip()

    def branch(self, name: str, start: str = "HEAD") -> None:
        """Start a branch and stand on it."""
        self.git("checkout", "-q", "-B", name, start)

    def switch(self, revision: str) -> None:
        """Stand on a branch or commit."""
        self.git("checkout", "-q", revision)

    def merge(self, message: str, *heads: str, resolved: Mapping[str | bytes, str | bytes | None] | None = None) -> str:
        """Merge `heads`, lay the files of `resolved`, and commit; conflicts are expected when there are any."""
        self.git("merge", "-q", "--no-ff", "--no-commit", *heads, fails=None if resolved else False)
        return self.commit(message, resolved)
