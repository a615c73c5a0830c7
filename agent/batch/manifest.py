"""A manifest: the repositories of a run, and which of their releases to draft, in strict YAML (evidraft)."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, ConfigDict, Field, ValidationError

from agent.batch import mirrors, naming
from agent.batch.release import Options
from agent.batch.wish import Entry
from agent.errors import InputFailure
from agent.sources import inputs
from agent.sources.answers import parse_file
from guardrails import strict_yaml
from guardrails.evidence.model import AnswerValue
from guardrails.shapes import StrictShape
from guardrails.strict_yaml import Bounds, YamlFault

MARK: Final = "evidraft-manifest"
VERSION: Final = "1.0.0"
_BOUNDS: Final = Bounds(bytes=inputs.MAX_BYTES, nodes=1_000_000)


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("got a character that cannot be shown")
    return text


def _folder(name: str) -> str:
    if naming.folder(name) != name:
        raise ValueError("got no name that a folder can have: letters, digits, . _ + @ - and slashes between them")
    return name


_Text = Annotated[str, Field(min_length=1, max_length=1_000), AfterValidator(_printable)]
_Texts = Annotated[list[_Text], Field(max_length=10_000)]


class OptionsShape(StrictShape):
    """How releases are drafted. Files are named as seen from the folder of the manifest."""

    shape: Literal["single", "itemized"] | None = None
    profile: _Text | None = None
    config: _Text | None = None
    policy: _Text | None = None
    evidence: _Texts | None = None
    answers: _Text | None = None


class EntryShape(StrictShape):
    """One repository, by its path as seen from the folder of the manifest, or its address; and which of its releases."""

    repository: _Text
    name: Annotated[str, Field(max_length=200), AfterValidator(_folder)] | None = None
    ranges: _Texts = Field(default_factory=list)
    tags: _Texts = Field(default_factory=list)
    units: _Texts = Field(default_factory=list)
    options: OptionsShape = Field(default_factory=OptionsShape)


class ManifestShape(StrictShape):
    """The repositories of one run. `options` are those of every entry that does not say its own."""

    model_config = ConfigDict(title="Batch manifest")

    version: Literal["1.0.0"] = Field(alias=MARK)
    options: OptionsShape = Field(default_factory=OptionsShape)
    entries: Annotated[list[EntryShape], Field(min_length=1, max_length=10_000)]


_SHAPES: Final[dict[tuple[str, ...], type[StrictShape]]] = {
    (): ManifestShape,
    ("options",): OptionsShape,
    ("entries",): EntryShape,
    ("entries", "options"): OptionsShape,
}
"""What is known at a place, without the numbers of lists."""


def read(name: str) -> tuple[Entry, ...]:
    """The entries of a manifest; `-` is standard input, whose paths are seen from here.

    Raises:
        InputFailure: it cannot be read, is no strict YAML, or says something else than a manifest does; or a file of answers
            that it names cannot be read.
        UsageFailure: an address is not safe.
    """
    folder = Path() if name == inputs.STANDARD_INPUT else Path(name).parent
    return parse(name, inputs.read(name), folder.absolute())


def parse(name: str, data: bytes, folder: Path) -> tuple[Entry, ...]:
    """The entries that the bytes of a manifest say; its paths are seen from `folder`.

    Raises:
        InputFailure, UsageFailure: as `read`.
    """
    try:
        document = strict_yaml.read(data, _BOUNDS)
    except YamlFault as fault:
        line = f", line {fault.finding.line}" if fault.finding.line else ""
        raise InputFailure(f"this YAML is refused: {fault.finding.message}", where=f"{name}{line}") from None
    try:
        shape = ManifestShape.model_validate(document.value)
    except ValidationError as error:
        raise _fault(name, document, error) from None
    entries = tuple(_entry(one, shape.options, folder) for one in shape.entries)
    _require_names(name, document, entries)
    return entries


def schema() -> dict[str, Any]:
    """The JSON Schema of a manifest."""
    return ManifestShape.model_json_schema()


def _entry(shape: EntryShape, common: OptionsShape, folder: Path) -> Entry:
    said = {**common.model_dump(exclude_none=True), **shape.options.model_dump(exclude_none=True)}

    def seen(key: str) -> str:
        return str(folder / said[key]) if key in said else ""

    where = mirrors.address(shape.repository)
    return Entry(
        repository=str(folder / shape.repository) if where is None else shape.repository,
        name=shape.name or naming.folder(naming.called(shape.repository)),
        ranges=tuple(shape.ranges),
        tags=tuple(shape.tags),
        units=tuple(shape.units),
        options=Options(
            shape=said.get("shape", Options().shape),
            profile=seen("profile"),
            config=seen("config"),
            policy=seen("policy"),
            evidence=tuple(str(folder / one) for one in said.get("evidence", ())),
        ),
        answers=_answers(seen("answers")),
    )


def _answers(file: str) -> tuple[tuple[str, AnswerValue], ...]:
    return tuple(parse_file(file, inputs.read(file))) if file else ()


def _require_names(name: str, document: strict_yaml.Document, entries: tuple[Entry, ...]) -> None:
    """Entries with names of their own, of which each wants something."""
    taken: set[str] = set()
    for number, entry in enumerate(entries):
        if not entry.ranges and not entry.tags:
            cure = 'name ranges or tags, such as tags: ["v*"]'
            raise InputFailure("wants nothing", where=_place(name, document, ("entries", number)), cure=cure)
        if entry.name.casefold() in taken:
            cure = "give each entry a name of its own"
            raise InputFailure("has the name of an earlier entry", where=_place(name, document, ("entries", number)), cure=cure)
        taken.add(entry.name.casefold())


def _fault(name: str, document: strict_yaml.Document, error: ValidationError) -> InputFailure:
    """The first fault, unknown keys before what is missing for their sake; with the key that may have been meant."""
    faults = error.errors(include_input=False, include_url=False, include_context=False)
    fault = min(faults, key=lambda one: (one["type"] != "extra_forbidden", document.line(one["loc"]) or 0))
    path = fault["loc"]
    place = _place(name, document, path)
    if fault["type"] == "extra_forbidden":
        shape = _SHAPES.get(tuple(step for step in path[:-1] if isinstance(step, str)), ManifestShape)
        known = [field.alias or key for key, field in shape.model_fields.items()]
        near = difflib.get_close_matches(str(path[-1]), known, n=1)
        cure = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
        return InputFailure("got an unknown key", where=place, cure=cure)
    return InputFailure(fault["msg"].removeprefix("Value error, "), where=place)


def _place(name: str, document: strict_yaml.Document, path: strict_yaml.Path) -> str:
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step[:100]}" for step in path).lstrip(".")
    line = document.line(path)
    return f"{name}{f', line {line}' if line else ''}{f': {steps}' if steps else ''}"
