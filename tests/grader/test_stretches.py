"""A stretch, a check of weight 0, costs nothing and blames nobody, whatever else is wrong."""

from __future__ import annotations

import random

import pytest

from grader.audit.proof import CourseCheck
from grader.verdict import WRONG

from .whole_course import whole_course

COURSE = whole_course()
BY_RECURSION = """
order, seen = [], set()
def visit(node):
    if id(node) not in seen:
        seen.add(id(node))
        for source in node.{}:
            visit(source)
        order.append(node)
visit({})
return order
"""
# Stretch → a body that lacks it alone.
LACKS_IT = {
    "chapter1.topological_order/deep": {
        "scalar.topological_order": BY_RECURSION.format("_prev", "root"),
    },
    "chapter3.transpose.backward/negative": {
        "ops.Transpose.backward": "order = None if self.axes is None else np.argsort(self.axes)\n"
                                  "return transpose(out_grad, order)",
    },
    "chapter3.backward/deep": {
        "tensor.topological_order": BY_RECURSION.format("_inputs", "root"),
    },
    "chapter13.no_grad/again": {
        "memory.no_grad.__enter__": "self.before = Function.__call__\n"
                                    "Function.__call__ = without_graph",
        "memory.no_grad.__exit__": "Function.__call__ = self.before",
    },
}  # fmt: skip
MOST = 3  # mistakes of others, for each stretch


def owner(stretch: str) -> str:
    return stretch.partition("/")[0]


def test_each_stretch_of_the_course_has_such_a_body():
    every = (c for chapter in COURSE.chapters for c in COURSE.checks(chapter, "public"))
    assert {check.id for check in every if not check.weight} == set(LACKS_IT)


@pytest.mark.parametrize("stretch", LACKS_IT)
def test_code_without_the_stretch_has_all_points(stretch: str, proof: CourseCheck):
    verdict = proof.judge(proof.course.replace_bodies(LACKS_IT[stretch]), [owner(stretch)])
    mine = verdict[owner(stretch)]
    assert (mine.status, mine.score) == ("passed", mine.max_score)
    assert [c.id for c in mine.checks if c.status in WRONG] == [stretch]
    assert mine.checks[-1].id == stretch


@pytest.mark.sampled(quick=2)
@pytest.mark.parametrize("stretch", LACKS_IT)
def test_code_without_the_stretch_is_blamed_for_no_mistake_of_others(stretch: str, proof):
    id = owner(stretch)
    others = [COURSE.exercises[each] for each in COURSE.exercises[id].needs]
    mistakes = [(e.target_of(m), m.body) for e in others if not e.given for m in e.mistakes]
    bodies = [pair for pair in mistakes if pair[0] not in LACKS_IT[stretch]]
    for target, body in random.Random(stretch).sample(bodies, min(MOST, len(bodies))):
        pair = []
        for mine in ({}, LACKS_IT[stretch]):
            verdict = proof.judge(proof.course.replace_bodies({**mine, target: body}), [id])[id]
            pair.append((verdict.status, verdict.blocked_by, verdict.score))
        assert pair[0] == pair[1], (target, body)
