"""Programs for products of matrices; counted ones are read as kernels, and run on a `Memory`."""

import sys

import numpy as np

from .counted_memory import Memory
from .harness import Complaint, array_of, article, told, unlike
from .kernel_language import NotAKernel, NotANumber, compile_kernel
from .undisturbed import Undisturbed
from .views import array_of_words, ask_first_of, is_array, own, stays, values_of

MEANS = {
    "not_multiplied": {"not_so": {"value": "A ValueError was expected, and none was raised."}},
    "added": {"names": {"inputs": ["a", "b"]}},
    "padded_lines": {"not_so": {"value": "With such rows too many lines are missed."}},
}


def multiplied(bg, words, cases):
    """matmul gives the product as a new array, which no later call writes into."""
    matmul, pairs, results = own(bg).matmul, [], []
    for layouts in cases:
        pairs.append(pair := [array_of_words(bg, words, layout) for layout in layouts])
        ask_first_of(pair, matmul, *pair)
        results.append(is_array(bg, matmul(*pair), "matmul returned"))
        array_of(np.asarray(results[-1].buffer), "matmul")  # a later call may not change it
        ask_first_of(pair, matmul, *pair)
    for each, pair in zip(results, pairs, strict=True):
        if any(each.buffer is given.buffer for given in pair):
            raise Complaint("matmul wrote its product into the memory of an array it was given.")
    return {
        "value": [np.array(values_of(each)).reshape(each.shape) for each in results],
        "inputs": [
            text
            for pair, layouts in zip(pairs, cases, strict=True)
            for text in stays(pair, layouts, words)
        ],
    }


def not_multiplied(bg, words, cases):
    """matmul refuses what doesn't fit."""
    findings = []
    for layouts in cases:
        pair = [array_of_words(bg, words, layout) for layout in layouts]
        findings.append(told(lambda: own(bg).matmul(*pair), ()))  # noqa: B023
    return [np.array(each == "ValueError") for each in findings]


# ---- counted ------------------------------------------------------------------------------


def kernel_of(bg, name):
    """A function of the learner's that has been read, and is made of what was read."""
    try:
        return compile_kernel(getattr(bg.ndarray, name))
    except NotAKernel as error:
        raise Complaint(f"{name}, {error}") from None


def memory_of(*cache):
    return Memory(*cache)


def words_of(memory, array):
    return memory.array(np.ravel(array).tolist())


def run(kernel, *arguments):
    """Run a kernel; what an array refuses is told as a sentence."""
    try:
        kernel(*arguments)
    except (IndexError, NotANumber) as error:
        raise Complaint(f"Your kernel {error}.") from None


def sizes_of(name, a, b, given):
    """The numbers behind the arrays: of the shapes, or as they were given."""
    return given or [*a.shape, b.shape[1]]


def added(bg, name, a, b, out, given):
    """The kernel adds the product to what is in `out`."""
    memory = memory_of(5, 2)
    words = [words_of(memory, each) for each in (a, b, out)]
    run(kernel_of(bg, name), *words, *sizes_of(name, a, b, given))
    first, second, found = (np.array(each.values, "float64") for each in words)
    return {
        "value": [found.reshape(out.shape)],
        "inputs": [first.reshape(a.shape), second.reshape(b.shape)],
    }  # fmt: skip


def lines(bg, name, a, b, given, cache, most):
    """The kernel misses no more lines than its formula says, for the product of these matrices."""
    kernel = kernel_of(bg, name)
    values = [np.ravel(each).tolist() for each in (a, b, np.zeros(a.size))]
    if sys.getprofile():  # who asks which code runs is told here; nobody hears of the other run
        run(kernel, *map(memory_of(*cache).array, values), *given)
    with Undisturbed() as alone:
        memory = memory_of(*cache)
        # From here on nothing calls a program's function: its guard would tell an audit hook.
        words = [memory.array(each) for each in values]
        try:
            kernel(*words, *given)
        except (IndexError, NotANumber) as error:
            raise Complaint(f"Your kernel {error}.") from None
    told_looks(alone)
    if memory.misses > most:
        shares = [f"{w.misses:,} of `{of}`" for w, of in zip(words, ("a", "b", "out"))]  # noqa: B905
        raise Complaint(
            f"Your loops miss {memory.misses:,} lines; {most:,} are enough. "
            f"They miss {', '.join(shares[:2])} and {shares[2]}."
        )
    return [np.array(words[2].values).reshape(a.shape)]


def told_looks(alone):
    if alone.looks:
        raise Complaint(f"While lines are counted, a thread of yours calls {alone.looks[0]}.")


def padded(bg, cases):
    """padded_row gives the shortest row that spreads over all sets."""
    found = [bg.ndarray.padded_row(*case) for case in cases]
    for each in found:
        if type(each) is not int:
            raise unlike(each, "padded_row returned", "an int was expected")
    return [np.array(each) for each in found]


def in_tiles(a, b, out, n, row, tile):
    """The tiles whose lines are counted: the course's own."""
    for top in range(0, n, tile):
        for left in range(0, n, tile):
            for middle in range(0, n, tile):
                for i in range(top, top + tile):
                    for t in range(middle, middle + tile):
                        x = a[i * row + t]
                        for j in range(left, left + tile):
                            out[i * row + j] += x * b[t * row + j]


def padded_lines(bg, n, cache, most):
    """Tiles of a matrix with such rows miss few lines."""
    lines_in_all, line, ways = cache
    row = bg.ndarray.padded_row(n, line, lines_in_all // ways)
    if type(row) is not int or not n <= row <= 64 * n:
        raise Complaint(f"padded_row returned {article(row)}, {row!r}: no row of {n} words.")
    with Undisturbed() as alone:
        memory = memory_of(*cache)
        in_tiles(*(memory.array([1.0] * n * row) for _ in range(3)), n, row, line)
    told_looks(alone)
    if memory.misses > most:
        raise Complaint(
            f"With rows of {row} words a product in tiles misses {memory.misses:,} lines; "
            f"{most:,} are enough."
        )
    return [np.array(True)]


# A script of `grader repro` takes what is given from the learner's own package.
IN_A_SCRIPT = {
    "kernel_of": (
        "def kernel_of(bg, name):\n"
        "    from babygrad import kernel_language as given\n"
        "    return given.compile_kernel(getattr(bg.ndarray, name))"
    ),
    "memory_of": (
        "def memory_of(*cache):\n"
        "    from babygrad import counted_memory as given\n"
        "    return given.Memory(*cache)"
    ),
}
