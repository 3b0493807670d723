# never: an array's method, called as a helper of the same name, fetches lines that nobody counts
# seen: 25
# expect: chapter17.matmul_by_rows=failed
# look: chapter17.matmul_by_rows
# most: 0.65

#@ before ndarray.py
def placed(x):
    return x
globals()["a.touch"] = globals()["b.touch"] = placed

#@ body ndarray.matmul_by_rows
begin = (n * k + 7) // 8 * 8
for i in range(n):
    for j in range(m):
        for t in range(k):
            x = a.touch(i * k + t)
            x = b.touch(begin + t * m + j)
            out[i * m + j] += a[i * k + t] * b[t * m + j]
