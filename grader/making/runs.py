"""Where what workers have observed is kept, for whoever builds keys and proves the course."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..session.store import Store


NAME = "runs.db"  # in the folder of keys


@contextmanager
def runs(folder: str) -> Iterator[Store | None]:
    """What workers have observed before; None where this Python or this disk cannot keep it."""
    try:
        from ..session.store import Store

        store = Store(os.path.join(folder, NAME))
    except (ImportError, OSError):
        yield None
    else:
        with store:
            yield store
