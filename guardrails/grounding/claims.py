"""What a sentence claims stands in what it cites: words, causes, effects, credits, names, units (Intent Changesets 11.3, 11.4).

Word tables and overlap, no understanding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from guardrails.evidence.code_spans import code_spans
from guardrails.evidence.identifiers import fold, mentions
from guardrails.findings import Code, Finding, Severity
from guardrails.grounding import overlap
from guardrails.grounding.citable import Citable
from guardrails.grounding.commonplace import COMMONPLACE
from guardrails.grounding.items import content, stands_in
from guardrails.grounding.statements import Statement
from guardrails.wording.words import phrases


def _code(name: str, summary: str, cure: str, section: str = "Intent Changesets 11.3") -> Code:
    return Code(name=name, summary=summary, cure=cure, section=section)


CAUSE_WITHOUT_SOURCE = _code(
    "cause-without-source",
    "A cause or reason rests on no text that can give one.",
    "Cite a message body, document or answer that gives the reason; a diff never does.",
    "Intent Changesets 6.5",
)
EFFECT_UNSUPPORTED = _code(
    "effect-unsupported",
    "An effect on speed, security or reliability is claimed that nobody stated in the cited evidence.",
    "Take the effect out, or cite the text that states it.",
)
CREDIT_UNSUPPORTED = _code(
    "credit-unsupported",
    "A sentence says that somebody tested, reviewed or approved, and the cited evidence does not.",
    "Take it out, or cite the text that says so.",
)
PERSON_UNSUPPORTED = _code(
    "person-unsupported",
    "A sentence has a proper name that no evidence has.",
    "Take the name out, or give it as an answer.",
)
UNIT_UNSUPPORTED = _code(
    "unit-unsupported",
    "A sentence names a release unit of the profile that the evidence it cites does not name.",
    "Name only units that the cited evidence names or changes.",
    "Intent Changesets 6.6",
)
EMPHASIS_UNSUPPORTED = Code(
    name="emphasis-unsupported",
    summary="A sentence says must, only, always, all or the like, and the cited evidence does not.",
    cure="Check that the evidence goes as far as the sentence.",
    section="evidraft",
    severity=Severity.WARNING,
)

_CAUSE: Final = phrases(
    r"because|so that|in order to|due to|owing to|thanks to|caused by|as a result|therefore|which is why|for that reason",
    r"in response to|to (?:avoid|prevent|ensure|reduce|protect|comply)",
    r"weil|damit|parce que|porque",
)
_EFFECTS: Final = (
    phrases(
        r"fast(?:er|est)?|quick(?:er|ly)?|slow(?:er|ly|s|ed|ness)?|speed(?:s|ed|ier)?|speed-?ups?|performan(?:ce|t)|latency",
        r"throughput|efficien\w+|optimi[sz]\w+|scal(?:able|ability|es)|responsive\w*|memory usage|lightweight",
    ),
    phrases(r"secur\w+|insecure|vulnerab\w+|exploit\w*|attack\w*|hardened|hardening|safe|safer|safety|safely|unsafe"),
    phrases(
        r"reliab\w+|robust\w*|resilien\w+|stabl[ey]|stability|stabili[sz]\w+|flaky|flakiness|fault[- ]toleran\w+",
        r"data loss|downtime|outages?|uptime",
    ),
    phrases(r"cheap(?:er|est|ly)?|sav(?:es?|ed|ing) (?:money|costs?|time)|(?:costs?|pay|pays|paying) less|revenue|profit\w*"),
)
_CREDIT: Final = phrases(
    r"(?:reviewed|approved|reported|requested|suggested|signed off) by",
    r"(?:tested|verified|validated|confirmed|checked) (?:by|against|manually)",
    r"(?:tested|verified|validated|confirmed) (?:on|with|in production)",
    r"(?:thoroughly|fully|manually|carefully|extensively|well) (?:tested|verified|reviewed|benchmarked|validated)",
    r"(?:approved|reviewed|tested|verified|audited|signed off) (?:that|it|this|the change)",
    "has (?:tested|reviewed|approved|audited)",
    r"(?:legal|qa|compliance|management|audit|ceo|cto|team|committee|board) (?:has |have )?"
    r"(?:approved|tested|reviewed|verified|confirmed|signed off|accepted|requested|asked)",
    r"benchmarked|certified|audited|thanks|credits?|kudos|proven|guaranteed|compliant|production ready|fully compatible",
    r"no regressions?|all tests? pass(?:es|ed|ing)?",
)
_EMPHASIS: Final = phrases(
    r"must|only|always|all|every|any|fully|completely|entirely|significant(?:ly)?|dramatic(?:ally)?|great(?:ly)?|seamless(?:ly)?"
    r"|powerful|best|exclusively|automatically|immediately|instantly"
)
_WORD: Final = re.compile(r"[^\W\d_][^\W_]*(?:[-'][^\W_]+)*")
_CALENDAR: Final = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december"
)


def check(told: tuple[Statement, ...], citable: Citable) -> tuple[Finding, ...]:
    """Hold what every statement claims against what it cites; a whole sentence or clause of the evidence is taken as it is."""
    return tuple(
        finding
        for statement in told
        if not citable.copies(statement.text, statement.evidence)
        for rule in _RULES
        for finding in rule(statement, citable)
    )


def _words(statement: Statement) -> str:
    """What a statement says in words, in small letters: what stands in back ticks is named, not said."""
    text = statement.text.casefold()
    for span in reversed(tuple(code_spans(text))):
        text = f"{text[: span.start]}`{text[span.end :]}"
    return text


def _cause(statement: Statement, citable: Citable) -> Iterator[Finding]:
    """A rationale needs a text that gives reasons; elsewhere a technical cause that changes show is left to the reviewer."""
    is_rationale = statement.where == "rationale"
    if not is_rationale and not _CAUSE.search(_words(statement)):
        return
    if not any(item.reasons for item in citable.cited(statement.evidence)):
        message = "got a reason that rests on changes or a bare subject, expected a message body, document or answer"
        severity = Severity.ERROR if is_rationale else Severity.WARNING
        yield CAUSE_WITHOUT_SOURCE.at(statement.where, message, evidence=statement.evidence, severity=severity)


def _effect(statement: Statement, citable: Citable) -> Iterator[Finding]:
    """An effect must be stated by somebody; a word that stands in changed files only, beside others of them, is left to the
    reviewer.
    """
    cited, told = citable.cited(statement.evidence), _words(statement)
    for words in _EFFECTS:
        if (match := words.search(told)) and not any(words.search(item.spoken) for item in cited):
            message = f"got {match[0]}, which no cited message, document or answer states"
            clause = next((clause for clause in overlap.split(told) if words.search(clause)), "")
            beside = content(words.sub(" ", clause)) - COMMONPLACE
            is_alone = bool(beside) and not overlap.shared(beside, cited)
            in_code = any(words.search(item.code.casefold()) for item in cited)
            severity = Severity.WARNING if in_code and not is_alone else Severity.ERROR
            yield EFFECT_UNSUPPORTED.at(statement.where, message, evidence=statement.evidence, severity=severity)


def _credit(statement: Statement, citable: Citable) -> Iterator[Finding]:
    cited = citable.cited(statement.evidence)
    for match in _CREDIT.finditer(_words(statement).replace("-", " ")):
        if not any(stands_in(match[0], item.spoken.replace("-", " ")) for item in cited):
            message = f"got {match[0]}, which no cited message, document or answer states"
            yield CREDIT_UNSUPPORTED.at(statement.where, message, evidence=statement.evidence)


def _person(statement: Statement, citable: Citable) -> Iterator[Finding]:
    """Capitalised words inside a sentence are names: where most words are capitalised it is a title, or German."""
    text = _without_mentions(statement.text, citable)
    words = [match for match in _WORD.finditer(text) if len(match[0]) > 1]
    inner = [match[0] for match in words if _is_inner(text, match.start()) and match[0][0].isupper() and not match[0].isupper()]
    if len(inner) > 2 and len(inner) * 3 > len(words):
        return
    for name in dict.fromkeys(inner):
        if not _CALENDAR.fullmatch(name.casefold()) and not _is_shown(name, statement, citable):
            yield PERSON_UNSUPPORTED.at(statement.where, f"got {name[:40]}, which no evidence has", evidence=statement.evidence)


def _is_inner(text: str, at: int) -> bool:
    before = text[:at].rstrip()
    return bool(before) and before[-1] not in ".!?:;\n\"'(-*>"


def _is_shown(name: str, statement: Statement, citable: Citable) -> bool:
    """Whether the evidence has a name: mostly what is cited has it as it is, so that is read first and all texts last."""
    stemmed = content(name)
    return (
        any(stands_in(name.casefold(), item.caseless) for item in citable.cited(statement.evidence))
        or (bool(stemmed) and citable.shown().holds(stemmed))
        or citable.shown().says(name.casefold())
    )


def _without_mentions(text: str, citable: Citable) -> str:
    """`text` with a digit for each character of what it names, so that offsets stay right."""
    pieces, done = list[str](), 0
    for mention in mentions(text, trackers=citable.trackers):
        pieces += (text[done : mention.start], "0" * (mention.end - mention.start))
        done = mention.end
    return "".join((*pieces, text[done:]))


def _unit(statement: Statement, citable: Citable) -> Iterator[Finding]:
    if citable.profile is None:
        return
    text = fold(statement.text)
    units = [unit for unit in citable.profile.release_units if stands_in(unit, text) and not unit.isalpha()]
    for unit in units:
        own = [item for item in citable.cited(statement.evidence) if item is not citable.vocabulary]
        if not any(stands_in(unit, item.text) for item in own):
            message = f"got {unit}, which the cited evidence neither names nor changes"
            yield UNIT_UNSUPPORTED.at(statement.where, message, evidence=statement.evidence)


def _emphasis(statement: Statement, citable: Citable) -> Iterator[Finding]:
    cited = citable.cited(statement.evidence)
    told = dict.fromkeys(match[0] for match in _EMPHASIS.finditer(_words(statement)))
    if missing := [word for word in told if not any(stands_in(word, item.caseless) for item in cited)]:
        message = f"got {', '.join(missing)}, which the cited evidence does not say"
        yield EMPHASIS_UNSUPPORTED.at(statement.where, message, evidence=statement.evidence)


Rule = Callable[[Statement, Citable], Iterator[Finding]]
_RULES: Final[tuple[Rule, ...]] = (overlap.whole, overlap.clauses, _cause, _effect, _credit, _person, _unit, _emphasis)
