"""Write files whole. `check` does so too, so this module imports little."""

from __future__ import annotations

import os
import time
from functools import partial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Opener = Callable[[str, int], int]  # path, flags → fd

PRIVATE = partial(os.open, mode=0o600)  # an opener: nobody else may read the file


def replace_file(
    path: str, *pieces: bytes, opener: Opener | None = None, is_synced: bool = False
) -> None:
    """Replace a file atomically: write a new one beside it, then rename; a link is replaced too.

    Args:
        opener: as for `open`; without one, the file's mode is what the umask leaves.
        is_synced: whether the bytes are on the disk before the earlier file goes.

    Raises:
        OSError: it cannot be written; the earlier file stays.
    """
    beside = f"{path}.{os.getpid()}.{time.monotonic_ns()}.part"
    try:
        with open(beside, "xb", opener=opener) as file:
            file.writelines(pieces)
            if is_synced:
                file.flush()
                os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        forget(beside)
        raise


def forget(path: str) -> None:
    """Remove a file, if it is there and may be removed."""
    try:
        os.unlink(path)
    except OSError:
        pass
