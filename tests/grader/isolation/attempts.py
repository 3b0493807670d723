# The learner code of `test_attempts.py`: it tries what it may not do, and what it may, and tells
# how each attempt ended. TOLD is written above it: a folder that is open to everybody, a port and
# an abstract socket at which somebody listens, and where the grader lies.
# ruff: noqa: F821, SIM115
import base64
import ctypes
import errno
import json
import mmap
import os
import signal
import socket
import struct
import sys
import time
import zlib

FOLDER = TOLD["folder"]
libc = ctypes.CDLL(None, use_errno=True)
parent = os.getppid()


def system(x86, arm, *arguments):
    """A system call by number; OSError where it fails."""
    number = x86 if os.uname().machine == "x86_64" else arm
    ctypes.set_errno(0)
    passed = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = libc.syscall(number, *passed)
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


def fork():
    if os.fork() == 0:
        os._exit(0)
    os.wait()


def execute():
    system(59, 221, b"/nowhere", 0, 0)


def write():
    with open(f"{FOLDER}/spare", "r+") as file:
        file.write("harm")


def connect(family, address):
    with socket.socket(family) as one:
        one.connect(address)


def own_time():
    import resource

    usage = resource.getrusage(resource.RUSAGE_SELF)
    assert usage.ru_utime > 0 and len(usage) == 16
    return "same" if not any(usage[6:]) else "done"


def own_machine():
    """What Python answers by constants, since the kernel's numbers depend on others."""
    pages = os.sysconf("SC_PHYS_PAGES")
    assert pages > 0 and os.sysconf("SC_PAGE_SIZE") > 0 and os.cpu_count() > 0
    constant = os.getloadavg() == (0, 0, 0) and os.sysconf("SC_AVPHYS_PAGES") == pages
    return "same" if constant else "done"


def limits():
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))


def root_again():
    if os.getuid() == 0:
        return "same"
    return os.setuid(0)


def descriptors():
    """The two pipes to the grader, and what every process has."""
    held = []
    for fd in range(3, 64):
        try:
            os.fstat(fd)
            held.append(fd)
        except OSError:
            pass
    assert len(held) == 2, held


def environment():
    known = {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "LC_ALL", "PATH"}
    assert set(os.environ) <= known, os.environ


def nowhere_in_particular():
    assert os.getcwd() == "/"
    assert not [p for p in sys.path if "packages" in p]


def thread_pool():
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(abs, range(-50, 50))) == 2500


def lazy_numpy():
    import numpy.fft
    import numpy.linalg
    import numpy.ma
    import numpy.polynomial
    import numpy.random

    numpy.random.default_rng().random(3) @ numpy.linalg.inv(numpy.eye(3))


def lazy_library():
    import asyncio
    import dataclasses  # noqa: F401
    import decimal  # noqa: F401
    import hashlib
    import lzma  # noqa: F401
    import secrets
    import statistics  # noqa: F401
    import unittest  # noqa: F401

    hashlib.sha256(secrets.token_bytes(4))
    asyncio.run(asyncio.sleep(0))


def pair():
    one, other = socket.socketpair()
    one.send(b"x")
    assert other.recv(1) == b"x"
    one.close()
    other.close()


def held(*order):
    """Try to lock a file that everybody may read: a signal to other processes."""
    import fcntl

    with open(os.__file__, "rb") as file:
        if not order:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            fcntl.fcntl(file, *order)


# The lock that `fcntl` reads: of the first byte, for reading.
BYTE = struct.pack("hhqqi4x", 0, 0, 0, 1, 0)


# All that could be asked: of a lock, a stream, a pipe, a file's flags, generation, hints and space.
COMMANDS = range(2048)
REQUESTS = (
    *range(0x5400, 0x5490), *range(0x8900, 0x8930), 0, 1, 2, 0x1260, 0x1277,
    *(way | kind << 8 | number for way in (0x80080000, 0x40080000, 0x80040000, 0x40040000)
      for kind in b"fvXE" for number in range(40)),
    0x802C542A, 0x402C542B, 0x402C542C, 0x402C542D, 0x801C581F, 0x401C5820, 0x4020940D,
    0xC0045877, 0xC0045878, 0xC0185879, 0xC020660B,
)  # fmt: skip


def allowed(name, x86, arm, commands):
    """Assert that a call allows only the listed commands; a pipe implements few of them."""
    got = []
    for command in commands:
        read, write = os.pipe()
        try:
            result = system(x86, arm, read, command, 0)
            if x86 == 72 and command in (0, 1030):
                os.close(result)  # a duplicate
            got.append(command)
        except OSError as error:
            got += [command] * (error.errno != errno.EPERM)
        finally:
            os.close(read)
            os.close(write)
    assert got == TOLD[name], sorted({*got} ^ {*TOLD[name]})[:8]


