# never: a thread forgets lines while they are counted
# seen: 25
# expect: chapter17.matmul_by_rows=failed
# look: chapter17.matmul_by_rows
# most: 0.65

#@ before ndarray.py
import threading, sys, time
def _clean():
    while True:
        for frame in list(sys._current_frames().values()):
            while frame:
                for each in list(frame.f_locals.values()):
                    if type(each).__name__ == "Words":
                        each.misses = 0
                        each.touch = lambda place: False
                frame = frame.f_back
        time.sleep(0.00001)
threading.Thread(target=_clean, daemon=True).start()

#@ body ndarray.matmul_by_rows
for i in range(n):
    for j in range(m):
        for t in range(k):
            out[i * m + j] += a[i * k + t] * b[t * m + j]
