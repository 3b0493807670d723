"""Entry of the worker, started as `python -I -S main.py NUMPY_FOLDER LEVEL` with descriptors:

    REQUEST_FD FRAMES_FD  serve one learner and end; NumPy is imported before the request is
                          awaited, while the grader reads its answer key
    SOCKET_FD             be a fork server: fork a worker per order

LEVEL is the isolation to try for: `confined`, or `process` for less.
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

HERE = os.path.dirname(os.path.abspath(__file__))


def main() -> None:
    numpy_folder, level, *fds = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
    close_all_but(fds)
    sys.path.insert(0, HERE)
    import importer

    importer.install(importer.NumpyFinder(numpy_folder))
    gc.disable()  # nothing becomes garbage while modules are loaded
    import confine

    importer.import_numpy()
    import run
    import tamper_guard
    import wire

    reaper = None if confine.is_requested(level) else __import__("reaper")  # rare, slow
    gc.freeze()  # modules stay: the collector need not scan all of NumPy
    gc.enable()
    fork_server = __import__("fork_server") if len(fds) == 1 else None  # imports `socket`
    tamper_guard.worker_codes()
    sys.path.remove(HERE)
    sys.dont_write_bytecode = True  # leave no files behind
    ruleset = confine.prepare_ruleset(numpy_folder, level)  # allows what `sys.path` holds now

    def confined() -> list[str]:
        return confine.limit() + confine.apply(numpy_folder, level, ruleset)

    def work(request_fd: int, frames_fd: int) -> None:
        kept = [reaper.NAME] if reaper and reaper.become_subreaper(request_fd, frames_fd) else []
        protections = confined() + kept
        serve_learner(request_fd, frames_fd, protections, run, wire)

    if fork_server is None:
        work(*fds)
    else:
        confine.close_to_debuggers()
        fork_server.serve_forever(fds[-1], work, lambda: confine.read_in(numpy_folder, level))


def close_all_but(fds: list[int]) -> None:
    """Close all descriptors but stdio and these; go to `/`, so that relative paths lead nowhere."""
    os.chdir("/")
    first = 3
    for fd in sorted(fds):
        os.closerange(first, fd)
        first = fd + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))


def serve_learner(
    request_fd: int, frames_fd: int, protections: list[str], run: ModuleType, wire: ModuleType
) -> None:
    """Serve one learner: load the package, run the probes, then obey further orders.

    Before it runs a line of the learner's, it says which protections hold. If some are missing, it
    waits for the grader, which may refuse or has to close its own memory first.
    """
    request = wire.read_request(request_fd)
    if request is None:
        return
    sender = wire.Sender(frames_fd, request["nonce"])
    runner = run.ProbeRunner(request, sender)
    sender.send(0, wire.HELLO, protections="\n".join(protections))
    if not request["suffices"].issubset(protections) and not wire.read_request(request_fd):
        return
    if not runner.load():
        return
    probes = {probe[0]: probe for probe in request["probes"]}
    for number in request["run"]:
        runner.run(probes[number])
    wire.flush()
    while (order := wire.read_request(request_fd)) is not None:
        runner.obey_order(order, probes)


main()
