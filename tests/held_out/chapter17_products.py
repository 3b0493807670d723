"""Bodies of chapter 17 by another stranger, from the docstrings and the prose alone: products."""

from grader.course import mistake, right

MATMUL = "ndarray.matmul"
BY_ROWS = "ndarray.matmul_by_rows"
IN_TILES = "ndarray.matmul_in_tiles"
PADDED = "ndarray.padded_row"


class VARIETY:
    @mistake(target=MATMUL)
    def rows_and_columns_by_slices_of_the_buffer(a, b):
        """A stride of 0 is no step of a slice, and a negative one ends too early."""
        if len(a.shape) != 2 or len(b.shape) != 2 or a.shape[1] != b.shape[0]:
            raise ValueError("they don't fit")
        (n, k), m = a.shape, b.shape[1]
        out = NDArray.full((n, m), 0.0)
        for i in range(n):
            for j in range(m):
                row = a.buffer[a.offset + i * a.strides[0] :: a.strides[1] or 1][:k]
                column = b.buffer[b.offset + j * b.strides[1] :: b.strides[0] or 1][:k]
                out.buffer[i * m + j] = sum(x * y for x, y in zip(row, column))
        return out

    @mistake(target=MATMUL)
    def no_columns_are_no_matrix(a, b):
        if len(a.shape) != 2 or len(b.shape) != 2 or a.shape[1] != b.shape[0] or 0 in b.shape:
            raise ValueError("they don't fit")
        (n, k), m = a.shape, b.shape[1]
        rows = [[a[i, t].compact() for t in range(k)] for i in range(n)]
        columns = [[b[t, j].compact() for t in range(k)] for j in range(m)]
        return NDArray(
            [
                sum((x.buffer[x.offset] * y.buffer[y.offset] for x, y in zip(r, c)), 0.0)
                for r in rows
                for c in columns
            ],
            (n, m),
        )

    @mistake(target=BY_ROWS)
    def two_columns_at_a_time(a, b, out, n, k, m):
        for i in range(n):
            for t in range(k):
                x = a[i * k + t]
                for half in range(m // 2):
                    j = 2 * half
                    out[i * m + j] += x * b[t * m + j]
                    out[i * m + j + 1] += x * b[t * m + j + 1]

    @mistake(target=BY_ROWS)
    def a_zero_adds_nothing_and_ends_the_row(a, b, out, n, k, m):
        for i in range(n):
            for t in range(k):
                x = a[i * k + t]
                if x == 0:
                    break
                for j in range(m):
                    out[i * m + j] += x * b[t * m + j]

    @mistake(target=BY_ROWS)
    def each_row_begins_at_nought(a, b, out, n, k, m):
        for i in range(n):
            for j in range(m):
                out[i * m + j] = 0.0
            for t in range(k):
                x = a[i * k + t]
                for j in range(m):
                    out[i * m + j] += x * b[t * m + j]

    @mistake(target=BY_ROWS)
    def the_product_is_taken_away(a, b, out, n, k, m):
        for i in range(n):
            for t in range(k):
                for j in range(m):
                    out[i * m + j] = a[i * k + t] * b[t * m + j] - out[i * m + j]

    @mistake(target=IN_TILES)
    def the_last_tile_begins_earlier(a, b, out, n, row, tile):
        """So that it is whole; what lies in two tiles is added twice."""
        tiles = (n + tile - 1) // tile
        for top in range(tiles):
            for left in range(tiles):
                for middle in range(tiles):
                    for i in range(min(tile, n)):
                        for t in range(min(tile, n)):
                            p = max(0, min(top * tile, n - tile)) + i
                            q = max(0, min(middle * tile, n - tile)) + t
                            x = a[p * row + q]
                            for j in range(min(tile, n)):
                                r = max(0, min(left * tile, n - tile)) + j
                                out[p * row + r] += x * b[q * row + r]

    @mistake(target=IN_TILES)
    def the_words_behind_a_row_are_changed_too(a, b, out, n, row, tile):
        for top in range(0, n, tile):
            for left in range(0, row, tile):
                for middle in range(0, n, tile):
                    for i in range(top, min(top + tile, n)):
                        for t in range(middle, min(middle + tile, n)):
                            x = a[i * row + t]
                            for j in range(left, min(left + tile, row)):
                                out[i * row + j] += x * b[t * row + j]

    @mistake(target=IN_TILES)
    def tiles_of_four(a, b, out, n, row, tile):
        for top in range(0, n, 4):
            for left in range(0, n, 4):
                for middle in range(0, n, 4):
                    for i in range(top, min(top + 4, n)):
                        for t in range(middle, min(middle + 4, n)):
                            x = a[i * row + t]
                            for j in range(left, min(left + 4, n)):
                                out[i * row + j] += x * b[t * row + j]

    @mistake(target=IN_TILES)
    def tiles_of_rows_alone(a, b, out, n, row, tile):
        """Blocks of rows and of columns, and the whole depth at once."""
        for top in range(0, n, tile):
            for left in range(0, n, tile):
                for i in range(top, min(top + tile, n)):
                    for t in range(n):
                        x = a[i * row + t]
                        for j in range(left, min(left + tile, n)):
                            out[i * row + j] += x * b[t * row + j]

    @mistake(target=PADDED)
    def one_line_more_if_it_must(n, line, sets):
        lines = -(-n // line)
        return (lines if math.gcd(lines, sets) == 1 else lines + 1) * line

    @mistake(target=PADDED)
    def words_without_a_common_divisor(n, line, sets):
        words = n
        while words % line or math.gcd(words, sets) != 1:
            words += 1
            if words > n + line * sets:
                break
        return words

    @mistake(target=PADDED)
    def one_more_than_a_multiple_of_the_sets(n, line, sets):
        lines = -(-n // line)
        while sets > 1 and lines % sets != 1:
            lines += 1
        return lines * line

    @mistake(target=PADDED)
    def always_a_line_more(n, line, sets):
        lines = n // line + 1
        while math.gcd(lines, sets) != 1:
            lines += 1
        return lines * line

    @mistake(target=PADDED)
    def an_odd_row_in_odd_sets(n, line, sets):
        lines = -(-n // line)
        while lines % 2 == 0 or sets % 2 and math.gcd(lines, sets) != 1:
            lines += 1
        return lines * line


class RIGHT:
    @right(MATMUL)
    def by_two_lists_of_places(a, b):
        if [len(a.shape), len(b.shape)] != [2, 2]:
            raise ValueError("two matrices")
        (n, k), (rows, m) = a.shape, b.shape
        if k != rows:
            raise ValueError("they don't fit")
        (down, right), (under, across) = a.strides, b.strides
        values = []
        for i in range(n):
            start = a.offset + i * down
            for j in range(m):
                total, x, y = 0.0, start, b.offset + j * across
                for _ in range(k):
                    total += a.buffer[x] * b.buffer[y]
                    x, y = x + right, y + under
                values.append(total)
        return NDArray(array("d", values), (n, m))

    @right(MATMUL)
    def rows_are_added_up(a, b):
        if len(a.shape) != 2 or len(b.shape) != 2 or a.shape[-1] != b.shape[0]:
            raise ValueError("they don't fit")
        n, m = a.shape[0], b.shape[1]
        left, right_one = a.compact(), b.compact()
        out = NDArray.full([n, m], 0.0)
        for t in range(b.shape[0]):
            for i in range(n):
                x = left.buffer[left.offset + i * a.shape[1] + t]
                for j in range(m):
                    word = right_one.buffer[right_one.offset + t * m + j]
                    out.buffer[i * m + j] += x * word
        return out

    @right(BY_ROWS)
    def with_running_places(a, b, out, n, k, m):
        left = 0
        for i in range(n):
            right = 0
            for t in range(k):
                x = a[left]
                left += 1
                for j in range(i * m, i * m + m):
                    out[j] = out[j] + b[right] * x
                    right += 1

    @right(BY_ROWS)
    def with_while_loops(a, b, out, n, k, m):
        i = 0
        while i < n:
            t = 0
            while t < k:
                j = 0
                while j < m:
                    out[i * m + j] += a[i * k + t] * b[t * m + j]
                    j += 1
                t += 1
            i += 1

    @right(BY_ROWS)
    def each_row_backwards(a, b, out, n, k, m):
        for i in range(n):
            for t in range(k - 1, -1, -1):
                x = a[i * k + t]
                for j in range(m - 1, -1, -1):
                    out[i * m + j] += x * b[t * m + j]

    @right(IN_TILES)
    def the_depth_outermost(a, b, out, n, row, tile):
        """Each tile of `out` comes once for every depth, and each of `a` stays."""
        for middle in range(0, n, tile):
            for top in range(0, n, tile):
                for left in range(0, n, tile):
                    for i in range(top, min(top + tile, n)):
                        for t in range(middle, min(middle + tile, n)):
                            x = a[i * row + t]
                            for j in range(left, min(left + tile, n)):
                                out[i * row + j] += x * b[t * row + j]

    @right(IN_TILES)
    def columns_times_rows(a, b, out, n, row, tile):
        """The depth of a tile is 1: a line of `a` serves as many steps as it has words."""
        for top in range(0, n, tile):
            for left in range(0, n, tile):
                for t in range(n):
                    for i in range(top, min(top + tile, n)):
                        x = a[i * row + t]
                        for j in range(left, min(left + tile, n)):
                            out[i * row + j] += x * b[t * row + j]

    @right(IN_TILES)
    def guarded_whole_tiles(a, b, out, n, row, tile):
        tiles = -(-n // tile)
        for p in range(tiles):
            for q in range(tiles):
                for r in range(tiles):
                    for x in range(tile):
                        for y in range(tile):
                            i = p * tile + x
                            t = r * tile + y
                            if i < n and t < n:
                                for z in range(tile):
                                    j = q * tile + z
                                    if j < n:
                                        out[i * row + j] += a[i * row + t] * b[t * row + j]

    @right(PADDED)
    def by_euclid(n, line, sets):
        lines = (n + line - 1) // line
        while True:
            x, y = lines, sets
            while y:
                x, y = y, x % y
            if x == 1:
                return lines * line
            lines += 1

    @right(PADDED)
    def words_by_lines(n, line, sets):
        row = n + -n % line
        while len({i * (row // line) % sets for i in range(sets)}) < sets:
            row += line
        return row
