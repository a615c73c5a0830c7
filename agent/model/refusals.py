"""What a provider's refusal means, as the Failure of it: one table for all that speak HTTP (evidraft).

A refusal is known by its status, by codes of a known list, and where a provider gives no code by a few words in its message.
The message is looked at, never repeated: it may hold evidence.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from agent.errors import Denied, Passing, ProviderFailure, TooLong

SPENT: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error"})
"""Codes of a 429 that no waiting cures."""

_READ: Final = 4_000
_SERVER: Final = 5
"""The hundred of statuses of which the server is the fault."""
_AGAIN: Final = "run it again later"
_OWN: Final = frozenset({"APITimeoutError", "APIConnectionError", "APIResponseValidationError"})
_LIMIT: Final = re.compile(
    r"(?:maximum context length is|n_ctx\D{1,20}|context (?:window|size) (?:of|is)|>) ?\(?(\d{2,9})", re.IGNORECASE
)
_ASKED: Final = re.compile(
    r"(?:resulted in|you requested|too long:|request \(|input (?:of|has)|has) ?(\d{2,9}) (?:input )?tokens", re.IGNORECASE
)
_OVERFLOW: Final = re.compile(
    r"prompt is too long|maximum context length|context (?:window|length|size|limit)|too many (?:input )?tokens", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a provider answered instead of a reply: its status, its codes, and the start of its message."""

    status: int
    codes: frozenset[str]
    message: str
    body: object


@dataclass(frozen=True, slots=True)
class _Row:
    """A kind of refusal: when it is one, what is said of it, the one thing to do, and the class of its Failure."""

    statuses: frozenset[int]
    what: str
    cure: str
    codes: frozenset[str] = frozenset()
    words: re.Pattern[str] | None = None
    failure: type[ProviderFailure] = ProviderFailure

    def fits(self, refusal: Refusal) -> bool:
        if refusal.status not in self.statuses:
            return False
        if self.codes & refusal.codes or (self.words is not None and self.words.search(refusal.message)):
            return True
        return not self.codes and self.words is None


_UNREADABLE: Final = frozenset({400, 404, 413, 422})
_SHORTER: Final = "describe a smaller range, or take a model that reads more at once"
_ROWS: Final = (
    _Row(
        _UNREADABLE | {500},
        "the prompt is longer than it reads at once",
        _SHORTER,
        codes=frozenset({"context_length_exceeded", "exceed_context_size_error", "request_too_large"}),
        words=_OVERFLOW,
        failure=TooLong,
    ),
    _Row(frozenset({413}), "the prompt is larger than it takes", _SHORTER, failure=TooLong),
    _Row(
        frozenset({400, 402, 403, 429}),
        "its quota or credit is used up",
        "see to the billing of the account, or take another drafter",
        codes=SPENT,
        words=re.compile(r"credit balance|exceeded your current quota", re.IGNORECASE),
        failure=Denied,
    ),
    _Row(
        frozenset({400, 403, 404}),
        "it does not know the model",
        "check the model's name, and that the key may use it",
        codes=frozenset({"model_not_found", "invalid_model", "not_found_error"}),
        failure=Denied,
    ),
    _Row(
        frozenset({400, 422}),
        "it does not take the JSON Schema of the reply",
        "take a model that writes JSON by a schema",
        codes=frozenset({"invalid_json_schema"}),
        words=re.compile(r"schema|response_format|output_config|text\.format", re.IGNORECASE),
    ),
    _Row(frozenset({401}), "it does not accept the key", "set {keys} to a key that is valid there", failure=Denied),
    _Row(
        frozenset({402}),
        "the account is not paid for",
        "see to the billing of the account, or take another drafter",
        failure=Denied,
    ),
    _Row(frozenset({403}), "the key may not do this", "set {keys} to a key that may use this model", failure=Denied),
    _Row(
        frozenset({404, 405, 410}),
        "there is no such model or address",
        "check the model's name and the address",
        failure=Denied,
    ),
    _Row(frozenset({408}), "the request took too long to arrive", _AGAIN, failure=Passing),
    _Row(frozenset({409}), "another request was in the way", _AGAIN, failure=Passing),
    _Row(frozenset({429}), "it takes no more requests for now", "run it again later, or with fewer --jobs", failure=Passing),
    _Row(frozenset({503, 529}), "it is overloaded", _AGAIN, failure=Passing),
)
_OTHERS: Final[Mapping[int, tuple[str, str]]] = {
    3: ("it leads to another address, which is not followed", "name the address that it has now"),
    4: ("it does not take the request (status {status})", "take another model"),
    5: ("it failed (status {status})", _AGAIN),
}
_STRANGE: Final = ("it answered with something else than was asked for", "check the address, or take another model")
_BROKEN: Final[Mapping[str, tuple[str, str]]] = {
    "APITimeoutError": ("it did not answer in time", "run it again; a smaller range is answered sooner"),
    "APIConnectionError": ("it could not be reached", "check the network, the proxy and the address"),
}
_UNTRUSTED: Final = ("its certificate is not trusted", "install the certificates of its authority on this machine")


