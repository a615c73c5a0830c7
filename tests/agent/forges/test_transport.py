"""One question to a forge: what is asked again and after which pause, what is refused, and what is never said or sent."""

from __future__ import annotations

import httpx2
import pytest
import respx

from agent.errors import ForgeFailure
from agent.forges import places
from agent.forges.client import MAX_PAGES, Client, Listed
from agent.forges.transport import ATTEMPTS, LONGEST_PAUSE, MAX_BYTES, opened
from tests.agent.forges.forge import API, ENVIRON, LAB, TOKEN, Forge, ok, refusal

PATH = "/repos/acme/widgets/pulls/12"
AT = f"{API}{PATH}"


def mapping(forge: Forge, path: str = PATH, host: str = "github.com") -> object:
    with opened(places.place(host, ENVIRON), forge.sleep) as transport:
        return Client(transport).mapping(path)


def listed(forge: Forge, path: str = PATH, host: str = "github.com") -> Listed:
    with opened(places.place(host, ENVIRON), forge.sleep) as transport:
        return Client(transport).listed(path)


AGAIN = {
    "broken, then well": ([refusal(500), {"a": 1}], [1.0]),
    "broken twice": ([refusal(502), refusal(504), {"a": 1}], [1.0, 2.0]),
    "cut off": ([httpx2.ReadError("x"), {"a": 1}], [1.0]),
    "too slow": ([httpx2.ReadTimeout("x"), {"a": 1}], [1.0]),
    "not there": ([httpx2.ConnectError("x"), {"a": 1}], [1.0]),
    "ended within a body": ([httpx2.RemoteProtocolError("x"), {"a": 1}], [1.0]),
    "too many, with a time": ([refusal(429, **{"Retry-After": "7"}), {"a": 1}], [7.0]),
    "limited, with a time": ([refusal(403, **{"Retry-After": "20"}), {"a": 1}], [20.0]),
    "limited, in words": ([respx.MockResponse(403, json={"message": "secondary rate limit"}), {"a": 1}], [60.0]),
    "being mended": ([refusal(503, **{"Retry-After": "3"}), {"a": 1}], [3.0]),
}


@pytest.mark.parametrize(("answers", "pauses"), AGAIN.values(), ids=AGAIN)
def test_what_may_pass_is_asked_again_after_the_pause_that_is_due(
    forge: Forge, answers: list[object], pauses: list[float]
) -> None:
    forge.answers(AT, *answers)
    assert mapping(forge) == {"a": 1}
    assert forge.pauses == pauses


REFUSED = {
    "unknown token": (refusal(401), "the forge does not know the token", "set GH_TOKEN or GITHUB_TOKEN"),
    "forbidden": (refusal(403), "the forge refuses this", "use a token in GH_TOKEN"),
    "not found": (refusal(404), "the forge knows no such thing, or does not show it", "check repository and number"),
    "gone": (refusal(410), "the forge has it no longer", ""),
    "another status": (refusal(418), "the forge answered with status 418", "--payload FILE"),
    "no JSON": (respx.MockResponse(200, content=b"<html>"), "that is no JSON", ""),
    "half a JSON": (respx.MockResponse(200, content=b'{"a": '), "that is no JSON", ""),
    "a key twice": (respx.MockResponse(200, content=b'{"a": 1, "a": 2}'), "that is no JSON", ""),
    "far too deep": (respx.MockResponse(200, content=b"[" * 100_000), "that is no JSON", ""),
    "a list": (ok([]), "something else than was asked for", ""),
    "nothing": (respx.MockResponse(204), "that is no JSON", ""),
    "too long": (respx.MockResponse(200, content=b" " * (MAX_BYTES + 1)), "is larger than", ""),
}


@pytest.mark.parametrize(("answer", "what", "cure"), REFUSED.values(), ids=REFUSED)
def test_what_will_not_pass_is_asked_once_and_told_in_our_words(
    forge: Forge, answer: respx.MockResponse, what: str, cure: str
) -> None:
    route = forge.answers(AT, answer)
    with pytest.raises(ForgeFailure) as caught:
        mapping(forge)
    assert what in str(caught.value)
    assert cure in str(caught.value)
    assert caught.value.where == f"github.com{PATH}"
    assert "the forge's own words" not in str(caught.value)
    assert (route.call_count, forge.pauses) == (1, [])


def test_what_does_not_pass_is_not_asked_for_ever(forge: Forge) -> None:
    route = forge.answers(AT, refusal(500))
    with pytest.raises(ForgeFailure, match="the forge answered with status 500"):
        mapping(forge)
    assert (route.call_count, forge.pauses) == (ATTEMPTS, [1.0, 2.0, 4.0])


@pytest.mark.parametrize("status", [403, 429])
def test_a_long_pause_is_not_waited_for_and_it_is_said_until_when(forge: Forge, status: int) -> None:
    forge.answers(AT, refusal(status, **{"Retry-After": str(int(LONGEST_PAUSE) + 1)}))
    with pytest.raises(ForgeFailure, match=r"allows no more questions until \d{4}-\d\d-\d\d \d\d:\d\d UTC .*--payload FILE"):
        mapping(forge)
    assert forge.pauses == []


def test_a_network_that_is_not_there_is_told(forge: Forge) -> None:
    forge.answers(AT, httpx2.ConnectError("x"))
    with pytest.raises(ForgeFailure, match="the forge could not be reached"):
        mapping(forge)


