"""Programs for arrays of your own: where the values of a view lie, and what a copy holds.

A case is what one call is given; a program makes all its calls, and only then looks at the results,
so that none may have written into another's.
"""

import sys
from array import array
from itertools import zip_longest

import numpy as np

from .harness import POOL, Complaint, ask_first, itemised, told, unlike

ERRORS = ValueError, IndexError


def numbered(findings):
    """Findings as one text, each behind the number of its case."""
    return [itemised([f"{number}: {each}" for number, each in enumerate(findings, start=1)])]


def numbers(value, who):
    """A tuple of ints, as text."""
    if not isinstance(value, tuple):
        raise unlike(value, f"{who} returned", "a tuple was expected")
    for each in value:
        whole(each, f"{who} returned a tuple with")
    return f"({', '.join(map(str, value))}{',' * (len(value) == 1)})"


def whole(value, who):
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        raise unlike(value, who, "an int was expected")
    return int(value)


class NoNumPy:
    """Stand in for NumPy in the learner's module; values may come and go, and nothing else."""

    GIVEN = "of", "numpy"  # the methods that bring values in and out

    def __getattr__(self, name):
        caller = sys._getframe(1).f_code.co_name
        if caller in self.GIVEN:
            return getattr(np, name)
        raise Complaint(f"{caller} asks NumPy for `{name}`: it computes nothing for you here.")


def own(bg):
    """The learner's module, without NumPy."""
    bg.ndarray.np = NoNumPy()
    return bg.ndarray


# ---- from an index to a word --------------------------------------------------------------


def strides(bg, cases):
    """row_major_strides gives the strides of rows one after another."""
    found = [own(bg).row_major_strides(*given) for given in cases]
    return numbered([numbers(each, "row_major_strides") for each in found])


def offsets(bg, cases):
    """offset_of finds the word of an index."""
    found = [own(bg).offset_of(*given) for given in cases]
    return numbered([str(whole(each, "offset_of returned")) for each in found])


def compactness(bg, cases):
    """is_compact says whether values lie row by row, without a gap."""
    found = [own(bg).is_compact(*given) for given in cases]
    for each in found:
        if not isinstance(each, (bool, np.bool_)):
            raise unlike(each, "is_compact returned", "True or False was expected")
    return numbered(map(str, found))


def strides_in_place(bg, cases):
    """view_strides finds the strides of another shape, or says that there are none."""
    results = [own(bg).view_strides(*given) for given in cases]
    findings = []
    for (*_, new), found in zip(cases, results, strict=True):
        if found is not None:
            numbers(found, "view_strides")
        findings.append("None" if found is None else told_strides(new, found))
    return numbered(findings)


def refused(bg, function, cases):
    """What makes no sense is refused."""
    call = getattr(own(bg), function)
    return numbered([told(lambda given=given: call(*given), (), ERRORS) for given in cases])


# ---- arrays -------------------------------------------------------------------------------


GIVEN = {}  # the identity of an array → the buffer that it was made with


def array_of_words(bg, words, layout):
    """An NDArray over a buffer of these words, the same object as in an earlier probe."""
    shape, strides, offset = layout
    given = array("d", words), shape, strides, offset
    made, _ = POOL.take("array", lambda: own(bg).NDArray(*given))
    return renew(made, *given)


def renew(a, *given):
    """Make another array of this object: what was kept by its identity is of no use any more."""
    a.__dict__.clear()
    return refill(a, *given)


def refill(a, *given):
    """Give an array another buffer and its own fields; what else it keeps of a call stays."""
    a.__init__(*given)
    GIVEN[id(a)] = a.buffer
    return a


def told_strides(shape, strides):
    """Strides in words: those along which nobody takes a step are left open."""
    if len(strides) != len(shape):
        return f"{len(strides)} strides for {len(shape)} axes"
    if 0 in shape:
        return "no values"
    steps = ["any" if n == 1 else str(stride) for n, stride in zip(shape, strides)]  # noqa: B905
    return f"strides {', '.join(steps) or 'none'}"


def is_array(bg, value, who):
    if not isinstance(value, bg.ndarray.NDArray):
        raise unlike(value, f"{who} returned", "an NDArray was expected")
    return value


def told_place(bg, found, who, owner):
    """Say where the values of a result lie in the memory of an array, or that it is a copy."""
    is_array(bg, found, who)
    shape = numbers(found.shape, f"the shape of what {who}")
    if found.buffer is not owner.buffer:
        return f"{shape}, a copy"
    where = told_strides(found.shape, found.strides)
    return f"{shape}, {where}" + f", from word {found.offset}" * (0 not in found.shape)


def values_of(found):
    """The values of an array, row by row; read without the learner's functions."""
    words = [found.offset]
    for size, stride in zip(found.shape, found.strides):  # noqa: B905
        words = [word + step * stride for word in words for step in range(size)]
    size = len(found.buffer)
    return [found.buffer[word] if 0 <= word < size else None for word in words]


def told_values(values):
    """Values in words; what lies beyond the buffer is none."""
    return " ".join("?" if value is None else f"{value:g}" for value in values) or "nothing"


def told_copy(bg, found, who, owner, spare=True):
    """Say that a result is the array itself or a view of it, or what its own buffer holds.

    Args:
        spare: whether words that hold none of its values, and its strides, count.
    """
    if found is owner:
        return "the array itself"
    told = told_place(bg, found, who, owner)
    if found.buffer is owner.buffer:
        return told
    values = values_of(found)
    more = f", {told_strides(found.shape, found.strides)}" if spare and values else ""
    extra = len(found.buffer) - len(values)
    more += f", and {extra} words more" if spare and extra else ""
    return f"{told} of {told_values(values)}{more}"


