# never: a tracer forgets lines while they are counted
# seen: 25
# expect: chapter17.matmul_by_rows=failed
# look: chapter17.matmul_by_rows
# most: 0.65

#@ before ndarray.py
import sys
def _watch(frame, event, arg):
    if frame.f_code.co_name == "matmul_by_rows" and event == "call":
        for name in ("a", "b", "out"):
            if name in frame.f_locals and hasattr(frame.f_locals[name], "touch"):
                frame.f_locals[name].touch = lambda place: False
    return _watch
sys.setprofile(_watch)
sys.settrace(_watch)

#@ body ndarray.matmul_by_rows
for i in range(n):
    for j in range(m):
        for t in range(k):
            out[i * m + j] += a[i * k + t] * b[t * m + j]
