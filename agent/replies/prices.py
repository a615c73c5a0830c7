"""What a call costs by the providers' list prices, which come with a library; nothing is asked of the network."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from agent.model.client import Usage

_PRICED: Final = ("openai", "anthropic")
"""The clients whose providers have list prices. What a server under a URL costs, nobody but its owner knows."""

_BATCH: Final = {"processing": "batch"}
"""How the list marks prices of batches."""


def dollars(client: str, usage: Usage, *, in_batch: bool = False) -> Decimal | None:
    """The price of a call in US dollars, `client` as `--model` names it; None where model, tokens or prices are not known.

    In a batch most models are half as dear; one whose price there the list does not know is priced as elsewhere.

    Tokens that a provider read from its cache, or put there, are among its input tokens and have prices of their own.
    """
    provider, _, model = client.partition(":")
    if provider not in _PRICED or usage.input_tokens is None or usage.output_tokens is None:
        return None
    import genai_prices  # noqa: PLC0415 - it holds the prices of all providers and takes its time

    tokens = genai_prices.Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cached_tokens or 0,
        cache_write_tokens=usage.written_tokens or 0,
    )
    try:
        context = _BATCH if in_batch else None
        return genai_prices.calc_price(tokens, model, provider_id=provider, price_context=context).total_price
    except (LookupError, ValueError):  # an unknown model, or tokens that cannot be: more of them cached than read
        return None


def is_known(client: str) -> bool:
    """Whether calls of `client` have a price."""
    return dollars(client, Usage(1, 1)) is not None
