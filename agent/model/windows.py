"""How much of a prompt a provider's model reads at once, as far as the price list that is installed knows it (evidraft).

The list is data on this machine; nothing is asked over the network.
"""

from __future__ import annotations

from typing import Final

PER_TOKEN: Final = 3
"""Characters for one token. English has four, code and diffs three; other scripts fewer, and then the provider says so."""


def room(provider: str, name: str, *, reserve: int) -> int | None:
    """How many characters the messages for a model may have when `reserve` tokens are left free; None where nobody knows."""
    # The list takes half a second to load.
    from genai_prices.data_snapshot import get_snapshot  # noqa: PLC0415

    try:
        _, model = get_snapshot().find_provider_model(name, None, provider, None)
    except LookupError:
        return None
    window = model.context_window
    return None if window is None else max(0, window - reserve) * PER_TOKEN
