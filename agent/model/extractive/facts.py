"""Facts: what can be said of an edit in one short phrase that its own lines bear out (Describe Changes: detail_md).

A fact names what came, went or changed by words that stand in the changed lines; what has no name is told by its first line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate
from typing import Final

from agent.model.extractive.declarations import Kind, Language
from agent.model.extractive.edits import Edits, Lines, Named, Renamed
from agent.model.extractive.replacing import replacement
from guardrails.drafts.sentences import sentences
from guardrails.evidence.code_spans import code
from guardrails.redaction.placeholders import PLACEHOLDER
from guardrails.wording.words import words


class Verb(StrEnum):
    """What happened, in the order in which a point tells it."""

    SETS = "sets"
    REPLACES = "replaces"
    ADDS = "adds"
    RENAMES = "renames"
    MOVES = "moves"
    CHANGES = "changes"
    REMOVES = "removes"
    TOUCHES = "touches"
    """Changes of what nobody names: imports, comments, layout, lines."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that happened to `what`, in or to `scope` ("" for none seen). Both are markdown.

    `others` are what it came from and became (sets, replaces, renames), or what it calls newly (changes). `noun` says what it
    is where that is not plain, and `is_name` whether it is declared and not only a line.
    """

    verb: Verb
    what: str
    scope: str = ""
    others: tuple[str, ...] = ()
    noun: str = ""
    is_name: bool = False


LONGEST: Final = 100
LINES: Final = "lines"
"""What is touched where nothing else can be said."""
OTHER_LINES: Final = "other lines"
"""The same beside what can be named."""
_FEW: Final = 3
_SHOWN_HIDDEN: Final = "\\u{"
_MARKERS: Final = re.compile(r"\s*(?:(?:[-*+•>|]|#{1,6}|\d{1,3}[.)])\s+){0,4}")
_NUMBERED: Final = re.compile(r"^\s*\d{1,3}[.)]\s")
"""How an entry of a list begins that counts: where one comes, those after it are counted anew."""
_ENDS: Final = " \t,;{("
_STOPS: Final = " \t,;"
_IN_LINE: Final = " \t=,;:"
_HOLDING: Final = frozenset({Kind.KEY, Kind.VALUE, Kind.MEMBER})
"""What has a value that can change."""
_BEFORE_VALUE: Final = " \t\"'`^~<>!v({["
_BEHIND_VALUE: Final = " \t\"'`)}]"
_VERSION: Final = re.compile(r"[\^~<>=!v]{0,3}\d+(?:\.\d+)+[\w.+-]*")
_MARKUP: Final = re.compile(r"[<\[]")
"""What could be more than text, once its back ticks meet those around it."""
_SPEC: Final = r"(?:===?|[~<>!]=|[<>^~]) ?\d[\w.*+!-]{0,40}(?:, ?)?"
_REQUIREMENT: Final = re.compile(
    rf"\s*[\"']?([A-Za-z][\w.-]{{0,80}}(?:\[[\w,-]{{1,60}}\])?) ?((?:{_SPEC}){{1,4}})[\"']?,?\s*(?:#.*)?"
)
_TAG: Final = re.compile(r"\s*<")
_NAMES: Final = re.compile(r"\s+[\w.]+(?:\s+as\s+\w+)?,?\s*|[\s(){}\[\],;]*")
"""What stands in the brackets of an import."""
_IMPORT: Final = re.compile(
    r"\s*(?:(?:from|import|use|using|package|require|require_relative|#\s*include|mod|pub use)\b"
    r"|export\s.{0,200}\bfrom\s|(?:const|let|var)\s.{0,200}=\s*require\()"
)
_COMMENT: Final = re.compile(r"\s*(?:#(?!\[|!\[|\s*(?:include|define|if|endif))|//|/\*|\*(?:\s|/|$)|<!--|--\s|;|%)")
_CALL: Final = re.compile(r"(?<![\w.])([A-Za-z_]\w{1,60}(?:\.[A-Za-z_]\w{0,60}){0,3})\(")
_NO_CALL: Final = words(
    "if for while switch catch return function def class elif not and or in is with assert print len str int list dict set",
    "tuple bool range isinstance super type Some Ok Err None fn func match except lambda await yield typeof sizeof new require",
    "String Number Boolean Array Object vec format println",
)
"""What stands before a bracket everywhere."""
_OPTION_CALL: Final = re.compile(r"(?i:option\(|add_argument\(|#\[(?:arg|clap|structopt)|\bArg::|\bflags?\.\w+\()")
_OPTION: Final = re.compile(r"[\"'](--[A-Za-z][\w-]{1,60})(?=[\"'/=, ])")


def facts(edits: Edits, how: Language) -> tuple[Fact, ...]:
    """All that the edits of one hunk bear out, each once."""
    found = (
        *(fact for one in edits.come for fact in _named(Verb.ADDS, one)),
        *(fact for one in edits.gone for fact in _named(Verb.REMOVES, one)),
        *(_renamed(one, how) for one in edits.renamed if is_quotable(one.old.name) and is_quotable(one.new.name)),
        *(fact for lines in edits.lines for fact in _of_lines(lines, edits.kept, how)),
    )
    return _telling(dict.fromkeys(found))


def merged(parts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts of several hunks of one file as one: what went at one place and came at another has moved."""
    found = dict.fromkeys(parts)
    changed: dict[str, Fact] = {}
    for fact in (fact for fact in found if fact.verb is Verb.CHANGES):
        others = (*changed[fact.what].others, *fact.others) if fact.what in changed else fact.others
        changed[fact.what] = replace(fact, others=tuple(dict.fromkeys(others))[:_FEW])
    moved = {fact for fact in found if fact.verb is Verb.ADDS and replace(fact, verb=Verb.REMOVES) in found}
    kept = (changed.pop(fact.what, None) if fact.verb is Verb.CHANGES else fact for fact in found)
    sides = moved | {replace(fact, verb=Verb.REMOVES) for fact in moved}
    return _telling(
        replace(fact, verb=Verb.MOVES) if fact in moved else fact
        for fact in kept
        if fact is not None and (fact in moved or fact not in sides)
    )


