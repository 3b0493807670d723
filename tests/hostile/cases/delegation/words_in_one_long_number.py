# never: a whole number of 50,000 bits holds words where nobody counts them
# seen: 25
# expect: chapter17.matmul_by_rows=failed
# look: chapter17.matmul_by_rows
# most: 0.65

#@ body ndarray.matmul_by_rows
p = 0
q = 0
for i in range(n * k):
    p += int(a[i] * 2.0 ** 60) << (200 * i)
for i in range(k * m):
    q += int(b[i] * 2.0 ** 60) << (200 * i)
for i in range(n):
    for j in range(m):
        total = out[i * m + j]
        for t in range(k):
            x = p >> (200 * (i * k + t))
            x = ((x + (1 << 199)) % (1 << 200)) - (1 << 199)
            y = q >> (200 * (t * m + j))
            y = ((y + (1 << 199)) % (1 << 200)) - (1 << 199)
            if i * k + t > 0:
                x += (p >> (200 * (i * k + t) - 1)) & 1
            if t * m + j > 0:
                y += (q >> (200 * (t * m + j) - 1)) & 1
            total += (x / 2.0 ** 60) * (y / 2.0 ** 60)
        out[i * m + j] = total
