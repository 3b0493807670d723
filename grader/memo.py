"""A content-addressed cache on disk.

There is one rule: the name of an entry is a digest of everything that its content depends on. So
no entry is ever out of date: another source or seed has another name. The entries least recently
used are dropped when the folder grows too large. A damaged entry counts as missing.

It holds the answer key, the results of known mistakes, the runs of workers and the judgments of an
audit. `check` reads it too, so this module imports little.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import nullcontext

from . import interrupt, log
from .about import COURSE
from .disk import FOR_EVER, PRIVATE, forget, hold_lock, replace_file
from .errors import WrongUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from typing import Any

OTHERS_WRITE = 0o022  # whoever can write to the folder decides what is right
# A link is not followed, and a pipe not waited for.
NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
CHECKSUM = 4  # bytes before an entry
MOST_BYTES = 1 << 30  # a whole audit keeps about 400 MB, and each edit adds some
DAY = 86400.0  # an entry's time of use is updated at most once a day
NO_ROOM = (
    "The answer key could not be written to {}. Make room there, or name another place: "
    "`XDG_CACHE_HOME=DIR grader …`."
)
PLAIN = 2  # a version of `marshal` that writes equal values as equal bytes


def folder() -> str:
    """Return the cache's folder: in the user's cache, else in /tmp. It is created if needed.

    Raises:
        WrongUse: neither is a folder that only this user can write to.
    """
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    own = [os.path.join(base, COURSE.distribution)] if os.path.isabs(base) else []
    places = [*own, os.path.join("/tmp", f"{COURSE.distribution}-{os.getuid()}")]
    for place in places:
        try:
            os.makedirs(place, mode=0o700, exist_ok=True)
            if is_own(os.lstat(place)) and os.access(place, os.W_OK):
                return place
        except OSError:
            pass
    raise WrongUse(
        f"The answer key has to be kept somewhere, and neither of {' and '.join(places)} is a "
        "folder of yours that you alone may write to. Name one: `XDG_CACHE_HOME=DIR grader …`."
    )


def is_own(status: os.stat_result) -> bool:
    """Whether this user alone can have written what is there."""
    return status.st_uid == os.getuid() and not status.st_mode & OTHERS_WRITE


def _open_own(path: str, flags: int) -> int:
    """Open a file of this user's own, as an opener: no link, pipe or file that others planted."""
    fd = os.open(path, flags | NO_LINK)
    status = os.fstat(fd)
    if is_own(status) and stat.S_ISREG(status.st_mode):
        return fd
    os.close(fd)
    raise PermissionError(errno.EACCES, "it is somebody else's", path)


def open_optional() -> Memo:
    """Open the cache; without a folder for it, one that keeps nothing."""
    try:
        return Memo()
    except WrongUse:
        return Memo(os.devnull)  # nothing can lie below it: each entry is missing


def hash_values(*parts: Any) -> str:
    """Return a digest of plain values, as 40 hex digits: equal values have the same."""
    import hashlib
    import marshal

    return hashlib.sha256(marshal.dumps(parts, PLAIN)).hexdigest()[:40]


class Memo:
    """A cache in one folder. Threads and processes may share it."""

    def __init__(self, place: str | None = None) -> None:
        self.place = place if place is not None else folder()

    def get(self, name: str) -> bytes | None:
        """Return the entry of this name; None if it is missing or damaged."""
        import zlib

        path = self._path(name)
        try:
            with open(path, "rb", opener=_open_own) as file:
                checksum, data = file.read(CHECKSUM), file.read()
                used = os.fstat(file.fileno()).st_mtime
            if checksum != zlib.crc32(data).to_bytes(CHECKSUM, "big"):
                log.debug("memo", "%s is damaged", name)
                return None
            if time.time() - used > DAY:
                os.utime(path)
        except OSError:
            log.debug("memo", "%s is not there, or somebody else's", name)
            return None
        log.debug("memo", "%s: %d bytes", name, len(data))
        return data

    def put(self, name: str, data: bytes) -> bool:
        """Keep an entry; return whether it was kept. On a full disk it will be computed again."""
        import zlib

        path = self._path(name)
        try:
            for each in (os.path.join(self.place, "memo"), os.path.dirname(path)):
                os.makedirs(each, mode=0o700, exist_ok=True)  # the mode of the last only
            checksum = zlib.crc32(data).to_bytes(CHECKSUM, "big")
            replace_file(path, checksum, data, opener=PRIVATE)
        except OSError:
            return False
        return True

    def get_or_make(self, name: str, what: str, make: Callable[[], bytes]) -> bytes:
        """Return the entry of this name; if it is missing, make it, while other processes wait.

        Args:
            what: its name in the message to those who wait.

        Raises:
            WrongUse: it cannot be kept.
        """
        if (known := self.get(name)) is not None:
            return known
        with self.entry_lock(name, what):
            if (known := self.get(name)) is None:
                with interrupt.exit_at_once(), log.timed("memo", "made %s, %s", what, name):
                    known = make()
                if not self.put(name, known):
                    raise WrongUse(NO_ROOM.format(self.place))
                self.prune()
        return known

    def recall(self, name: str) -> Any:
        """Return the plain value of this name; None if there is none."""
        import marshal

        data = self.get(name)
        return None if data is None else marshal.loads(data)

    def remember(self, name: str, value: Any) -> bool:
        """Keep a plain value; return whether it was kept. The name must tell Python's version."""
        import marshal

        return self.put(name, marshal.dumps(value))

    def entry_lock(self, name: str, what: str) -> AbstractContextManager[object]:
        """Return a lock for making this entry: one process makes it, the others say so and wait.

        If it cannot be taken at all, the lines run without it.
        """
        locks = os.path.join(self.place, "locks")
        try:
            os.makedirs(locks, mode=0o700, exist_ok=True)
            made = os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | NO_LINK
            fd = PRIVATE(os.path.join(locks, name), made)
        except OSError:
            return nullcontext()
        return hold_lock(fd, FOR_EVER, f"Another command is building {what}; waiting for it.")

    def prune(self) -> None:
        """Drop the least recently used entries, as far as all together exceed `MOST_BYTES`."""
        total = 0
        for _, size, path in sorted(self._entries(), reverse=True):
            total += size
            if total > MOST_BYTES:
                forget(path)

    def _entries(self) -> Iterator[tuple[float, int, str]]:
        """Yield (last use in seconds, size in bytes, path) of every entry."""
        for base, _, names in os.walk(os.path.join(self.place, "memo")):
            for name in names:
                path = os.path.join(base, name)
                try:
                    status = os.stat(path)
                except FileNotFoundError:  # another process has dropped it
                    continue
                yield status.st_mtime, status.st_size, path

    def _path(self, name: str) -> str:
        return os.path.join(self.place, "memo", name[:2], name)