# Calls that take a process: what they say of one that is there, and of one that is not.
OF_A_PROCESS = {
    "capget": lambda pid: system(125, 90, struct.pack("<Ii", 0x20080522, pid), bytes(24)),
    "clock_getres": lambda pid: time.clock_getres(~pid << 3 | 2),
    "clock_nanosleep": lambda pid: system(230, 115, ~pid << 3 | 2, 1, bytes(16), 0),
    "get_robust_list": lambda pid: system(274, 100, pid, bytes(8), bytes(8)),
    "getpgid": os.getpgid,
    "getpriority": lambda pid: os.getpriority(os.PRIO_PROCESS, pid),
    "getsid": os.getsid,
    "ioprio_get": lambda pid: system(252, 31, 1, pid),
    "kcmp": lambda pid: system(312, 272, pid, pid, 0, 0, 0),
    "kill": lambda pid: os.kill(pid, 0),
    "pidfd_open": lambda pid: system(434, 434, pid, 0),
    "prlimit": lambda pid: system(302, 261, pid, 7, 0, bytes(16)),
    "process_vm_readv": lambda pid: system(310, 270, pid, 0, 0, 0, 0, 0),
    "sched_getaffinity": lambda pid: os.sched_getaffinity(pid),
    "sched_getattr": lambda pid: system(315, 275, pid, bytes(64), 64, 0),
    "sched_getparam": os.sched_getparam,
    "sched_getscheduler": os.sched_getscheduler,
    "sched_rr_get_interval": os.sched_rr_get_interval,
    "setpgid": lambda pid: os.setpgid(pid, pid),
    "wait4": lambda pid: os.wait4(pid, 0),
    "waitid": lambda pid: os.waitid(os.P_PID, pid, os.WEXITED),
}


def ask_after_a_process():
    """Assert that no call tells one that is there from one that is not."""
    told = {
        name: (outcome(lambda a=ask: a(parent)), outcome(lambda a=ask: a((1 << 22) - 1)))
        for name, ask in OF_A_PROCESS.items()
    }
    assert not {name: pair for name, pair in told.items() if pair[0] != pair[1]}, told
    assert not [name for name, pair in told.items() if "done" in pair], told


def advise():
    """Assert that only advice about the memory of this process is taken."""
    taken = []
    with open(os.__file__, "rb") as file:
        held = mmap.mmap(file.fileno(), 4096, prot=mmap.PROT_READ)
        for advice in range(128):
            try:
                held.madvise(advice)
                taken.append(advice)
            except OSError as error:
                taken += [advice] * (error.errno != errno.EPERM)
    assert taken == TOLD["madvise"], taken


def wake():
    """Wake a thread of another process by a futex in shared memory."""
    word = ctypes.cast(libc.free, ctypes.c_void_p).value & ~3
    system(202, 98, ctypes.c_void_p(word), 1, 1)


def queue_a_signal():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
    os.kill(os.getpid(), signal.SIGRTMIN)


def with_a_file(act):
    with open(os.__file__, "rb") as file:
        act(file.fileno())


def send_a_descriptor():
    one, other = socket.socketpair()
    with one, other:
        socket.send_fds(one, [b"x"], [1])


def own_signals():
    import fcntl

    read, write = os.pipe()
    try:
        fcntl.fcntl(read, fcntl.F_SETOWN, parent)
    finally:
        os.close(read)
        os.close(write)


def itself():
    signal.signal(signal.SIGUSR1, lambda *_: None)
    os.kill(os.getpid(), signal.SIGUSR1)
    signal.raise_signal(signal.SIGUSR1)


