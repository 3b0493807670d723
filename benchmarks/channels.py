"""Measure what one confined worker can tell another, channel by channel.

Of each pair of workers one is given random bits and leaves them in a carrier (a file that it reads
or not, a name that it asks for or not, a slice of time in which it computes or not); the other one
prints a number for each bit. A threshold that tells most in the first half of the runs is applied
to the second half, and what it tells there is counted: mutual information, in bits for each run and
for each second that the receiver took. A call that is refused, or answers by a constant, tells
nothing. «later»: the receiver starts when the sender has ended; «at once»: both run beside each
other.

    python benchmarks/channels.py [--runs 16] [--as nobody|root] [NAME …]

`--as` (started by root) shows this Python to all users first, so that root's workers become nobody;
`nobody` then grades without privileges. A channel whose name begins with «open:» is not confined,
or lacks what closes it: it shows that the measure works.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import statistics
import sys
import tempfile
import time
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

from benchmarks.isolation import REQUEST  # noqa: E402
from grader.sandbox.channel import Channel, Deadline  # noqa: E402
from grader.sandbox.isolation import HIGHEST, PROCESS  # noqa: E402
from grader.sandbox.launch import ForkServer, find_numpy  # noqa: E402
from grader.sandbox.observation import Frame  # noqa: E402
from tests.grader.isolation import unprivileged  # noqa: E402

DROPS = {
    "nobody": unprivileged.DROP,
    "root": "--reuid=0 --regid=0 --clear-groups",
}  # fmt: skip
SLOT = 0.01  # seconds for each bit of what is told at once
HEAD = """
import ctypes, os, struct, sys, threading, time
clock = time.perf_counter
libc = ctypes.CDLL(None, use_errno=True)
def system(number, *arguments):
    passed = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = libc.syscall(number, *passed)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def took(act, *arguments):
    begun = clock()
    try:
        act(*arguments)
    except FileNotFoundError:
        pass
    return clock() - begun
def slots():
    for n in range(COUNT):
        while time.monotonic() < START + n * SLOT:
            time.sleep(0.0005)
        yield START + (n + 1) * SLOT
def spin(end):
    done = 0
    while time.monotonic() < end:
        done += 1
    return done
def head(name):
    fd = os.open(name, os.O_RDONLY)
    try:
        os.pread(fd, 4096, 0)
    finally:
        os.close(fd)
"""
READS = "for name, bit in zip(CARRIERS, BITS):\n    if bit:\n        head(name)\n"
ASKS = "for name, bit in zip(CARRIERS, BITS):\n    if bit:\n        took(os.stat, name)\n"
TELL = "\nprint(*got)\nsys.stdout.flush()\n"
SPINS = "for bit, end in zip(BITS, slots()):\n    if bit:\n        spin(end)\n"
STARTS = """
for bit, end in zip(BITS, slots()):
    if bit:
        for _ in range(5):
            threading.Thread(target=int).start()
"""


class Way(NamedTuple):
    """A channel: what the sender does with its bits, and what the receiver makes a number of."""

    sends: str
    receives: str
    carriers: str = ""  # which of `carriers`; none: slices of time
    at_once: bool = False
    count: int = 64
    reads_in: bool = True  # as for a class
    level: str = ""  # of isolation, if not the strongest


def counted(by: str) -> str:
    """A receiver that reads a counter of the kernel's around the reading of each file."""
    return f"""
def count():
    {by}
got = []
for name in CARRIERS:
    before = count()
    head(name)
    got.append(count() - before)
"""