def test_a_renamed_repository_is_followed_on_the_same_host(forge: Forge) -> None:
    forge.answers(AT, respx.MockResponse(301, headers={"Location": "/repositories/1/pulls/12"}))
    forge.answers(f"{API}/repositories/1/pulls/12", {"a": 1})
    assert mapping(forge) == {"a": 1}


ELSEWHERE = ("https://evil.example/x", "//evil.example/x", "http://api.github.com/x", "https://api.github.com:444/x")


@pytest.mark.parametrize("address", [*ELSEWHERE, "https://a:b@api.github.com/x"])
@pytest.mark.requirement("AI-7")
def test_no_redirect_leads_off_the_host(forge: Forge, address: str) -> None:
    forge.answers(AT, respx.MockResponse(302, headers={"Location": address}))
    with pytest.raises(ForgeFailure, match="another host, which is not followed"):
        mapping(forge)
    assert len(forge.asked) == 1


def test_a_circle_of_redirects_ends(forge: Forge) -> None:
    forge.answers(AT, respx.MockResponse(302, headers={"Location": AT}))
    with pytest.raises(ForgeFailure, match="leads in a circle"):
        mapping(forge)


def test_pages_are_followed_by_their_links(forge: Forge) -> None:
    link = f'<{AT}?per_page=100&page=3>; rel="last", <{AT}?per_page=100&page=2>; rel="next"'
    forge.answers(f"{AT}?per_page=100", ok([{"n": 1}], Link=link))
    forge.answers(f"{AT}?per_page=100&page=2", ok([{"n": 2}], Link=f'<{AT}?page=1>; rel="prev"'))
    assert listed(forge) == Listed(({"n": 1}, {"n": 2}))


def test_pages_are_followed_by_their_number(forge: Forge) -> None:
    at = f"{LAB}/projects/a%2Fb/merge_requests/5/diffs"
    forge.answers(f"{at}?per_page=100", ok([{"n": 1}], **{"x-next-page": "2"}))
    forge.answers(f"{at}?per_page=100&page=2", ok([{"n": 2}], **{"x-next-page": ""}))
    assert listed(forge, "/projects/a%2Fb/merge_requests/5/diffs", "gitlab.com") == Listed(({"n": 1}, {"n": 2}))


@pytest.mark.requirement("AI-7")
def test_no_page_leads_off_the_host(forge: Forge) -> None:
    forge.answers(AT, ok([{"n": 1}], Link='<https://evil.example/2>; rel="next"'))
    assert listed(forge) == Listed(({"n": 1},), "the forge leads to another host, which is not followed")
    assert len(forge.asked) == 1


def test_pages_that_break_off_are_kept_as_far_as_they_came(forge: Forge) -> None:
    forge.answers(f"{AT}?per_page=100", ok([{"n": 1}], Link=f'<{AT}?page=2>; rel="next"'))
    forge.answers(f"{AT}?page=2", refusal(403))
    assert listed(forge) == Listed(({"n": 1},), "the forge refuses this")


def test_pages_without_an_end_have_one(forge: Forge) -> None:
    route = forge.answers(AT, ok([{"n": 1}], Link=f'<{AT}?page=2>; rel="next"'))
    assert listed(forge) == Listed(({"n": 1},) * MAX_PAGES, f"only the first {MAX_PAGES} were asked for")
    assert route.call_count == MAX_PAGES


def test_a_page_of_another_form_is_not_taken_for_a_list(forge: Forge) -> None:
    forge.answers(AT, {"message": "x"})
    assert listed(forge).missing == "the forge answered with something else than was asked for"


@pytest.mark.requirement("AI-7")
def test_the_token_is_sent_to_its_host_and_shown_nowhere(forge: Forge) -> None:
    forge.answers(AT, refusal(401))
    with opened(places.place("github.com", ENVIRON), forge.sleep) as transport:
        with pytest.raises(ForgeFailure) as caught:
            Client(transport).mapping(PATH)
        assert TOKEN not in f"{transport!r} {Client(transport)!r} {caught.value!r} {caught.value}"
    assert caught.value.__cause__ is None
    assert forge.router.calls[0].request.headers["Authorization"] == f"Bearer {TOKEN}"


def send(forge: Forge, method: str = "POST") -> object:
    with opened(places.place("github.com", ENVIRON), forge.sleep) as transport:
        return Client(transport).send(method, PATH, {"body": "x"})


def test_what_writes_is_not_asked_again_where_nobody_knows_what_became_of_it(forge: Forge) -> None:
    route = forge.answers(AT, httpx2.ReadError("x"), method="POST")
    with pytest.raises(ForgeFailure, match="broke off"):
        send(forge)
    assert route.call_count == 1


@pytest.mark.parametrize("answer", [refusal(500), respx.MockResponse(307, headers={"Location": "/x"})])
def test_what_writes_is_neither_sent_twice_nor_redirected(forge: Forge, answer: respx.MockResponse) -> None:
    route = forge.answers(AT, answer, method="PATCH")
    with pytest.raises(ForgeFailure):
        send(forge, "PATCH")
    assert route.call_count == 1


def test_what_writes_waits_like_what_reads(forge: Forge) -> None:
    forge.answers(AT, refusal(429, **{"Retry-After": "2"}), {"a": 1}, method="POST")
    assert send(forge) == {"a": 1}
    assert forge.pauses == [2.0]
