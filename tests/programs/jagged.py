"""Whether a rule is a difference quotient, by what it answers alone.

Along a line of inputs that differ in their last digits a formula goes on smoothly: what is left of
a straight line is its own rounding, some 1e-15 of it. A quotient divides the rounding of what it
subtracts by its step: its answers jump to and fro by 1e-16 / step, whichever function computed
them, out of whichever memory. Rounded to float32 they jump no less where they cross from one
float32 to the next: a formula crosses there once.
"""

import contextlib
import io

import numpy as np

from .noise import Noise, largest

RUNG, RUNGS = 2.0**-43, 3  # a ladder of inputs, each a share of itself away from the next
FAR = 2.0**-10  # from one ladder to the other
JUMP = 4e-14  # of the largest value: eight times of what any right rule was seen to leave
STEEP = 0.05  # how fast a value changes at least, where its crossing is looked for
SIDES = 16  # how many answers are looked at on each side of a crossing
LEVELS = (1 / 3, 2 / 3)  # crossings of these shares of the way; two, as one may be chance


class Near:
    """Stands for a `Look`: moves the inputs of a rule along one line, by a share of themselves."""

    after = None

    def __init__(self):
        self.ways = []

    def at(self, share):
        self.share, self.number = share, 0
        return self

    def noted(self, array):
        value, number = np.asarray(array), self.number
        self.number += 1
        if number == len(self.ways):
            way = Noise(number).uniform(value.shape)
            self.ways.append(way + np.copysign(0.5, way))
        moved = value * (1 + self.share * self.ways[number])
        return np.asarray(moved) if isinstance(array, np.ndarray) else float(moved)


def jagged(run):
    """Whether the answers of ``run`` jump to and fro.

    Args:
        run: a look → the gradients that the rule gives at the inputs which that has noted.
    """
    answer = Answer(run)
    here, there = ladder(answer, 0.0), ladder(answer, FAR, 1)
    if here is None or there is None or here.shape[1] != there.shape[1]:
        return False
    slopes = np.abs(there[0] - here[0]) / FAR
    most = JUMP * max(1.0, np.maximum.reduce(slopes))  # the inputs themselves are rounded as well
    if jump(here) > most:
        there = ladder(answer, FAR)  # one jump alone is what rounding to float32 does
        if there is not None and jump(there) > most:
            return True
    slopes[here[0] != here[-1]] = 0.0
    place = slopes.argmax()  # of the values that stand still on a ladder: they are rounded
    if slopes[place] < STEEP:
        return False
    return all(crosses_often(answer, place, here[0], there[0], level) for level in LEVELS)


def first_jagged(run):
    """Of several rules that hand on to each other: the first after which the gradients jump."""

    def stages(look):
        found = []
        look.after = lambda rule, gradients: found.append((rule, gradients))
        run(look)
        return found

    for number, (rule, _) in enumerate(stages(Near().at(0.0))):
        if jagged(lambda look, number=number: stages(look)[number][1]):
            return rule
    return None


class Answer:
    """All values of a rule in one row, each array as a share of its largest at first."""

    def __init__(self, run):
        self.run, self.near, self.sizes = run, Near(), None

    def __call__(self, share):
        try:
            found = self.run(self.near.at(share))
            rows = [np.asarray(each, "float64").ravel() for each in found]
        except Exception:
            return np.zeros(0)  # what is only odd about these inputs is no fault of the rule
        if self.sizes is None:
            self.sizes = [largest(row) or 1.0 for row in rows]
        if len(rows) != len(self.sizes):
            return np.zeros(0)
        pairs = zip(rows, self.sizes, strict=True)
        return np.concatenate([np.zeros(0), *(row / size for row, size in pairs)])


def ladder(answer, start, rungs=RUNGS):
    """The answers on all rungs; None where they cannot be compared."""
    found = [answer(start + number * RUNG) for number in range(1, rungs + 1)]
    if len({row.shape for row in found}) > 1 or not found[0].size:
        return None
    answers = np.stack(found)
    return answers if np.logical_and.reduce(np.isfinite(answers), axis=None) else None


def jump(answers):
    """Return the largest distance of the answers from a straight line."""
    bends = answers[2:] - 2 * answers[1:-1] + answers[:-2]
    return np.maximum.reduce(np.abs(bends), axis=None)


def crosses_often(answer, place, here, there, level):
    """Whether one value crosses a level to and fro, close to where it does so once."""
    low, high = here[place], there[place]
    height = low + level * (high - low)

    def beyond(share):
        row = answer(share)
        return row.shape == here.shape and (row[place] >= height) == (high > low)

    below, above = 0.0, FAR
    while above - below > 2.0**-51:
        middle = (below + above) / 2
        below, above = (below, middle) if beyond(middle) else (middle, above)
    beside = JUMP / 16 / min(1.0, abs(high - low) / FAR)
    aways = [beside * (4 + number) for number in range(SIDES)]
    return any(beyond(below - away) for away in aways) or not all(
        beyond(above + away) for away in aways
    )


def silence():
    """A context in which nothing is printed; what is printed has somewhere to go."""
    nowhere, silent = io.TextIOWrapper(io.BytesIO(), "utf-8", "replace"), contextlib.ExitStack()
    for redirect in (contextlib.redirect_stdout, contextlib.redirect_stderr):
        silent.enter_context(redirect(nowhere))
    return silent
