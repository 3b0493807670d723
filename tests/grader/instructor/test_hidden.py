"""A class sees nothing of what hidden checks are given, whatever learner code does with it."""

from __future__ import annotations

import re

import pytest

from grader.classroom.marks.record import drop_false_locations
from grader.classroom.marks.results import Results
from grader.course.key_source import open_key
from grader.result import list_array

from .conftest import CHAPTER, write_package

pytestmark = pytest.mark.xdist_group("spies")  # one class, judged once
SEEN = """
a, b = node._inputs
seen = ",".join(repr(float(v)) for v in (*a.data.ravel(), *b.data.ravel(), *out_grad.data.ravel()))
"""
TELLTALES = {
    "prints": "print(seen)\nreturn out_grad, out_grad",
    "warns": "import warnings\nwarnings.warn(seen)\nreturn out_grad, out_grad",
    "raises": "raise ValueError(seen)",
    "file name": 'exec(compile("1/0", __file__.replace("ops.py", seen[:99] + ".py"), "exec"))',
    "line number": (
        "import ast\ntree = ast.increment_lineno(ast.parse('1/0'), 99998877)\n"
        'exec(compile(tree, __file__, "exec"))'
    ),
    "name": "raise type(seen[:200], (Exception,), {})()",
    "values": "return out_grad * float(seen.split(',')[0]), out_grad",
}
NUMBER = re.compile(r"-?\d+\.\d+")
ID = "chapter3.mul.backward"


def threes(text: str) -> set[tuple[str, ...]]:
    """Every three numbers that stand one after another."""
    found = NUMBER.findall(text)
    return set(zip(found, found[1:], found[2:], strict=False))


def given(hidden: bool) -> set[tuple[str, ...]]:
    """Every three numbers of an array that hidden, or public, checks give to `Mul.backward`."""
    chapter = open_key().chapter(CHAPTER)
    checks = [c for c in chapter.checks if c["exercise"] == ID and c["hidden"] == hidden]
    shown = [a for c in checks for n in c["probes"] for _, a in chapter.probes[n]["shown"]]
    return {three for a in shown for three in threes(str(list_array(chapter.array(a))))}


@pytest.fixture(scope="module")
def spied(tmp_path_factory, course, grader):
    """The results of a class in which everybody tries one of these."""
    base = tmp_path_factory.mktemp("spied")
    for how, body in TELLTALES.items():
        write_package(base / "in" / how, course.replace_bodies({"ops.Mul.backward": SEEN + body}))
    ran = grader("grade", str(base / "in"), "--out", str(base / "out"), "--seed", "public",
                 "--chapters", CHAPTER, "--jobs", "1")  # fmt: skip
    assert ran.status == 0, ran.err
    return base / "out"


@pytest.mark.long
@pytest.mark.parametrize("how", TELLTALES)
def test_each_of_them_costs_the_exercise(how, spied):
    record = Results(str(spied)).read(how)
    ended = {e["id"]: e["status"] for c in record["result"]["chapters"] for e in c["exercises"]}
    assert ended[ID] in ("failed", "crashed")


@pytest.mark.long
@pytest.mark.parametrize("name", ["html", "github", "junit"])
def test_no_report_of_a_class_tells_a_hidden_input(name, spied, grader, tmp_path):
    secret = given(True) - given(False)
    assert len(secret) > 5
    place = tmp_path / name
    assert grader("export", name, str(spied), "--out", str(place)).status == 0
    files = [p for p in place.rglob("*") if p.is_file()] or [place]
    told = "".join(p.read_text(encoding="utf-8") for p in files if "class" not in p.name)
    assert threes(told)  # of public checks
    assert not secret & threes(told)
    assert "9999887" not in told


def test_a_place_that_is_none_is_not_told():
    def placed(location: str | None) -> str | None:
        check = {"location": location}
        result = {"chapters": [{"exercises": [{"checks": [check]}]}], "unloadable": []}
        drop_false_locations(result, {"ops.py": b"a\nb\nc"})
        return check["location"]

    assert placed("ops.py:3") == "ops.py:3"
    for made_up in (None, "ops.py:4", "ops.py:0", "1.25,3.5.py:1", "ops.py:x", "ops.py:"):
        assert placed(made_up) is None
