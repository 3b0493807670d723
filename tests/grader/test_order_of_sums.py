"""A reference whose sums are taken from the end stays right; a check of digits does not."""

from __future__ import annotations

import re

import numpy as np
import pytest

from grader.audit.order_of_sums import add_backwards

from . import warm_start
from .conftest import run_grader
from .floats_course import EXERCISES, iter_variants, write_course

VALUES = [5.6, 6.7, 7.2, 8.5, 6.7]  # their sum differs in its last digit from the end
WAYS = {
    "sum(values)": "return sum(values)",
    "a start": "return sum(values, 0.0)",
    "a loop": "total = 0.0\n    for x in values:\n        total += x * 1.5\n    return total / 1.5",
    "NumPy's": "return np.sum(values)",
    "an array's": "return np.array(values).sum(axis=0, keepdims=True)[0]",
    "a mean": "return np.array([values, values]).mean(axis=1)[0] * len(values)",
}


def run(text: str, name: str = "f") -> object:
    words: dict = {"np": np}
    exec(compile(text, "first.py", "exec"), words)
    return words[name](VALUES)


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_add_is_turned_round(way):
    text = f"import numpy as np\n\n\ndef f(values):\n    {WAYS[way]}\n"
    changed = add_backwards(text)
    assert changed != text
    before, after = run(text), run(changed)
    assert before != after and np.isclose(before, after, rtol=1e-12)


@pytest.mark.parametrize("body", [
    "return sum([[1], [2]], [])", "return sum([1, 2, 3])",
    "return np.sum([[1, 2], [3, 4]], axis=1)",
    "found = ''\n    for x in 'abc':\n        found += x\n    return found",
    "found = []\n    for x in values:\n        found += [x]\n    return found",
    "total = 0\n    for x in values:\n        total += total + x\n    return total",
])  # fmt: skip
def test_what_is_no_sum_of_floats_stays_in_order(body):
    head = '"""Words."""\nfrom __future__ import annotations\nimport numpy as np\n'
    text = f"{head}def f(values):\n    {body}\n"
    assert np.array_equal(run(text), run(add_backwards(text)))


def test_a_module_without_sums_stays_as_it_is():
    text = "def f(values):\n    return max(values)  # as it stands\n"
    assert add_backwards(text) == text


@pytest.mark.long
@pytest.mark.parametrize("compare", ["", ', compare="text"'], ids=["data", "text"])
def test_a_course_of_dicts_of_floats_holds_together_unless_it_compares_digits(tmp_path, compare):
    """Eight exercises: with the comparison of `returns`, every right variant has full marks."""
    course = write_course(tmp_path / "course", compare)
    around = {"GRADER_COURSE": str(course), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    warm_start.keep(**around)
    assert run_grader("stubs", **around).status == 0
    told = run_grader("audit", "--jobs", "1", **around)
    if compare:
        assert told.status == 3 and re.search(r"7-sums .* \d+ problem", told.out), told.out
        assert "fails code that adds in another order" in told.out
        return
    assert told.status == 0 and told.out.endswith("The course holds together.\n"), told.out
    assert len(EXERCISES) == 8 and len(list(iter_variants())) == 2
