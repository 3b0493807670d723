"""Entry of the worker.

`python -I -S main.py NUMPY_FOLDER REQUEST_FD FRAMES_FD` serves one learner and ends. NumPy
is imported before the request is awaited, while the grader reads its answer key.
`python -I -S main.py NUMPY_FOLDER SOCKET_FD` is a nursery: it forks a worker per order.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    numpy_folder, *fds = sys.argv[1], *map(int, sys.argv[2:])
    sys.path.insert(0, HERE)
    import package

    package.install(package.NumpyFinder(numpy_folder))
    import limits
    import numpy  # noqa: F401
    import run
    import wire

    def work(request_fd, frames_fd):
        serve(request_fd, frames_fd, limits, run, wire)

    if len(fds) == 2:
        sys.path.remove(HERE)
        work(*fds)
    else:
        import nursery

        sys.path.remove(HERE)
        nursery.tend(fds[0], work)


def serve(request_fd, frames_fd, limits, run, wire):
    """One learner: load the package, run the probes, then whatever is to be traced."""
    request = wire.read_request(request_fd)
    if request is None:
        return
    sender = wire.Sender(frames_fd, request["nonce"])
    bench = run.Bench(request, sender)
    sender.send(0, wire.HELLO, protections="\n".join(limits.apply()))
    if not bench.load():
        return
    probes = {probe[0]: probe for probe in request["probes"]}
    for number in request["run"]:
        bench.run(probes[number])
    run.flush()
    while (numbers := wire.read_request(request_fd)) is not None:
        for number in numbers:
            bench.trace(probes[number])


main()
