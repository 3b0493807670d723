"""The workers of `check` after its first, which most checks do not need.

The first leaves a nursery behind before it is confined (`worker/main.py`). It has NumPy loaded and
has seen nothing of the learner's; what looks into a failure is forked from it in a millisecond.
"""

from __future__ import annotations

from ..errors import OurFault
from .launch import Worker, launch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .fork_client import Adopted


class Heirs:
    """Starts workers from the nursery of the first one; fresh ones where nobody answers there.

    Args:
        first: the worker that left it behind; its socket belongs to this object from now on.
    """

    def __init__(self, first: Worker | None) -> None:
        self._orders = -1
        if first is not None:
            self._orders, first.orders = first.orders, -1
        self._nursery: Adopted | None = None

    def launch(self) -> Worker:
        """A new worker."""
        if self._orders >= 0:
            from .fork_client import Adopted  # it brings `socket` along: kept off the usual path

            self._nursery, self._orders = Adopted(self._orders), -1
        if self._nursery is not None:
            try:
                return self._nursery.launch()
            except (OSError, OurFault):
                self.close()
        return launch()

    def close(self) -> None:
        """Let the nursery go; it ends with its socket."""
        if self._nursery is not None:
            self._nursery.close()
            self._nursery = None
        elif self._orders >= 0:
            import os

            os.close(self._orders)
            self._orders = -1