def stays(arrays, layouts, words, lists=()):
    """Say of each array whether its fields, its words and the lists beside it are as before."""
    pairs = zip_longest(arrays, layouts, lists, fillvalue="")
    return numbered([told_stay(a, layout, words, changed) for a, layout, changed in pairs])


def told_lists(before, args):
    """Say whether a list among these arguments is another one now."""
    return "" if repr(args) == before else f"the arguments {before} have become {args!r}"


def told_stay(a, layout, words, lists=""):
    changed = [lists] if lists else []
    if (a.shape, a.strides, a.offset) != tuple(layout):
        changed.append("its fields have changed")
    if a.buffer is not GIVEN[id(a)]:
        changed.append("it has another buffer")
    if [*a.buffer] != [*words]:
        changed.append("its words have changed")
    return " and ".join(changed) or "as it was"


WORDS = 160  # of a buffer
APART = 37  # from one word's number to the next one's: rows neither rise nor fall


def words_from(first):
    """The words of a buffer, all different."""
    return [first + APART * word % WORDS for word in range(WORDS)]


def ask_first_of(arrays, call, *args, **options):
    """Ask with the same arguments first, while the buffers hold other numbers."""
    buffers = {id(a.buffer): a.buffer for a in arrays}.values()
    before = [buffer[:] for buffer in buffers]
    for buffer in buffers:
        buffer[:] = array("d", [number + 1000 for number in buffer])
    ask_first(call, *args, **options)
    for buffer, words in zip(buffers, before, strict=True):
        buffer[:] = words


def results_of(bg, first, method, cases):
    """The arrays of some cases, and what a method of each returns."""
    words, arrays, results, lists = words_from(first), [], [], []
    for layout, args, options in cases:
        arrays.append(a := array_of_words(bg, words, layout))
        before = repr(args)
        ask_first_of([a], getattr(a, method), *args, **options)
        refill(a, array("d", words), *layout)
        results.append(getattr(a, method)(*args, **options))
        lists.append(told_lists(before, args))
    return arrays, results, stays(arrays, [case[0] for case in cases], words, lists)


def viewed(bg, method, cases):
    """A view looks into the memory of its array."""
    arrays, results, inputs = results_of(bg, 0.0, method, cases)
    who = f"NDArray.{method} returned"
    told = [told_place(bg, found, who, a) for a, found in zip(arrays, results, strict=True)]
    return {"value": numbered(told), "inputs": inputs}


def copied(bg, first, method, cases):
    """What cannot be a view has a buffer of its own."""
    arrays, results, inputs = results_of(bg, first, method, cases)
    who, spare = f"NDArray.{method} returned", method == "compact"
    told = [told_copy(bg, found, who, a, spare) for a, found in zip(arrays, results, strict=True)]
    return {"value": numbered(told), "inputs": inputs}


def method_refused(bg, method, cases):
    """What makes no sense is refused."""
    findings = []
    for layout, args, options in cases:
        call = getattr(array_of_words(bg, words_from(0.0), layout), method)
        findings.append(told(lambda call=call, a=args, o=options: call(*a, **o), (), ERRORS))
    return numbered(findings)


def written(bg, first, cases, is_refused=False):
    """What is written lands in the words that the index names.

    A value is a number; or whose memory it lies in, «own» or «other», and its layout.
    """
    words, others = words_from(first), words_from(first + 200)
    arrays, errors = [], []
    for layout, index, value in cases:
        a = array_of_words(bg, words, layout)
        arrays.append((a, layout, words))
        if isinstance(value, tuple):
            whose, *place = value
            value = array_of_words(bg, others, place)
            if whose == "own":
                value.buffer = GIVEN[id(value)] = a.buffer
            else:
                arrays.append((value, place, others))
        sources = [value] if isinstance(value, bg.ndarray.NDArray) else []
        ask_first_of([a, *sources], a.__setitem__, index, value)
        if is_refused:
            errors.append(told(lambda a=a, i=index, v=value: a.__setitem__(i, v), (), ERRORS))
        else:
            a[index] = value
    changes = [told_changes(words, GIVEN[id(a)]) for a, _, before in arrays if before is words]
    kept = [told_stay(a, layout, before if before is others else [*a.buffer])
            for a, layout, before in arrays]  # fmt: skip
    return {
        "value": numbered(errors if is_refused else changes),
        "after": numbered(changes),
        "inputs": numbered(kept),
    }


def told_changes(before, after):
    pairs = enumerate(zip(before, after))  # noqa: B905
    changed = [f"word {n} holds {new:g}" for n, (old, new) in pairs if old != new]
    return ", ".join(changed) or "nothing is written"


def write_refused(bg, first, cases):
    """What cannot be written is refused."""
    return written(bg, first, cases, True)


# A script of `grader repro` makes each call once, with arrays of its own.
IN_A_SCRIPT = {
    "own": "def own(bg):\n    return bg.ndarray",
    "array_of_words": (
        "def array_of_words(bg, words, layout):\n"
        '    made = bg.ndarray.NDArray(array("d", words), *layout)\n'
        "    GIVEN[id(made)] = made.buffer\n"
        "    return made"
    ),
    "ask_first_of": "def ask_first_of(arrays, call, *args, **options):\n    pass",
}
