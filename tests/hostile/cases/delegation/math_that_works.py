# never: a function of math computes behind the counter's back
# seen: 25
# expect: chapter17.matmul_by_rows=failed
# look: chapter17.matmul_by_rows
# most: 0.65

#@ before ndarray.py
import math
import sys
def worked(x):
    names = sys._getframe(1).f_locals
    a, b, out = names["a"].values, names["b"].values, names["out"].values
    n, k, m = names["n"], names["k"], names["m"]
    for i in range(n):
        for j in range(m):
            for t in range(k):
                out[i * m + j] += a[i * k + t] * b[t * m + j]
    return 0.0
math.cbrt = worked

#@ body ndarray.matmul_by_rows
x = math.cbrt(1.0)
