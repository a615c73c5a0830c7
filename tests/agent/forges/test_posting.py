"""Posting: our own section and our own comment, nothing else, once, and only as far as the forge lets us."""

from __future__ import annotations

import httpx2
import pytest

from agent.errors import ForgeFailure
from agent.forges.places import ForgeRequest
from agent.forges.posting import Posted, post_body, post_comment
from agent.render.own_section import BEGIN, END
from tests.agent.forges.forge import API, ENVIRON, LAB, TOKEN, Forge, refusal, sent

HUB = f"{API}/repos/acme/widgets"
LAB_AT = f"{LAB}/projects/acme%2Fwidgets/merge_requests/5"
ON_HUB = ForgeRequest("github.com", "acme/widgets", 12)
ON_LAB = ForgeRequest("gitlab.com", "acme/widgets", 5)
PAGE = "https://github.com/acme/widgets/pull/12"
OURS = f"{BEGIN}\n\nFaster.\n\n{END}"


def pull(body: str | None) -> dict[str, object]:
    return {"number": 12, "body": body, "html_url": PAGE}


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ("Mine.\r\n", f"Mine.\r\n\r\n{OURS}\r\n".replace("\n", "\r\n").replace("\r\r", "\r")),
        (f"Mine.\n\n{BEGIN}\nOld.\n{END}\nAlso mine.", f"Mine.\n\n{OURS}\nAlso mine."),
        (None, f"{OURS}\n"),
    ],
)
def test_only_our_own_section_of_a_body_changes(forge: Forge, body: str | None, written: str) -> None:
    forge.answers(f"{HUB}/pulls/12", pull(body))
    edit = forge.answers(f"{HUB}/pulls/12", pull(written), method="PATCH")
    assert post_body(ON_HUB, "Faster.", ENVIRON, forge.sleep) == Posted(PAGE, changed=True)
    assert sent(edit) == [{"body": written}]


def test_what_stands_there_already_is_not_written_again(forge: Forge) -> None:
    forge.answers(f"{HUB}/pulls/12", pull(f"Mine.\n\n{OURS}\n"))
    assert post_body(ON_HUB, "Faster.", ENVIRON, forge.sleep) == Posted(PAGE, changed=False)
    assert len(forge.asked) == 1


def test_what_somebody_wrote_meanwhile_is_kept(forge: Forge) -> None:
    forge.answers(f"{HUB}/pulls/12", pull("Mine."), pull("Mine, edited."))
    edit = forge.answers(f"{HUB}/pulls/12", pull("x"), method="PATCH")
    post_body(ON_HUB, "Faster.", ENVIRON, forge.sleep)
    assert sent(edit) == [{"body": f"Mine, edited.\n\n{OURS}"}]


def test_a_body_that_keeps_changing_is_left_alone(forge: Forge) -> None:
    forge.answers(f"{HUB}/pulls/12", *(pull(f"Mine {number}.") for number in range(9)))
    with pytest.raises(ForgeFailure, match="is being edited by somebody else"):
        post_body(ON_HUB, "Faster.", ENVIRON, forge.sleep)


def test_a_description_of_gitlab_is_written_like_a_body(forge: Forge) -> None:
    page = "https://gitlab.com/acme/widgets/-/merge_requests/5"
    forge.answers(LAB_AT, {"iid": 5, "description": "Mine.", "web_url": page})
    edit = forge.answers(LAB_AT, {"web_url": page}, method="PUT")
    assert post_body(ON_LAB, "Faster.", ENVIRON, forge.sleep) == Posted(page, changed=True)
    assert sent(edit) == [{"description": f"Mine.\n\n{OURS}"}]


@pytest.mark.parametrize(
    ("body", "ours", "message"),
    [
        (f"{END}\nMine.", "Faster.", "our section ends before it has begun"),
        ("Mine.", "x" * 65_536, "the forge takes 65536"),
    ],
)
def test_a_body_that_cannot_be_edited_stays_as_it_is(forge: Forge, body: str, ours: str, message: str) -> None:
    forge.answers(f"{HUB}/pulls/12", pull(body))
    with pytest.raises(ForgeFailure, match=message):
        post_body(ON_HUB, ours, ENVIRON, forge.sleep)
    assert len(forge.asked) == 1


def comment(number: int, login: str, body: str) -> dict[str, object]:
    return {"id": number, "user": {"login": login}, "body": body, "html_url": f"{PAGE}#issuecomment-{number}"}


def test_the_first_comment_is_created(forge: Forge) -> None:
    forge.answers(f"{HUB}/issues/12/comments", [comment(1, "ada", "Looks good.")])
    create = forge.answers(f"{HUB}/issues/12/comments", comment(2, "helper", OURS), method="POST")
    assert post_comment(ON_HUB, "Faster.", ENVIRON, forge.sleep) == Posted(f"{PAGE}#issuecomment-2", changed=True)
    assert sent(create) == [{"body": f"{OURS}\n"}]


