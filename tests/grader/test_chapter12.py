"""Chapter 12: the mutants that a learner sees, and what its grading says of typical judges."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from grader import root

from .test_prose import run


def functions(*parts: str) -> dict[str, str]:
    """Every function of a file, by its name, as text."""
    text = Path(root.path(*parts)).read_text("utf-8")
    nodes = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return {node.name: ast.get_source_segment(text, node) or "" for node in nodes}


DISGUISED = {"mutant", "changes"}  # the judge's ops give another value: no class tells who is right


def test_a_learner_sees_the_slips_that_the_judge_is_judged_by():
    seen = functions("solutions", "babygrad", "mutants.py")
    files = ("checkers.py", "slips.py")
    used = {name: text for f in files for name, text in functions("tests", "programs", f).items()}
    assert len(seen) >= 12
    seen = {name: text for name, text in seen.items() if name not in DISGUISED}
    assert {name: used.get(name) for name in seen} == seen


TYPICAL = """
leaves = [Tensor(array, dtype=array.dtype) for array in arrays]
out = op(*leaves)
v = {cotangent}
found = op.backward(Tensor(v, dtype=v.dtype, requires_grad=False), out)
found = [found] if isinstance(found, Tensor) else found
try:
    right = all(np.allclose(g.data, n, rtol={tolerance}, atol={tolerance})
                for g, n in zip(found, numeric_vjp(op.forward, arrays, v)))
except ValueError:
    right = False
if not right:
    raise WrongRule(0, (), 0, 0)
"""
COTANGENTS = {"ones": "np.ones(out.shape)", "random": "rng.normal(size=out.shape)"}


def in_the_chapter() -> dict[str, int]:
    """Judge → how many mutants of the gallery it finds, as the prose prints it."""
    text = Path(root.path("chapters", "chapter12.md")).read_text("utf-8")
    lines = re.findall(r"^(\w[\w, -]+?) +finds (\d+) of 97", text, re.M)
    return {name: int(number) for name, number in lines}


def graded(grader, package, cotangent: str, tolerance: str) -> tuple[list[float], float]:
    """Grade a learner's judge as the chapter does: return (found, of how many) and the points."""
    body = TYPICAL.format(cotangent=COTANGENTS[cotangent], tolerance=tolerance)
    place = package({"checking.check_rule": body})
    ran = grader("check", "chapter12.check_rule", "--json", "--package", str(place))
    (exercise,) = json.loads(ran.out)["chapters"][0]["exercises"]
    gallery = next(c for c in exercise["checks"] if c["id"].endswith("/gallery"))
    return gallery["yours"], exercise["score"]


@pytest.mark.long
def test_typical_judges_find_what_the_prose_says_and_a_better_one_earns_more(grader, package):
    prose, scores = in_the_chapter(), []
    for cotangent in COTANGENTS:
        for tolerance in ("1e-2", "1e-6"):
            found, score = graded(grader, package, cotangent, tolerance)
            assert found == [prose[f"{cotangent}, {tolerance}"], 97]
            scores.append(score)
    # Of 8: right rules are accepted, and points are lost for what is missed.
    assert scores[0] > 3 and scores[-1] < 7
    assert scores == sorted(set(scores))


@pytest.mark.long
def test_ones_and_random_numbers_miss_the_engines_that_chapter_12_says(tmp_path):
    """Ones always miss one; the other is missed by random numbers at seed 0, and seldom else."""
    code = """
import sys
sys.path.insert(0, EXAMPLES)
import numpy as np
from gallery import EXPRESSIONS, JUDGES, Engine
from gallery_engines import BeginsWithOnes, TanhThatGivesUp

def finds(judge, slip, seed):
    rng = np.random.default_rng(seed)
    return any(not judge(slip, expression, rng) for expression in EXPRESSIONS)

for slip in (BeginsWithOnes, TanhThatGivesUp):
    for name in ("ones, 1e-6", "random, 1e-6"):
        print(sum(finds(JUDGES[name], slip, seed) for seed in range(12)))
""".replace("EXAMPLES", repr(root.path("examples")))
    (said,) = run([("gallery", 0, code)], tmp_path)
    ones_begin, random_begin, _, random_tanh = map(int, said.split())
    assert ones_begin == 0 and random_begin == 12
    assert 6 < random_tanh < 12
    (said,) = run([("tour", 0, f"import sys\nsys.path.insert(0, {root.path('examples')!r})\n"
                    "import gallery\ngallery.tour(0)")], tmp_path)  # fmt: skip
    missed = dict(re.findall(r"^(\w+, 1e-6) .*\n((?:    not .*\n)*)", said, re.MULTILINE))
    assert "BeginsWithOnes" in missed["ones, 1e-6"]
    assert "TanhThatGivesUp" in missed["random, 1e-6"]
    assert missed["ones, 1e-6"].count("not") == missed["random, 1e-6"].count("not")
