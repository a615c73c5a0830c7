"""The grammar of `--model`, and the drafter that a name stands for, with all that is done around its calls (evidraft)."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from agent.errors import UsageFailure
from agent.model.client import Model
from agent.model.extractive.drafter import Extractive
from agent.model.recorded import Recorded
from agent.replies.metering import Limits, Metered
from agent.replies.recording import Recording

GRAMMAR: Final = ("extractive", "openai:NAME", "anthropic:NAME", "URL#NAME", "recorded:DIR")
_FAMILIES: Final = ((re.compile(r"(?:gpt|chatgpt|o\d)\b"), "openai:"), (re.compile(r"claude\b"), "anthropic:"))
"""How the names of models begin that people give without their provider."""
_SCHEMES: Final = ("http", "https")
_USER: Final = re.compile(r"^([a-z]+://)?[^/#]*@")


@dataclass(frozen=True, slots=True)
class Options:
    """What is done around the calls of a drafter.

    `cache` says whether replies are kept and used again, `record` where they are recorded; the limits are those of one run.
    """

    cache: bool = True
    record: Path | None = None
    max_cost: Decimal | None = None
    max_tokens: int | None = None


def opened(
    spec: str, options: Options = Options(), *, environ: Mapping[str, str], note: Callable[[str], None] = lambda _: None
) -> Model:
    """The drafter that `spec` names, ready to be asked; nothing was sent yet. `note` is told what does not stop a draft.

    Raises:
        NotConfigured: it names one that lacks a key; or a limit on dollars cannot be held.
        UsageFailure: it names none, or replies cannot be recorded.
    """
    model = client(spec, environ=environ)
    if isinstance(model, Extractive):
        return _extractive(model, options)
    if isinstance(model, Recorded):
        return _recording(model, options)
    metered = Metered(model, Limits(options.max_cost, options.max_tokens))
    return _recording(_cached(metered, note) if options.cache and _is_one_model(spec) else metered, options)


def client(spec: str, *, environ: Mapping[str, str]) -> Model:
    """The drafter that `spec` names, by itself.

    Raises:
        NotConfigured: it lacks a key.
        UsageFailure: it names none.
    """
    word, _, rest = spec.partition(":")
    if spec == "extractive":
        return Extractive()
    if word == "recorded" and rest:
        return Recorded(Path(rest))
    found = _client(spec, environ)
    if found is None:
        raise UsageFailure("there is no such drafter", where=f"--model {shown(spec)}", cure=_cure(spec))
    return found


def client_here(spec: str) -> Model:
    """As `client`, with the key that this process finds in its environment."""
    return client(spec, environ=os.environ)


def shown(spec: str) -> str:
    """`spec` as messages may say it: what stands before the host of a URL is a password."""
    return _USER.sub(r"\1", spec)


def _extractive(model: Extractive, options: Options) -> Model:
    """It answers the same way every time, for nothing, and reads more than a recording could name."""
    if options.record is not None:
        raise UsageFailure("extractive has no replies to record", where="--record-replies", cure="leave it away")
    return model


def _client(spec: str, environ: Mapping[str, str]) -> Model | None:
    """The drafter that is reached over the network; None where `spec` names none. Their libraries load when they are wanted."""
    word, _, name = spec.partition(":")
    if word in _SCHEMES and "#" in spec:
        url, _, name = spec.rpartition("#")
        from agent.model.compatible import Compatible  # noqa: PLC0415

        return Compatible(url, name, environ=environ)
    if word == "openai" and name:
        from agent.model.openai import OpenAI  # noqa: PLC0415

        return OpenAI(name, environ=environ)
    if word == "anthropic" and name:
        from agent.model.anthropic import Anthropic  # noqa: PLC0415

        return Anthropic(name, environ=environ)
    return None


def _is_one_model(spec: str) -> bool:
    """Not where the server chooses the model: tomorrow it may have another one."""
    return not spec.endswith("#")


def _cached(model: Model, note: Callable[[str], None]) -> Model:
    from agent.replies.cache import Cached, cache_file  # noqa: PLC0415 - the database is loaded when it is needed
    from agent.replies.shelf import Shelf  # noqa: PLC0415 - as above

    return Cached(model, Shelf(cache_file()), note=note)


def _recording(model: Model, options: Options) -> Model:
    """Outermost, so that what comes from the cache is recorded as well."""
    return model if options.record is None else Recording(model, options.record)


def _cure(spec: str) -> str:
    """What may have been meant, or else all that can be."""
    word, _, rest = spec.partition(":")
    family = next((prefix for begins, prefix in _FAMILIES if begins.match(spec)), None)
    forms = {form.partition(":")[0]: form for form in GRAMMAR}
    near = difflib.get_close_matches(word.lower(), forms, n=1)
    if family is not None:
        return f"did you mean {family}{spec}?"
    if word in _SCHEMES:
        return f"name its model: {shown(spec)}#NAME"
    if "#" in spec:
        return f"did you mean http://{shown(spec)}?"
    if near and rest and near[0] != "extractive":
        return f"did you mean {near[0]}:{rest}?"
    return f"did you mean {forms[near[0]]}?" if near else f"one of: {', '.join(GRAMMAR)}"
