"""What holds of the base of a release in any history: proved on histories that nobody would draw."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from agent.batch.lineage import Lineage
from agent.batch.preceding import Base, Family
from agent.batch.tags import Point, Tag, Tags
from agent.batch.wish import Bases

History = dict[str, tuple[str, ...]]
"""The parents of each commit, parents first."""


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Commits of which each has up to two earlier ones as parents."""
    size = draw(st.integers(1, 14))
    return {
        f"c{number}": tuple(draw(st.sets(st.sampled_from([f"c{one}" for one in range(number)]), min_size=1, max_size=2)))
        if number
        else ()
        for number in range(size)
    }


@st.composite
def tagged(draw: st.DrawFn) -> tuple[History, tuple[Point, ...]]:
    """A history with versions at some of its commits, in any order, one commit each."""
    history = draw(histories())
    places = draw(st.lists(st.sampled_from(list(history)), min_size=1, max_size=6))
    names = draw(
        st.lists(
            st.from_regex(r"v[0-2]\.[0-3](?:-rc\.[12])?", fullmatch=True),
            min_size=len(places),
            max_size=len(places),
            unique=True,
        )
    )
    tags = [Tag(name, "commit", oid, "2026-01-01", name) for name, oid in zip(names, places, strict=True)]
    points = Tags.of(tags).families[""]
    assume(all(len(point.commits) == 1 for point in points))
    return history, points


def reached(history: History, commit: str) -> set[str]:
    found, rest = set(), [commit] if commit else []
    while rest:
        if (one := rest.pop()) not in found:
            found.add(one)
            rest += history[one]
    return found


def lineage(history: History, points: tuple[Point, ...]) -> Lineage:
    every = [oid for point in points for oid in point.commits]
    known = set().union(*(reached(history, oid) for oid in every))
    told = [(oid, *parents) for oid, parents in reversed(history.items()) if oid in known]
    return Lineage.walked(tuple(dict.fromkeys(every)), told)


@given(tagged())
def test_a_history_is_counted_and_compared_as_it_is(made: tuple[History, tuple[Point, ...]]) -> None:
    history, points = made
    known = lineage(history, points)
    commits = list(known.bits)
    for head in commits:
        of = {base: reached(history, head) - reached(history, base) for base in ("", *commits)}
        assert [known.between(base, head) for base in of] == [len(new) for new in of.values()]
        assert [known.descends(head, other) for other in commits] == [other in reached(history, head) for other in commits]
        assert all(known.is_same(head, one, other) == (of[one] == of[other]) for one in of for other in of)


@given(tagged())
def test_a_base_is_an_earlier_version_that_does_not_follow(made: tuple[History, tuple[Point, ...]]) -> None:
    history, points = made
    family = Family.of(points, lineage(history, points))
    versions = {point.tags[0].name: point.version for point in points}
    for place, point in enumerate(points):
        found = family.base(place, point.commits[0])
        if isinstance(found, Base) and found.tag is not None:
            base = versions[found.tag.name]
            assert base < point.version
            assert base.is_final or not point.version.is_final
            assert found.commit == point.commits[0] or point.commits[0] not in reached(history, found.commit)


@given(tagged(), st.sampled_from([Bases.VERSION, Bases.ANCESTRY]))
def test_who_decided_once_is_not_asked(made: tuple[History, tuple[Point, ...]], bases: Bases) -> None:
    history, points = made
    family = Family.of(points, lineage(history, points))
    assert all(isinstance(family.base(place, point.commits[0], bases), Base) for place, point in enumerate(points))


@given(tagged())
def test_whoever_is_asked_has_a_choice_that_makes_a_difference(made: tuple[History, tuple[Point, ...]]) -> None:
    history, points = made
    known = lineage(history, points)
    family = Family.of(points, known)
    for place, point in enumerate(points):
        found = family.base(place, head := point.commits[0])
        if not isinstance(found, Base):
            new = {one.commit: frozenset(reached(history, head) - reached(history, one.commit)) for one in found}
            assert len(found) == len(new)
            assert len(set(new.values())) > 1


@given(st.integers(1, 8), st.lists(st.integers(0, 2), min_size=8, max_size=8))
def test_along_one_line_every_commit_is_told_once(releases: int, between: list[int]) -> None:
    size = sum(1 + more for more in between[:releases])
    history: History = {f"c{number}": (f"c{number - 1}",) if number else () for number in range(size)}
    ends = [sum(1 + more for more in between[: number + 1]) - 1 for number in range(releases)]
    tags = [Tag(f"v1.{number}", "commit", f"c{end}", "2026-01-01", "") for number, end in enumerate(ends)]
    points = Tags.of(tags).families[""]
    known = lineage(history, points)
    family = Family.of(points, known)
    found = [family.base(place, point.commits[0]) for place, point in enumerate(points)]
    assert [isinstance(one, Base) and one.commit for one in found] == ["", *(point.commits[0] for point, _ in pairwise(points))]
    told = [
        known.between(one.commit, point.commits[0]) for one, point in zip(found, points, strict=True) if isinstance(one, Base)
    ]
    assert sum(told) == size
