"""What stands around a drafter and passes for it: the base of all that is done with its replies (evidraft)."""

from __future__ import annotations

from collections.abc import Mapping

from agent.model.client import Model


class Around(Model):
    """A drafter by the name of another one, which it asks; what it does besides is in its `draft`."""

    def __init__(self, model: Model) -> None:
        """Stand around `model`."""
        self._model = model

    @property
    def name(self) -> str:
        """As the drafter."""
        return self._model.name

    @property
    def reads_evidence(self) -> bool:
        """As the drafter."""
        return self._model.reads_evidence

    @property
    def parameters(self) -> Mapping[str, object]:
        """As the drafter."""
        return self._model.parameters

    async def room(self) -> int | None:
        """As the drafter."""
        return await self._model.room()

    async def close(self) -> None:
        """As the drafter."""
        await self._model.close()
