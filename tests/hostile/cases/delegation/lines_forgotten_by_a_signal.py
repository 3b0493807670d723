# never: a signal's handler forgets lines while they are counted
# seen: 25
# expect: chapter17.matmul_by_rows=failed
# look: chapter17.matmul_by_rows
# most: 0.65

#@ before ndarray.py
import signal
def _clean(number, frame):
    while frame:
        for name, value in list(frame.f_locals.items()):
            if type(value).__name__ in ("Memory", "Words"):
                value.touch = lambda place: False
        frame = frame.f_back
signal.signal(signal.SIGVTALRM, _clean)
signal.setitimer(signal.ITIMER_VIRTUAL, 0.0001, 0.0001)

#@ body ndarray.matmul_by_rows
for i in range(n):
    for j in range(m):
        for t in range(k):
            out[i * m + j] += a[i * k + t] * b[t * m + j]
