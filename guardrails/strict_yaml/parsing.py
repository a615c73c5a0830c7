"""Bytes to parser events: decoding, and the differences between the parsers and YAML 1.2 (Intent Changesets 5 and 12).

Both parsers of ruamel.yaml hold on to YAML 1.1 in places: U+0085, U+2028 and U+2029 break lines, U+FEFF may vanish, and the
C parser refuses a colon or question mark inside a plain scalar of a flow collection (`[https://…]`). Such characters are parsed
as stand-ins from the private use area that do not occur in the text, and are put back in every scalar.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from guardrails.strict_yaml.faults import YAML_BOUND, YAML_ENCODING, YAML_SYNTAX, Bounds, YamlFault

try:
    from _ruamel_yaml import CParser
except ModuleNotFoundError:
    CParser = None

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_MISREAD: Final = re.compile(
    r":(?<=[^\s,\[\]{}'\"]:)(?=[^\s,\[\]{}])(?<!<tag:)(?<!! tag:)(?<!tag:yaml\.org,2002:)"  # in a plain scalar, not in a tag
    r"|\?(?<=[^\s,\[\]{}'\"]\?)"
    "|[\x85\u2028\u2029\ufeff]"
)
_QUOTED: Final = re.compile("['\"].*", re.DOTALL)
_STAND_INS: Final = tuple(map(chr, range(0xE000, 0xF900)))


def encoding_of(data: bytes) -> tuple[bytes, str]:
    """The byte order mark that `data` begins with, which may be none, and the encoding that it says."""
    if data[:1] < b"\x80":
        return b"", "utf-8"
    return next((pair for pair in _BYTE_ORDER_MARKS if data.startswith(pair[0])), (b"", "utf-8"))


def decode(data: bytes, bounds: Bounds) -> str:
    """The text of `data` without its byte order mark.

    Raises:
        YamlFault: too many bytes, an unreadable encoding, or a character that YAML does not allow.
    """
    if len(data) > bounds.bytes:
        raise YamlFault(YAML_BOUND.at("", f"got {len(data)} bytes, expected at most {bounds.bytes}"))
    mark, encoding = encoding_of(data)
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise YamlFault(YAML_ENCODING.at("", f"got bytes that are no {encoding} text", line=line)) from None
    if not is_printed(text) and (found := _FORBIDDEN.search(text)):
        line = text.count("\n", 0, found.start()) + 1
        raise YamlFault(YAML_ENCODING.at("", f"got the character U+{ord(found[0]):04X}", line=line))
    return text


def is_printed(text: str) -> bool:
    """Whether it is made of line feeds, spaces and characters that can be seen, all of which YAML allows; told at once."""
    return text.replace("\n", "").isprintable()


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
