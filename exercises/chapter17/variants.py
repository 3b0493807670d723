"""Right solutions that are written in another way than the reference."""

from grader.course import right, variant


# One sum after another; loops in another order; a search for the row.
@variant("by-hand")
class BY_HAND:
    @right("ndarray.matmul")
    def matmul(a, b):
        if (len(a.shape), len(b.shape)) != (2, 2):
            raise ValueError("no matrices")
        rows, inner = a.shape
        if b.shape[0] != inner:
            raise ValueError("they don't fit")

        def value(x, i, j):
            down, right = x.strides
            return x.buffer[x.offset + i * down + j * right]

        found = [
            sum(value(a, i, t) * value(b, t, j) for t in range(inner))
            for i in range(rows)
            for j in range(b.shape[1])
        ]
        return NDArray(found, (rows, b.shape[1]))

    @right("ndarray.matmul_by_rows")
    def matmul_by_rows(a, b, out, n, k, m):
        i = 0
        while i < n:
            for t in range(k):
                for j in range(m):
                    out[i * m + j] = out[i * m + j] + a[i * k + t] * b[t * m + j]
            i += 1

    @right("ndarray.matmul_in_tiles")
    def matmul_in_tiles(a, b, out, n, row, tile):
        for middle in range(0, n, tile):
            for left in range(0, n, tile):
                for top in range(0, n, tile):
                    for i in range(top, top + tile):
                        for j in range(left, left + tile):
                            if i < n and j < n:
                                total = out[i * row + j]
                                for t in range(middle, min(n, middle + tile)):
                                    total += a[i * row + t] * b[t * row + j]
                                out[i * row + j] = total

    @right("ndarray.padded_row")
    def padded_row(n, line, sets):
        row = (n + line - 1) // line
        while len({i * row % sets for i in range(sets)}) < sets:
            row += 1
        return row * line


# Views and the loops that exist already; another order of tiles; a divisor by hand.
@variant("by-views")
class BY_VIEWS:
    @right("ndarray.matmul")
    def matmul(a, b):
        if len(a.shape) != 2 or len(b.shape) != 2 or a.shape[1] != b.shape[0]:
            raise ValueError("they don't fit")
        (n, k), m = a.shape, b.shape[1]
        left = NDArray(a.buffer, (n, m, k), (a.strides[0], 0, a.strides[1]), a.offset)
        right = NDArray(b.buffer, (n, m, k), (0, b.strides[1], b.strides[0]), b.offset)
        out = NDArray.full((n, m), 0.0)
        for i, j, t in every_index((n, m, k)):
            x, y = (each.buffer[offset_of((i, j, t), each.shape, each.strides, each.offset)]
                    for each in (left, right))  # fmt: skip
            out.buffer[i * m + j] += x * y
        return out

    @right("ndarray.matmul_by_rows")
    def matmul_by_rows(a, b, out, n, k, m):
        for row in range(n):
            for inner in range(k):
                x = a[row * k + inner]
                begin = row * m
                for column in range(m):
                    out[begin + column] += b[inner * m + column] * x

    @right("ndarray.matmul_in_tiles")
    def matmul_in_tiles(a, b, out, n, row, tile):
        tiles = (n + tile - 1) // tile
        for u in range(tiles):
            for w in range(tiles):
                for v in range(tiles):
                    for t in range(w * tile, min(n, w * tile + tile)):
                        for i in range(u * tile, min(n, u * tile + tile)):
                            x = a[i * row + t]
                            for j in range(v * tile, min(n, v * tile + tile)):
                                out[i * row + j] += x * b[t * row + j]

    @right("ndarray.padded_row")
    def padded_row(n, line, sets):
        row = n
        while row % line or math.lcm(row // line, sets) != row // line * sets:
            row += 1
        return row


VARIANTS = (BY_HAND, BY_VIEWS)
