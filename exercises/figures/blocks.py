"""A figure of a block: what each part of it makes of six tokens, and where a nudge arrives."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.course import import_reference

from .given import Described, rounded, seeded, tensor

TOKENS, DIM, HEADS, NUDGED = 6, 8, 2, 2


def parts(block: Any, x: Any) -> dict[str, Any]:
    """Return what the parts of a block make of the tokens, in the order of its two lines."""
    gpt = import_reference("gpt")
    found = {"x": x, "norm1": gpt.each_token(block.norm1, x)}
    found["attention"], _ = block.attention(found["norm1"], gpt.causal_mask(TOKENS))
    found["x + attention"] = middle = x + found["attention"]
    found["norm2"] = gpt.each_token(block.norm2, middle)
    thought = gpt.gelu(gpt.each_token(block.expand, found["norm2"]))
    found["network"] = gpt.each_token(block.shrink, thought)
    found["x + network"] = middle + found["network"]
    return found


@seeded(4)
def block() -> Described:
    """Every part's values for six tokens, and by how much each moves when a token is nudged."""
    made = import_reference("gpt").Block(DIM, HEADS, "float64")
    x = np.random.normal(0, 1, (1, TOKENS, DIM))
    found = parts(made, tensor(x))
    moved = []
    for token in range(TOKENS):
        nudged = x.copy()
        nudged[0, token, 0] += 0.1
        after = parts(made, tensor(nudged))
        moved.append([np.abs(after[n].data - found[n].data).max(axis=2)[0] for n in found])
    return {
        "nudged": NUDGED,
        "parts": [{"name": n, "values": rounded(v.data[0], 3)} for n, v in found.items()],
        "moved": rounded(moved, 2),
    }
