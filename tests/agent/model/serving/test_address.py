"""`URL#NAME`: which URLs and names are taken, and that a refused one is not repeated."""

from __future__ import annotations

import pytest

from agent.errors import NotConfigured
from agent.model.serving.address import Address


@pytest.mark.parametrize(
    ("url", "name", "spec", "root"),
    [
        ("http://127.0.0.1:8080/v1", "m", "http://127.0.0.1:8080/v1#m", "http://127.0.0.1:8080"),
        ("http://127.0.0.1:8080/v1/", "", "http://127.0.0.1:8080/v1#", "http://127.0.0.1:8080"),
        ("HTTPS://Models.Example.INVALID/Proxy/v1", "Org/M:7b", "https://models.example.invalid/Proxy/v1#Org/M:7b", None),
        ("http://[::1]:11434/v1", "m", "http://[::1]:11434/v1#m", "http://[::1]:11434"),
        ("http://localhost", "m", "http://localhost#m", "http://localhost"),
        ("http://localhost/openai", "m", "http://localhost/openai#m", "http://localhost/openai"),
        ("http://localhost/v1", "/models/two words.gguf", "http://localhost/v1#/models/two words.gguf", "http://localhost"),
    ],
)
def test_an_address_has_one_form(url: str, name: str, spec: str, root: str | None) -> None:
    address = Address.of(url, name)
    assert address.spec == spec
    assert address.root == (root or "https://models.example.invalid/Proxy")
    assert Address.of(address.url, name) == address


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("ftp://host/v1", "begins with http:// or https://"),
        ("file:///etc/passwd", "begins with http:// or https://"),
        ("host:8080/v1", "begins with http:// or https://"),
        ("", "begins with http:// or https://"),
        ("http:///v1", "has no host"),
        ("http://:8080/v1", "has no host"),
        ("http://someone:geheim@host/v1", "user or password"),
        ("http://geheim@host/v1", "user or password"),
        ("http://@host/v1", "user or password"),
        ("http://host/v1?key=geheim", "has a query"),
        ("http://host/v1#geheim", "has a fragment"),
        ("http://host:geheim/v1", "cannot be one"),
        ("http://host:99999/v1", "cannot be one"),
        ("http://[::1/v1", "cannot be one"),
        ("http://host/v1\nx", "that no URL has"),
        ("http://ho st/v1", "that no URL has"),
        ("http://host\\@geheim/v1", "that no URL has"),
        ("http://hóst/v1", "that no URL has"),
    ],
)
def test_a_url_that_cannot_be_one_of_a_server_is_refused_and_not_repeated(url: str, what: str) -> None:
    with pytest.raises(NotConfigured) as failed:
        Address.of(url, "m")
    assert what in failed.value.what
    assert failed.value.cure
    assert "geheim" not in str(failed.value)


@pytest.mark.parametrize("name", ["two\nlines", "\x1b[31m", " m", "m ", "m" * 201])
def test_a_name_that_no_model_has_is_refused(name: str) -> None:
    with pytest.raises(NotConfigured, match="name of a model"):
        Address.of("http://localhost/v1", name)