USAGE = "usage = ctypes.create_string_buffer(256)\n    "
FAULTS = f"{USAGE}system(98, 0, usage)\n    return struct.unpack_from('q', usage, 72)[0]"
BLOCKS = f"{USAGE}system(98, 0, usage)\n    return struct.unpack_from('q', usage, 88)[0]"
CHILDREN = f"{USAGE}system(61, -1, 0, 1, usage)\n    return struct.unpack_from('q', usage, 88)[0]"
PYTHONS = "import resource\n    return resource.getrusage(resource.RUSAGE_SELF).ru_inblock"
KERNELS = "return int(open('/proc/self/io').read().split()[9])"
CLOCKS = "got = [took(head, name) for name in CARRIERS]"
FREE = f"{USAGE}system(99, usage)\n    return struct.unpack_from('Q', usage, 40)[0]"
CACHED = """
got = []
for name in CARRIERS:
    fd = os.open(name, os.O_RDONLY)
    try:
        got.append(os.preadv(fd, [bytearray(1)], 0, os.RWF_NOWAIT))
    except BlockingIOError:
        got.append(0)
    os.close(fd)
"""
OTHERS = """
got, before = [], 0
for end in slots():
    time.sleep(max(0, end - time.monotonic()))
    now = time.clock_gettime(~SENDER << 3 | 2)
    got.append(now - before)
    before = now
"""
SLEPT = """
got, at = [], 0
for end in slots():
    number = ~SENDER << 3 | 2
    while True:
        system(230, number, 1, struct.pack("qq", at // 10**9, at % 10**9), 0)
        at += 10**6
        if time.monotonic() > end:
            break
    got.append(at)
"""
NUMBERS = """
def number():
    made = []
    thread = threading.Thread(target=lambda: made.append(threading.get_native_id()))
    thread.start()
    thread.join()
    return made[0]
got, before = [], number()
for end in slots():
    time.sleep(max(0, end - time.monotonic()))
    now = number()
    got.append(now - before)
    before = now
"""
PIPES = """
def number():
    ends = os.pipe()
    found = os.fstat(ends[0]).st_ino
    for end in ends:
        os.close(end)
    return found
got, before = [], number()
for end in slots():
    time.sleep(max(0, end - time.monotonic()))
    now = number()
    got.append(abs(now - before))
    before = now
"""
MAKES_PIPES = """
for bit, end in zip(BITS, slots()):
    for _ in range(40 * bit):
        for fd in os.pipe():
            os.close(fd)
"""
HOLDS = """
held = []
for bit, end in zip(BITS, slots()):
    go = threading.Event()
    if bit:
        held = [threading.Thread(target=go.wait) for _ in range(8)]
        for thread in held:
            thread.start()
    time.sleep(max(0, end - 0.001 - time.monotonic()))
    go.set()
"""
LIMIT = """
got = []
import resource
resource.setrlimit(resource.RLIMIT_NPROC, (LIMIT, 1024))
for end in slots():
    time.sleep(max(0, end - SLOT / 2 - time.monotonic()))
    go, started = threading.Event(), 0
    try:
        while started < 16:
            threading.Thread(target=go.wait).start()
            started += 1
    except RuntimeError:
        pass
    go.set()
    got.append(started)
"""

# name → how it is tried. The names are those of SECURITY.md's table.
WAYS = {
    "major faults (getrusage)": Way(READS, counted(FAULTS), "files"),
    "blocks read (getrusage)": Way(READS, counted(BLOCKS), "files"),
    "blocks read (Python's resource)": Way(READS, counted(PYTHONS), "files"),
    "blocks read (wait4)": Way(READS, counted(CHILDREN), "files"),
    "blocks read (/proc/self/io)": Way(READS, counted(KERNELS), "files"),
    "free memory (sysinfo)": Way(READS, counted(FREE), "files"),
    "cached pages (RWF_NOWAIT)": Way(READS, CACHED, "files"),
    "cached pages (clocks)": Way(READS, CLOCKS, "files"),
    "open: cached pages (clocks), not read in": Way(READS, CLOCKS, "files", reads_in=False),
    "open: blocks read (getrusage), level process": Way(
        READS, counted(BLOCKS), "files", reads_in=False, level=PROCESS
    ),
    "times of reading": Way(READS, "got = [os.stat(name).st_atime_ns for name in CARRIERS]", "old"),
    "times of reading a link": Way(
        "for name, bit in zip(CARRIERS, BITS):\n    if bit:\n        os.readlink(name)\n",
        "got = [os.lstat(name).st_atime_ns for name in CARRIERS]", "links",
    ),
    "entries of /proc": Way(
        ASKS, "got = [os.stat(name).st_ctime_ns for name in CARRIERS]", "proc"
    ),
    "names of missing files": Way(
        ASKS, "got = [took(os.stat, name) for name in CARRIERS]", "names", count=256
    ),
    "clocks of processes (clock_gettime)": Way(SPINS, OTHERS, at_once=True),
    "clocks of processes (clock_nanosleep)": Way(SPINS, SLEPT, at_once=True),
    "a busy processor": Way(SPINS, "got = [spin(end) for end in slots()]", at_once=True, count=256),
    "numbers of threads": Way(STARTS, NUMBERS, at_once=True, count=256),
    "numbers of pipes": Way(MAKES_PIPES, PIPES, at_once=True, count=256),
    "limit on a user's threads": Way(HOLDS, LIMIT, at_once=True, count=64),
}  # fmt: skip


