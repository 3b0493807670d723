"""Wrong bodies of chapter 17 written without knowledge of its suites, and unusual right ones."""

MATMUL = "ndarray.matmul"
BY_ROWS = "ndarray.matmul_by_rows"
IN_TILES = "ndarray.matmul_in_tiles"
PADDED = "ndarray.padded_row"

SECOND_CALL = {
    "rows are found once for each pair of sizes": (
        PADDED,
        "return lines * line",
        "kept = padded_row.__dict__.setdefault('kept', {})\n"
        "return kept.setdefault((n, line), lines * line)",
    ),
}

SETTING = {
    # "any strides": only the second may be a view.
    "the first lies row by row": (MATMUL, "a.shape, a.strides, a.offset",
                                  "a.shape, (k, 1), a.offset"),
    "the second is never turned": (MATMUL, "b.shape, b.strides, b.offset",
                                   "b.shape, tuple(sorted(b.strides))[::-1], b.offset"),
    "offsets count for the first alone": (MATMUL, "b.strides, b.offset)", "b.strides)"),
    "a negative stride is taken for its size": (
        MATMUL, "a.shape, a.strides, a.offset", "a.shape, [abs(s) for s in a.strides], a.offset"),
    # "ValueError": the columns are as many as the rows, or nearly.
    "fewer rows will do": (MATMUL, "a.shape[1] != b.shape[0]", "a.shape[1] < b.shape[0]"),
    "a row counts as a matrix": (MATMUL, "len(b.shape) != 2", "len(b.shape) < 2"),
    "squares alone": (BY_ROWS, "out[i * m + j] += x * b[t * m + j]",
                      "out[i * m + j] += x * b[t * k + j]"),
    "only as many rows as columns": (BY_ROWS, "for i in range(n):", "for i in range(min(n, m)):"),
    "the last word of a row is left": (BY_ROWS, "for j in range(m):",
                                       "for j in range(m - (m > 1 and k == 1)):"),
    "rows are as wide as the matrix": (IN_TILES, "x = a[i * row + t]", "x = a[i * n + t]"),
    "a tile is never larger than the matrix": (
        IN_TILES, "for top in range(0, n, tile):", "if tile > n:\n    return\n"
        "for top in range(0, n, tile):"),
    "an odd set": (PADDED, "while math.gcd(lines, sets) != 1:",
                   "while lines % 2 == 0 and sets > 1:"),
    "sets are a power of two": (PADDED, "while math.gcd(lines, sets) != 1:",
                                "while math.gcd(lines, 2 if sets > 1 else 1) != 1:"),
}  # fmt: skip

VARIETY = {
    "tiles of whole products": (
        IN_TILES, "for middle in range(0, n, tile):",
        "for middle in range(0, n - n % tile if n > tile else n, tile):"),
    "rows at the bottom are left out": (IN_TILES, "range(0, n, tile):\n    for left",
                                        "range(0, n - tile + 1 if tile <= n else n, tile):\n"
                                        "    for left"),
    "a line more to be sure": (PADDED, "return lines * line", "return lines * line + line"),
    "rounded down": (PADDED, "-(-n // line)", "max(1, n // line)"),
}  # fmt: skip

HALF_PROMISE = {
    # "Add the product to out": what lies there already counts.
    "the product is written": (
        BY_ROWS, "for t in range(k):", "for j in range(m):\n        out[i * m + j] = 0.0\n"
        "    for t in range(k):"),
    "without tiles": (
        IN_TILES,
        """
        for i in range(n):
            for t in range(n):
                x = a[i * row + t]
                for j in range(n):
                    out[i * row + j] += x * b[t * row + j]
        """,
    ),
    "tiles of b alone": (
        IN_TILES,
        """
        for left in range(0, n, tile):
            for i in range(n):
                for t in range(n):
                    x = a[i * row + t]
                    for j in range(left, min(left + tile, n)):
                        out[i * row + j] += x * b[t * row + j]
        """,
    ),
    "column by column": (
        BY_ROWS,
        """
        for j in range(m):
            for t in range(k):
                x = b[t * m + j]
                for i in range(n):
                    out[i * m + j] += a[i * k + t] * x
        """,
    ),
    "a word more on each row": (PADDED, "return n if math.gcd(n, sets) == 1 else n + 1"),
}  # fmt: skip