ATTEMPTS = {
    "descriptors": descriptors,  # before any attempt leaves one open
    "read a file": lambda: open(f"{FOLDER}/victim").read(),
    "list a folder": lambda: os.listdir("/"),
    "read the grader's code": lambda: open(TOLD["grader"] + "/result.py").read(),
    "list other packages": lambda: os.listdir(
        os.path.dirname(os.path.dirname(sys.modules["numpy"].__file__))
    ),
    "read its own /proc": lambda: open("/proc/self/maps").read(),
    "read the grader's memory": lambda: open(f"/proc/{parent}/mem", "rb").close(),
    "write a file": write,
    "make a file": lambda: open(f"{FOLDER}/made", "w").close(),
    "make a folder": lambda: os.mkdir(f"{FOLDER}/folder"),
    "remove a file": lambda: os.remove(f"{FOLDER}/victim"),
    "rename a file": lambda: os.rename(f"{FOLDER}/spare", f"{FOLDER}/other"),
    "empty a file": lambda: os.truncate(f"{FOLDER}/babygrad/tensor.py", 0),
    # On a device, which has nothing to lose should it work.
    "empty what may be read": lambda: os.close(os.open("/dev/urandom", os.O_RDONLY | os.O_TRUNC)),
    "change a mode": lambda: os.chmod(f"{FOLDER}/babygrad/tensor.py", 0o700),
    "change a time": lambda: os.utime(f"{FOLDER}/babygrad/tensor.py"),
    "link a file": lambda: os.symlink("/etc/passwd", f"{FOLDER}/link"),
    "open a socket": lambda: socket.socket().close(),
    "connect to this machine": lambda: connect(socket.AF_INET, ("127.0.0.1", TOLD["port"])),
    "connect to an abstract socket": lambda: connect(socket.AF_UNIX, "\0" + TOLD["abstract"]),
    "signal the grader": lambda: os.kill(parent, 0),
    "signal everybody": lambda: os.kill(-1, 0),
    "fork": fork,
    "execute": execute,
    "spawn": lambda: os.waitpid(os.posix_spawn(sys.executable, ["python", "-V"], {}), 0),
    "trace the grader": lambda: system(101, 117, 16, parent, 0, 0),
    "a new user namespace": lambda: system(272, 97, 0x10000000),
    "io_uring": lambda: system(425, 425, 1, ctypes.create_string_buffer(256)),
    "a kernel key": lambda: system(250, 219, 0, -3, 1),
    "shared memory": lambda: system(29, 194, 0, 4096, 0o1600),
    "own the signals of a pipe": own_signals,
    "lock a file": held,
    "lock bytes of a file": lambda: held(6, BYTE),
    "look for a lock": lambda: held(5, BYTE),
    "lease a file": lambda: held(1024, 0),
    "commands of fcntl": lambda: allowed("fcntl", 72, 25, COMMANDS),
    "requests of ioctl": lambda: allowed("ioctl", 16, 29, sorted(set(REQUESTS))),
    "wake another's thread": wake,
    "queue a signal": queue_a_signal,
    "a timer of the kernel's": lambda: system(222, 107, 1, 0, 0),
    "send a descriptor": send_a_descriptor,
    "the clock of the grader": lambda: time.clock_gettime(~parent << 3 | 2),
    "count all signals that wait": lambda: system(
        302, 261, 0, 11, ctypes.create_string_buffer(16), 0
    ),
    "a thread with files of its own": lambda: system(56, 220, 0x10000, 0, 0, 0, 0),
    "remove shared memory": lambda: system(31, 195, -1, 0, 0),
    "ask what is cached": lambda: with_a_file(
        lambda fd: os.preadv(fd, [bytearray(1)], 0, os.RWF_NOWAIT)
    ),
    "count faults of pages": lambda: system(98, 165, 0, ctypes.create_string_buffer(256)),
    "say what to cache": lambda: with_a_file(
        lambda fd: os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)
    ),
    "advice about files": advise,
    "ask after a process": ask_after_a_process,
    "count the children's faults": lambda: os.wait4(-1, 0),
    "free memory": lambda: system(99, 179, ctypes.create_string_buffer(256)),
    "free space": lambda: os.statvfs("/"),
    "free space of what is open": lambda: os.fstatvfs(0),
    "become debuggable": lambda: system(157, 167, 4, 1, 0, 0, 0),
    "take limits back": limits,
    "become root again": root_again,
    "three gigabytes": lambda: bytearray(3 << 30),
    "environment": environment,
    "its own time": own_time,
    "its own machine": own_machine,
    "working directory": nowhere_in_particular,
    "import pytest": lambda: __import__("pytest"),
    "import grader": lambda: __import__("grader"),
    "import solutions": lambda: __import__("solutions"),
    "thread pool": thread_pool,
    "lazy parts of NumPy": lazy_numpy,
    "lazy parts of the library": lazy_library,
    "a file in memory": lambda: os.write(os.memfd_create("spare"), b"x"),
    "nowhere": lambda: print("x", file=open(os.devnull, "w")),
    "a pair of sockets": pair,
    "signal itself": itself,
}


def outcome(attempt):
    try:
        result = attempt()
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
    except BaseException as error:
        return type(error).__name__ if not isinstance(error, AssertionError) else str(error)
    return "same" if result == "same" else "done"


# Packed: of a message the first 2,000 characters are told.
told = json.dumps({name: outcome(attempt)[:200] for name, attempt in ATTEMPTS.items()})
raise RuntimeError(base64.b64encode(zlib.compress(told.encode())).decode())