def _telling(found: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts without those that say nothing beside others."""
    every = tuple(found)
    telling = tuple(fact for fact in every if fact.verb is not Verb.TOUCHES or fact.scope)
    idle = tuple(fact for fact in every if fact.what != LINES)
    rest = (Fact(Verb.TOUCHES, OTHER_LINES),) if idle and len(idle) < len(every) else ()
    return telling or (*idle, *rest) or every[:1]


def is_quotable(text: str) -> bool:
    """Whether a piece of a file may stand in a text: short, visible, with a letter or digit, nothing redacted in it."""
    return (
        len(text) <= LONGEST
        and any(map(str.isalnum, text))
        and text.isprintable()
        and ("`" not in text or (text.isascii() and text.count("`") % 2 == 0 and not _MARKUP.search(text)))
        and _SHOWN_HIDDEN not in text
        and not PLACEHOLDER.search(text)
    )


def _named(verb: Verb, one: Named) -> Iterator[Fact]:
    """A declaration that came or went; of a data file with its value, where that is short."""
    line = one.line.strip().rstrip(_ENDS)
    has_value = one.kind is Kind.KEY and len(line) <= LONGEST and not line.endswith((":", "[", "="))
    what = line if has_value and is_quotable(line) else one.name
    if is_quotable(what):
        noun = "section" if one.kind is Kind.HEADING else ""
        yield Fact(verb, code(what), _scope(one.scope), noun=noun, is_name=True)


def _renamed(one: Renamed, how: Language) -> Fact:
    """A name that became another; of an entry of a list, its value."""
    old, new, scope = one.old.name, one.new.name, _scope(one.new.scope)
    (key, _, was), (same, _, now) = old.partition(": "), new.partition(": ")
    if not was or key != same:
        return Fact(Verb.RENAMES, code(old), scope, (code(new),), "section" if how.is_prose else "")
    if any(mark in was + now for mark in " ,;") or _bare(was) == _bare(now):
        return Fact(Verb.REPLACES, code(new), scope, (code(old),))
    return Fact(Verb.SETS, code(key), scope, (code(was), code(now)))


def _scope(name: str) -> str:
    return code(name) if is_quotable(name) else ""


def _of_lines(lines: Lines, kept: tuple[str, ...], how: Language) -> Iterator[Fact]:
    """What can be said of lines that declare nothing new; the first rule that says anything does."""
    said = (tuple(rule(lines, kept, how)) for rule in _RULES)
    yield from next(filter(None, said), (Fact(Verb.TOUCHES, "the text" if how.is_prose else LINES),))


def _layout(lines: Lines, _kept: tuple[str, ...], _how: Language) -> Iterator[Fact]:
    before, after = ("".join("".join(side).split()) for side in (lines.removed, lines.added))
    if before == after:
        yield Fact(Verb.TOUCHES, "layout")


def _imports(lines: Lines, _kept: tuple[str, ...], how: Language) -> Iterator[Fact]:
    """Lines that are all imports, or names in the brackets of one."""
    told = [line for line in (*lines.removed, *lines.added) if lines.scope or not _NAMES.fullmatch(line)]
    if how.rows and not how.is_prose and lines.declared is None and all(map(_IMPORT.match, told)):
        yield Fact(Verb.TOUCHES, "imports")


def _counted(lines: Lines, _kept: tuple[str, ...], how: Language) -> Iterator[Fact]:
    """Entries of a list that are the same but for their numbers."""
    before, after = (tuple(_NUMBERED.sub("", line) for line in side) for side in (lines.removed, lines.added))
    if how.is_prose and before == after:
        yield Fact(Verb.TOUCHES, "the text")


def _pinned(lines: Lines, _kept: tuple[str, ...], _how: Language) -> Iterator[Fact]:
    """Requirements of other versions, each by its name: `a==1.0`, `"a>=1.0,<2",`."""
    before, after = (_requirements(side) for side in (lines.removed, lines.added))
    if before.keys() == after.keys():
        for name, was in ((name, was) for name, was in before.items() if was != after[name]):
            exact = all(spec.startswith("==") for spec in (was, after[name]))
            sides = (spec.removeprefix("==") if exact else spec for spec in (was, after[name]))
            yield Fact(Verb.SETS, code(name), _scope(lines.scope), tuple(map(code, sides)))


def _requirements(side: tuple[str, ...]) -> dict[str, str]:
    """What each line requires, by name; nothing where one of them is no requirement."""
    found = [_REQUIREMENT.fullmatch(line) for line in side]
    return {match[1]: match[2].replace(" ", "") for match in found if match} if all(found) else {}


def _replaced(lines: Lines, _kept: tuple[str, ...], how: Language) -> Iterator[Fact]:
    """A few lines of which each is another in a few words."""
    if len(lines.removed) == len(lines.added) <= _FEW:
        pairs = [_replacement(old, new, lines, how) for old, new in zip(lines.removed, lines.added, strict=True)]
        if all(pairs):
            yield from filter(None, pairs)


def _replacement(old: str, new: str, lines: Lines, how: Language) -> Fact | None:
    """One line that became another: the words that differ, or both lines where the words alone would not be understood."""
    found = replacement(old.rstrip(_STOPS), new.rstrip(_STOPS))
    if found is None or PLACEHOLDER.search(old) or PLACEHOLDER.search(new):
        return None
    was, now = found
    scope = _scope(lines.scope)
    if not (was and now):
        alone = (was or now).strip(_IN_LINE)
        is_plain = how.is_prose or (scope and len(alone) >= _FEW and " " not in alone)
        if is_plain and is_quotable(alone) and _is_balanced(alone):
            return Fact(Verb.ADDS if now else Verb.REMOVES, code(alone), scope)
    if not (was and now and _is_balanced(was) and _is_balanced(now)):
        return _both(old, new, scope)
    if not (is_quotable(was) and is_quotable(now)):
        return None
    holder = lines.declared if lines.declared is not None and lines.declared.kind in _HOLDING else None
    if holder is not None and _is_value(was, old) and _is_value(now, new) and _bare(was) != _bare(now):
        return Fact(Verb.SETS, code(holder.name), _scope(holder.scope), (code(was), code(now)))
    return Fact(Verb.REPLACES, code(now), scope, (code(was),))


def _both(old: str, new: str, scope: str) -> Fact | None:
    """A line for a line."""
    was, now = old.strip().rstrip(_STOPS), new.strip().rstrip(_STOPS)
    return Fact(Verb.REPLACES, code(now), scope, (code(was),)) if is_quotable(was) and is_quotable(now) and was != now else None


def _bare(value: str) -> str:
    """A value without its case and the marks of version ranges: what differs in these alone goes from nothing to nothing."""
    return value.strip(f"{_BEFORE_VALUE}=.,:;)").casefold()


def _is_value(piece: str, line: str) -> bool:
    """Whether a piece of a line is what the line sets: all that stands behind its sign, or a version by itself."""
    left, _, right = line.strip().rstrip(_ENDS).rpartition(piece)
    is_version = _VERSION.fullmatch(piece) is not None
    is_set = left.rstrip(_BEFORE_VALUE).endswith((":", "=")) or (is_version and left[-1:].isspace())
    return is_set and not any(mark in piece for mark in " ,;") and (is_version or not right.strip(_BEHIND_VALUE))


def _is_balanced(text: str) -> bool:
    """Whether a piece of a line closes only brackets that it opens, and all of them."""
    for opening, closing in ("()", "[]", "{}"):
        depths = tuple(accumulate((mark == opening) - (mark == closing) for mark in text))
        if depths and (min(depths) < 0 or depths[-1]):
            return False
    return True


def _options(lines: Lines, kept: tuple[str, ...], how: Language) -> Iterator[Fact]:
    """Options of a command that are declared by a call."""
    if not how.is_prose and any(map(_OPTION_CALL.search, (*lines.added, *kept[-1:]))):
        known = {name for line in (*lines.removed, *kept) for name in _OPTION.findall(line)}
        names = (name for line in lines.added for name in _OPTION.findall(line))
        yield from (Fact(Verb.ADDS, code(name), _scope(lines.scope), noun="option") for name in names if name not in known)


def _comments(lines: Lines, _kept: tuple[str, ...], how: Language) -> Iterator[Fact]:
    if not how.is_prose and all(map(_COMMENT.match, (*lines.removed, *lines.added))):
        yield Fact(Verb.TOUCHES, "comments")


def _one_line(lines: Lines, _kept: tuple[str, ...], _how: Language) -> Iterator[Fact]:
    """One line that came or went."""
    if len(lines.removed) + len(lines.added) == 1 and (quote := _quote((*lines.added, *lines.removed)[0])):
        yield Fact(Verb.ADDS if lines.added else Verb.REMOVES, code(quote), _scope(lines.scope))


def _inside(lines: Lines, kept: tuple[str, ...], how: Language) -> Iterator[Fact]:
    """More lines inside of something that has a name, and the calls that are new there."""
    scope = _scope(lines.scope)
    if not scope:
        return
    if how.is_prose:
        yield Fact(Verb.CHANGES, scope, scope, noun="section")
        return
    known = {name for line in (*lines.removed, *kept) for name in _CALL.findall(line)} | _NO_CALL | {lines.scope}
    calls = (name for line in lines.added if not _COMMENT.match(line) for name in _CALL.findall(line))
    new = dict.fromkeys(name for name in calls if name not in known and is_quotable(name))
    yield Fact(Verb.CHANGES, scope, scope, tuple(map(code, [*new][:_FEW])))


def _first_line(lines: Lines, _kept: tuple[str, ...], how: Language) -> Iterator[Fact]:
    """More lines in the open, told by the first that can be shown."""
    passed = _TAG if how.is_prose else _COMMENT
    shown = (line for line in lines.added or lines.removed if not passed.match(line))
    quote = next(filter(None, map(_quote, shown)), "")
    if not quote:
        return
    if lines.added and lines.removed:
        yield Fact(Verb.TOUCHES, f"the lines around {code(quote)}", _scope(lines.scope) or code(quote))
    else:
        yield Fact(Verb.ADDS if lines.added else Verb.REMOVES, f"{code(quote)} and more lines", _scope(lines.scope))


def _quote(line: str) -> str:
    """A line, or its first sentence, without the marks of lists; "" where it cannot be shown."""
    text = _MARKERS.sub("", line, count=1).strip().rstrip(_ENDS)
    first = next(iter(sentences(text)), "") if len(text) > LONGEST else text
    return first if is_quotable(first) and sum(map(str.isalnum, first)) >= _FEW else ""


_RULES: Final[tuple[Callable[[Lines, tuple[str, ...], Language], Iterator[Fact]], ...]] = (
    _layout,
    _imports,
    _counted,
    _pinned,
    _replaced,
    _options,
    _comments,
    _one_line,
    _inside,
    _first_line,
)
