"""What git is allowed to see and do, and what its refusals mean (Intent Changesets 12).

A repository is untrusted, its configuration too. No hook, pager, filter, external diff, textconv, monitor, credential helper,
signature checker or transport runs; objects are never fetched and never replaced. The one exception are mirrors, whose
configuration is ours: there a person's own set-up of git may name helpers, and one transport may run (`reaching`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from agent.errors import RepositoryFailure

MINIMUM: Final = "2.31"
_INHERITED: Final = (
    *("PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "SUDO_UID"),
    *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"),  # where a person's safe.directory stands
)
_REACHING: Final = (
    *("SSH_AUTH_SOCK", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "SSH_ASKPASS", "USER", "LOGNAME"),
    *("http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_PROXY_SSL_CAINFO"),
)
"""How a person's machine reaches others, and as whom."""
_FIXED: Final = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "",  # stronger than any protocol.*.allow of the repository
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
}
CONFIG: Final = {
    "color.ui": "never",
    "core.askPass": "",
    "core.attributesFile": os.devnull,
    "core.commitGraph": "false",  # it could tell other parents than the commits do
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.pager": "cat",
    "core.quotePath": "false",
    "core.sshCommand": "false",
    "core.untrackedCache": "false",
    "core.warnAmbiguousRefs": "true",
    "credential.helper": "",
    "diff.autoRefreshIndex": "false",  # it writes the index
    "diff.mnemonicPrefix": "false",
    "diff.noprefix": "false",
    "diff.suppressBlankEmpty": "false",
    "gc.auto": "0",
    "log.follow": "false",
    "log.showRoot": "true",
    "log.showSignature": "false",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "submodule.recurse": "false",
}
GLOBAL: Final = ("--no-pager", "--no-replace-objects", "--literal-pathspecs")
_VERSION: Final = re.compile(rb"git version (\d{1,9}\.\d{1,9})")
_DUBIOUS: Final = b"detected dubious ownership"


_OF_PERSON: Final = frozenset({"core.askPass", "core.sshCommand", "credential.helper"})
_NO_QUESTIONS: Final = {"core.sshCommand": "ssh -o BatchMode=yes -o ConnectTimeout=60 -o ServerAliveInterval=60"}
"""Nobody may sit there to answer; what a person has set up for ssh counts instead."""
_NO_STANDSTILL: Final = {"http.lowSpeedLimit": "1000", "http.lowSpeedTime": "60"}
"""A server that says nothing for a minute is one that does not answer."""


def reaching(config: Mapping[str, str]) -> dict[str, str]:
    """Settings under which git may ask another machine: credentials come from the person's own set-up of git alone."""
    return {name: value for name, value in config.items() if name not in _OF_PERSON} | _NO_STANDSTILL


def without_questions(config: Mapping[str, str], own: str) -> dict[str, str]:
    """The same for a person who has `own` as their `core.sshCommand`, "" for none."""
    has_own = own or any(name in os.environ for name in ("GIT_SSH", "GIT_SSH_COMMAND"))
    return dict(config) if has_own else {**config, **_NO_QUESTIONS}


def environment(config: Mapping[str, str], protocols: str = "") -> dict[str, str]:
    """All that git finds around it: an allowlist, our own settings, and `config` as settings that win over every file.

    `protocols` are those by which it may reach another repository, between colons.
    """
    names = (*_INHERITED, *_REACHING) if protocols else _INHERITED
    inherited = {name: os.environ[name] for name in names if name in os.environ}
    numbered = {
        f"GIT_CONFIG_{part}_{number}": text
        for number, pair in enumerate(config.items())
        for part, text in zip(("KEY", "VALUE"), pair, strict=True)
    }
    fixed = {**_FIXED, "GIT_ALLOW_PROTOCOL": protocols}
    return {**inherited, **fixed, "GIT_CONFIG_COUNT": str(len(config)), **numbered}


def require_version(said: bytes) -> None:
    """Hold what `git version` said against the minimum.

    Raises:
        RepositoryFailure: git is too old, or this is not git.
    """
    match = _VERSION.match(said)
    found = match[1].decode() if match else "unknown"
    if match is None or _parts(found) < _parts(MINIMUM):
        raise RepositoryFailure(f"git is too old: {found}", cure=f"install git {MINIMUM} or newer")


def refusal(err: bytes, folder: Path, otherwise: str) -> RepositoryFailure:
    """The failure that git's own words mean; they are not quoted, for they can hold evidence."""
    if _DUBIOUS in err:
        return RepositoryFailure(
            "the repository belongs to someone else, so git will not read it",
            where=str(folder),
            cure=f"if you trust its owner: git config --global --add safe.directory '{folder}'",
        )
    if b"not a git repository" in err:
        return RepositoryFailure("is not a git repository", where=str(folder), cure="give the path of one")
    return RepositoryFailure(otherwise, where=str(folder), cure="see what git says there, for example: git fsck")


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
