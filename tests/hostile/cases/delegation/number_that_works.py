# never: a number of the module computes in its methods, behind the counter's back
# seen: 25
# expect: chapter17.matmul_by_rows=failed
# look: chapter17.matmul_by_rows
# most: 0.65

#@ before ndarray.py
import sys
class Number(int):
    def __mul__(self, other):
        frame = sys._getframe(1)
        names = frame.f_locals
        a, b, out = names["a"].values, names["b"].values, names["out"].values
        n, k, m = names["n"], names["k"], names["m"]
        for i in range(n):
            for j in range(m):
                for t in range(k):
                    out[i * m + j] += a[i * k + t] * b[t * m + j]
        return 0
NOTHING = Number(0)

#@ body ndarray.matmul_by_rows
x = NOTHING * 1
