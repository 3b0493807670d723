"""Programs for loops over arrays of your own: a function at each index, and one along axes."""

from .harness import told
from .views import (
    ERRORS,
    array_of_words,
    ask_first_of,
    is_array,
    numbered,
    numbers,
    own,
    stays,
    told_lists,
    told_values,
    values_of,
    words_from,
)

FORMULAS = {
    "f(x) = 3 · x - 1": lambda x: 3 * x - 1,
    "f(x, y) = x - 2 · y": lambda x, y: x - 2 * y,
    "f(x, y, z) = x - 2 · y + 5 · z": lambda x, y, z: x - 2 * y + 5 * z,
}
FOLDS = {
    "f(so far, value) = so far + value": lambda total, value: total + value,
    "f(so far, value) = 2 · so far - value": lambda total, value: 2 * total - value,
    "f(so far, value) = max(so far, value)": lambda total, value: max(total, value),
}


class Counted:
    """A function that counts its calls."""

    def __init__(self, formula):
        self.formula = formula
        self.begin()

    def begin(self):
        self.count, self.others = 0, 0

    def __call__(self, *values):
        self.count += 1
        self.others += any(type(value) is not float for value in values)
        return self.formula(*values)

    def told(self):
        return f"{self.count} calls" + f", {self.others} not with floats" * bool(self.others)


COUNTED = {name: Counted(formula) for name, formula in (FORMULAS | FOLDS).items()}


def told_new(bg, found, who, arrays):
    """Say what a new array holds; or that it has the buffer of one that was given."""
    if any(is_array(bg, found, who).buffer is a.buffer for a in arrays):
        return "a view of what came in"
    shape = numbers(found.shape, f"the shape of what {who}")
    return f"{shape} of {told_values(values_of(found))}"


def combined(bg, first, formula, cases):
    """elementwise calls a function with the values at each index."""
    words, counted = words_from(first), COUNTED[formula]
    calls, given, results = [], [], []
    for layouts in cases:
        given.append([array_of_words(bg, words, layout) for layout in layouts])
        ask_first_of(given[-1], bg.ndarray.elementwise, counted, *given[-1])
        counted.begin()
        results.append(bg.ndarray.elementwise(counted, *given[-1]))
        calls.append(counted.told())
    who = "elementwise returned"
    told = [told_new(bg, found, who, arrays) for arrays, found in zip(given, results, strict=True)]
    every = [a for arrays in given for a in arrays]
    return {
        "value": numbered(told),
        "calls": numbered(calls),
        "inputs": stays(every, [each for layouts in cases for each in layouts], words),
    }


def reduced(bg, first, cases):
    """reduce combines the values along axes."""
    words, arrays, results, calls, lists = words_from(first), [], [], [], []
    for layout, fold, start, args, options in cases:
        arrays.append(a := array_of_words(bg, words, layout))
        before = repr(args)
        ask_first_of([a], bg.ndarray.reduce, COUNTED[fold], a, start, *args, **options)
        COUNTED[fold].begin()
        results.append(bg.ndarray.reduce(COUNTED[fold], a, start, *args, **options))
        calls.append(COUNTED[fold].told())
        lists.append(told_lists(before, args))
    who = "reduce returned"
    told = [told_new(bg, found, who, [a]) for a, found in zip(arrays, results, strict=True)]
    inputs = stays(arrays, [case[0] for case in cases], words, lists)
    return {"value": numbered(told), "calls": numbered(calls), "inputs": inputs}


def loop_refused(bg, function, cases):
    """What does not fit is refused."""
    words, findings = words_from(0.0), []
    for layouts, before, after in cases:
        arrays = [array_of_words(bg, words, layout) for layout in layouts]
        call = getattr(own(bg), function)
        given = (lambda *values: 1.0, *arrays, *before)
        findings.append(told(lambda c=call, g=given, o=after: c(*g, **o), (), ERRORS))
    return numbered(findings)