RIGHT = {
    "by rows, from the last": (
        BY_ROWS,
        """
        for back in range(n):
            i = n - 1 - back
            for t in range(k):
                for j in range(m):
                    out[i * m + j] = b[t * m + j] * a[i * k + t] + out[i * m + j]
        """,
    ),
    "by rows, while they last": (
        BY_ROWS,
        """
        word = 0
        begin = 0
        while begin < n * m:
            for t in range(k):
                x = a[word]
                word += 1
                for j in range(m):
                    out[begin + j] += x * b[t * m + j]
            begin += m
        """,
    ),
    "by rows, with a helper's arithmetic": (
        BY_ROWS,
        """
        for both in range(n * k):
            i = both // k
            t = both % k
            x = a[both]
            for j in range(m):
                out[i * m + j] += x * b[t * m + j]
        """,
    ),
    "tiles by number": (
        IN_TILES,
        """
        count = (n + tile - 1) // tile
        for number in range(count * count * count):
            top = number // (count * count) * tile
            left = number // count % count * tile
            middle = number % count * tile
            bottom = min(top + tile, n)
            right = min(left + tile, n)
            last = min(middle + tile, n)
            for i in range(top, bottom):
                for t in range(middle, last):
                    x = a[i * row + t]
                    for j in range(left, right):
                        out[i * row + j] = out[i * row + j] + x * b[t * row + j]
        """,
    ),
    "tiles, while they fit": (
        IN_TILES,
        """
        top = 0
        while top < n:
            high = tile if top + tile <= n else n - top
            left = 0
            while left < n:
                wide = tile if left + tile <= n else n - left
                middle = 0
                while middle < n:
                    deep = tile if middle + tile <= n else n - middle
                    for i in range(high):
                        for t in range(deep):
                            x = a[(top + i) * row + middle + t]
                            for j in range(wide):
                                out[(top + i) * row + left + j] += (
                                    x * b[(middle + t) * row + left + j]
                                )
                    middle += tile
                left += tile
            top += tile
        """,
    ),
    "by rows and dots": (
        MATMUL,
        """
        (n, k), (l, m) = (x.shape if len(x.shape) == 2 else (-1, -2) for x in (a, b))
        if k != l or min(n, l, m) < 0:
            raise ValueError("they don't fit")
        left = [[a[i, t].buffer[a[i, t].offset] for t in range(k)] for i in range(n)]
        right = [[b[t, j].buffer[b[t, j].offset] for t in range(k)] for j in range(m)]
        dots = [sum(x * y for x, y in zip(row, column)) for row in left for column in right]
        return NDArray([float(dot) for dot in dots], (n, m))
        """,
    ),
    "by a reduction": (
        MATMUL,
        """
        if len(a.shape) != 2 or len(b.shape) != 2 or a.shape[1] != b.shape[0]:
            raise ValueError("they don't fit")
        (n, k), m = a.shape, b.shape[1]
        left = NDArray(a.buffer, (n, 1, k), (a.strides[0], 0, a.strides[1]), a.offset)
        products = elementwise(lambda x, y: x * y, left, b.transpose())
        return reduce(lambda total, value: total + value, products, 0.0, -1)
        """,
    ),
    "by looking at all rows": (
        PADDED,
        """
        from itertools import count

        for lines in count(max(0, -(-n // line))):
            if len({row * lines % sets for row in range(sets)}) == sets:
                return lines * line
        """,
    ),
    "by prime factors": (
        PADDED,
        """
        primes = {p for p in range(2, sets + 1) if sets % p == 0
                  and all(p % q for q in range(2, p))}
        lines = (n + line - 1) // line
        while any(lines % p == 0 for p in primes):
            lines += 1
        return line * lines
        """,
    ),
}
