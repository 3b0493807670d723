"""Finds out whether a backward differentiates numerically, wherever it hides that.

Recomputing the output at the inputs themselves is right, and so is any other arithmetic. Suspect
is a value close to one that came from the inputs, but not equal to it: in a call of the op's own
forward (`Watched`), or in anything that NumPy computes from them (`Noted`), in whichever function,
module or other op. What decides is noise: a difference quotient divides by a tiny step, so that
the last digits of what it subtracts blow up in it; a formula passes them on as small as they were.
Whatever takes its inputs out of sight is told by its answers alone (`jagged`).
"""

import copy
import functools
import math
from sys import _getframe

import numpy as np

from .jagged import first_jagged, jagged, silence
from .noise import LOUD, MOVES, Noise, alike_for, growth, largest, of_its_own

NEAR, FAR = 1e-12, 0.1  # between these a value is a nudge, relative to the size of the inputs
NOISE = 1e-8
AMPLIFIED = 8  # a step of 0.1 gives about ten times the noise, a usual one thousands of times
TINY = 2e-3  # … where both were computed: a step of its own size, or by chance
SHARE = 0.01  # of 1 / step: by how much a quotient with that step is louder, at the very least
LOOKS = 3  # so often each op is looked at in one run: it is the same rule in every probe
HAS_NUMPY = np.__name__ == "numpy"  # else what stands in for it in a page, where nobody is marked
TRIES = 1  # … and so often it is told by its answers, which takes longer
MOST = 5000  # values that are noted in one look
MANY = 64  # gradients that no op has
OWN = ("programs/", "<string>")  # who calls a rule: a program, or the expression that it was given
EXACT = {
    np.negative, np.positive, np.absolute, np.fabs, np.maximum, np.minimum, np.fmax, np.fmin,
    np.sign, np.copysign, np.floor, np.ceil, np.trunc, np.rint, np.conjugate,
}  # fmt: skip


class Refused(Exception):
    """A rule of an exercise is broken, at a file and a line of the learner's."""

    def __init__(self, says, file="", line=0):
        super().__init__(says)
        self.file = file
        self.line = line


class Watched:
    """Stands in for an op's `forward` while its `backward` runs.

    Args:
        raw: what the class holds: a function, or a static or class method.
        inputs: the arrays that the op was applied to.
    """

    def __init__(self, raw, inputs):
        self.raw = raw
        self.inputs = [np.array(array) for array in inputs]
        self.nudge = None  # where forward was called close to the inputs
        self.imaginary = False  # whether it was nudged by an imaginary step
        self.rng = None

    def __get__(self, instance, owner=None):
        call = self.raw.__get__(instance, owner)

        def forward(*arrays, **names):
            # Looked at before the call, which may change its arguments in place.
            if self.nudge is None and is_nudge(arrays, self.inputs):
                self.nudge = _getframe(1)
                self.imaginary = any(map(np.iscomplexobj, arrays))
            value = call(*arrays, **names)
            if self.rng is None:
                return value
            return value * (1 + NOISE * np.sign(self.rng.uniform(np.shape(value))))

        return forward


def is_nudge(arrays, inputs):
    """Whether these arrays lie close to the inputs, and are not the inputs themselves."""
    if len(arrays) != len(inputs):
        return False
    moved = False
    for array, at in zip(arrays, inputs, strict=True):
        if not isinstance(array, (np.ndarray, np.generic, float)) or np.shape(array) != at.shape:
            return False
        if at.dtype.kind != "f" or np.asarray(array).dtype.kind not in "fc":
            return False
        distance = np.abs(array - at) / np.maximum(1, np.abs(at))
        if not (distance <= FAR).all():
            return False
        if (array == at.astype("float32")).all():
            continue  # the inputs, rounded on their way through a float32 Tensor
        moved = moved or bool(np.any(distance > NEAR)) or np.iscomplexobj(array)
    return moved


def asked_for():
    """Counts how often each op class, or rule, was asked for."""
    counts = {}

    def count(kind, asked=True):
        counts[kind] = counts.get(kind, 0) + bool(asked)
        return counts[kind]

    return count


# Closures: no name of this module leads to their numbers.
times_asked, times_tried = asked_for(), asked_for()


