"""Objects that come back in later probes, and what cannot be read.

The worker calls `begin_probe` before each probe, and before each call that comes first.
"""

import numpy as np


class Complaint(Exception):
    """An answer that cannot be read as an array; the message names the learner's method."""


class Pool:
    """Objects that come back in a later probe of the same exercise, with other values.

    So does a weight in every step of training, and an op or a layer that is called again: what was
    kept by an object, or by its shape, from one call for the next gives the wrong numbers then.

    Attributes:
        held: kind → its objects, each with its own array and its attributes when it was made.
        taken: how many objects of a kind this probe has had.
        axes: kind of an op → how many axes its inputs had.
        results: whose result it was → the last one, and its bytes then.
        overwritten: whose result a later call has changed.
        own: the identities of all arrays that are given again.
    """

    __slots__ = "axes", "exercise", "held", "overwritten", "own", "results", "taken"  # no more

    def __init__(self):
        self.exercise = None
        self.begin("")

    def begin(self, exercise):
        """Begin a probe: all objects are free again; another exercise begins without any.

        So does one without a name, which is nobody's second.
        """
        if exercise != self.exercise or not exercise:
            self.exercise = exercise
            self.held, self.axes, self.results = {}, {}, {}
            self.overwritten, self.own = set(), set()
        self.taken = {}

    @staticmethod
    def owner_of(array):
        """The array whose memory this one looks into; itself, if it has its own."""
        while getattr(array, "base", None) is not None:
            array = array.base
        return array

    def take(self, kind, make):
        """Return the next object of a kind, made if there is none, and its attributes then."""
        at = self.taken.get(kind, -1) + 1
        known = self.held.setdefault(kind, [])
        if at == len(known):
            made = make()
            known.append((made, dict(getattr(made, "__dict__", {}))))
            array = made if isinstance(made, np.ndarray) else getattr(made, "data", None)
            self.own.add(id(self.owner_of(array)))
        self.taken[kind] = at  # only now: where nothing could be made, the next one is this one
        return known[at]

    def leaf(self, kind, make, values):
        """Return a leaf of these values, the same as for an earlier probe's, as a weight is."""
        made, then = self.take(kind, lambda: make(values.copy()))
        if not self.fill(then.get("data"), values):
            return make(values.copy())
        made.__dict__.update(then)
        return made

    def array(self, values):
        """Return an array of these values, the same object as for an earlier probe's."""
        values = np.array(values)
        if type(values) is not np.ndarray:  # counted, where costs are
            return values
        array, _ = self.take((values.shape, values.dtype.str), values.copy)
        return array if self.fill(array, values) else values

    @staticmethod
    def fill(array, values):
        """Write values into an array; return whether a learner's code has left that possible."""
        can = type(array) is np.ndarray and array.flags.writeable and array.shape == values.shape
        if can:
            array[...] = values
        return can

    def has_view(self, who):
        """Whether the last result of ``who`` is a view of an array of the pool."""
        return self.results.get(who) is NEITHER

    def forget(self, who):
        """Forget a result: what becomes of it from here on is not a later call's doing."""
        self.results.pop(who, None)

    def others(self, name, attrs, arrays):
        """Return the last op with this name, other attributes, and inputs of as many axes.

        It is in a list, which is empty where there is none. An op is asked only what it can answer,
        and nothing where costs are counted.
        """
        if any(type(array) is not np.ndarray for array in arrays):
            return []
        mine, axes = (name, repr(attrs)), tuple(map(np.ndim, arrays))
        known = [kind for kind, then in self.axes.items() if kind[0] == name and then == axes]
        self.axes.pop(mine, None)  # so that it comes last
        self.axes[mine] = axes
        return [self.held[kind][0][0] for kind in known if kind != mine and kind in self.held][-1:]

    def result(self, who, array):
        """Return a result. That of an earlier call may not have changed since."""
        if type(array) is not np.ndarray:  # counted, where costs are
            return array
        earlier, then = self.results.get(who, NEITHER)
        # What lies in an array of ours changes with it.
        self.results[who] = (
            NEITHER if id(self.owner_of(array)) in self.own else (array, array.tobytes())
        )
        if earlier is not None and earlier.tobytes() != then:
            self.overwritten.add(who)
        # Nobody looks at a call that comes first: then the next one tells.
        if who in self.overwritten:
            raise Overwritten(OVERWRITTEN.format(who))
        return array


NEITHER = (None, None)


class Overwritten(Complaint):
    """A later call wrote into the result of an earlier one."""


OVERWRITTEN = (
    "The result of an earlier call of {} has changed in a later one: both are the same array. "
    "Make a new array in each call."
)


POOL = Pool()


def begin_probe(exercise):
    """A probe of this exercise begins."""
    POOL.begin(exercise)
