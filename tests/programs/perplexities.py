"""Programs for how good a model is: one whose scores depend on every token so far."""

import numpy as np

from .harness import POOL, Complaint, leaf, unlike


class Mixing:
    """A model that looks at all tokens so far: scores are their rows, by how far back they are."""

    def __init__(self, bg):
        self.bg, self.training = bg, True

    def __call__(self, tokens):
        shown = np.asarray(getattr(tokens, "data", tokens))
        if shown.ndim != 2:
            raise Complaint(f"the model got the shape {shown.shape}; a batch is (B, T).")
        count = shown.shape[1]
        if not 0 < count <= self.length:
            raise Complaint(f"the model got {count} tokens; it can look at {self.length}.")
        back = np.subtract.outer(np.arange(count), np.arange(count))
        mixed = np.where(back < 0, 0.0, self.shares[back]) @ self.table[shown]
        return leaf(self.bg, mixed, requires_grad=False)

    forward = __call__


def perplexity(bg, table, shares, tokens):
    """perplexity says among how many tokens the model hesitates."""
    model, _ = POOL.take("model", lambda: Mixing(bg))
    model.table, model.shares, model.length = table, shares, len(shares)
    found = bg.inference.perplexity(model, POOL.array(tokens))
    if not isinstance(found, (float, np.floating)):
        raise unlike(found, "perplexity returned", "a float was expected")
    return [np.array(float(found))]