def backward_of(out, grad, asked):
    """``out._op.backward(grad, out)``, its own forward watched meanwhile.

    Where this rule is ``asked`` for it runs once more, forward included, on noted arrays.

    Raises:
        Refused: it is a difference quotient.
    """
    kind = type(out._op)
    raw = next((vars(c)["forward"] for c in kind.__mro__ if "forward" in vars(c)), None)
    own = "forward" in vars(kind)
    if raw is None or not hasattr(raw, "__get__"):
        return out._op.backward(grad, out)
    watched = Watched(raw, [source.data for source in out._inputs])
    try:
        kind.forward = watched
        gradients = out._op.backward(grad, out)
        if watched.nudge is not None and (
            watched.imaginary or amplifies(out, grad, gradients, watched)
        ):
            raise refusal(kind, list(learners(watched.nudge)), "calls its own forward")
    finally:
        if own:
            kind.forward = raw
        elif "forward" in vars(kind):
            del kind.forward
    run = functools.partial(op_once_more, out, grad, watched.inputs)
    looks = times_asked(kind, asked) <= LOOKS and asked
    if looks and (trail := hidden_step(kind, kind.backward, run)):
        raise refusal(kind, trail, "computes")
    return gradients


def amplifies(out, out_grad, gradients, watched):
    """Whether noise in what forward returns comes out of backward many times as large."""
    was = values(gradients)
    watched.rng = Noise(1)
    try:
        now = values(out._op.backward(out_grad, out))
    except Exception:
        return False
    return growth(was, now) > AMPLIFIED * NOISE


def values(gradients):
    """Return the arrays that backward gave; none where they cannot be read (said elsewhere)."""
    several = gradients if isinstance(gradients, (tuple, list)) else (gradients,)
    arrays = [np.array(getattr(gradient, "data", None)) for gradient in several[: MANY + 1]]
    return arrays if len(arrays) <= MANY and all(a.dtype.kind == "f" for a in arrays) else []


def refusal(kind, trail, does):
    """The refusal, at the line of ``backward`` that led there; what forward kept counts for it."""
    code = getattr(kind.backward, "__code__", trail[0][0])
    at = next((step for step in trail if step[0] is code), (code, code.co_firstlineno))
    return refused(f"{kind.__name__}.backward {does}", at)


def refused(who, at):
    says = (
        f"{who} at inputs moved by a little: that is a finite difference. "
        "The exercise asks for the rule itself."
    )
    return Refused(says, at[0].co_filename, at[1])


# ---- whatever NumPy computes from the inputs -------------------------------------------------


class Look:
    """The notes of one run of a rule on arrays that tell what is done with them.

    Where ``after`` is something, it is told of each of several rules, and how far these have come.

    Args:
        noise: ufunc, result, whether that was a step → the result with noise; None to look only.

    Attributes:
        step: how far values were moved at most, where they were moved by a little; else 0.
        imaginary: whether one got a small imaginary part, and a function was computed there.
        trail: the code and the line of each of the learner's functions that was running then.
    """

    after = None

    def __init__(self, noise=None):
        self.noise, self.patience = noise, MOST
        self.step, self.imaginary, self.trail = 0.0, False, []

    def noted(self, array):
        self.patience -= 1
        if not self.patience:
            raise TimeoutError  # so long a rule is not looked at to its end
        found = np.asarray(array).view(Noted)
        found.look = self
        return found

    def sees(self, ufunc, operands, result):
        """Look for an operand that was moved by a little, on either axis of the complex plane.

        True where that was a step of a quotient, and no sum of two values of the rule.
        """
        alone = not all(isinstance(each, Noted) for each in operands)
        if ufunc in MOVES[2:] and not alone:
            return False  # a product of two values of the rule, not one by 1 + h
        step = False
        for each in movable(ufunc, operands):
            if isinstance(each, Noted) and each.shape == result.shape:
                far = largest(result - bare(each))
                if ufunc in MOVES[2:]:
                    far /= max(largest(bare(each)), 1e-300)
                if np.iscomplexobj(result):
                    self.imaginary |= not np.iscomplexobj(each) and bool(0 < far <= FAR)
                elif far <= (FAR if alone else TINY):
                    self.step = max(self.step, far if far > NEAR else 0.0)
                    step = True
        if (self.step or self.imaginary) and not self.trail:
            self.trail = list(learners(_getframe(2)))
        return step


def movable(ufunc, operands):
    """The values that an operation may have moved: `1 - x` is no step from x."""
    if ufunc not in MOVES:
        return ()
    return operands if ufunc in (np.add, np.multiply) else operands[:1]


