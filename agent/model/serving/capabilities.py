"""What a server has: its models, and how much each reads at once. Each kind of server tells that in a place of its own."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeAlias

from agent.errors import NotConfigured
from agent.model.serving.address import FORM, Address
from agent.model.serving.answers import shown

OLLAMA_DEFAULT: Final = 4_096
"""What Ollama reads of a prompt where nothing says more; it drops the rest without a word."""
_NAMED: Final = 12
_CONTEXTS: Final = ("max_model_len", "context_length", "context_window", "loaded_context_length", "max_context_length")
_NUM_CTX: Final = re.compile(r"^num_ctx[ \t]+(\d{1,9})[ \t]*$", re.MULTILINE)


class Asking(Protocol):
    """What is asked through; `agent.model.serving.line` has the one over the network."""

    async def listed(self, path: str) -> object:
        """What the server tells at `path`; None where it has no such interface."""
        ...

    async def hinted(self, address: str, body: Mapping[str, object] | None = None) -> object:
        """What an interface beside the chat interface tells; None for whatever is no answer."""
        ...


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that a server has: `id` is what it is asked for by, `context` how many tokens it reads and writes in one call.

    `context` is None where nobody says.
    """

    id: str
    aliases: tuple[str, ...] = ()
    context: int | None = None


_Hint: TypeAlias = Callable[[Asking, Address, str], Awaitable[int | None]]
"""What one kind of server tells of a model: how much it reads and writes in one call."""


async def offered(line: Asking, address: Address) -> tuple[Offer, ...] | None:
    """The models that a server lists; None where it keeps no list.

    Raises:
        NotConfigured: the interface lies elsewhere on this server; where, is said and not guessed.
        agent.errors.ProviderFailure: the server cannot be reached, or does not serve us.
    """
    offers = _offers(await line.listed("/models"))
    if offers is None and not address.ends_in_version and _offers(await line.hinted(f"{address.url}/v1/models")) is not None:
        raise NotConfigured(
            "there is no chat interface here, but there is one below /v1",
            where=address.spec,
            cure=f"name it as {address.url}/v1#{address.name}",
        )
    return offers


async def chosen(line: Asking, address: Address) -> Offer:
    """The model that an address names, or the only one there, with how much it reads at once.

    Raises:
        NotConfigured: the server has no such model, or several and none is named.
        agent.errors.ProviderFailure: the server cannot be reached, or does not serve us.
    """
    offer = _chosen(await offered(line, address), address)
    for hint in _HINTS:
        if offer.context is None:
            offer = replace(offer, context=await hint(line, address, offer.id))
    return offer


def _chosen(offers: tuple[Offer, ...] | None, address: Address) -> Offer:
    if offers is None:
        if not address.name:
            raise NotConfigured("it does not tell which models it has", where=address.spec, cure=FORM)
        return Offer(address.name)
    fitting = _fitting(offers, address.name)
    if len(fitting) == 1:
        return fitting[0]
    raise NotConfigured(_unfit(offers, fitting, address.name), where=address.spec, cure=_names(fitting or offers))


def _fitting(offers: tuple[Offer, ...], name: str) -> tuple[Offer, ...]:
    """The models that a name may stand for: all for none, else those of the most exact kind of likeness that there is."""
    if not name:
        return offers
    alike = (
        lambda one: name == one.id,
        lambda one: name in one.aliases,
        lambda one: one.id == f"{name}:latest",
        lambda one: name in {shown(one.id), shown(one.id).removesuffix(".gguf")},
    )
    found = (tuple(filter(is_alike, offers)) for is_alike in alike)
    return next(filter(None, found), ())


def _unfit(offers: tuple[Offer, ...], fitting: tuple[Offer, ...], name: str) -> str:
    if not offers:
        return "it has no model"
    if not name:
        return "it has several models, and none is named"
    return "several of its models may be meant" if fitting else "it has no model of this name"


def _names(offers: Iterable[Offer]) -> str:
    names = sorted({shown(one.id)[:80] for one in offers})
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"it has {', '.join(names[:_NAMED])}{more}" if names else "load one there"


def _offers(told: object) -> tuple[Offer, ...] | None:
    """The entries of a list of models: under `data`, with some servers the list itself; None where this is none."""
    entries = told.get("data") if isinstance(told, Mapping) else told
    if not isinstance(entries, list):
        return None
    return tuple(_offer(one["id"], one) for one in entries if isinstance(one, Mapping) and _is_name(one.get("id")))


def _offer(name: str, entry: Mapping[str, object]) -> Offer:
    aliases = entry.get("aliases")
    others = tuple(filter(_is_name, aliases)) if isinstance(aliases, list) else ()
    return Offer(name, others, next(filter(None, map(_number, map(entry.get, _CONTEXTS))), None))


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


async def _llama_cpp(line: Asking, address: Address, _: str) -> int | None:
    """The context of one slot; what the model was trained with says nothing of what the server gives it."""
    told = await line.hinted(f"{address.root}/props")
    settings = told.get("default_generation_settings") if isinstance(told, Mapping) else None
    return _number(settings.get("n_ctx")) if isinstance(settings, Mapping) else None


async def _lm_studio(line: Asking, address: Address, name: str) -> int | None:
    offers = _offers(await line.hinted(f"{address.root}/api/v0/models")) or ()
    return next((one.context for one in offers if one.id == name), None)


async def _ollama(line: Asking, address: Address, name: str) -> int | None:
    """What the model's file sets, else what it is loaded with, else the default: never what it could read."""
    told = await line.hinted(f"{address.root}/api/show", {"model": name})
    if not isinstance(told, Mapping) or not isinstance(told.get("model_info"), Mapping):
        return None
    most = next((_number(value) for key, value in told["model_info"].items() if key.endswith(".context_length")), None)
    parameters = told.get("parameters")
    is_set = _NUM_CTX.search(parameters) if isinstance(parameters, str) else None
    loaded = await line.hinted(f"{address.root}/api/ps")
    context = int(is_set[1]) if is_set else _loaded(loaded, name) or OLLAMA_DEFAULT
    return min(context, most) if most else context


def _loaded(told: object, name: str) -> int | None:
    models = told.get("models") if isinstance(told, Mapping) else None
    entries = [one for one in models if isinstance(one, Mapping)] if isinstance(models, list) else []
    return next((_number(one.get("context_length")) for one in entries if name in {one.get("name"), one.get("model")}), None)


_HINTS: Final[tuple[_Hint, ...]] = (_llama_cpp, _lm_studio, _ollama)
