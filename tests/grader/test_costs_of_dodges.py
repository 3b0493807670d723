"""Every check of cost against every way out of the count; and right code, which stays in it.

A dodge computes out of the count what costs too much, and brings the results back in a way of
`dodges.py`. What it gives is right, so only the check of its cost can refuse it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache

import pytest

from grader.course import PUBLIC_SEED, Check
from grader.course.build_chapter import ChapterBuild
from grader.course.compare import ASIDE, COST, cost_bounds, cost_difference
from grader.course.key_encoding import parameters_of
from grader.sandbox.launch import ForkServer

from .costs import OfCosts
from .dodges import BACK, DEAR, dodging
from .test_cost import meter
from .whole_course import whole_course

# Their results are fewer than the numbers that anybody may bring along; their witness sees a dodge.
FEW = {
    "chapter16.stream/cheap": "chapter16.stream/shown: what it sends through the model",
    "chapter6.array_dataset/kept": "an array that changes afterwards",
}


class Counted:
    """The checks of cost of a course, their references' costs and bounds."""

    def __init__(self, launch) -> None:
        course = whole_course()
        self.course = OfCosts(course.chapters, course.solutions)
        self.builds: dict[str, ChapterBuild] = {}
        self.checks: dict[str, tuple[ChapterBuild, int, Check]] = {}
        for chapter in course.chapters:
            build = ChapterBuild(self.course, chapter, PUBLIC_SEED, launch)
            for number, check in enumerate(build.checks):
                self.checks[check.id] = build, number, check
                build.used_parts[number].add("value")
        self.right = cache(lambda id: self.run(id, self.course.solved()))

    def run(self, id: str, sources: dict[str, str]):
        build, number, _ = self.checks[id]
        return build.run(sources).observations[number]

    def says(self, id: str, sources: dict[str, str]) -> str | None:
        """Return what the check of a cost says of a package; None if it passes."""
        check, seen = self.checks[id][2], self.run(id, sources)
        if COST not in seen.parts:
            return seen.texts.get("message", seen.kind)
        (spent,), (probe,) = self.right(id).parts[COST], check.probes
        names = dict(zip(parameters_of(probe), probe.args, strict=False))
        most = cost_bounds(id, check.costs, names, spent)
        found = cost_difference(seen.parts[COST][0], spent, most)
        return None if found is None else found.says


@pytest.fixture(scope="module")
def counted() -> Iterator[Counted]:
    with ForkServer() as server:
        yield Counted(server.fork)


def test_every_check_of_cost_has_a_dodge(counted):
    assert counted.checks.keys() == DEAR.keys()


@pytest.mark.sampled(quick=46, long=8)
@pytest.mark.parametrize("way", BACK)
@pytest.mark.parametrize("check", DEAR)
def test_a_dodge_is_seen_whatever_way_its_results_come_back(counted, check, way):
    says = counted.says(check, dodging(counted.course.solved(), check, way))
    assert says is not None
    assert "nobody can" in says or "keeps a copy" in says or "bytes alive" in says


@pytest.mark.parametrize("check", [check for check in DEAR if check not in FEW])
def test_nobody_may_bring_along_as_many_numbers_as_the_results_have(counted, check):
    numbers = counted.right(check).parts["value"]
    assert sum(len(each.values()) for each in numbers) > ASIDE + meter.FREE


def test_right_code_in_unusual_words_everywhere_keeps_to_every_bound(counted):
    chapters = (f"tests.unusual.{each.id}" for each in counted.course.chapters)
    modules = map(importlib.import_module, chapters)
    bodies = {name: body for module in modules for name, body in module.UNUSUAL.bodies.items()}
    sources = counted.course.replace_bodies(bodies)
    assert {id: counted.says(id, sources) for id in DEAR} == dict.fromkeys(DEAR)
