"""Ops with one slip each, made out of right ones: what a judge has to find (chapter 12, given).

A mutant computes the right values. Its ``backward`` asks the right rule, and then spoils what it
returns. It is called like the op that it was made of, so that nothing but its gradients tells.
"""

import numpy as np

# What happens to the gradients, as a list of arrays; `which` is the input whose turn it is.


def sign(gradients, which):
    gradients[which] = -gradients[which]


def doubled(gradients, which):
    gradients[which] = 2 * gradients[which]


def slightly(gradients, which):
    """Half a percent too large: as if a constant had been copied with too few digits."""
    gradients[which] = gradients[which] * 1.005


def operands(gradients, which):
    """The gradients of two inputs are swapped."""
    gradients[0], gradients[-1] = gradients[-1], gradients[0]


def turned(gradients, which):
    """The wrong way round along the last axis."""
    gradients[which] = gradients[which][..., ::-1]


def one_element(gradients, which):
    """All right but for the last number."""
    spoiled = gradients[which].copy()
    spoiled[(-1,) * spoiled.ndim] += 0.5
    gradients[which] = spoiled


def lost_sum(gradients, which):
    """Of several that should be added up only the mean arrives."""
    each = gradients[which]
    gradients[which] = np.broadcast_to(each.mean(-1, keepdims=True), each.shape)


def not_a_number(gradients, which):
    """One number is nan, which is larger than nothing and smaller than nothing."""
    spoiled = gradients[which].copy()
    spoiled[(0,) * spoiled.ndim] = np.nan
    gradients[which] = spoiled


def another_shape(gradients, which):
    """One axis more: it broadcasts, and so looks right to a comparison that is not strict."""
    gradients[which] = gradients[which][None]


SLIPS = (
    sign, doubled, slightly, operands, turned, one_element, lost_sum, not_a_number, another_shape,
)  # fmt: skip


def mutant(tensor, right, slip, which, when=None):
    """A new op: ``right`` with this slip.

    Args:
        tensor: the class Tensor of the package.
        right: an op whose rule is right.
        slip: one of ``SLIPS``, or None for a cotangent that is forgotten.
        which: the input whose gradient is spoiled.
        when: a test of the node; where it fails, nothing is spoiled.
    """
    kind = type(right)

    class Mutant(kind):
        def backward(self, out_grad, node):
            if when is not None and not when(node):
                return kind.backward(self, out_grad, node)
            if slip is None:
                ones = np.ones_like(out_grad.data)
                out_grad = tensor(ones, dtype=ones.dtype, requires_grad=False)
            found = kind.backward(self, out_grad, node)
            several = found if isinstance(found, (tuple, list)) else [found]
            gradients = [np.array(each.data) for each in several]
            if slip is not None:
                slip(gradients, which)
            made = [tensor(g, dtype=g.dtype, requires_grad=False) for g in gradients]
            return tuple(made) if isinstance(found, (tuple, list)) else made[0]

    Mutant.__name__ = Mutant.__qualname__ = kind.__name__
    made = Mutant.__new__(Mutant)
    made.__dict__.update(right.__dict__)
    return made


def changes(tensor, right, slip, which, arrays):
    """Whether the slip makes any difference at these arrays: else it is no mutant."""
    op = mutant(tensor, right, slip, which)
    out = right(*(tensor(array, dtype=array.dtype) for array in arrays))
    seed = np.random.default_rng(7).normal(size=out.shape)
    handed = tensor(seed, dtype=out.data.dtype, requires_grad=False)
    both = []
    for each in (right, op):
        found = each.backward(handed, out)
        both.append(found if isinstance(found, (tuple, list)) else [found])
    return any(
        a.data.shape != b.data.shape or not np.allclose(a.data, b.data, rtol=1e-5, atol=1e-7)
        for a, b in zip(*both, strict=True)
    )


def gallery(tensor, rights):
    """(name, op, arrays) of every mutant of ``rights``, a list of (op, arrays)."""
    for right, arrays in rights:
        for which in range(len(arrays)):
            for slip in (None, *SLIPS):
                if slip is operands and (which or len(arrays) < 2):
                    continue
                if slip is None and which:
                    continue
                if changes(tensor, right, slip, which, arrays):
                    name = "forgotten cotangent" if slip is None else slip.__name__
                    told = f"{type(right).__name__}: {name}, input {which}"
                    yield told, mutant(tensor, right, slip, which), arrays
