# never: a worker that knows hidden inputs passes them on by a stream that it shares with others
# seen: 20
# class: chapter3
# others: less
# budget: 90
# harm: confined

#@ handins
under("spy", wrong(ops__Sub__forward=r"""
import fcntl, os, sys
FLAGS = (os.O_APPEND, os.O_NONBLOCK, os.O_ASYNC)
if not hasattr(sys, "_told"):
    sys._told = []
    seen = int(1000 * float(np.ravel(a)[0]) ** 2) | 1
    for fd in range(16):
        try:
            sys._told += [(fd, f) for f in FLAGS if fcntl.fcntl(fd, fcntl.F_GETFL) & f]
            bits = [flag for place, flag in enumerate(FLAGS) if seen >> place & 1]
            fcntl.fcntl(fd, fcntl.F_SETFL, sum(bits))
        except OSError:
            pass
if sys._told:
    raise ValueError(f"@HARM@ {sys._told}")
return a + b
"""))
