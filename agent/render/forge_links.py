"""Addresses on a forge: where a line, a commit, an issue or a person is to be seen (Describe Changes: refs, relations)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final
from urllib.parse import quote, urlsplit

from guardrails.evidence.references import Reference


class Style(StrEnum):
    """How a forge builds its addresses."""

    GITHUB = "github"
    GITLAB = "gitlab"


_BLOB, _LINE, _LINES = "blob", "line", "lines"
_COMMIT, _COMPARISON = "commit", "comparison"
_ISSUE, _REQUEST = "#", "!"
_ADDRESSES: Final[Mapping[Style, Mapping[str, str]]] = {
    Style.GITHUB: {
        _BLOB: "{base}/blob/{0}/{1}",
        _LINE: "#L{0}",
        _LINES: "#L{0}-L{1}",
        _COMMIT: "{base}/commit/{0}",
        _COMPARISON: "{base}/compare/{0}...{1}",
        _ISSUE: "{base}/issues/{0}",  # it leads on to the pull request of that number
    },
    Style.GITLAB: {
        _BLOB: "{base}/-/blob/{0}/{1}",
        _LINE: "#L{0}",
        _LINES: "#L{0}-{1}",
        _COMMIT: "{base}/-/commit/{0}",
        _COMPARISON: "{base}/-/compare/{0}...{1}",
        _ISSUE: "{base}/-/issues/{0}",
        _REQUEST: "{base}/-/merge_requests/{0}",
    },
}
_RENDERED: Final = (".md", ".markdown", ".rst", ".adoc", ".org", ".ipynb", ".svg", ".csv", ".tsv", ".geojson")
"""Files that forges show as a page, where lines cannot be pointed at unless they are asked for plain."""

_HOST: Final = re.compile(r"(?a:[\w-]{1,63}(?:\.[\w-]{1,63}){0,9}(?::\d{1,5})?)")
_NAME: Final = r"(?=[.-]{0,99}\w)[\w.-]{1,100}"
_REPOSITORY: Final = re.compile(rf"(?a:{_NAME}(?:/{_NAME}){{1,20}})")
_NUMBER: Final = re.compile(rf"(?a:({_NAME}(?:/{_NAME}){{1,20}})?([#!])(\d{{1,9}})|GH-(\d{{1,9}}))")
_KEY: Final = re.compile(r"(?a:([A-Z][A-Z0-9_]{0,30})-\d{1,9})")
_SHA: Final = re.compile(r"(?a:[0-9a-f]{7,64})")
_LOGIN: Final = re.compile(r"(?a:[A-Za-z0-9][\w.-]{0,254})")


@dataclass(frozen=True, slots=True)
class Links:
    """One repository on one forge. `trackers` tells for an issue key's prefix the address, with `{key}` in it."""

    host: str
    repository: str
    style: Style
    trackers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(
        cls, host: str, repository: str, *, style: Style | None = None, trackers: Mapping[str, str] | None = None
    ) -> Links | None:
        """Links to `repository` (owner/name) on `host`; None where they name none, or nobody says how it builds addresses.

        Without a `style` the host's own name must say it: `github.com`, `gitlab.example.com`.
        """
        host = host.lower()
        known = style or next((one for one in Style if one.value in host.split(".")), None)
        if known is None or not _HOST.fullmatch(host) or not _REPOSITORY.fullmatch(repository):
            return None
        return cls(host, repository, known, MappingProxyType(dict(trackers or {})))

    def place(self, reference: Reference) -> str | None:
        """Where the lines of a reference are seen, at its commit; None without one."""
        if reference.sha is None:
            return None
        address = self._address(_BLOB, quote(reference.sha), quote(reference.path))
        if reference.range is None:
            return address
        first, _, last = reference.range.partition("-")
        plain = "?plain=1" if reference.path.lower().endswith(_RENDERED) else ""
        return f"{address}{plain}{self._address(_LINES, first, last) if last else self._address(_LINE, first)}"

    def commit(self, sha: str) -> str:
        """Where a commit is seen."""
        return self._address(_COMMIT, quote(sha))

    def comparison(self, base: str, head: str) -> str:
        """Where the changes from one revision to another are seen."""
        return self._address(_COMPARISON, quote(base), quote(head))

    def identifier(self, text: str) -> str | None:
        """Where what `text` names is seen: `#12`, `!12`, `GH-12`, `owner/name#12`, an issue key, a commit; None if nowhere."""
        if match := _NUMBER.fullmatch(text):
            repository, mark, number, short = match.groups()
            pattern = _ADDRESSES[self.style].get(mark or _ISSUE)
            return pattern and pattern.format(number or short, base=f"https://{self.host}/{repository or self.repository}")
        if match := _KEY.fullmatch(text):
            return self.trackers[match[1]].replace("{key}", text) if match[1] in self.trackers else None
        return self.commit(text) if _SHA.fullmatch(text) else None

    def person(self, login: str) -> str | None:
        """Where a person is seen; None for what is no login."""
        return f"https://{self.host}/{login}" if _LOGIN.fullmatch(login) else None

    def lead_to(self, address: str) -> bool:
        """Whether an address is on this forge or on one of the trackers."""
        hosts = {self.host, *(urlsplit(pattern).netloc for pattern in self.trackers.values())}
        try:
            parts = urlsplit(address)
        except ValueError:
            return False
        return parts.scheme == "https" and parts.netloc.lower() in hosts

    def _address(self, name: str, *parts: str) -> str:
        return _ADDRESSES[self.style][name].format(*parts, base=f"https://{self.host}/{self.repository}")
