"""A nursery that comes back: the warm parent may die, the watch goes on."""

from __future__ import annotations

import struct
from collections.abc import Callable

from ..errors import OurFault
from ..sandbox.fork_client import Nursery
from ..sandbox.launch import Worker

KILLED = 9  # how `waitpid` tells of a process that was killed
GONE = (OSError, struct.error, OurFault)  # nobody answers any more


class Warm:
    """Launches workers from a nursery, and starts a new nursery where the old one is gone."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.restarts = 0
        self._nursery: Nursery | None = None

    def launch(self) -> Worker:
        """A new worker, forked from the warm parent."""
        if self._nursery is None:
            self._nursery = Nursery(self.folder)
        try:
            worker = self._nursery.launch()
        except GONE:
            self.close()
            self.restarts += 1
            self._nursery = Nursery(self.folder)
            worker = self._nursery.launch()
        worker.wait = self._reaper(worker.wait)
        return worker

    def _reaper(self, bury: Callable[[int], int]) -> Callable[[int], int]:
        def wait(pid: int) -> int:
            try:
                return bury(pid)
            except GONE:  # its parent is; and so is it, after `end`
                self.close()
                return KILLED

        return wait

    def close(self) -> None:
        """End the warm parent."""
        nursery, self._nursery = self._nursery, None
        if nursery is not None:
            try:
                nursery.__exit__(None, None, None)
            except (ProcessLookupError, ChildProcessError):
                pass