class Carriers:
    """Hold what bits are left in; a process that is no worker puts it back before each run."""

    def __init__(self, place: str) -> None:
        library = os.path.dirname(os.__file__)
        sizes = {
            entry.path: entry.stat().st_size
            for entry in os.scandir(library) if entry.name.endswith(".py")
        }  # fmt: skip
        loaded = {getattr(module, "__file__", None) for module in sys.modules.values()}
        self.library, self.place, self.made = library, place, 0
        self.rare = sorted({path for path, size in sizes.items() if size > 8192} - loaded)

    def take(self, kind: str, count: int) -> list[str]:
        """Return ``count`` carriers in which nothing has been left."""
        self.made += 1
        if kind == "files":
            for path in self.rare[:count]:
                forget(path)
            return self.rare[:count]
        if kind == "old":
            for path in self.rare[:count]:
                old(path)
            return self.rare[:count]
        if kind == "links":
            made = [f"{self.place}/{self.made}-{n}" for n in range(count)]
            for path in made:
                os.symlink("nowhere", path)
                old(path, follow_symlinks=False)
            return made
        if kind == "proc":
            return [f"/proc/{pid}" for pid in range(2, 2 + count)]
        return [f"{self.library}/{self.made}-{os.getpid()}-{n}" for n in range(count)]


