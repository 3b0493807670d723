# never: a kernel with helpers, numbers of its module, or whole numbers loses a mark to the count
# twin: 25
# look: chapter17.matmul_by_rows

#@ after ndarray.py


ONE = np.float64(1.0)
LEAST = -(2**40)


def place(i, j, row):
    return i * row + j


def scaled(x, by):
    if by == 0:
        return 0.0
    return math.copysign(x, x) * by
#@ body ndarray.matmul_by_rows
rounds = 0
least = max(LEAST, -9.5, 1 << 40)
for i in range(n):
    for t in range(k):
        x: float = scaled(a[place(i, t, k)], ONE)
        rounds += 1
        for j in range(m):
            at = place(i, j, m)
            out[at] += x * b[place(t, j, m)] if rounds <= n * k and least > 0 else 0
