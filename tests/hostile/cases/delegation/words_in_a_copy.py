# never: words are copied where nobody counts their lines, by the package's own reader of kernels
# expect: chapter17.matmul_by_rows=failed
# look: chapter17.matmul_by_rows
# most: 0.5

#@ file kernel_language.py
NotAKernel = ValueError


def compile_kernel(function, has_thread=False):
    return function

#@ body ndarray.matmul_by_rows
rows = [b[p] for p in range(k * m)]
for i in range(n):
    for j in range(m):
        for t in range(k):
            out[i * m + j] += a[i * k + t] * rows[t * m + j]