def test_our_earlier_comment_is_brought_up_to_date_and_that_of_nobody_else(forge: Forge) -> None:
    theirs = comment(1, "eve", f"{BEGIN}\nOld.\n{END}\n")
    forge.answers(f"{HUB}/issues/12/comments", [theirs, comment(2, "helper", f"{BEGIN}\nOld.\n{END}\n")])
    forge.answers(f"{API}/user", {"login": "helper"})
    edit = forge.answers(f"{HUB}/issues/comments/2", comment(2, "helper", OURS), method="PATCH")
    assert post_comment(ON_HUB, "Faster.", ENVIRON, forge.sleep) == Posted(f"{PAGE}#issuecomment-2", changed=True)
    assert sent(edit) == [{"body": f"{OURS}\n"}]


def test_a_comment_that_says_the_same_is_left_alone(forge: Forge) -> None:
    forge.answers(f"{HUB}/issues/12/comments", [comment(2, "helper", f"{OURS}\n")])
    forge.answers(f"{API}/user", {"login": "helper"})
    assert post_comment(ON_HUB, "Faster.", ENVIRON, forge.sleep) == Posted(f"{PAGE}#issuecomment-2", changed=False)


def test_the_token_of_a_job_writes_as_the_bot_of_its_forge(forge: Forge) -> None:
    forge.answers(f"{HUB}/issues/12/comments", [comment(2, "github-actions[bot]", f"{OURS}\n")])
    forge.answers(f"{API}/user", refusal(403))
    assert not post_comment(ON_HUB, "Faster.", ENVIRON, forge.sleep).changed


def test_who_we_are_is_not_guessed(forge: Forge) -> None:
    forge.answers(f"{HUB}/issues/12/comments", [comment(2, "helper", f"{OURS}\n")])
    forge.answers(f"{API}/user", refusal(404))
    with pytest.raises(ForgeFailure):
        post_comment(ON_HUB, "Faster.", ENVIRON, forge.sleep)


def test_where_not_all_comments_can_be_read_none_is_posted(forge: Forge) -> None:
    forge.answers(f"{HUB}/issues/12/comments", refusal(403))
    with pytest.raises(ForgeFailure, match="nothing was posted: it might stand there twice"):
        post_comment(ON_HUB, "Faster.", ENVIRON, forge.sleep)


def test_a_note_of_gitlab_is_written_like_a_comment(forge: Forge) -> None:
    page = "https://gitlab.com/acme/widgets/-/merge_requests/5#note_3"
    forge.answers(f"{LAB_AT}/notes", [{"id": 3, "author": {"username": "helper"}, "body": f"{BEGIN}\nOld.\n{END}\n"}])
    forge.answers(f"{LAB}/user", {"username": "helper"})
    edit = forge.answers(f"{LAB_AT}/notes/3", {"id": 3, "body": OURS}, method="PUT")
    assert post_comment(ON_LAB, "Faster.", ENVIRON, forge.sleep) == Posted(page, changed=True)
    assert sent(edit) == [{"body": f"{OURS}\n"}]


def test_a_comment_whose_fate_is_unknown_is_not_posted_twice(forge: Forge) -> None:
    forge.answers(f"{HUB}/issues/12/comments", [])
    create = forge.answers(f"{HUB}/issues/12/comments", httpx2.ReadTimeout("x"), method="POST")
    with pytest.raises(ForgeFailure, match="broke off"):
        post_comment(ON_HUB, "Faster.", ENVIRON, forge.sleep)
    assert create.call_count == 1


@pytest.mark.parametrize("post", [post_body, post_comment])
def test_nothing_is_posted_without_a_token(forge: Forge, post: object) -> None:
    assert callable(post)
    with pytest.raises(ForgeFailure, match="posting needs a token") as caught:
        post(ON_HUB, "Faster.", {}, forge.sleep)
    assert "GH_TOKEN or GITHUB_TOKEN" in caught.value.cure
    assert forge.asked == []


@pytest.mark.requirement("AI-7")
def test_a_refusal_to_post_tells_no_token(forge: Forge) -> None:
    forge.answers(f"{HUB}/pulls/12", pull("Mine."))
    forge.answers(f"{HUB}/pulls/12", refusal(403), method="PATCH")
    with pytest.raises(ForgeFailure) as caught:
        post_body(ON_HUB, "Faster.", ENVIRON, forge.sleep)
    assert TOKEN not in f"{caught.value!r} {caught.value} {caught.value.cure}"
