"""`LogSoftmax`: the logarithms of probabilities, without ever making a probability."""

import numpy as np

from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, shapes, values


def formula(a: np.ndarray, axis: int = -1) -> np.ndarray:
    """Shifted by a constant, so that it takes complex numbers and large ones."""
    shifted = a - np.max(a.real, axis=axis, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


# In the last row the mean is far below the maximum: no other shift will do.
EXTREME = [[1000.0, -1000.0, 999.5], [-1000.0, -998.5, -999.0], [1000.0, -1000.0, -998.5]]

ROW = OpRow(
    op="LogSoftmax",
    forward=formula,
    torch=lambda torch, a, axis=-1: torch.log_softmax(a, axis),
    domain=(REAL,),
    samples=(shapes((3,)), shapes((2, 4))),
    taught={
        "forward": "`a - log Σ eᵃ`, the sum along `self.axis`; without an axis given, the last "
        "one … The shape stays",
        "backward": "`out_grad - softmax * Σ out_grad`, the sum along the axis",
    },
    groups=(
        SampleGroup(
            "axis", "{method} works along the axis that you give.",
            (shapes((2, 3), attrs=(0,)), shapes((2, 3, 2), attrs=(-2,))),
            "the sum along `self.axis`",
        ),
        SampleGroup(
            "stable", "{method} is right at ±1000.", (values(EXTREME),),
            "It is finite for every finite `a`, at ±1000 too",
        ),
    ),
)  # fmt: skip


@exercise("ops.LogSoftmax.forward", points=2)
class FORWARD:
    """The same shift by the maximum as in `LogSumExp`. Here the axis stays, so use `keepdims=True`
    everywhere.

    Do not compute the softmax and then its logarithm: a probability of e⁻²⁰⁰⁰ is 0 in floating
    point, and log 0 is -∞.
    """

    def log_of_softmax(self, a):
        """You computed the probabilities first. The small ones have become 0 by then, and their
        logarithm is -∞. Stay with logarithms all the way."""
        powers = np.exp(a - np.max(a, axis=self.axis, keepdims=True))
        return np.log(powers / np.sum(powers, axis=self.axis, keepdims=True))

    no_maximum = body("return a - np.log(np.sum(np.exp(a), axis=self.axis, keepdims=True))")
    """That is right on paper, but e¹⁰⁰⁰ is infinite. Subtract the maximum first."""

    def last_axis_always(self, a):
        """You always work along the last axis; `self.axis` says which one it is."""
        shifted = a - np.max(a, axis=-1, keepdims=True)
        return shifted - np.log(np.sum(np.exp(shifted), axis=-1, keepdims=True))

    def first_axis(self, a):
        """You work along axis 0, down the batch: examples compete with each other. The classes of
        one example lie along the last axis."""
        shifted = a - np.max(a, axis=0, keepdims=True)
        return shifted - np.log(np.sum(np.exp(shifted), axis=0, keepdims=True))

    def softmax(self, a):
        """That is the softmax itself; return its logarithm."""
        powers = np.exp(a - np.max(a, axis=self.axis, keepdims=True))
        return powers / np.sum(powers, axis=self.axis, keepdims=True)

    def over_everything(self, a):
        """Your probabilities add up to 1 over the whole array. They should add up to 1 along one
        axis."""
        shifted = a - np.max(a)
        return shifted - np.log(np.sum(np.exp(shifted)))


@exercise("ops.LogSoftmax.backward", points=2)
class BACKWARD:
    """Each input moves its own output one for one, and all outputs of its row through the sum.

    The rule in words: what arrived here, minus my probability times all that arrived in my row.

    The probabilities are e to the power of `node`. Sum `out_grad` along the axis, give the sum that
    axis back with size 1, and repeat it.
    """

    own_output_only = body("return out_grad * (1 - exp(node))")
    """This is what each input does to its own output. It moves all other outputs of its row too:
    the whole sum of `out_grad` counts."""

    softmax_alone = body("return out_grad - exp(node)")
    """You subtracted the softmax itself. It counts as much as `out_grad` says: multiply it by the
    sum of `out_grad` along the axis."""

    no_sum = body("return out_grad")
    """The second term is missing: every input also moves the logarithm of the sum."""

    def plus(self, out_grad, node):
        """Subtract the second term."""
        axis = self.axis % out_grad.ndim
        kept = tuple(1 if i == axis else size for i, size in enumerate(out_grad.shape))
        total = broadcast_to(reshape(summation(out_grad, axis), kept), out_grad.shape)
        return out_grad + exp(node) * total

    log_instead_of_softmax = edit("+ exp(node)", "- node", of=plus)
    """You used the output as it is. It holds logarithms; the rule needs the probabilities."""

    def summed_over_everything(self, out_grad, node):
        """You summed `out_grad` over the whole array. Only what arrived in the same row counts."""
        return out_grad - exp(node) * broadcast_to(summation(out_grad), out_grad.shape)

    last_axis_always = edit(("self.axis", "-1"), ("+", "-"), of=plus)
    """You always sum along the last axis; `self.axis` says which one it is."""
