"""Write files whole, and lock them. `check` does so too, so this module imports little."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager, suppress
from functools import partial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Opener = Callable[[str, int], int]  # path, flags → fd

PRIVATE = partial(os.open, mode=0o600)  # an opener: nobody else may read the file
FOR_EVER = float("inf")


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
    with suppress(OSError):
        os.unlink(path)


@contextmanager
def hold_lock(fd: int, patience: float = 0.0, notice: str = "") -> Iterator[bool]:
    """Lock an open file or folder for the block, then close it; yield whether it is locked.

    The lock (`flock`) ends with its process, too. Some file systems have no locks.

    Args:
        patience: seconds to wait for a holder, from its last change of the file; may be `FOR_EVER`.
        notice: printed before waiting for ever.
    """
    try:
        yield _take_lock(fd, patience, notice)
    finally:
        os.close(fd)


def _take_lock(fd: int, patience: float, notice: str) -> bool:
    import fcntl

    how, seen, deadline = fcntl.LOCK_EX | fcntl.LOCK_NB, -1, 0.0
    with suppress(OSError):
        while True:
            try:
                fcntl.flock(fd, how)
                return True
            except BlockingIOError:
                if patience == FOR_EVER:
                    print(notice, file=sys.stderr)
                    how = fcntl.LOCK_EX  # the next try waits
                    continue
                if (changed := os.fstat(fd).st_mtime_ns) != seen:
                    seen, deadline = changed, time.monotonic() + patience
                if time.monotonic() >= deadline:
                    return False
                time.sleep(0.002)
    return False
