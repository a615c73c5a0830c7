"""Where a server is: the URL of `URL#NAME`, checked and in one form (evidraft)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from agent.errors import NotConfigured

KEY: Final = "EVIDRAFT_ENDPOINT_KEY"
"""The variable that holds the key of a server, where it wants one."""
FORM: Final = "name it as URL#NAME, such as http://127.0.0.1:8080/v1#my-model"
_LONGEST: Final = 200
_FAULTS: Final[tuple[tuple[Callable[[SplitResult], bool], str], ...]] = (
    (lambda parts: parts.scheme not in {"http", "https"}, "the URL of a server begins with http:// or https://"),
    (lambda parts: not parts.hostname, "the URL of a server has no host"),
    (lambda parts: "@" in parts.netloc, f"the URL of a server holds a user or password; a key belongs into {KEY}"),
    (lambda parts: bool(parts.query), "the URL of a server has a query"),
    (lambda parts: bool(parts.fragment), "the URL of a server has a fragment"),
)


@dataclass(frozen=True, slots=True)
class Address:
    """A server and the name of a model there; an empty name stands for the only one that the server has."""

    url: str
    name: str

    @property
    def spec(self) -> str:
        """As `--model` names it."""
        return f"{self.url}#{self.name}"

    @property
    def root(self) -> str:
        """Where the server's own interfaces begin, those beside the chat interface."""
        return self.url.removesuffix("/v1")

    @property
    def ends_in_version(self) -> bool:
        """Whether the URL ends in `/v1`, as that of most servers does."""
        return self.root != self.url

    @classmethod
    def of(cls, url: str, name: str) -> Address:
        """Check both; a slash at the end is dropped.

        Raises:
            NotConfigured: the URL cannot be one of a server, or the name none of a model. It never shows a user or password.
        """
        parts = _split(url)
        if not name.isprintable() or name != name.strip() or len(name) > _LONGEST:
            raise NotConfigured("this cannot be the name of a model", cure=FORM)
        # Host names are compared in lower case, paths are not.
        return cls(f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}", name)


def _split(url: str) -> SplitResult:
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise NotConfigured("the URL of a server has characters that no URL has", cure=FORM)
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise NotConfigured("the URL of a server has a host or port that cannot be one", cure=FORM) from None
    for is_faulty, what in _FAULTS:
        if is_faulty(parts):
            raise NotConfigured(what, cure=FORM)
    return parts
