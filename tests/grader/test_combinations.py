"""Two mistakes at once, a mistake in float32, a mistake in another style: what is said of them.

`golden/combinations.txt` lists it, to be read as a learner would; GRADER_UPDATE_GOLDEN=1 writes
it anew. What it lists is judged again, so that a further mistake in the course changes nothing
here; something else is drawn only where a mistake is gone. With --whole every pair of the
catalogue is judged (78,000; an hour or more).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from grader.audit.mistakes import Known, all_pairs, detach, narrow, pair
from grader.audit.proof import CourseCheck
from grader.course.outline import chapter_no
from grader.verdict import BLOCKED, GIVEN, PASSED, PENDING

from .test_golden import GOLDEN, compare
from .whole_course import whole_course

COURSE = whole_course()
KNOWN = [(e, m) for e in COURSE.exercises.values() for m in e.mistakes]
CHAPTERS = [chapter.id for chapter in COURSE.chapters]
OF_EACH = {"and another": 4, "in float32": 2, "with NumPy": 2}  # rows per chapter
LISTED = [
    line
    for line in (GOLDEN / "combinations.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith(" ")
]
QUIET = (PASSED, GIVEN, PENDING)


def table(proof: CourseCheck) -> Iterator[str]:
    """Yield what is said, a paragraph per combination."""
    for chapter in CHAPTERS:
        mine = [known for known in KNOWN if known[0].chapter == chapter]
        pairs = {f"{named(one)} and {named(two)}": (one, two) for one, two in all_pairs(mine)}
        for title, (one, two) in chosen(chapter, "and another", pairs):
            bodies = {one[0].target_of(one[1]): one[1].body, two[0].target_of(two[1]): two[1].body}
            yield from row(proof, title, one, COURSE.replace_bodies(bodies))
        for title, one in chosen(
            chapter, "in float32", {f"{named(k)}, in float32": k for k in mine}
        ):
            sources = narrow(COURSE.replace_bodies({one[0].target_of(one[1]): one[1].body}))
            yield from row(proof, title, one, sources)
        rules = {f"{named(k)}, with NumPy": k for k in mine if is_rule(k[0].target_of(k[1]))}
        for title, one in chosen(chapter, "with NumPy", rules):
            sources = COURSE.replace_bodies({one[0].target_of(one[1]): detach(one[1].body)})
            yield from row(proof, title, one, sources)


def chosen(chapter: str, kind: str, known: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return the table's rows of a kind, in its order; draw more if these are too few."""
    listed = [title for title in LISTED if title in known]
    others = [title for title in known if title not in listed]
    missing = min(max(OF_EACH[kind] - len(listed), 0), len(others))
    drawn = random.Random(f"{chapter} {kind}").sample(others, missing)
    return [(title, known[title]) for title in (*listed, *drawn)]


def is_rule(target: str) -> bool:
    return target.startswith("ops.") and target.endswith(".backward")


def named(known: Known) -> str:
    return f"{known[0].id}: {known[1].name}"


def row(proof: CourseCheck, title: str, known: Known, sources: dict[str, str]) -> Iterator[str]:
    """One combination: every exercise of its chapter that is not simply right."""
    yield title
    begins = chapter_no(known[0].id)
    for verdict in proof.judge(sources, proof.chapter_ids(known[0]), begins=begins).values():
        if verdict.status in QUIET:
            continue
        says = [name for name, _ in verdict.mistakes]
        says += [n for c in verdict.checks for n, _ in c.inferred if not verdict.mistakes]
        told = ", ".join(dict.fromkeys(says)) or "(no known mistake)"
        told = f"by {', '.join(verdict.blocked_by)}" if verdict.status == BLOCKED else told
        yield f"  {verdict.status:<8} {verdict.id}  {told}"
    yield ""


@pytest.mark.long
def test_the_table_of_what_is_said(proof):
    compare("combinations.txt", "\n".join(table(proof)))


def test_a_dtype_waits_for_nobody_without_whose_fault_it_is_as_wrong(proof):
    """A parameter that always has a gradient beside a layer in its own dtype: two faults."""
    bodies = {
        e.target_of(m): m.body
        for e, m in KNOWN
        if (e.id, m.name)
        in (
            ("chapter4.parameter.init", "drops-requires-grad"),
            ("chapter4.layernorm1d.init", "own-dtype"),
        )
    }
    asked = ["chapter4.parameter.init", "chapter4.layernorm1d.init"]
    found = proof.judge(COURSE.replace_bodies(bodies), asked)
    assert [found[id].status for id in asked] == ["failed", "failed"]


def test_an_error_below_code_that_is_blocked_waits_with_it(proof):
    """Sigmoid divides by 0 where a wrong Div, blocked by Mul, turns the quotient round."""
    mul, div = (
        next((e, m) for e, m in KNOWN if (e.id, m.name) == name)
        for name in (("chapter1.value.mul", "own-factor"), ("chapter1.value.div", "swapped"))
    )
    assert list(pair(proof, mul, div)) == []


SHARDS = [e.id for e in COURSE.exercises.values() if e.mistakes]


@pytest.mark.sampled(long=0)
@pytest.mark.parametrize("id", SHARDS)
def test_of_every_pair_nothing_false_is_said(id, proof):
    pairs = [(one, two) for one, two in all_pairs(KNOWN) if one[0].id == id]
    problems = [f"{p.where}: {p.what}" for one, two in pairs for p in pair(proof, one, two)]
    assert not problems, "\n".join(problems)
