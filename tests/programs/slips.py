"""Spoil the gradients of a rule, in the ways in which rules go wrong."""

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


def nothing(gradients, which):
    """No slip: the rule is right."""


# Slips that the gallery does not show.


def barely(gradients, which):
    """Three in a hundred thousand too large: within a loose tolerance, or one of float32."""
    gradients[which] = gradients[which] * 1.00003


def minus_element(gradients, which):
    """All right but for one number, which is too small."""
    spoiled = gradients[which].copy()
    spoiled[(0,) * spoiled.ndim] -= 0.5
    gradients[which] = spoiled


def infinite(gradients, which):
    """One number is infinite."""
    spoiled = gradients[which].copy()
    spoiled[(-1,) * spoiled.ndim] = -np.inf
    gradients[which] = spoiled


def all_nan(gradients, which):
    """No number is a number."""
    gradients[which] = gradients[which] * np.nan


MORE = (barely, minus_element, infinite, all_nan)
NAMED = {slip.__name__: slip for slip in (*SLIPS, *MORE)}
