"""Wrong bodies of chapter 17 written without knowledge of its suites, and unusual right ones."""

from grader.course import before, body, edit, instead, mistake, right

MATMUL = "ndarray.matmul"
BY_ROWS = "ndarray.matmul_by_rows"
IN_TILES = "ndarray.matmul_in_tiles"
PADDED = "ndarray.padded_row"


class SECOND_CALL:
    @instead("out = NDArray.full((n, m), 0.0)", target=MATMUL)
    def one_result_for_each_shape(n, m):
        """«a new array»: the first one of a shape comes back, with the values of the last
        product."""
        kept = matmul.__dict__.setdefault("kept", {})
        out = kept.setdefault((n, m), NDArray.full((n, m), 0.0))

    @mistake(target=PADDED)
    def rows_are_found_once_for_each_pair_of_sizes(n, line, sets):
        lines = -(-n // line)
        while math.gcd(lines, sets) != 1:
            lines += 1
        kept = padded_row.__dict__.setdefault("kept", {})
        return kept.setdefault((n, line), lines * line)


class SETTING:
    the_first_lies_row_by_row = edit(
        "a.shape, a.strides, a.offset", "a.shape, (k, 1), a.offset", target=MATMUL
    )
    """«any strides»: only the second may be a view."""

    the_second_is_never_turned = edit(
        "b.shape, b.strides, b.offset",
        "b.shape, tuple(sorted(b.strides))[::-1], b.offset",
        target=MATMUL,
    )
    offsets_count_for_the_first_alone = edit("b.strides, b.offset)", "b.strides)", target=MATMUL)
    a_negative_stride_is_taken_for_its_size = edit(
        "a.shape, a.strides, a.offset",
        "a.shape, [abs(s) for s in a.strides], a.offset",
        target=MATMUL,
    )
    fewer_rows_will_do = edit("a.shape[1] != b.shape[0]", "a.shape[1] < b.shape[0]", target=MATMUL)
    """«ValueError»: the columns are as many as the rows, or nearly."""

    a_row_counts_as_a_matrix = edit("len(b.shape) != 2", "len(b.shape) < 2", target=MATMUL)
    squares_alone = edit(
        "out[i * m + j] += x * b[t * m + j]", "out[i * m + j] += x * b[t * k + j]", target=BY_ROWS
    )
    only_as_many_rows_as_columns = edit(
        "for i in range(n):", "for i in range(min(n, m)):", target=BY_ROWS
    )
    the_last_word_of_a_row_is_left = edit(
        "for j in range(m):", "for j in range(m - (m > 1 and k == 1)):", target=BY_ROWS
    )
    rows_are_as_wide_as_the_matrix = edit("x = a[i * row + t]", "x = a[i * n + t]", target=IN_TILES)

    @before("for top in range(0, n, tile):", target=IN_TILES)
    def a_tile_is_never_larger_than_the_matrix(tile, n):
        if tile > n:
            return

    an_odd_set = edit(
        "while math.gcd(lines, sets) != 1:", "while lines % 2 == 0 and sets > 1:", target=PADDED
    )
    sets_are_a_power_of_two = edit(
        "while math.gcd(lines, sets) != 1:",
        "while math.gcd(lines, 2 if sets > 1 else 1) != 1:",
        target=PADDED,
    )


class VARIETY:
    tiles_of_whole_products = edit(
        "for middle in range(0, n, tile):",
        "for middle in range(0, n - n % tile if n > tile else n, tile):",
        target=IN_TILES,
    )

    @mistake(target=IN_TILES)
    def tiles_four_words_wide(a, b, out, n, row, tile):
        """«tile by tile»: the matrix is cut along two of its axes alone, or by a number of one's
        own."""
        for top in range(0, n, tile):
            for left in range(0, n, 4):
                for middle in range(0, n, tile):
                    for i in range(top, min(n, top + tile)):
                        for t in range(middle, min(n, middle + tile)):
                            x = a[i * row + t]
                            for j in range(left, min(n, left + 4)):
                                out[i * row + j] += x * b[t * row + j]

    @mistake(target=IN_TILES)
    def rows_at_the_bottom_are_left_out(a, b, out, n, row, tile):
        for top in range(0, n - tile + 1 if tile <= n else n, tile):
            for left in range(0, n, tile):
                for middle in range(0, n, tile):
                    for i in range(top, min(top + tile, n)):
                        for t in range(middle, min(middle + tile, n)):
                            x = a[i * row + t]
                            for j in range(left, min(left + tile, n)):
                                out[i * row + j] += x * b[t * row + j]

    a_line_more_to_be_sure = edit(
        "return lines * line", "return lines * line + line", target=PADDED
    )
    a_row_of_one_line_will_do = edit(
        "lines = -(-n // line)", "lines = max(2, -(-n // line))", target=PADDED
    )
    rounded_down = edit("-(-n // line)", "max(1, n // line)", target=PADDED)


class HALF_PROMISE:
    @mistake(target=BY_ROWS)
    def the_product_is_written(a, b, out, n, k, m):
        """«Add the product to out»: what lies there already counts."""
        for i in range(n):
            for j in range(m):
                out[i * m + j] = 0.0
            for t in range(k):
                x = a[i * k + t]
                for j in range(m):
                    out[i * m + j] += x * b[t * m + j]

    @mistake(target=IN_TILES)
    def without_tiles(a, b, out, n, row, tile):
        for i in range(n):
            for t in range(n):
                x = a[i * row + t]
                for j in range(n):
                    out[i * row + j] += x * b[t * row + j]

    @mistake(target=IN_TILES)
    def tiles_of_b_alone(a, b, out, n, row, tile):
        for left in range(0, n, tile):
            for i in range(n):
                for t in range(n):
                    x = a[i * row + t]
                    for j in range(left, min(left + tile, n)):
                        out[i * row + j] += x * b[t * row + j]

    @mistake(target=BY_ROWS)
    def column_by_column(a, b, out, n, k, m):
        for j in range(m):
            for t in range(k):
                x = b[t * m + j]
                for i in range(n):
                    out[i * m + j] += a[i * k + t] * x

    a_word_more_on_each_row = body("return n if math.gcd(n, sets) == 1 else n + 1", target=PADDED)


class RIGHT:
    @right(BY_ROWS)
    def by_rows_from_the_last(a, b, out, n, k, m):
        for back in range(n):
            i = n - 1 - back
            for t in range(k):
                for j in range(m):
                    out[i * m + j] = b[t * m + j] * a[i * k + t] + out[i * m + j]

    @right(BY_ROWS)
    def by_rows_while_they_last(a, b, out, n, k, m):
        word = 0
        begin = 0
        while begin < n * m:
            for t in range(k):
                x = a[word]
                word += 1
                for j in range(m):
                    out[begin + j] += x * b[t * m + j]
            begin += m

    @right(BY_ROWS)
    def by_rows_with_a_helpers_arithmetic(a, b, out, n, k, m):
        for both in range(n * k):
            i = both // k
            t = both % k
            x = a[both]
            for j in range(m):
                out[i * m + j] += x * b[t * m + j]

    @right(IN_TILES)
    def tiles_by_number(a, b, out, n, row, tile):
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

    @right(IN_TILES)
    def tiles_while_they_fit(a, b, out, n, row, tile):
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

    @right(IN_TILES)
    def tiles_with_a_sum_in_a_register(a, b, out, n, row, tile):
        for top in range(0, n, tile):
            for left in range(0, n, tile):
                for middle in range(0, n, tile):
                    for i in range(top, min(n, top + tile)):
                        for j in range(left, min(n, left + tile)):
                            total = 0.0
                            for t in range(middle, min(n, middle + tile)):
                                total += a[i * row + t] * b[t * row + j]
                            out[i * row + j] += total

    @right(IN_TILES)
    def tiles_and_that_of_b_stays(a, b, out, n, row, tile):
        """In a cache of four tiles these lose some of the tile that stays."""
        for left in range(0, n, tile):
            for middle in range(0, n, tile):
                for top in range(0, n, tile):
                    for t in range(middle, min(n, middle + tile)):
                        for i in range(top, min(n, top + tile)):
                            x = a[i * row + t]
                            for j in range(left, min(n, left + tile)):
                                out[i * row + j] += x * b[t * row + j]

    @right(IN_TILES)
    def tiles_and_that_of_a_stays(a, b, out, n, row, tile):
        for top in range(0, n, tile):
            for middle in range(0, n, tile):
                for left in range(0, n, tile):
                    for i in range(top, min(n, top + tile)):
                        for t in range(middle, min(n, middle + tile)):
                            for j in range(left, min(n, left + tile)):
                                out[i * row + j] += a[i * row + t] * b[t * row + j]

    @right(MATMUL)
    def by_rows_and_dots(a, b):
        (n, k), (rows, m) = (x.shape if len(x.shape) == 2 else (-1, -2) for x in (a, b))
        if k != rows or min(n, rows, m) < 0:
            raise ValueError("they don't fit")
        left = [[a[i, t].buffer[a[i, t].offset] for t in range(k)] for i in range(n)]
        right = [[b[t, j].buffer[b[t, j].offset] for t in range(k)] for j in range(m)]
        dots = [sum(x * y for x, y in zip(row, column)) for row in left for column in right]
        return NDArray([float(dot) for dot in dots], (n, m))

    @right(MATMUL)
    def by_a_reduction(a, b):
        if len(a.shape) != 2 or len(b.shape) != 2 or a.shape[1] != b.shape[0]:
            raise ValueError("they don't fit")
        (n, k), m = a.shape, b.shape[1]
        left = NDArray(a.buffer, (n, 1, k), (a.strides[0], 0, a.strides[1]), a.offset)
        products = elementwise(lambda x, y: x * y, left, b.transpose())
        return reduce(lambda total, value: total + value, products, 0.0, -1)

    @right(PADDED)
    def by_looking_at_all_rows(n, line, sets):
        from itertools import count

        for lines in count(max(0, -(-n // line))):
            if len({row * lines % sets for row in range(sets)}) == sets:
                return lines * line

    @right(PADDED)
    def by_prime_factors(n, line, sets):
        primes = {
            p for p in range(2, sets + 1) if sets % p == 0 and all(p % q for q in range(2, p))
        }
        lines = (n + line - 1) // line
        while any(lines % p == 0 for p in primes):
            lines += 1
        return line * lines
