"""Small histories with tags, drawn as text: what planning is proved on."""

from __future__ import annotations

from pathlib import Path

from tests.repositories import START, GitFolder

_WHO = "Ada Author <ada@example.org>"


def history(path: Path, steps: str) -> GitFolder:
    """A repository made of `steps`: the names of tags to set, and words with a sign.

    `.` is a commit, `>name` stands on a branch, which begins here where it is new, `+name` merges one, `^name` sets an
    annotated tag. The first branch is main.
    """
    folder = GitFolder.init(path)
    stream: list[str] = []
    branch, ends = "main", {"main": ""}
    for number, word in enumerate(steps.split(), 1):
        sign, rest, moment = word[0], word[1:], f"{START + 60 * number} +0000"
        if sign in ".+":
            parents = [f"from {ends[branch]}" if ends[branch] else "", f"merge {ends[rest]}" if rest else ""]
            content = [f"M 100644 inline f{number}", *_data(f"{number}\n")]
            made = [
                f"commit refs/heads/{branch}",
                f"mark :{number}",
                f"committer {_WHO} {moment}",
                *_data(f"Take step {number}"),
            ]
            stream += [*made, *filter(None, parents), *content]
            ends[branch] = f":{number}"
        elif sign == ">":
            ends.setdefault(rest, ends[branch])
            branch = rest
        elif sign == "^":
            stream += [f"tag {rest}", f"from {ends[branch]}", f"tagger {_WHO} {moment}", *_data(rest)]
        else:
            stream += [f"reset refs/tags/{word}", f"from {ends[branch]}", ""]
    folder.git("fast-import", "--quiet", given="\n".join((*stream, "")).encode())
    folder.git("reset", "-q", "--hard")
    return folder


def _data(text: str) -> list[str]:
    return [f"data {len(text.encode())}", text]
