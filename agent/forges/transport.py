"""One question to a forge over the network: bounded, timed, retried here and nowhere else (evidraft).

A token goes to the one host that it is meant for: no redirect and no link leads off it. What is said of a failure holds neither
the token nor what the forge wrote.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import httpx2
import tenacity

from agent.errors import ForgeFailure
from agent.forges.answers import Answer, Refused
from agent.forges.places import Place
from agent.forges.waiting import Pause, asked

ATTEMPTS: Final = 4
LONGEST_PAUSE: Final = 60.0
"""A forge is not waited for longer at once: it is said when it answers again."""
LONGEST: Final = 180.0
"""Nor is one question asked for longer than this."""
MAX_BYTES: Final = 16 * 1024 * 1024
_TIMEOUT: Final = httpx2.Timeout(30.0, connect=10.0)
_REDIRECTS: Final = 3
_MOVED: Final = frozenset({301, 302, 303, 307, 308})
_PASSING: Final = frozenset({500, 502, 503, 504})
_READING: Final = "GET"
"""What writes is not asked again where nobody knows whether it was carried out."""
_ELSEWHERE: Final = "try again later, or give --payload FILE"
_WORDS: Final[Mapping[int, tuple[str, str]]] = {
    401: ("the forge does not know the token", "set {variables} to a token that may read this repository"),
    403: ("the forge refuses this", "use a token in {variables} that may do this"),
    404: ("the forge knows no such thing, or does not show it", "check repository and number; a private one needs {variables}"),
    410: ("the forge has it no longer", "check repository and number"),
    422: ("the forge refuses what was sent", "see what the forge's own page says of it"),
}


class _Again(Exception):
    """What may go better the next time: the failure that it is otherwise, and the pause that was asked for."""

    def __init__(self, failure: ForgeFailure, pause: Pause | None = None) -> None:
        super().__init__(failure.what)
        self.failure = failure
        self.pause = pause


@dataclass(frozen=True, slots=True)
class Transport:
    """An open connection to one forge: a `Door`."""

    place: Place
    http: httpx2.Client = field(repr=False)
    sleep: Callable[[float], None] = field(repr=False)

    def ask(self, method: str, address: str, value: Mapping[str, str] | None = None) -> Answer:
        """What the forge answers, after as many attempts and redirects as are due; otherwise as `Door`."""
        for _ in range(_REDIRECTS + 1):
            answer = self._patiently(method, address, value)
            if answer.status not in _MOVED:
                return answer
            if method != _READING:
                raise self.failure("the repository has moved", address, "use its new name")
            address = self.same_host(answer.headers.get("location", ""), address)
        raise self.failure("the forge leads in a circle", address)

    def same_host(self, told: str, address: str) -> str:
        """As `Door`."""
        try:
            there, here = httpx2.URL(address).join(told), httpx2.URL(self.place.api)
        except httpx2.InvalidURL:
            raise self.failure("the forge names an address that is none", address) from None
        if (there.scheme, there.host, there.port, there.userinfo) != (here.scheme, here.host, here.port, b""):
            raise self.failure("the forge leads to another host, which is not followed", address)
        return str(there)

    def failure(self, what: str, address: str, cure: str = "") -> ForgeFailure:
        """As `Door`."""
        return ForgeFailure(what, where=self._where(address), cure=cure)

    def _where(self, address: str) -> str:
        return f"{self.place.host}{httpx2.URL(address).path}"

    def _patiently(self, method: str, address: str, value: Mapping[str, str] | None) -> Answer:
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(_Again),
            stop=tenacity.stop_after_attempt(ATTEMPTS) | tenacity.stop_after_delay(LONGEST),
            wait=_pause,
            sleep=self.sleep,
            reraise=True,
        )
        try:
            return retrying(self._once, method, address, value)
        except _Again as again:
            raise again.failure from None

    def _once(self, method: str, address: str, value: Mapping[str, str] | None) -> Answer:
        try:
            answer = self._read(method, address, value)
        except (httpx2.ConnectError, httpx2.ConnectTimeout):
            raise _Again(self.failure("the forge could not be reached", address, _ELSEWHERE)) from None
        except (httpx2.TransportError, httpx2.DecodingError):
            broken = self.failure("the connection to the forge broke off", address, _ELSEWHERE)
            raise (_Again(broken) if method == _READING else broken) from None
        self._require_no_pause(answer, address)
        if answer.status < 400:
            return answer
        refused = self._refused(answer.status, address)
        raise _Again(refused) if answer.status in _PASSING and method == _READING else refused

    def _refused(self, status: int, address: str) -> Refused:
        what, cure = _WORDS.get(status, (f"the forge answered with status {status}", _ELSEWHERE))
        variables = " or ".join(self.place.variables) or "another token"
        return Refused(what, status, where=self._where(address), cure=cure.format(variables=variables))

    def _read(self, method: str, address: str, value: Mapping[str, str] | None) -> Answer:
        with self.http.stream(method, address, json=value) as response:
            pieces: list[bytes] = []
            size = 0
            for piece in response.iter_bytes():
                pieces.append(piece)
                size += len(piece)
                if size > MAX_BYTES:
                    raise self.failure(f"the forge's answer is larger than {MAX_BYTES} bytes", address)
        headers = {name.lower(): text for name, text in response.headers.items()}
        return Answer(response.status_code, headers, b"".join(pieces))

    def _require_no_pause(self, answer: Answer, address: str) -> None:
        pause = asked(answer.status, answer.headers, answer.body, time.time())
        if pause is None:
            return
        limited = self.failure(f"the forge allows no more questions until {pause.until}", address, _ELSEWHERE)
        raise limited if pause.seconds > LONGEST_PAUSE else _Again(limited, pause)


@contextmanager
def opened(place: Place, sleep: Callable[[float], None] = time.sleep) -> Iterator[Transport]:
    """A connection to the forge, closed at the end whatever happens."""
    with httpx2.Client(headers=dict(place.headers), timeout=_TIMEOUT, follow_redirects=False) as http:
        yield Transport(place, http, sleep)


def _pause(state: tenacity.RetryCallState) -> float:
    """What the forge asked for, else one second, two, four."""
    failed = state.outcome.exception() if state.outcome else None
    asked_for = failed.pause if isinstance(failed, _Again) else None
    return asked_for.seconds if asked_for else 2.0 ** (state.attempt_number - 1)
