"""What a profile's fields may hold: words, paths, patterns and limits, with a finding for anything else
(Intent Changesets 4, 10 and 12).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from guardrails import paths
from guardrails.findings import Code
from guardrails.patterns import compiled
from guardrails.records.fields import Fields, is_blank, one_of


def _code(name: str, summary: str, cure: str, section: str = "10") -> Code:
    return Code(name=name, summary=summary, cure=cure, section=f"Intent Changesets {section}")


UNSUPPORTED_PROFILE_VERSION = _code(
    "unsupported-profile-version",
    "The profile, or a specification that it names, is of another version.",
    "Write 1.0.0 for the profile and each specification.",
)
UNKNOWN_PROFILE_KEY = _code("unknown-profile-key", "The profile has a key that no rule reads.", "Correct or remove the key.")
PROFILE_WORD = _code(
    "profile-word", "A word of the profile has no allowed form or is not one of the allowed words.", "Use an allowed word."
)
PROFILE_LIST_EMPTY = _code("profile-list-empty", "A list or mapping of the profile is empty.", "Add at least one entry.")
PROFILE_REPOSITORY = _code(
    "profile-repository",
    "The repository is no absolute URI.",
    "Write it with its scheme, as in https://example.org/project.",
    "6.6",
)
PROFILE_PATH = _code(
    "profile-path",
    "A path does not stay below the repository root, or below the directory it belongs to.",
    "Write a relative path with forward slashes and without `..`.",
    "12",
)
PROFILE_PATTERN = _code(
    "profile-pattern", "A pattern is no RE2 expression.", "Use RE2 syntax: no look-around, no back references."
)
PROFILE_NUMBER = _code("profile-number", "A limit is out of range.", "Write a whole number that is not negative.")
NO_CHANGESET_RULE = _code(
    "no-changeset-rule",
    "The profile does not say when a changeset is required.",
    "Give `changesets.required-impacts`, `changesets.required-commit-types` or both; an empty list says never.",
    "4",
)
UNMAPPED_SCOPE = _code(
    "unmapped-scope",
    "A scope has no release unit and does not ask for Affects.",
    "Give `release-unit` or `requires-affects: true`.",
)


@dataclass(frozen=True, slots=True)
class ProfileFields(Fields):
    """One mapping of a profile, with the getters that only a profile needs."""

    def close(self, known: Collection[str]) -> None:
        """Refuse every other key: one that nothing reads is more likely a slip than an extension, and a profile is policy."""
        for key in self.unknown(known):
            self.note(UNKNOWN_PROFILE_KEY, (key,), "got a key that no rule reads")

    def check_form(self, name: str, has_form: Callable[[str], bool]) -> None:
        """Refuse this mapping's own name when it has no allowed form."""
        if not has_form(name):
            self.note(PROFILE_WORD, (), "got a word of another form, expected lower-case letters, digits and hyphens")

    def word(self, key: str, allowed: Collection[str], *, required: bool = True) -> str:
        """One of the allowed words; "" when there is none."""
        word = self.text(key, required=required)
        if isinstance(self.values.get(key), str) and word not in allowed:
            self.note(PROFILE_WORD, (key,), f"got another word, expected {one_of(allowed)}")
        return word

    def words(self, key: str, *, allowed: Collection[str] = (), required: bool = True) -> tuple[str, ...]:
        """A list of words; a required one is not empty, and with `allowed` no other word stands in it."""
        words = self.texts(key, required=required)
        if required and self.values.get(key) == []:
            self.note(PROFILE_LIST_EMPTY, (key,), "got an empty list, expected at least one word")
        for place, word in enumerate(words):
            if is_blank(word) or (allowed and word not in allowed):
                expected = one_of(allowed) if allowed else "one that is not blank"
                self.note(PROFILE_WORD, (key, place), f"got another word, expected {expected}")
        return words

    def place(self, key: str, *, required: bool = True) -> str:
        """A normal path below the repository root; "" and a finding for any other."""
        path = paths.normal(self.text(key, required=required))
        if isinstance(self.values.get(key), str) and path is None:
            self.note(PROFILE_PATH, (key,), "got a path that does not name something below the repository root")
        return path or ""

    def pattern(self, key: str, *, required: bool = True) -> str:
        """An RE2 expression, as text."""
        text = self.text(key, required=required)
        try:
            compiled(text)
        except ValueError:
            self.note(PROFILE_PATTERN, (key,), "got a text that is no RE2 expression")
        return text

    def limit(self, key: str, *, least: int = 0, required: bool = False) -> int:
        """A whole number of at least `least`; 0 when there is none."""
        number = self.value(key, int, required=required)
        if number is not None and number < least:
            self.note(PROFILE_NUMBER, (key,), f"got {number}, expected at least {least}")
        return number or 0
