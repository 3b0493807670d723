"""System calls by number, and a seccomp filter that refuses those without use for learner code.

Neither Python nor every C library has functions for the calls. The filter is a table: a call is
refused outright, or for some values of one argument. A refused call fails with EPERM, so that a
program that only tried it goes on. Calls that take a command (`fcntl`, `ioctl`, `futex`) are
allowed by command, those that Python and NumPy need: a new kernel brings new ones. Calls younger
than the table do not exist (ENOSYS). Threads work; new processes do not. Each row has the number of
the call per machine, in the order of `syscalls.MACHINES`; None where that machine has no such call.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import struct
import sys

MACHINES = ("x86_64", "aarch64")  # the columns of every table of numbers here
NUMBERS = {
    "socket": (41, 198),
    "connect": (42, 203),
    "socketpair": (53, 199),
    "clone": (56, 220),
    "execve": (59, 221),
    "ptrace": (101, 117),
    "capset": (126, 91),
    "prctl": (157, 167),
    "mount": (165, 40),
    "unshare": (272, 97),
    "seccomp": (317, 277),
    "mount_setattr": (442, 442),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
}


def machine_column() -> int | None:
    """Return the column of this machine in the tables; None if they have none."""
    known = sys.platform == "linux" and sys.maxsize > 1 << 32 and os.uname().machine in MACHINES
    return MACHINES.index(os.uname().machine) if known else None


COLUMN = machine_column()
_LIBC = ctypes.CDLL(None, use_errno=True) if COLUMN is not None else None
if _LIBC is not None:
    _LIBC.syscall.restype = ctypes.c_long


def call(name: str, *arguments: int | bytes) -> int:
    """Make a system call; return its result, or the negative error number.

    Arguments are numbers, or bytes where the kernel reads from memory.
    """
    assert _LIBC is not None and COLUMN is not None, "`COLUMN` says whether there are any"
    passed = [a if isinstance(a, bytes) else ctypes.c_long(a) for a in arguments]
    result: int = _LIBC.syscall(ctypes.c_long(NUMBERS[name][COLUMN]), *passed)
    return result if result >= 0 else -ctypes.get_errno()


NEWEST = 450  # the last number that this table was made for
AUDIT = (0xC000003E, 0xC00000B7)  # how the kernel names the machines
X32 = 0x40000000  # numbers from here on are the x32 ABI

REFUSED = {
    # processes
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    # signals to others, and their priority
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "process_mrelease": (448, 448), "setpriority": (141, 140), "ioprio_set": (251, 30),
    "sched_setparam": (142, 118), "sched_setscheduler": (144, 119), "sched_setattr": (314, 274),
    "sched_setaffinity": (203, 122),
    # sockets
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201),
    "accept": (43, 202), "accept4": (288, 242),
    # the memory of other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "kcmp": (312, 272), "perf_event_open": (298, 241),
    # memory, queues and counters that outlive their maker, or are shared by a user's processes
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190),
    "semop": (65, 193), "semctl": (66, 191), "semtimedop": (220, 192), "msgget": (68, 186),
    "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187), "mq_open": (240, 180),
    "mq_unlink": (241, 181), "timer_create": (222, 107), "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    # left open by Landlock: modes, owners, times and attributes of files; sync
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "chown": (92, None),
    "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None),
    "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88), "setxattr": (188, 5),
    "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14),
    "lremovexattr": (198, 15), "fremovexattr": (199, 16), "sync": (162, 81), "syncfs": (306, 267),
    "truncate": (76, 45),
    # counters that others move: free memory, load and processes; free space; what a pid has
    "sysinfo": (99, 179), "statfs": (137, 43), "fstatfs": (138, 44), "ustat": (136, None),
    "capget": (125, 90), "get_robust_list": (274, 100),
    # covert channels between workers: locks, woken threads, the page cache and its faults
    "flock": (73, 32), "futex_waitv": (449, 449), "set_tid_address": (218, 96),
    "fadvise64": (221, 223), "readahead": (187, 213), "mincore": (27, 232), "getrusage": (98, 165),
    "preadv2": (327, 286), "pwritev2": (328, 287),
    "inotify_init": (253, None), "inotify_init1": (294, 26), "fanotify_init": (300, 262),
    # doors into the kernel
    "bpf": (321, 280), "io_setup": (206, 0), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "userfaultfd": (323, 282),
    "memfd_secret": (447, 447), "keyctl": (250, 219), "add_key": (248, 217),
    "request_key": (249, 218), "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40),
    "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432),
    "fspick": (433, 433), "mount_setattr": (442, 442), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "quotactl": (179, 60), "quotactl_fd": (443, 443),
    "swapon": (167, 224), "swapoff": (168, 225), "reboot": (169, 142), "acct": (163, 89),
    "sethostname": (170, 161), "setdomainname": (171, 162), "syslog": (103, 116),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171),
    "clock_adjtime": (305, 266), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "kexec_load": (246, 104), "kexec_file_load": (320, 294),
    "personality": (135, 92), "vhangup": (153, 58), "lookup_dcookie": (212, 18),
    "nfsservctl": (180, 42), "move_pages": (279, 239), "migrate_pages": (256, 238),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "uselib": (134, None),
}  # fmt: skip

OWN = "own process"  # stands for the pid of the filtered process
ONLY, NEVER = True, False
# Call, its numbers, which argument, a mask over it, and the only, or the forbidden, values of it.
# The first row allows `clone` only where flags & 0x10400 == 0x10400; else it fails with EPERM.
BY_ARGUMENT: tuple[
    tuple[str, tuple[int | None, ...], int, int | None, bool, tuple[int | str, ...]], ...
] = (
    # CLONE_THREAD and CLONE_FILES: a thread with its own descriptors would escape the limit on
    # open files, and could use up a user's pipe pages, which other workers would notice.
    ("clone", (56, 220), 0, 0x10400, ONLY, (0x10400,)),
    ("kill", (62, 129), 0, None, ONLY, (OWN,)),
    ("tgkill", (234, 131), 0, None, ONLY, (OWN,)),
    # Real-time signals, from 32 on, are queued; the queue is counted per user.
    ("kill", (62, 129), 1, 0xFFFFFFE0, ONLY, (0,)),
    ("tgkill", (234, 131), 2, 0xFFFFFFE0, ONLY, (0,)),
    ("prlimit64", (302, 261), 0, None, ONLY, (0, OWN)),
    # RLIMIT_SIGPENDING: lowering it would reveal how many signals of a user are pending.
    ("prlimit64", (302, 261), 1, None, NEVER, (11,)),
    ("setrlimit", (160, 164), 0, None, NEVER, (11,)),
    ("socketpair", (53, 199), 0, None, ONLY, (1,)),  # AF_UNIX
    ("socketpair", (53, 199), 1, 0xF, ONLY, (1,)),  # SOCK_STREAM
    # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC; all others read or leave traces
    ("fcntl", (72, 25), 1, None, ONLY, (0, 1, 2, 3, 1030)),
    # TCGETS and TCGETS2, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
    ("ioctl", (16, 29), 1, None, ONLY,
     (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),
    ("futex", (202, 98), 1, 0x80, ONLY, (0x80,)),  # FUTEX_PRIVATE_FLAG
    # Processor time of another process: a negative clock id without the per-thread bit.
    *(
        (name, numbers, 0, 0x80000007, NEVER, (0x80000000, 0x80000001, 0x80000002))
        for name, numbers in (
            ("clock_gettime", (228, 113)), ("clock_getres", (229, 114)),
            ("clock_nanosleep", (230, 115)),
        )
    ),
    # What a pid is told of, or that it is there.
    *(
        (name, numbers, argument, None, ONLY, (0, OWN))
        for name, numbers, argument in (
            ("getpgid", (121, 155), 0), ("getsid", (124, 156), 0), ("getpriority", (140, 141), 1),
            ("ioprio_get", (252, 31), 1), ("sched_getparam", (143, 121), 0),
            ("sched_getscheduler", (145, 120), 0), ("sched_getaffinity", (204, 123), 0),
            ("sched_rr_get_interval", (148, 127), 0), ("sched_getattr", (315, 275), 0),
        )
    ),
    # MADV_NORMAL, DONTNEED, FREE, those of huge pages and dumps, MADV_GUARD_INSTALL and _REMOVE.
    # All others say what of a file stays in memory; its owner may even have that thrown out.
    ("madvise", (28, 233), 2, None, ONLY, (0, 4, 8, 14, 15, 16, 17, 102, 103)),
    # O_TRUNC with O_RDONLY empties a file that may be read (Landlock before 6.2 allows it)
    ("open", (2, None), 1, 0x203, NEVER, (0x200,)),
    ("openat", (257, 56), 2, 0x203, NEVER, (0x200,)),
    # death with the parent, dumpable, memory map, subreaper, who may trace
    ("prctl", (157, 167), 0, None, NEVER, (1, 4, 35, 36, 0x59616D61)),
)  # fmt: skip
# Their flags lie in memory, which no filter reads: ENOSYS makes callers use the older calls.
UNREADABLE = {"clone3": (435, 435), "openat2": (437, 437)}

LOAD, AND, RETURN = 0x20, 0x54, 0x06
IF_EQUAL, IF_ABOVE, IF_FROM = 0x15, 0x25, 0x35
KILL, ERROR, ALLOW = 0x80000000, 0x50000, 0x7FFF0000
EPERM, ENOSYS = ERROR | errno.EPERM, ERROR | errno.ENOSYS
# The C library awaits a thread's end with a shared futex: EAGAIN makes it look once more. It asks
# for the processors of a thread by its number, to describe its stack: ENOSYS makes it do without.
ANSWERS = {"futex": ERROR | errno.EAGAIN, "sched_getaffinity": ENOSYS}


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    """Encode one BPF instruction; ``yes`` and ``no`` say how many instructions to skip."""
    return struct.pack("<HBBI", code, yes, no, value)


def _number() -> bytes:
    return _step(LOAD, 0)


def _by_argument(
    pid: int,
    column: int,
    name: str,
    numbers: tuple[int | None, ...],
    argument: int,
    mask: int | None,
    only: bool,
    values: tuple[int | str, ...],
) -> bytes:
    """Encode one row: refuse a call by one argument's lower half, else go on with the next row."""
    number = numbers[column]
    if number is None:
        return b""
    look = _step(LOAD, 16 + 8 * argument) + (b"" if mask is None else _step(AND, mask))
    tests = [value if isinstance(value, int) else pid for value in values]
    count = len(tests)
    for at, value in enumerate(tests):
        to_refusal = count - at - 1
        if only:
            look += _step(IF_EQUAL, value, yes=to_refusal + 1)
        else:
            look += _step(IF_EQUAL, value, yes=to_refusal, no=0 if to_refusal else 1)
    body = look + _step(RETURN, ANSWERS.get(name, EPERM)) + _number()
    return _step(IF_EQUAL, number, no=len(body) // 8) + body


@functools.cache
def filter_head(column: int) -> bytes:
    """Encode the filter's head: other machines' calls, future calls, calls refused outright."""
    steps = [_step(LOAD, 4), _step(IF_EQUAL, AUDIT[column], yes=1), _step(RETURN, KILL), _number()]
    steps += [_step(IF_FROM, X32, no=1), _step(RETURN, ENOSYS)]
    steps += [_step(IF_ABOVE, NEWEST, no=1), _step(RETURN, ENOSYS)]
    for table, answer in ((UNREADABLE, ENOSYS), (REFUSED, EPERM)):
        for numbers in table.values():
            number = numbers[column]
            if number is not None:
                steps += [_step(IF_EQUAL, number, no=1), _step(RETURN, answer)]
    return b"".join(steps)


def filter_program(pid: int, column: int | None = COLUMN) -> bytes:
    """Encode the whole filter for the process ``pid``."""
    assert column is not None, "`supported` comes first"
    steps = [_by_argument(pid, column, *row) for row in BY_ARGUMENT]
    return b"".join([filter_head(column), *steps, _step(RETURN, ALLOW)])


def has_filters() -> bool:
    """Whether this kernel takes filters, and the tables have a column for this machine."""
    return COLUMN is not None and call("seccomp", 2, 0, struct.pack("<I", ERROR)) == 0


def prepare_filter() -> None:
    """Compute the part that all processes share, before any is forked."""
    if COLUMN is not None:
        filter_head(COLUMN)


def enter_filter() -> bool:
    """Install the filter for all threads of this process, for good; return whether that worked."""
    code = filter_program(os.getpid())
    held = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("@HP", len(code) // 8, ctypes.addressof(held))
    return call("seccomp", 1, 1, head) == 0
