"""Paths and symbols are seen in a text for users, and what only looks like them is let through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.drafts.code_words import path_places, symbol_places

PATHS = (
    "src/db/pool.ts",
    "pool.ts",
    "src/db",
    "./run",
    ".gitignore",
    ".github/workflows",
    "CHANGELOG.md",
    "tests/",
    "~/.config/x",
    "/etc/hosts",
    "venv/bin/tool",
    "product/lib/reader",
    '"src/db/pool.ts is gone"',
    "'src/db/pool.ts'",
)
SYMBOLS = (
    "max_retries",
    "run()",
    "getUserName",
    "ValueError",
    "Pool::acquire",
    "self.max_retries",
    "_get_package",
    "os.path.join()",
    '"max_retries is gone"',
    "ToolResult.exception",
    "before_call/after_call",
)
WORDS = (
    "Node.js",
    "Three.js",
    "ASP.NET",
    "GitHub.com",
    "JavaScript.info",
    "and/or",
    "CI/CD",
    "TCP/IP",
    "read/write",
    "yes/no/maybe",
    "path/query/fragment",
    "build or ship/bin",
    "OAuth2/OIDC",
    "IPv4/IPv6",
    "HTTP/2",
    "Linux/macOS/Windows",
    "GitHub",
    "JavaScript",
    "OAuth2",
    "iPhone",
    "gRPC",
    "e.g.",
    "a.m.",
    "can't",
    "1.2.3",
    "--flag",
    "MAX_JOBS",
    ".csv",
    "en_US",
    "x86_64",
    "/api/v1/reports",
    "https://example.com/src/a.py",
    "example.com",
    "@scope/package",
    "24/7",
    "Error",
    '"can\'t find your project"',
)


@pytest.mark.requirement("DC-05")
@pytest.mark.parametrize("path", PATHS)
def test_a_path_is_seen_where_it_stands(path: str) -> None:
    found = list(path_places(f"Now {path} is read"))
    assert len(found) == 1
    assert 4 <= found[0] <= 5


@pytest.mark.requirement("DC-05")
@pytest.mark.parametrize("symbol", SYMBOLS)
def test_a_symbol_is_seen_where_it_stands(symbol: str) -> None:
    found = list(symbol_places(f"Now {symbol} is read"))
    assert len(found) == 1
    assert 4 <= found[0] <= 5


@pytest.mark.requirement("DC-05")
@pytest.mark.parametrize("word", WORDS)
def test_what_only_looks_like_code_is_let_through(word: str) -> None:
    text = f"Now {word} is read"
    assert [*path_places(text), *symbol_places(text)] == []


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    places = [*path_places(text), *symbol_places(text)]
    assert all(0 <= place < len(text) for place in places)