def failure(error: Exception, *, where: str, keys: str = "a variable") -> ProviderFailure:
    """The Failure that an SDK's error stands for; `where` is the drafter's name, `keys` the variables that may hold its key.

    The SDKs name their errors alike, so that neither has to be loaded to know those of the other.
    """
    ours = next((one for one in _causes(error) if isinstance(one, ProviderFailure)), None)
    if ours is not None:
        return type(ours)(ours.what, where=ours.where or where, cure=ours.cure)
    names = [kind.__name__ for kind in type(error).__mro__ if kind.__name__ in _OWN]
    status = getattr(error, "status_code", None)
    if names or not isinstance(status, int):
        trusted = not any(isinstance(one, ssl.SSLCertVerificationError) for one in _causes(error))
        if not trusted:
            return ProviderFailure(_UNTRUSTED[0], where=where, cure=_UNTRUSTED[1])
        name = names[0] if names else ""
        return broken(name, where=where) if name in _BROKEN else strange(where)
    return refused(read(status, getattr(error, "body", None)), where=where, keys=keys)


def read(status: int, body: object) -> Refusal:
    """The refusal that the body of an answer with this status tells of."""
    return Refusal(status, *_read(body))


def refused(refusal: Refusal, *, where: str, keys: str = "a variable") -> ProviderFailure:
    """The Failure of a refusal: the first row that fits, else what its hundred of statuses means."""
    row = next((row for row in _ROWS if row.fits(refusal)), None)
    if row is None:
        hundred = refusal.status // 100
        what, cure = _OTHERS.get(hundred, _STRANGE)
        failed = Passing if hundred == _SERVER else ProviderFailure
        return failed(what.format(status=refusal.status), where=where, cure=cure)
    if row.failure is TooLong:
        return TooLong(row.what, where=where, cure=row.cure, share=share(refusal))
    return row.failure(row.what, where=where, cure=row.cure.format(keys=keys))


def strange(where: str) -> ProviderFailure:
    """The Failure of an answer that is not what the interface promises: no JSON, or JSON of another shape."""
    what, cure = _STRANGE
    return ProviderFailure(what, where=where, cure=cure)


def broken(name: str = "APIConnectionError", *, where: str = "") -> ProviderFailure:
    """The Failure of a connection that did not hold, as the SDKs name it."""
    what, cure = _BROKEN[name]
    return Passing(what, where=where, cure=cure)


def codes(body: object) -> frozenset[str]:
    """What the body of a refusal gives as its code and type, in whichever of the usual places."""
    return _read(body)[0]


def share(refusal: Refusal) -> float:
    """How much of the prompt may fit, a little less than the numbers tell: 0.5 where there are none."""
    inner = _inner(refusal.body)
    limit = _number(inner.get("n_ctx")) or _found(_LIMIT, refusal.message)
    asked = _number(inner.get("n_prompt_tokens")) or _found(_ASKED, refusal.message)
    if not limit or not asked or asked <= limit:
        return 0.5
    return max(0.05, 0.9 * limit / asked)


def _read(body: object) -> tuple[frozenset[str], str, object]:
    inner = _inner(body)
    details = inner.get("details")
    deep = details.get("error_code") if isinstance(details, Mapping) else None
    told = (inner.get("code"), inner.get("type"), deep)
    message = inner.get("message")
    return frozenset(one for one in told if isinstance(one, str)), message[:_READ] if isinstance(message, str) else "", body


def _inner(body: object) -> Mapping[str, object]:
    """The error itself: some give it bare, some under `error`."""
    if not isinstance(body, Mapping):
        return {}
    inner = body.get("error", body)
    return inner if isinstance(inner, Mapping) else {"message": inner}


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _found(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.search(text)
    return int(match[1]) if match else 0


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        yield one
        one = one.__cause__ or one.__context__
