"""Finds out whether a backward differentiates numerically: by calling its own forward nearby.

Recomputing the output at the inputs themselves is right, and so is any other arithmetic. Suspect
is a call of the op's own forward close to its inputs, but not at them. What decides is noise: a
difference quotient divides by a tiny step, so that the last digits of forward blow up in it; a
formula passes them on as small as they were.
"""

import sys

import numpy as np

NEAR, FAR = 1e-12, 0.1  # between these a call is a nudge, relative to the size of the inputs
NOISE = 1e-8
AMPLIFIED = 8  # a step of 0.1 gives about ten times the noise, a usual one thousands of times


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
                self.nudge = sys._getframe(1)
                self.imaginary = any(map(np.iscomplexobj, arrays))
            value = call(*arrays, **names)
            return value if self.rng is None else noisy(value, self.rng)

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


def noisy(value, rng):
    return value * (1 + NOISE * rng.choice([-1.0, 1.0], np.shape(value)))


def backward_of(out, out_grad):
    """``out._op.backward(out_grad, out)``, its own forward watched meanwhile.

    Raises:
        Refused: it is a difference quotient of its own forward.
    """
    kind = type(out._op)
    raw = next((vars(c)["forward"] for c in kind.__mro__ if "forward" in vars(c)), None)
    own = "forward" in vars(kind)
    if raw is None or not hasattr(raw, "__get__"):
        return out._op.backward(out_grad, out)
    watched = Watched(raw, [source.data for source in out._inputs])
    try:
        kind.forward = watched
        gradients = out._op.backward(out_grad, out)
        if watched.nudge is not None and (
            watched.imaginary or amplifies(out, out_grad, gradients, watched)
        ):
            raise refusal(kind, watched.nudge)
    finally:
        if own:
            kind.forward = raw
        elif "forward" in vars(kind):
            del kind.forward
    return gradients


def amplifies(out, out_grad, gradients, watched):
    """Whether noise in what forward returns comes out of backward many times as large."""
    was = values(gradients)
    watched.rng = np.random.default_rng(1)
    try:
        now = values(out._op.backward(out_grad, out))
    except Exception:
        return False
    if [array.shape for array in was] != [array.shape for array in now]:
        return False
    return any(grown(a, b) > AMPLIFIED * NOISE for a, b in zip(was, now, strict=True))


def grown(was, now):
    """How far the values have moved, relative to the largest of them."""
    size = np.max(np.abs(was), initial=0.0)
    return np.max(np.abs(now - was), initial=0.0) / size if size > 0 else 0.0


def values(gradients):
    """What backward returned, as arrays; none where that is not readable (said elsewhere)."""
    several = gradients if isinstance(gradients, (tuple, list)) else (gradients,)
    arrays = [np.array(getattr(gradient, "data", None)) for gradient in several]
    return arrays if all(array.dtype.kind == "f" for array in arrays) else []


def refusal(kind, frame):
    """The refusal, at the line of ``backward`` from which forward was called."""
    code = getattr(kind.backward, "__code__", None)
    step = frame
    while step is not None and step.f_code is not code:
        step = step.f_back
    file, line = (step or frame).f_code.co_filename, (step or frame).f_lineno
    says = (
        f"{kind.__name__}.backward calls its own forward at inputs moved by a little: that is a "
        "finite difference. The exercise asks for the rule itself."
    )
    return Refused(says, file, line)
