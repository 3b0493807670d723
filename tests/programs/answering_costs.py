"""Programs that show what a model that answers costs: a step, a token, a small layer."""

import numpy as np

from .answering import Kept, Numbers, pair, small_linear
from .attentions import made
from .harness import POOL, Complaint, array_of, count_from_here, leaf, tensor_data

HUGE = np.float32(3e38)  # of float32: not even twice as much is finite


def spent_on_a_step(bg, size, state, tokens):
    """A step sends nothing but the last place through norm and head.

    The norm says how many places it was given: a witness beside the count, which knows no arrays.
    """
    model = made(bg, "GPT", size, state)
    caches, sizes, norm = [Kept() for _ in model.blocks], [], model.norm.forward

    def noted(x):
        sizes.append(np.size(getattr(x, "data", x)))
        return norm(x)

    vars(model.norm)["forward"] = noted
    count_from_here()
    try:
        scores = array_of(bg.inference.step(model, tokens, caches), "step")
    finally:
        del vars(model.norm)["forward"]
    places = sum(sizes) // size[2]
    if places > len(tokens):
        raise Complaint(f"step sent {places} places through norm; the last one alone is asked for.")
    return [scores]


def spent_on_a_token(bg, size, state, prompt, count):
    """Every token goes through the model once: the prompt's, and each that is written."""
    model = made(bg, "GPT", size, state)
    count_from_here()
    steps = bg.inference.stream(model, list(prompt), count, Numbers([0.5]), temperature=0)
    for _ in range(count - 1):
        next(steps, None)
    return [np.array(pair(next(steps, None), "stream"))]


def spent_on_a_layer(bg, state, x):
    """SmallLinear.forward multiplies results by scales, not all the codes.

    Scales so large that a code times its scale is infinite, where each result times it is not, are
    a witness beside the count.
    """
    kind = bg.inference.SmallLinear
    layer, _ = POOL.take("small", lambda: kind.__new__(kind))
    layer.training, layer.codes = True, np.full_like(state["codes"], 100)
    layer.scales = np.full(len(layer.codes), HUGE)
    layer.bias = np.zeros_like(layer.scales)
    given = leaf(bg, np.full(x.shape, 1e-30), dtype="float32")
    with np.errstate(all="ignore"):
        found = tensor_data(bg, layer.forward(given), "SmallLinear.forward")
        if not np.isfinite(np.array(found)).all():
            raise Complaint(
                "SmallLinear.forward gave inf for large scales: a code times its scale is too "
                "large for float32. The result times the scale is not."
            )
    count_from_here()
    return small_linear(bg, state, x, x.dtype.name)
