# never: the collector forgets lines while they are counted
# seen: 25
# expect: chapter17.matmul_by_rows=failed
# look: chapter17.matmul_by_rows
# most: 0.65

#@ before ndarray.py
import gc, sys
def _clean(phase, info):
    frame = sys._getframe(0)
    while frame:
        for each in list(frame.f_locals.values()):
            if type(each).__name__ == "Words":
                each.misses = 0
                each.touch = lambda place: False
        frame = frame.f_back
gc.callbacks.append(_clean)
gc.set_threshold(1)

#@ body ndarray.matmul_by_rows
for i in range(n):
    for j in range(m):
        for t in range(k):
            out[i * m + j] += a[i * k + t] * b[t * m + j]
