"""Text to parser events, and the differences between the parsers and YAML 1.2 (Intent Changesets 5 and 12).

Both parsers of ruamel.yaml hold on to YAML 1.1 in places: U+0085, U+2028 and U+2029 break lines, U+FEFF may vanish, and the
C parser refuses a colon or question mark inside a plain scalar of a flow collection (`[https://…]`). Such characters are parsed
as stand-ins from the private use area that do not occur in the text, and are put back in every scalar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from guardrails.strict_yaml.faults import YAML_SYNTAX, YamlFault

try:
    from _ruamel_yaml import CParser
except ModuleNotFoundError:
    CParser = None

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_MISREAD: Final = re.compile(
    r":(?<=[^\s,\[\]{}'\"]:)(?=[^\s,\[\]{}])(?<!<tag:)(?<!! tag:)(?<!tag:yaml\.org,2002:)"  # in a plain scalar, not in a tag
    r"|\?(?<=[^\s,\[\]{}'\"]\?)"
    "|[\x85\u2028\u2029\ufeff]"
)
_QUOTED: Final = re.compile("['\"].*", re.DOTALL)
_STAND_INS: Final = tuple(map(chr, range(0xE000, 0xF900)))


class Events:
    """The parser events of one text, in order; `original` gives a scalar's text back as it was written.

    Raises (from iteration): YamlFault when the text is not well-formed.
    """

    __slots__ = ("_originals", "_parser_text", "_pure")

    def __init__(self, text: str, *, pure: bool = False) -> None:
        """Prepare `text`; `pure` leaves the C parser aside."""
        self._pure: Final = pure or CParser is None
        free = (character for character in _STAND_INS if character not in text)
        stand_ins: dict[str, str] = {}

        def stand_in(found: re.Match[str]) -> str:
            return stand_ins.get(found[0]) or stand_ins.setdefault(found[0], next(free, found[0]))

        self._parser_text: Final = _MISREAD.sub(stand_in, text)
        self._originals: Final = tuple((character, original) for original, character in stand_ins.items())

    def original(self, value: str) -> str:
        """The scalar `value` with every stand-in put back."""
        for stand_in, character in self._originals:
            value = value.replace(stand_in, character)
        return value

    def __iter__(self) -> Iterator[Any]:
        """The events, as they are asked for: nothing is read ahead of a bound."""
        try:
            if self._pure:
                yield from self._checked()
            else:
                yield from iter(CParser(self._parser_text).get_event, None)
        except YAMLError as error:
            _refuse(error)

    def _checked(self) -> Iterator[Any]:
        """The pure parser's events; unlike the C parser it lets half a surrogate pair be escaped."""
        for event in YAML(typ="safe", pure=True).parse(self._parser_text):
            if _SURROGATE.search(getattr(event, "value", None) or ""):
                raise YamlFault(YAML_SYNTAX.at("", "got an escaped half of a surrogate pair", line=event.start_mark.line + 1))
            yield event


def _refuse(error: YAMLError) -> NoReturn:
    """Turn a parser's complaint into a fault; what it quotes of the text is cut off."""
    if isinstance(error, MarkedYAMLError) and error.problem_mark is not None:
        problem = _QUOTED.sub("…", error.problem or "not well-formed")
        line, column = error.problem_mark.line + 1, error.problem_mark.column + 1
        raise YamlFault(YAML_SYNTAX.at("", f"column {column}: {problem}", line=line)) from None
    raise YamlFault(YAML_SYNTAX.at("", "got something else than YAML")) from None