def forget(path: str) -> None:
    """Have the kernel drop a file's pages."""
    with open(path, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def old(path: str, **more: bool) -> None:
    """Give a file a time of reading that the next reading renews, if this user may."""
    try:
        os.utime(path, (10**9, os.lstat(path).st_mtime), **more)
    except OSError:
        pass


class Told(NamedTuple):
    """The numbers of one run, the bits that were sent, and the receiver's seconds."""

    sent: list[int]
    got: list[float]
    seconds: float


class Refused(Exception):
    """The receiver was refused what it asked for."""


def start(server: ForkServer, text: str) -> Channel:
    channel = Channel(server.fork(), bytearray())
    files = {"__init__.py": text.encode()}
    channel.send({**REQUEST, "nonce": channel.nonce, "files": files, "import_seconds": 60.0,
                  "suffices": frozenset()})  # fmt: skip
    return channel


def ended(channel: Channel) -> str:
    """Wait until the package is imported; return what was printed.

    Raises:
        Refused: importing it raised an exception.
    """
    for _ in range(2):
        frame = channel.receive(Deadline(channel.worker.pid, 90.0))
        if isinstance(frame, Frame) and "protections" in frame.texts:
            channel.protections = frame.texts["protections"].splitlines()
    channel.close()
    texts = frame.texts if isinstance(frame, Frame) else {}
    if "type" in texts:
        raise Refused(f"{texts['type']}: {texts.get('message', '')}"[:60])
    return channel.output.decode()


def run(way: Way, server: ForkServer, carriers: Carriers) -> Told:
    """Run one pair of workers.

    Raises:
        Refused: the receiver was.
    """
    with_names = carriers.take(way.carriers, way.count) if way.carriers else []
    count = min(way.count, len(with_names)) if way.carriers else way.count
    sent = [random.randrange(2) for _ in range(count)]
    told = {"CARRIERS": with_names, "COUNT": count, "SLOT": SLOT, "LIMIT": threads() + 12,
            "START": time.monotonic() + 0.5}  # fmt: skip
    head = "".join(f"{name} = {value!r}\n" for name, value in told.items()) + HEAD
    if way.carriers == "files" and way.reads_in:
        server.close()  # another one reads in what was forgotten
    sender = start(server, f"{head}BITS = {sent!r}\n{way.sends}")
    if not way.at_once:
        ended(sender)
    begun = time.perf_counter()
    receiver = start(server, f"{head}SENDER = {sender.worker.pid}\n{way.receives}{TELL}")
    try:
        text = ended(receiver)
    finally:
        if way.at_once:
            ended(sender)
    return Told(sent, [float(word) for word in text.split()], time.perf_counter() - begun)


def threads() -> int:
    """Count the threads of this user; a worker finds that out by trying."""
    found = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.stat(f"/proc/{name}").st_uid == (os.getuid() or 65534):
                found += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            pass
    return found


def information(pairs: list[tuple[int, bool]]) -> float:
    """Mutual information of sent and received bits, in bits for each."""
    total = 0.0
    for a in (0, 1):
        for b in (False, True):
            both = sum(pair == (a, b) for pair in pairs) / len(pairs)
            if both:
                one = sum(sent == a for sent, _ in pairs) / len(pairs)
                other = sum(got == b for _, got in pairs) / len(pairs)
                total += both * math.log2(both / (one * other))
    return total


def read(told: list[Told]) -> tuple[float, float]:
    """Return the bits that a run tells, and a second; its threshold is the first half's."""
    half = len(told) // 2
    known = [(bit, n) for run in told[:half] for bit, n in zip(run.sent, run.got, strict=False)]
    values = sorted({n for _, n in known})
    step = max(1, len(values) // 200)
    threshold = max(values[::step], key=lambda at: information([(b, n > at) for b, n in known]))
    new = [
        (bit, n > threshold)
        for run in told[half:]
        for bit, n in zip(run.sent, run.got, strict=False)
    ]
    # What chance alone tells: of N pairs about 1 / (2 N ln 2) bits for each.
    each = max(0.0, information(new) - 1 / (2 * len(new) * math.log(2)))
    bits = each * len(new) / (len(told) - half)
    return bits, bits / statistics.median(run.seconds for run in told)


def measure(way: Way, runs: int, place: str) -> str:
    """Measure a channel; return the cells of its row."""
    os.environ.pop(HIGHEST, None)
    if way.level:
        os.environ[HIGHEST] = way.level
    carriers = Carriers(place)
    with ForkServer(find_numpy(), reads_in=way.reads_in) as server:
        try:
            told = [run(way, server, carriers) for _ in range(runs)]
        except Refused as refused:
            return f"0 | – | refused: {refused}"
    bits, rate = read(told)
    of = statistics.median(len(run.got) for run in told)
    return f"{bits:.1f} | {rate:.0f} | of {of:.0f} sent, {'at once' if way.at_once else 'later'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=16)
    parser.add_argument("--as", dest="user", choices=DROPS)
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args()
    if asked.user:
        words = [sys.argv[0], "--runs", str(asked.runs), *asked.names]
        command = unprivileged.command(sys.executable, *words, drop=DROPS[asked.user])
        os.execvp(command[0], command)
    print(f"user {os.getuid()}, Linux {os.uname().release}, {os.cpu_count()} processors")
    print("| channel | bits a run | bits a second | |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        for name, way in WAYS.items():
            if not asked.names or any(word in name for word in asked.names):
                print(f"| {name} | {measure(way, asked.runs, place)} |", flush=True)


if __name__ == "__main__":
    main()
