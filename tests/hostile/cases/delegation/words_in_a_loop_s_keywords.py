# never: words are read and written behind the counter's back, in a part that nobody reads
# seen: 25
# expect: chapter17.matmul_by_rows=failed
# look: chapter17.matmul_by_rows
# most: 0.65

#@ body ndarray.matmul_by_rows
for i in range(n):
    for j in range(m):
        for t in range(k):
            for _ in range(1, **out.values.__setitem__(
                i * m + j, out.values[i * m + j] + a.values[i * k + t] * b.values[t * m + j]
            ) or {}):
                pass
