"""The inputs of a key are the same on every machine; the differing ones are named."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from grader import root
from grader.course.pytorch import Inputs

# Another machine, as far as one can be had here: what differs between Pythons and zlibs.
ELSEWHERE = """
import builtins, gzip, math, os, time, zlib
plain_sum, plain_zip, plain_scan = builtins.sum, zlib.compress, os.listdir
def compensated(values, start=0):
    values = [*values]
    plain = not any(type(value) is float for value in values)
    return plain_sum(values, start) if plain else math.fsum([start, *values])
builtins.sum = compensated
zlib.compress = lambda data, *args, **kwargs: plain_zip(data, 1)
gzip.compress = lambda data, *args, **kwargs: plain_zip(data, 1)
os.listdir = lambda *args: plain_scan(*args)[::-1]
time.time = lambda: 0.0
"""
INPUTS = """
import hashlib
from grader.course.load import read_course
from grader.course import PUBLIC_SEED
from grader.course.build_chapter import ChapterBuild
from grader.course.key_file import slice_bytes
course = read_course()
for chapter in course.chapters:
    build = ChapterBuild(course, chapter, PUBLIC_SEED, None)
    inputs = slice_bytes({"names": build.names, "args": build.args}, build.arrays)
    print(chapter.id, hashlib.sha256(inputs).hexdigest())
"""


def drawn(before: str, **environment: str) -> str:
    """Return a digest of every chapter's inputs, drawn in another process."""
    done = subprocess.run(
        [sys.executable, "-c", before + INPUTS], env={"PYTHONPATH": root.ROOT, **environment},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


@pytest.mark.long
def test_inputs_are_drawn_the_same_everywhere():
    here = drawn("", PYTHONHASHSEED="1")
    assert here.count("chapter") >= 8
    elsewhere = drawn(ELSEWHERE, PYTHONHASHSEED="2", LANG="C", NPY_DISABLE_CPU_FEATURES="AVX2 FMA3")
    assert elsewhere == here


ARGS = ("Div", (2,), [np.array([[0.3, -1.7], [2.5, 0.9]]), 7, {"axes": (0, 1), "keep": True}, 0.5])


def inputs(*args, program="operators.forward"):
    return Inputs.of(program, args)


def test_inputs_agree_but_for_rounding():
    op, attrs, (array, *rest) = ARGS
    assert inputs(*ARGS).agree(inputs(op, attrs, [np.nextafter(array, 9), *rest]))
    assert inputs(0.1 + 0.2, float("nan")).agree(inputs(0.3, float("nan")))
    assert inputs().agree(inputs())


def test_other_inputs_do_not_agree():
    op, attrs, (array, *rest) = ARGS
    changed = array.copy()
    changed[1, 0] += 0.01
    others = (
        ("Mul", attrs, [array, *rest]), (op, (3,), [array, *rest]), (op, attrs, [changed, *rest]),
        (op, attrs, [array.T, *rest]), (op, attrs, [array.ravel(), *rest]),
        (op, attrs, [array.astype(np.float32), *rest]), (op, attrs, [array, 8, *rest[1:]]),
        (op, attrs, [-array, *rest]), (op, attrs, [array[::-1], *rest]),
    )  # fmt: skip
    assert not [other for other in others if inputs(*ARGS).agree(inputs(*other))]
    assert not inputs(*ARGS).agree(inputs(*ARGS, program="operators.vjp"))
    assert not inputs(0.0).agree(inputs(1e-3))
