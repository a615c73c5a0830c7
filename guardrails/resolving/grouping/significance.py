"""The order of items: breaking, security, then the size of what users notice (Describe Changes: itemized shape).

What users notice is measured by the changed lines of the program's files, on a scale of doublings: a few lines more are not
noticed at all, and four times the lines hardly four times as much. Tests, documents, manifests, automation and generated files
do not count as noticed: they only order what is equal. Operations and documentation come after what users meet, whatever their
size. Where two changes measure the same, a feature stands before an improvement before a fix, then what changed more in all,
then what took more commits, then what began earlier.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from guardrails.evidence.model import Bundle, FileChange
from guardrails.evidence.roles import Role, role
from guardrails.resolving.grouping.grouping import Group

_FIRST: Final = {"breaking": 0, "security": 1}
_UNNOTICED: Final = frozenset(("ops", "docs"))
_EQUALS: Final = {"feature": 0, "improvement": 1, "bug_fix": 2, "ops": 3, "docs": 4}


def ordered(groups: Sequence[Group], kinds: Mapping[str, str | None], bundle: Bundle) -> tuple[str, ...]:
    """The keys of `groups` by significance. `kinds` tells the kind of each key; None, or none, where it is not known."""
    files = {file.id: file for file in (*bundle.files(), *(bundle.net or ()))}
    places = {one.key: place for place, one in enumerate(groups)}

    def rank(one: Group) -> tuple[int, bool, int, int, int, int, int]:
        kind = kinds.get(one.key) or ""
        told = [files[item] for item in one.files if item in files]
        noticed = [file for file in told if role(file.path) is Role.SOURCE]
        return (
            _FIRST.get(kind, len(_FIRST)),
            kind in _UNNOTICED,
            -_doublings(noticed),
            _EQUALS.get(kind, 1),
            -_doublings(told),
            -len(one.commits),
            places[one.key],
        )

    return tuple(one.key for one in sorted(groups, key=rank))


def _doublings(files: Sequence[FileChange]) -> int:
    """How often one line is doubled to be as many as were changed; a file without lines, such as an image, counts as one."""
    return sum(max(file.added + file.deleted, 1) for file in files).bit_length()
