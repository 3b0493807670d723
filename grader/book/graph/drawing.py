"""The same drawing for a notebook, from a Tensor that lives in the same process."""

from __future__ import annotations

import html
import json
from typing import Any

from .engines import engine_of
from .model import checked, read
from .page import page
from .program import Complaint, described

HEIGHT = 640


class Drawing:
    """A graph that a notebook shows inline.

    Args:
        tensor: what the graph ends in.
        names: the variables around, for the names of leaves.
    """

    def __init__(self, tensor: Any, names: dict[str, Any]) -> None:
        if engine_of(tensor) is None:
            raise TypeError(f"A Tensor was expected, not {type(tensor).__name__}.")
        try:
            told = described(tensor, names)
        except Complaint as error:
            raise ValueError(str(error)) from None
        self.html = page(checked(read(json.dumps(told).encode())), "Your graph")

    def _repr_html_(self) -> str:
        """The page in a frame of its own: neither disturbs the other's style."""
        inside = html.escape(self.html)
        return (
            f'<iframe srcdoc="{inside}" title="The graph" sandbox="allow-scripts" '
            f'style="width:100%;height:{HEIGHT}px;border:0"></iframe>'
        )