class Noted(np.ndarray):
    """An array that tells its `Look` what NumPy does with it, and what comes of that likewise."""

    look = None

    def __array_finalize__(self, source):
        self.look = getattr(source, "look", None)

    def __array_ufunc__(self, ufunc, method, *operands, out=(), **named):
        if out:
            named["out"] = tuple(map(bare, out))
            # `x += h` writes over what is to be compared with its sum.
            operands = [each.copy() if isinstance(each, Noted) else each for each in operands]
        value = getattr(ufunc, method)(*map(bare, operands), **named)
        if ufunc.nout != 1 or value is None or np.asarray(value).dtype.kind not in "fc":
            return out[0] if len(out) == 1 else value
        look = next(each.look for each in (*operands, *out) if isinstance(each, Noted))
        result = np.asarray(value)
        step = method == "__call__" and look.sees(ufunc, operands, result)
        if look.noise is not None and ufunc not in EXACT:
            result[...] = look.noise(ufunc, result, step)
        return out[0] if out else look.noted(result)

    def __array_function__(self, function, kinds, operands, named):
        value = super().__array_function__(function, kinds, operands, named)
        fresh = type(value) is np.ndarray and value.dtype.kind in "fc"
        return self.look.noted(value) if fresh else value

    def __getitem__(self, place):
        value = super().__getitem__(place)
        return value if isinstance(value, Noted) else self.look.noted(value)

    def __iter__(self):
        return (self[place] for place in range(len(self)))

    def item(self, *place):
        return self[place[0] if len(place) == 1 and self.ndim == 1 else place]

    def tolist(self):
        return [each.tolist() for each in self] if self.ndim else self


def bare(value):
    return value.view(np.ndarray) if isinstance(value, Noted) else value


class Kept:
    """The functions that would lose the notes, and their substitutes while a rule is looked at.

    `math` computes by NumPy where its number is noted. (A class: learner code may call these.)
    """

    def of_math(name):
        plain, function = getattr(math, name), getattr(np, {"pow": "power"}.get(name, name))

        def call(*numbers):
            noted = any(isinstance(each, Noted) for each in numbers)
            return (function if noted else plain)(*numbers)

        return math, name, call

    TABLE = (
        (np, "array", functools.partial(np.array, subok=True)),
        (np, "asarray", np.asanyarray),
        *map(of_math, ("exp", "log", "sqrt", "tanh", "sin", "cos", "pow")),
    )

    def __enter__(self):
        self.undo = [(module, name, getattr(module, name)) for module, name, _ in self.TABLE]
        for module, name, function in self.TABLE:
            setattr(module, name, function)

    def __exit__(self, *_):
        for module, name, function in self.undo:
            setattr(module, name, function)


def learners(frame):
    """The code and the line of every function that runs, up to the program that called it."""
    while frame is not None and not frame.f_code.co_filename.startswith(OWN):
        yield frame.f_code, frame.f_lineno
        frame = frame.f_back


def hidden_step(who, rule, run):
    """The trail of a difference quotient in what ``run`` computes; empty where there is none.

    ``run`` computes the gradients from values that the look that it is given has noted, by ``rule``
    or by several, and says after each of these how far it has come. What takes its values out of
    sight is known by its answers.
    """
    trail = noted_step(run)
    if not trail and HAS_NUMPY and times_tried(who) <= TRIES:
        with silence():
            guilty = jagged(run) and (first_jagged(run) or rule)
        code = getattr(guilty, "__code__", hidden_step.__code__)
        return [(code, code.co_firstlineno)] if guilty else []
    return trail


def noted_step(run):
    """The trail of a quotient in what NumPy computes from noted values; empty where none is seen.

    Noise that is another one for every value is compared with noise that is the same for all that
    a function gives: a rule that is bent by both is badly conditioned where it stands, and right.
    """
    look = Look()
    was = tried(run, look)
    if look.imaginary:
        return look.trail
    if not look.step or not was:
        return []

    def bent_by(noise):
        return growth(was, tried(run, Look(noise)))

    own = bent_by(of_its_own(1))
    alike = max(bent_by(alike_for(seed)) for seed in (2, 3, 4))
    least = max(LOUD * SHARE / look.step, AMPLIFIED * max(alike, LOUD))
    return look.trail if own > least else []


def look_at(who, rule, run):
    """Refuse a rule without an op of its own, where it is a difference quotient."""
    trail = hidden_step(who, rule, run)
    if trail:
        raise refused(f"{who} computes", trail[-1])


def tried(run, look):
    """Return a run's results as plain arrays; none where it fails, and nothing is printed."""
    try:
        with Kept(), silence():
            return list(map(bare, run(look)))
    except Exception:
        return []  # what is only odd about these arrays is no fault of the rule


def op_once_more(out, out_grad, inputs, look):
    """Return the results of the op's backward at noted inputs, its forward included.

    Each time from the same values, whatever an op that writes into its arguments made of them.
    """
    held = [(each, each.data) for each in (*out._inputs, out_grad)]
    try:
        for source, array in zip(out._inputs, inputs, strict=True):
            source.data = look.noted(array.copy())
        out_grad.data = np.array(out_grad.data)
        op = copy.copy(out._op)
        return values(op.backward(out_grad, op(*out._inputs)))
    finally:
        for each, array in held:
            each.data = array


# A script of `grader repro` shows what a rule computes; whether it may do so is not asked there.
IN_A_SCRIPT = {
    "backward_of": "def backward_of(out, grad, asked):\n    return out._op.backward(grad, out)",
    "look_at": "def look_at(who, rule, run):\n    pass",
}
