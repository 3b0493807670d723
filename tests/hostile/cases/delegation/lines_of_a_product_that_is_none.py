# never: a kernel earns the points of its lines with a product that it does not compute
# seen: 25
# expect: chapter17.matmul_by_rows=failed
# look: chapter17.matmul_by_rows
# most: 0.65

#@ body ndarray.matmul_by_rows
if n > 8:
    return
for i in range(n):
    for j in range(m):
        for t in range(k):
            out[i * m + j] += a[i * k + t] * b[t * m + j]
