"""Remote repositories, mirrored into a folder of one's own: each once, whatever runs at the same time (evidraft).

An address is one that a person named. It goes over https or ssh, or to a folder; it holds no password, for it stands in the
configuration of the mirror and in the arguments of git. Who a person is says their own git: helpers, agents, keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import platformdirs

from agent import store
from agent.batch import profiles
from agent.batch.release import Release
from agent.errors import RepositoryFailure, UsageFailure
from agent.sources import mirroring, remotes
from agent.sources.git import Repository
from guardrails.digests import digest_of

_ENCRYPTED: Final = "https:ssh"
"""Both, for a person's set-up may turn one into the other."""
_PROTOCOLS: Final = {"https": _ENCRYPTED, "ssh": _ENCRYPTED, "git+ssh": _ENCRYPTED, "ssh+git": _ENCRYPTED, "file": "file"}
_CURE: Final = "give an address such as https://example.org/acme/widgets.git, or the path of a folder"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a repository is: as git takes it, by which protocols, and as it may be shown."""

    url: str = field(repr=False)
    protocols: str
    shown: str


def address(said: str) -> Address | None:
    """The address that `said` is; None for the path of a folder.

    Raises:
        UsageFailure: it goes over a protocol that is not safe, holds a password, or is malformed.
    """
    scheme, is_url, _ = said.partition("://")
    remote = remotes.read(said)
    if not is_url:
        return Address(said, _ENCRYPTED, f"{remote.host}/{remote.path}") if remote is not None else None
    protocols = _PROTOCOLS.get(scheme.lower())
    shown = f"{remote.host}/{remote.path}" if remote is not None else "the repository's address"
    if protocols is None:
        raise UsageFailure("is reached by no protocol that is used here", where=shown, cure=_CURE)
    if protocols == "file":
        return Address(said, protocols, said)
    parts = urlsplit(said)
    if parts.password is not None or (parts.username is not None and scheme.lower() == "https"):
        raise UsageFailure("holds a name or a password", where=shown, cure="leave it to git: git help credentials")
    if remote is None:
        raise UsageFailure("is malformed", where=shown, cure=_CURE)
    return Address(said, protocols, shown)


def place(where: Address) -> Path:
    """The folder of its mirror. The name tells nothing."""
    return platformdirs.user_cache_path("evidraft") / "mirrors" / f"{digest_of(where.url).rpartition(':')[2][:32]}.git"


@dataclass(slots=True)
class Mirror:
    """A mirror that this process holds: nobody else changes it as long as it does.

    `is_reached` says whether the other side answers, `note` what is to be known of a mirror that may be old.
    """

    where: Address
    folder: Path
    is_reached: bool = True
    note: str = ""

    def complete(self, repository: Repository, releases: Sequence[Release]) -> None:
        """Bring what drafting of releases reads: changes and settings, then what settings name, then what a profile names.

        Raises:
            RepositoryFailure: something is missing still.
            ConfigurationFailure: settings or a profile cannot be used.
        """
        self.bring(repository, mirroring.needed(repository, [(one.base, one.head) for one in releases]))
        found = {commit: mirroring.below(repository, commit, mirroring.SETTINGS) for commit in _ends(releases)}
        self.bring(repository, (oid for files in found.values() for oid, _ in files))
        alike: dict[tuple[object, ...], list[Release]] = {}
        for one in releases:
            alike.setdefault((found.get(one.base), found[one.head], one.options), []).append(one)
        for group in alike.values():
            settings = profiles.settings_of(repository, group[0])
            self.bring(repository, _below(repository, group, profiles.named_by(settings)))
            self.bring(repository, _below(repository, group, profiles.directories(repository, group[0], settings)))

    def bring(self, repository: Repository, oids: Iterable[str]) -> None:
        """Bring single contents.

        Raises:
            RepositoryFailure: some are missing still.
        """
        try:
            mirroring.complete(repository, self.where.protocols if self.is_reached else "", oids)
        except RepositoryFailure as failure:
            raise RepositoryFailure(failure.what, where=self.where.shown, cure=failure.cure) from None


@contextmanager
def held(where: Address, *, offline: bool = False) -> Iterator[Mirror]:
    """The mirror of an address, as new as can be: made where there is none, made anew where it is broken.

    Where the other side does not answer, or is not to be asked, what was mirrored before is used, and that is said.

    Raises:
        RepositoryFailure: there is no mirror, and none can be made.
    """
    folder = place(where)
    claim = store.Claim(folder.with_suffix(".lock"), waits=True)
    try:
        yield _mirror(where, folder, offline=offline)
    finally:
        claim.release()


def _mirror(where: Address, folder: Path, *, offline: bool) -> Mirror:
    """What is left of one whose making was interrupted is no mirror."""
    is_done = mirroring.is_done(folder)
    if offline and is_done:
        return Mirror(where, folder, is_reached=False, note=f"{where.shown}: not asked; what was mirrored before is used")
    if offline:
        raise RepositoryFailure("is not mirrored yet", where=where.shown, cure="run it once without --offline")
    if is_done:
        head = mirroring.remote_head(folder, where.protocols)
        if head is None:
            return Mirror(
                where, folder, is_reached=False, note=f"{where.shown}: does not answer; what was mirrored before is used"
            )
        if mirroring.update(folder, where.protocols, head):
            return Mirror(where, folder)
    return _anew(where, folder)


def _anew(where: Address, folder: Path) -> Mirror:
    store.remove_folder(folder)
    mirroring.begin(folder, where.url)
    head = mirroring.remote_head(folder, where.protocols)
    if head is None:
        cure = "see that git reaches it: git ls-remote, as whom your own set-up of git says"
        raise RepositoryFailure("cannot be reached", where=where.shown, cure=cure)
    if not mirroring.update(folder, where.protocols, head):
        raise RepositoryFailure(
            "could not be mirrored", where=where.shown, cure="run it again, or clone it and give the folder"
        )
    return Mirror(where, folder)


def _ends(releases: Iterable[Release]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(commit for one in releases for commit in (one.base, one.head) if commit))


def _below(repository: Repository, releases: Iterable[Release], places: Sequence[str]) -> Iterator[str]:
    """What lies at places that were not looked into yet."""
    new = [place for place in places if place.partition("/")[0] not in mirroring.SETTINGS]
    for commit in _ends(releases) if new else ():
        yield from (oid for oid, _ in mirroring.below(repository, commit, new))
