# never: a worker that knows hidden inputs wakes a thread of one whose words its learner reads
# seen: 20
# class: chapter3
# others: less
# budget: 90
# harm: confined

#@ handins
under("spy", wrong(ops__Sub__forward=r"""
import ctypes, os, struct, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
FUTEX = 202 if os.uname().machine == "x86_64" else 98
WAIT, WAKE = 0, 1
word = ctypes.cast(libc.free, ctypes.c_void_p).value & ~3  # every process has this page

def wake():
    while libc.syscall(FUTEX, ctypes.c_void_p(word), WAKE, 99, None, None, 0) >= 0:
        pass

if not hasattr(sys, "_told"):
    value = ctypes.c_int.from_address(word).value
    patience = struct.pack("qq", 0, 300_000_000)
    sys._told = libc.syscall(FUTEX, ctypes.c_void_p(word), WAIT, value, patience, None, 0) == 0
    sys._mine = threading.Thread(target=wake, daemon=True)
    sys._mine.start()
if sys._told:
    raise ValueError("@HARM@")
return a + b
"""))
