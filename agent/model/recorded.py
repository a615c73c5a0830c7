"""A drafter that answers from files: what another one once said, or what was written by hand (`--model recorded:DIR`).

The file of a prompt bears the 64 hex digits of its digest: `DIR/<digits>.json`. Where the same prompt was asked several times
for one draft, the second answer stands in `<digits>-2.json`, and so on. `--dry-run --format json` tells the digests.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field, ValidationError

from agent.errors import InputFailure, NotConfigured, ProviderFailure, TooLong
from agent.model import written
from agent.model.client import Model, Prompt, Reply
from guardrails.shapes import StrictShape

ABOUT: Final = "recording.json"
"""The file that tells what all replies of a folder have in common."""
_LARGEST: Final = 16 * 1024 * 1024


class About(StrictShape):
    """Whose replies a folder holds, and how many characters its prompts could have."""

    model_config = ConfigDict(alias_generator=lambda name: name.replace("_", "-"), populate_by_name=True)

    evidraft_recording: Literal["1.0.0"] = written.VERSION
    client: str
    room: Annotated[int, Field(ge=0)] | None = None

    def json_text(self) -> str:
        """As indented JSON that ends in a line break."""
        return self.model_dump_json(by_alias=True, indent=2) + "\n"


class Turns:
    """Which time a prompt is asked for one draft: a repeated prompt wants another answer. Asking for room begins a draft."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()

    def begin(self) -> None:
        """Start another draft."""
        self._asked.clear()

    def next(self, digest: str) -> int:
        """1 the first time."""
        self._asked[digest] += 1
        return self._asked[digest]


class Recorded(Model):
    """Gives the replies of a folder back. For policies it is a client of its own, `recorded`, wherever they came from."""

    def __init__(self, folder: Path) -> None:
        """Take the replies of `folder`.

        Raises:
            NotConfigured: there is no such folder.
        """
        if not folder.is_dir():
            raise NotConfigured(
                "there is no such folder", where=f"recorded:{folder}", cure="make one with --record-replies DIR"
            )
        self._folder = folder
        self._turns = Turns()

    @property
    def name(self) -> str:
        """`recorded`, without the folder."""
        return "recorded"

    async def room(self) -> int | None:
        """As large as it was when the replies were recorded; None for replies by hand.

        Raises:
            InputFailure: the folder tells that in a file that cannot be read.
        """
        self._turns.begin()
        about = about_of(self._folder)
        return None if about is None else about.room

    async def draft(self, prompt: Prompt) -> Reply:
        """Give the reply to this prompt, the first one where this time has none of its own.

        Raises:
            TooLong: that was the answer.
            ProviderFailure: there is none.
            InputFailure: its file cannot be read, or holds no reply.
        """
        turn = self._turns.next(prompt.digest)
        first, own = (self._folder / file_name(prompt.digest, number) for number in (1, turn))
        path = own if own.exists() else first
        if not path.exists():
            part = f" ({prompt.part})" if prompt.part else ""
            raise ProviderFailure(
                f"there is no reply to the prompt {prompt.digest}{part}",
                where="recorded",
                cure=f"write one to {first}, or record the run again under the same settings",
            )
        found = written.read(_bytes(path))
        if isinstance(found, str):
            raise InputFailure(f"this is no reply: {found}", where=str(path), cure="see `evidraft schema reply` for its shape")
        if isinstance(found, Reply):
            return found
        if found.prompt != prompt.digest:
            raise InputFailure("this is the reply to another prompt", where=str(path), cure="name each file by its prompt")
        if found.too_long is not None:
            raise TooLong("the prompt did not fit when this was recorded", where="recorded", share=found.too_long)
        return found.reply()


def file_name(digest: str, turn: int) -> str:
    """The name of the file that holds the reply to a prompt, asked for the `turn`-th time."""
    digits = digest.removeprefix("sha256:")
    return f"{digits}.json" if turn == 1 else f"{digits}-{turn}.json"


def about_of(folder: Path) -> About | None:
    """What a folder tells about its replies; None where it tells nothing.

    Raises:
        InputFailure: the file cannot be read.
    """
    path = folder / ABOUT
    if not path.exists():
        return None
    try:
        return About.model_validate_json(_bytes(path))
    except ValidationError:
        raise InputFailure("this tells nothing about a recording", where=str(path), cure="remove it, or record again") from None


def _bytes(path: Path) -> bytes:
    """Exact bytes of a regular file of bounded size."""
    try:
        if not path.is_file():
            raise InputFailure("got a folder or a device, expected a file", where=str(path))
        if path.stat().st_size > _LARGEST:
            raise InputFailure(f"at most {_LARGEST} bytes are read", where=str(path))
        return path.read_bytes()
    except OSError as error:
        raise InputFailure(f"could not be read: {error.strerror or error}", where=str(path)) from None
