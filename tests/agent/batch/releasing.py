"""Small repositories with releases to draft, and what every test of a run says of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from agent.batch.release import Conditions, Release
from tests.repositories import GitFolder

WORDS: Final = ("ledger", "invoice", "payout", "refund", "dispute", "account", "statement", "mandate")
CONDITIONS: Final = Conditions("scripted", program="1.0.0")


def history(path: Path, releases: int, changes: int = 1) -> GitFolder:
    """A repository with tags v0 to vN, and `changes` commits that say what they do between each two of them."""
    folder = GitFolder.init(path)
    folder.git("remote", "add", "origin", "https://github.com/example/payments.git")
    folder.commit("chore: begin", {"README.md": "# Payments\n"})
    folder.git("tag", "v0")
    for number in range(1, releases + 1):
        for change in range(changes):
            word = WORDS[(number + change) % len(WORDS)]
            name = f"{word}_{number}_{change}"
            folder.commit(
                f"feat: list the {word} of client {number}-{change}\n\nAccountants read each {word} in one list.\n",
                {f"src/{name}.py": f"def {name}(book):\n    return sorted(book.{word}s())\n"},
            )
        folder.git("tag", f"v{number}")
    return folder


def releases(folder: GitFolder, number: int) -> tuple[Release, ...]:
    """The releases v1 to vN of `history`, as a plan has them."""
    names = folder.git("rev-parse", *(f"v{one}" for one in range(number + 1))).decode().split()
    return tuple(
        Release(
            name=f"payments/v{one}",
            place=str(folder.path),
            base=names[one - 1],
            head=names[one],
            spec=f"v{one - 1}..v{one}",
            title=f"v{one}",
            repository="example/payments",
        )
        for one in range(1, number + 1)
    )


def answering(release: Release, **answers: str) -> Release:
    """The same with a person's answers."""
    return replace(release, answers=tuple(answers.items()))
