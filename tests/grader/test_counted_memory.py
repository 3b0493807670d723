"""The memory of chapter 17: its cache beside a slow one, and the formulas of the prose."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from grader.course.modules import import_module
from tests.programs.counted_memory import Memory


def slow_misses(lines_used: list[int], sets: int, ways: int) -> list[bool]:
    """Say of each access whether it misses: since its last use, so many others of its set came."""
    missed = []
    for at, line in enumerate(lines_used):
        before = lines_used[:at]
        since = before[len(before) - before[::-1].index(line) :] if line in before else None
        others = {each for each in since or () if each % sets == line % sets}
        missed.append(since is None or len(others) >= ways)
    return missed


@pytest.mark.parametrize("seed", range(20))
def test_cache_drops_the_line_that_was_used_longest_ago(seed: int) -> None:
    rng = Random(seed)
    line, ways, sets = rng.randint(1, 4), rng.randint(1, 3), rng.randint(1, 4)
    memory = Memory(ways * sets, line, ways)
    memory.history = []
    arrays = [memory.array([0.0] * rng.randint(1, 20)) for _ in range(3)]
    for _ in range(120):
        words = rng.choice(arrays)
        place = rng.randrange(words.size)
        if rng.random() < 0.5:
            words[place] = 1.0
        else:
            words[place]
    used, missed = map(list, zip(*memory.history, strict=True))
    assert missed == slow_misses(used, sets, ways)
    assert memory.misses == sum(missed) == sum(each.misses for each in arrays)
    assert sum(each.loads + each.stores for each in arrays) == 120
    assert all(each.begin % line == 0 for each in arrays)


@pytest.mark.parametrize("index", [-1, 3, 0.0, True, None, slice(0, 1)])
def test_word_that_is_not_there_is_refused(index: Any) -> None:
    words = Memory(2, 2).array([1.0, 2.0, 3.0])
    with pytest.raises(IndexError, match="has 3"):
        words[index]
    with pytest.raises(IndexError, match="has 3"):
        words[index] = 1.0
    assert words.loads == words.stores == words.misses == 0


@pytest.mark.parametrize("value", [1 << 64, 1j, (1.0, 2.0), None, "1"])
def test_word_holds_one_number(value: Any) -> None:
    words = Memory(2, 2).array([1.0, 2.0, 3.0])
    with pytest.raises(IndexError, match="a word holds one"):
        words[0] = value
    words[1] = 3
    assert words.values == [1.0, 3.0, 3.0] and type(words.values[1]) is float


def ijk(a: Any, b: Any, out: Any, n: int) -> None:
    for i in range(n):
        for j in range(n):
            total = 0.0
            for t in range(n):
                total += a[i * n + t] * b[t * n + j]
            out[i * n + j] = total


@pytest.mark.parametrize(("n", "line", "lines"), [(16, 4, 16), (12, 2, 14), (18, 3, 21)])
def test_loops_miss_what_their_formula_says(n: int, line: int, lines: int) -> None:
    def missed(loops: Any, *sizes: int) -> int:
        memory = Memory(lines, line)
        loops(*(memory.array([1.0] * n * n) for _ in range(3)), *sizes)
        return memory.misses

    own = import_module("solutions.babygrad.ndarray")
    assert missed(ijk, n) == n**3 + n**3 // line + n * n
    assert missed(own.matmul_by_rows, n, n, n) == n**3 // line + 2 * n * n // line
    tiled = 2 * n**3 // line**2 + n * n // line
    assert missed(own.matmul_in_tiles, n, n, line) == tiled
