"""How many calls are made at once: halved when the server has too much of us, one more each time that all of them went well."""

from __future__ import annotations


class Window:
    """Between one call and `most`. A burst of refusals of calls that were begun together counts once."""

    def __init__(self, most: int) -> None:
        """Begin with all of them."""
        self._most = most
        self._size = float(most)
        self._inside = 0
        self._begun = 0
        self._narrowed = 0
        self._refused: set[int] = set()

    @property
    def is_open(self) -> bool:
        """Whether one more may begin now."""
        return self._inside < int(self._size)

    def enter(self) -> int:
        """Begin one; its number."""
        self._inside += 1
        self._begun += 1
        return self._begun

    def leave(self, number: int) -> None:
        """End the call of this number."""
        self._inside -= 1
        self._refused.discard(number)

    def narrow(self, number: int) -> None:
        """The server refused the call of this number; one that began before the last narrowing says nothing new."""
        self._refused.add(number)
        if number > self._narrowed:
            self._narrowed = self._begun
            self._size = max(1.0, self._size / 2)

    def widen(self, number: int) -> None:
        """The call of this number was answered; it went well where it was not refused before."""
        if number in self._refused:
            return
        self._size = min(float(self._most), self._size + 1 / self._size)
