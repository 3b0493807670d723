"""Checks of products of matrices: by loops, and by loops whose cache lines are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

import numpy as np

from grader.course import Check, Probe, rng_for
from tests.chapter14.templates import draw
from tests.programs.views import WORDS

from .layouts import Layout, Places, Shape, layout_of, rows

MATMUL, BY_ROWS, IN_TILES, PADDED = (
    f"chapter17.{name}" for name in ("matmul", "matmul_by_rows", "matmul_in_tiles", "padded_row")
)
Pair = tuple[Layout, Layout]
# A cache: how many lines it has, how many words a line has, how many lines a set has.
Cache = tuple[int, int, int | None]


def checks(seed: str) -> Iterator[Check]:
    yield from products(seed)
    yield from by_rows(seed)
    yield from in_tiles(seed)
    yield from padded(seed)


# ---- by loops -----------------------------------------------------------------------------


Look = tuple[Callable[[Any], Any], Callable[[Places], Places]]  # a shape of rows, and the view
LOOKS: dict[str, Look] = {
    "rows": (lambda shape: shape, lambda p: p),
    "turned": (lambda shape: shape[::-1], lambda p: p.T),
    "wide": (lambda shape: (shape[0], 2 * shape[1]), lambda p: p[:, 1::2]),
    "back": (lambda shape: shape, lambda p: p[::-1, ::-1]),
    "one row": (lambda shape: (1, shape[1]), lambda p: np.broadcast_to(p, (3, p.shape[1]))),
    "one column": (lambda shape: (shape[0], 1), lambda p: np.broadcast_to(p, (p.shape[0], 3))),
}


def draw_matrix(rng: Random, shape: Shape, look: str = "rows") -> Layout:
    shape_of_rows, view = LOOKS[look]
    return layout_of(view(rows(rng, shape_of_rows(shape))))


def products(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, MATMUL)
    words = draw(seed, "17/matmul/words", WORDS)

    def pair(n: int, k: int, m: int, *looks: str) -> Pair:
        first, second = looks or ("rows", "rows")
        return draw_matrix(rng, (n, k), first), draw_matrix(rng, (k, m), second)

    plain = [pair(2, 3, 4), pair(3, 4, 2)]
    lain = "Both may be views with any strides"
    new = "The product of two matrices, ``(n, k) @ (k, m)``, as a new array of shape ``(n, m)``"
    for name, cases, taught, says in (
        ("value", plain, new, "gives the product of two matrices"),
        ("turned", [pair(3, 2, 4, "turned", "rows"), pair(2, 4, 3, "rows", "turned")], lain,
         "multiplies transposed matrices"),
        ("views", [pair(2, 3, 2, "wide", "back"), pair(2, 2, 3, "back", "wide"),
                   pair(3, 2, 4, "one row", "rows"), pair(2, 3, 2, "one column", "rows"),
                   pair(2, 3, 2, "rows", "one row")], lain,
         "multiplies views with steps, backwards, and stretched"),
        ("edges", [pair(1, 4, 1), pair(3, 1, 2)], new, "multiplies rows and columns"),
        ("nothing", [pair(2, 0, 3), pair(0, 2, 3)], "With k = 0 the product is full of zeros",
         "knows matrices without values"),
        ("more", [pair(4, 3, 4, "turned", "back")], new, "is right for other sizes too"),
    ):  # fmt: skip
        yield Check(MATMUL, name, (product_probe(words, cases),), taught, says=f"matmul {says}.",
                    hidden=name == "more", weight=2 if name == "value" else 1)  # fmt: skip
    yield Check(MATMUL, "inputs", (product_probe(words, plain),), new, part="inputs",
                compare="text", weight=0.5,
                says="matmul leaves its arguments as they were.")  # fmt: skip
    yield from refusals(rng, words)


def product_probe(words: np.ndarray, cases: list[Pair]) -> Probe:
    said = "\n".join(f"  {n}: a {a.said}; b {b.said}" for n, (a, b) in enumerate(cases, 1))

    def right(given: Pair) -> np.ndarray:
        a, b = (each.over(words) for each in given)
        return np.array(np.einsum("it,tj->ij", a, b))

    stay = [text_of("1: as it was; 2: as it was")] * len(cases)
    return Probe(
        "products.multiplied", (words, plain_cases(cases)),
        f"matmul(a, b), arrays over words:\n{said}",
        oracles={"numpy": lambda: {"value": [right(each) for each in cases], "inputs": stay}},
    )  # fmt: skip


def plain_cases(cases: list[Pair]) -> list[Any]:
    """Layouts as tuples, as a program gets them."""
    return [tuple(tuple(each) for each in pair) for pair in cases]


def refusals(rng: Random, words: np.ndarray) -> Iterator[Check]:
    wide, deep, tall, line = (draw_matrix(rng, s) for s in ((2, 3), (3, 2, 2), (4, 2), (3,)))
    for name, cases, taught in (
        ("axes", [(wide, deep), (deep, tall), (wide, line)],
         "ValueError: one of them has not two axes"),
        ("sizes", [(wide, tall), (wide, wide)],
         "or the columns of ``a`` are not as many as the rows of ``b``"),
    ):  # fmt: skip
        said = "; ".join(f"a {a.shape}, b {b.shape}" for a, b in cases)
        refused = Probe(
            "products.not_multiplied", (words, plain_cases(cases)), f"matmul(a, b): {said}",
            oracles={"numpy": lambda c=cases: {"value": [np.array(True)] * len(c)}},
        )  # fmt: skip
        yield Check(MATMUL, name, (refused,), taught, weight=0.5,
                    says="matmul refuses what doesn't fit.")  # fmt: skip


def text_of(words: str) -> np.ndarray:
    return np.frombuffer(words.encode(), np.uint8)


# ---- counted ------------------------------------------------------------------------------


def by_rows(seed: str) -> Iterator[Check]:
    def probe(name: str, n: int, k: int, m: int, full: bool = False) -> Probe:
        return kernel_probe(seed, BY_ROWS, name, n, k, m, full=full)

    size, (lines, line, _) = 16, (16, 4, None)
    added = "Add the product of two matrices to ``out``"
    rows_of = "each row by row: ``out[i * m + j]`` is row i, column j"
    first = probe("first", 2, 3, 4)
    yield from kernel_checks(BY_ROWS, first, (
        ("value", (first, probe("second", 4, 2, 3)), f"{added} … {rows_of}",
         "gives the product of two matrices"),
        ("adds", (probe("adds", 3, 2, 2, full=True),), added, "adds to what is in `out`"),
        ("more", (probe("more", 5, 4, 6, full=True),), rows_of, "is right for other sizes too"),
    ))  # fmt: skip
    most = size**3 // line + 2 * size**2 // line
    yield lines_check(
        BY_ROWS, [lines_probe(seed, BY_ROWS, size, [], (lines, line, None), most)],
        "the inner loop walks along rows alone … Written in the kernel language. For n = k = m and "
        "lines of L words at most ``n³/L + 2n²/L`` lines are missed",
    )  # fmt: skip


def in_tiles(seed: str) -> Iterator[Check]:
    def probe(name: str, n: int, tile: int, spare: int = 0, full: bool = False) -> Probe:
        return kernel_probe(seed, IN_TILES, name, n, n, n, (n + spare, tile), full)

    added = "Add the product of two matrices to ``out``, tile by tile"
    edge = "those at the edges are smaller where ``tile`` doesn't divide ``n``"
    first = probe("first", 4, 2)
    yield from kernel_checks(IN_TILES, first, (
        ("value", (first, probe("one", 3, 3)), f"{added} … ``out[i * row + j]`` is row i, column j",
         "gives the product of two matrices"),
        ("adds", (probe("adds", 4, 2, full=True),), added, "adds to what is in `out`"),
        ("edges", (probe("edges", 5, 2), probe("wide", 3, 4), probe("three", 4, 3)), edge,
         "has smaller tiles at the edges"),
        ("rows", (probe("rows", 4, 2, 3), probe("long", 3, 2, 1, full=True)),
         "A row takes ``row`` words, of which the first ``n`` count",
         "knows rows with spare words"),
        ("more", (probe("more", 7, 3, 2, full=True),), edge, "is right for other sizes too"),
    ))  # fmt: skip
    few = [  # five tiles have room: the one that stays, the two that go, and the two that come
        lines_probe(seed, IN_TILES, n, [n, n, tile], (5 * tile, tile, None),
                    2 * n**3 // tile**2 + n**2 // tile)
        for n, tile in ((16, 4), (8, 2), (18, 6))
    ]  # fmt: skip
    yield lines_check(
        IN_TILES, few,
        "Written in the kernel language. In lines of L words at most ``2n³/(L · tile) + n²/L`` "
        "lines are missed",
    )  # fmt: skip


def kernel_probe(
    seed: str, exercise: str, name: str, n: int, k: int, m: int,
    row_and_tile: tuple[int, int] | None = None, full: bool = False,
) -> Probe:  # fmt: skip
    """Two matrices and what they are added to; spare words of a row hold numbers, too."""
    function = exercise.partition(".")[2]
    row, tile = row_and_tile or (0, 0)
    a, b, out = (
        draw(seed, f"17/{function}/{name}/{part}", rows_in, row or columns)
        for part, rows_in, columns in (("a", n, k), ("b", k, m), ("out", n, m))
    )
    a[-1, 0] = 0.0  # a factor of zero ends no row
    if not full:
        out[:] = 0.0
    right = out.copy()
    right[:, :m] += np.einsum("it,tj->ij", a[:, :k], b[:, :m])
    given = [n, row, tile] if row else []
    said = f"{n}, {row}, {tile}" if row else f"{n}, {k}, {m}"
    return Probe(
        "products.added", (function, a, b, out, given), f"{function}(a, b, out, {said})",
        oracles={"numpy": lambda: {"value": [right], "inputs": [a, b]}},
    )  # fmt: skip


def kernel_checks(exercise: str, first: Probe, rows_of_checks: Iterable[Any]) -> Iterator[Check]:
    function = exercise.partition(".")[2]
    for name, probes, taught, says in rows_of_checks:
        yield Check(exercise, name, probes, taught, says=f"{function} {says}.",
                    hidden=name == "more", weight=2 if name == "value" else 1)  # fmt: skip
    yield Check(exercise, "inputs", (first,), "Add the product of two matrices to ``out``",
                part="inputs", weight=0.5,
                says=f"{function} leaves `a` and `b` as they were.")  # fmt: skip


def lines_probe(
    seed: str, exercise: str, size: int, given: list[int], cache: Cache, most: int
) -> Probe:
    """Matrices whose words have all their bits: each fills a number, and none can be known."""
    function = exercise.partition(".")[2]
    said = ", ".join(map(str, given or [size] * 3))
    rng = rng_for(seed, f"{exercise}/lines/{size}")
    a, b = (np.array([[rng.random() for _ in range(size)] for _ in range(size)]) for _ in "ab")
    return Probe(
        "products.lines", (function, a, b, given or [size] * 3, cache, most),
        f"{function}(a, b, out, {said}), a cache of {cache[0]} lines of {cache[1]} words",
        oracles={"numpy": lambda: {"value": [np.einsum("it,tj->ij", a, b)]}},
    )  # fmt: skip


def lines_check(exercise: str, probes: list[Probe], taught: str) -> Check:
    return Check(
        exercise, "lines", (*probes,), taught, weight=3, fixed="a formula has its own sizes",
        says=f"{exercise.partition('.')[2]} misses no more lines than it has to.",
    )  # fmt: skip


# ---- rows that are too long by a little ---------------------------------------------------


def shortest(n: int, line: int, sets: int) -> int:
    """Line by line, and row by row: the first whose neighbours all begin in different sets."""
    row = -(-n // line)
    while len({i * row % sets for i in range(sets)}) < sets:
        row += 1
    return row * line


def telling(rng: Random) -> list[tuple[int, int, int]]:
    """One case, and three that differ from it in one number: each has another answer."""
    while True:
        n, line, sets = first = rng.randint(9, 60), rng.randint(1, 6), rng.randint(2, 12)
        cases = [first, (rng.randint(9, 60), line, sets), (n, rng.randint(1, 6), sets),
                 (n, line, rng.randint(2, 12))]  # fmt: skip
        if all(shortest(*first) != shortest(*case) for case in cases[1:]):
            return cases


def padded(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, PADDED)
    powers = [(2 ** rng.randint(3, 6), 2 ** rng.randint(0, 3), 2 ** rng.randint(1, 4))
              for _ in range(4)]  # fmt: skip
    others = [(rng.randint(5, 40), rng.randint(1, 8), sets) for sets in (1, 3, 6, 10, 12)]
    fits = [(line * lines, line, sets) for lines, sets in ((5, 8), (3, 4), (7, 6))
            for line in (rng.randint(2, 9),)]  # fmt: skip
    wide = rng.randint(9, 99)
    spread = "As many rows as there are sets, one below the other, begin in different sets"
    for name, cases, taught, says in (
        ("value", powers, f"The shortest row for ``n`` words whose neighbours … {spread}",
         "gives the shortest row that spreads over all sets"),
        ("several", telling(rng), spread, "looks at all three of its numbers"),
        ("fits", fits, "The shortest row", "leaves a row that is good as it is"),
        ("short", [(wide, wide, 6), (rng.randint(2, wide - 1), wide, 4), (1, wide, 3), (1, 1, 2)],
         "The shortest row", "gives a short row one line"),
        ("lines", [(n + 1, line, sets) for n, line, sets in powers],
         "A row is a whole number of lines long",
         "gives a whole number of lines"),
        ("sets", others, "how many sets the cache has, any number from 1 on",
         "knows any number of sets"),
        ("more", [(rng.randint(40, 90), 4, 30), (64, 8, 16)], spread,
         "is right for other caches too"),
    ):  # fmt: skip
        right = [np.array(shortest(*case)) for case in cases]
        probe = Probe(
            "products.padded", (cases,), f"padded_row(n, line, sets): {cases}",
            oracles={"numpy": lambda right=right: {"value": right}},
        )  # fmt: skip
        yield Check(PADDED, name, (probe,), taught, says=f"padded_row {says}.",
                    hidden=name == "more")  # fmt: skip
    yield misses_of_padded(f"spread over all sets of a cache … {spread}")


def misses_of_padded(taught: str) -> Check:
    """With the right rows, sets miss no more than one set for all lines would."""
    n, (lines, line, ways) = 8, (8, 2, 4)
    probe = Probe(
        "products.padded_lines", (n, (lines, line, ways), 2 * n**3 // line**2 + n**2 // line),
        f"a product in tiles, n = {n}, a cache of {lines} lines of {line} words, {ways} to a set",
        oracles={"numpy": lambda: {"value": [np.array(True)]}},
    )  # fmt: skip
    return Check(PADDED, "misses", (probe,), taught, fixed="a formula has its own sizes",
                 says="With such rows a product in tiles misses few lines.")  # fmt: skip
