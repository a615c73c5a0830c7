"""A page leads nowhere where one of its addresses would tell what must not leave, wherever that stands on it."""

from __future__ import annotations

import pytest

from agent.render.forge_links import Links
from agent.render.guarded import guarded
from guardrails.evidence.model import Evidence
from guardrails.redaction.policy import Policy
from guardrails.redaction.redact import Guard, redact
from guardrails.redaction.secrets import SecretEngine
from tests.guardrails.redaction.made_up import hunk_bundle

LINKS = Links.of("github.com", "acme/shop")
TOKEN = "ghp_" + "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX"
LINE = "- A row is written as it is read.\n"


@pytest.fixture
def guard(engine: SecretEngine) -> Guard:
    return redact(Evidence(hunk_bundle("+rows")), Policy(), engine).guard


@pytest.mark.parametrize("before", [0, 1, 5_000], ids=["on a short page", "behind a line", "far down"])
@pytest.mark.parametrize("after", [0, 5_000], ids=["at the end", "above others"])
def test_a_page_with_a_telling_address_leads_nowhere(guard: Guard, before: int, after: int) -> None:
    def page(links: Links | None) -> str:
        address = f"https://example.org/{TOKEN}" if links else "nowhere"
        return f"{LINE * before}- See {address}\n{LINE * after}"

    assert TOKEN not in guarded(page, LINKS, guard)


@pytest.mark.parametrize("lines", [0, 1, 5_000])
def test_a_page_that_tells_nothing_keeps_its_links(guard: Guard, lines: int) -> None:
    assert guarded(lambda links: f"{LINE * lines}{links is not None}", LINKS, guard).endswith("True")
