"""Products of matrices: by loops, and by loops whose cache lines are counted."""

from grader.course import before, edit, exercise, instead


@exercise("ndarray.matmul", points=3)
class MATMUL:
    """Value (i, j) of the product is the sum of a[i, t] · b[t, j] over t: three loops.

    `offset_of` finds both values wherever they lie, with the strides and the offset of their array.

    The product is a new array. `NDArray.full` makes one of zeros, row by row: value (i, j) lies at
    i · m + j.
    """

    element_by_element = edit(
        ("(i, t), a", "(i, j), a"), ("(t, j), b", "(i, j), b"),
        ("for t in range(k)", "for _ in (0,)"),
    )  # fmt: skip
    """You multiplied element by element. A product of matrices adds up rows times columns."""

    second_turned = edit("(t, j), b.shape", "(j, t), b.shape")
    """You walk along rows of both. In `b` the sum walks down a column: `b[t, j]`."""

    product_turned = edit("out.buffer[i * m + j]", "out.buffer[j * n + i]")
    """Your product is transposed: row i, column j lies at i · m + j."""

    rows_for_columns = edit("out.buffer[i * m + j]", "out.buffer[i * n + j]")
    """A row of the product has m values, not n: row i begins at i · m."""

    last_one_only = edit("total += x", "total = x")
    """You keep the last product alone. Add them all up."""

    @instead("for i, j in every_index((n, m)):", "x = a.buffer[offset_of((i,")
    def never_zero_again(n, m, k, a):
        """You never set the sum back to zero, so each value contains those before it."""
        total = 0.0
        for i, j in every_index((n, m)):
            for t in range(k):
                x = a.buffer[offset_of((i, t), a.shape, a.strides, a.offset)]

    buffers_as_they_lie = edit(
        ("a.buffer[offset_of((i, t), a.shape, a.strides, a.offset)]", "a.buffer[i * k + t]"),
        ("b.buffer[offset_of((t, j), b.shape, b.strides, b.offset)]", "b.buffer[t * m + j]"),
    )
    """You read the buffers as if the values lay row by row from the first word on. In a view they
    may lie anywhere: ask its strides."""

    offset_forgotten = edit(
        ("a.strides, a.offset", "a.strides"), ("b.strides, b.offset", "b.strides")
    )
    """You forgot the offset: a view may begin anywhere in its buffer."""

    @instead("if len(a.shape) !=", "(n, k), m = a.shape, b.shape[1]")
    def not_asked(a, b):
        """You didn't ask whether the two fit. Raise ValueError where they don't."""
        (n, k), m = a.shape, b.shape[1]

    sizes_not_compared = edit(" or a.shape[1] != b.shape[0]", "")
    """You didn't compare the columns of `a` with the rows of `b`. Some sums would be too short."""


@exercise("ndarray.matmul_by_rows", points=3)
class BY_ROWS:
    """Which of the three loops should be the inner one? Look at what each of the three indices
    does when only that loop moves: `i * k + t`, `t * m + j`, `i * m + j`.

    Along j both `b` and `out` walk along a row, and `a` stays: it's a number that you can read
    once.

    With j as the inner loop no sum is finished before the next begins. Add each product to its
    place in `out`.
    """

    def down_a_column(a, b, out, n, k, m):
        """The inner loop walks down a column of `b`: every step needs another line, and has lost it
        by the time it comes back."""
        for i in range(n):
            for j in range(m):
                for t in range(k):
                    out[i * m + j] += a[i * k + t] * b[t * m + j]

    def down_columns_with_a_sum(a, b, out, n, k, m):
        """The inner loop walks down a column of `b`: every step needs another line. That the sum is
        a number of its own saves none of them."""
        for i in range(n):
            for j in range(m):
                total = 0.0
                for t in range(k):
                    total += a[i * k + t] * b[t * m + j]
                out[i * m + j] += total

    def down_two_columns(a, b, out, n, k, m):
        """The inner loop walks down two columns, of `a` and of `out`. With i inside, no line serves
        two steps in a row."""
        for j in range(m):
            for t in range(k):
                x = b[t * m + j]
                for i in range(n):
                    out[i * m + j] += a[i * k + t] * x

    def outer_loops_exchanged(a, b, out, n, k, m):
        """The inner loop is right. But the loop around it walks down a column of `a`, and each
        round of the outer one moves all of `out` once more: exchange the two outer ones."""
        for t in range(k):
            for i in range(n):
                x = a[i * k + t]
                for j in range(m):
                    out[i * m + j] += x * b[t * m + j]

    not_added = edit("out[i * m + j] +=", "out[i * m + j] =")
    """Each product overwrites the one before it in `out`. Add them up."""

    def begun_with_zero(a, b, out, n, k, m):
        """You set `out` to zero first. The product is added to what is there."""
        for i in range(n):
            for j in range(m):
                out[i * m + j] = 0.0
            for t in range(k):
                x = a[i * k + t]
                for j in range(m):
                    out[i * m + j] += x * b[t * m + j]

    rows_of_n = edit("out[i * m + j]", "out[i * n + j]")
    """A row of `out` has m words, not n: row i begins at i · m."""

    rows_of_a = edit("a[i * k + t]", "a[i * m + t]")
    """A row of `a` has k words: row i begins at i · k."""

    second_turned = edit("b[t * m + j]", "b[j * k + t]")
    """You multiplied by `b` transposed: row t, column j lies at t · m + j."""

    def copied_first(a, b, out, n, k, m):
        """You keep words in a list. A kernel has no memory of its own, only numbers: all the words
        that it needs again come from the arrays."""
        rows = [b[p] for p in range(k * m)]
        for i in range(n):
            for t in range(k):
                x = a[i * k + t]
                for j in range(m):
                    out[i * m + j] += x * b[t * m + j]


@exercise("ndarray.matmul_in_tiles", points=4, needs=("chapter17.matmul_by_rows",))
class IN_TILES:
    """By rows, all of `b` goes through the cache again for each row of `out`. What if you take only
    a small square of each matrix, and do all that these three squares have in common?

    Three loops go from tile to tile, `range(0, n, tile)`; three loops inside of them go through
    one tile, in the order that you know.

    An inner loop begins where its tile begins, and ends at `min(begin + tile, n)`.

    The order of the three outer loops makes no difference: one of the three tiles stays, and two
    come.
    """

    def not_in_tiles(a, b, out, n, row, tile):
        """That is the product by rows: all of `b` comes once more for each row of `out`. Take it
        tile by tile."""
        for i in range(n):
            for t in range(n):
                x = a[i * row + t]
                for j in range(n):
                    out[i * row + j] += x * b[t * row + j]

    @instead(
        "for middle in range(0, n, tile):",
        "x = a[i * row + t]",
        edits=(("range(middle, min(middle + tile, n))", "range(n)"),),
    )
    def out_alone_in_tiles(top, n, tile, a, row):
        """The shared axis isn't cut: you go through whole rows of `a` and whole columns of tiles of
        `b` at once, and they don't fit. Cut all three axes."""
        for _ in range(1):
            for i in range(top, min(top + tile, n)):
                for t in range(n):
                    x = a[i * row + t]

    def whole_sums(a, b, out, n, row, tile):
        """You finish each sum before you begin the next, so it walks down a whole column of `b`.
        Cut the shared axis into tiles, too."""
        for top in range(0, n, tile):
            for left in range(0, n, tile):
                for i in range(top, min(top + tile, n)):
                    for j in range(left, min(left + tile, n)):
                        total = 0.0
                        for t in range(n):
                            total += a[i * row + t] * b[t * row + j]
                        out[i * row + j] += total

    edge_forgotten = edit(
        ("min(top + tile, n)", "top + tile"), ("min(middle + tile, n)", "middle + tile"),
        ("min(left + tile, n)", "left + tile"),
    )  # fmt: skip
    """At the edge a tile is smaller: where `tile` doesn't divide `n`, you go on into the spare
    words or the next row."""

    edge_left_out = edit(
        ("for top in range(0, n, tile)", "for top in range(0, n - tile + 1, tile)"),
        ("for left in range(0, n, tile)", "for left in range(0, n - tile + 1, tile)"),
        ("for middle in range(0, n, tile)", "for middle in range(0, n - tile + 1, tile)"),
    )
    """You take whole tiles alone. Where `tile` doesn't divide `n`, what is left over belongs to the
    product, too."""

    def whole_sums_of_whole_tiles(a, b, out, n, row, tile):
        """You take whole tiles alone: where `tile` doesn't divide `n`, what is left over belongs to
        the product, too. And each sum walks down a whole column of `b`: cut the shared axis."""
        for ti in range(n // tile):
            for tj in range(n // tile):
                for i in range(ti * tile, (ti + 1) * tile):
                    for j in range(tj * tile, (tj + 1) * tile):
                        total = 0.0
                        for t in range(n):
                            total += a[i * row + t] * b[t * row + j]
                        out[i * row + j] += total

    one_row_too_many = edit("range(top, min(top + tile, n))", "range(top, min(top + tile + 1, n))")
    """A tile has `tile` rows; yours has one more, which the next tile adds once again."""

    row_is_n = edit(
        ("a[i * row + t]", "a[i * n + t]"), ("out[i * row + j]", "out[i * n + j]"),
        ("b[t * row + j]", "b[t * n + j]"),
    )  # fmt: skip
    """A row takes `row` words, which may be more than `n`: row i begins at i · row."""

    not_added = edit("out[i * row + j] +=", "out[i * row + j] =")
    """Each product overwrites the one before it in `out`. Add them up."""

    spare_words_too = edit(
        ("range(left, min(left + tile, n))", "range(left, min(left + tile, row))"),
        ("for left in range(0, n, tile)", "for left in range(0, row, tile)"),
    )
    """You write into the spare words of the rows, too. Only the first `n` count."""

    def one_size_of_tile(a, b, out, n, row, tile):
        """Your tiles have 4 rows, whatever `tile` says."""
        for top in range(0, n, 4):
            for left in range(0, n, tile):
                for middle in range(0, n, tile):
                    for i in range(top, min(top + 4, n)):
                        for t in range(middle, min(middle + tile, n)):
                            x = a[i * row + t]
                            for j in range(left, min(left + tile, n)):
                                out[i * row + j] += x * b[t * row + j]

    @before("for i in range(top, min(top + tile, n)):")
    def tile_copied(b, tile):
        """You put words into a list. A kernel has no memory of its own; the cache keeps the tile
        for you."""
        kept = [b[p] for p in range(tile)]


@exercise("ndarray.padded_row", points=2)
class PADDED:
    """How many lines does a row have at least, if rows begin on a line? Round up.

    Row i begins in set `i · lines % sets`, with `lines` for the lines of a row. When does that give
    every set? With 4 lines and 8 sets: 0, 4, 0, 4, … With 5: 0, 5, 2, 7, 4, 1, 6, 3.

    It gives every set where `lines` and `sets` have no common divisor, `math.gcd`. Add lines until
    it is so.
    """

    words_for_lines = edit(
        ("-(-n // line)", "n"), ("lines * line", "lines")
    )  # fmt: skip
    """You counted the row in words. Rows begin on a line: count it in lines, and multiply at the
    end."""

    rounded_down = edit("-(-n // line)", "n // line")
    """You rounded down: the last words of the row have no place."""

    def one_line_more(n, line, sets):
        """You add a line, whether the row needs it or not."""
        lines = -(-n // line)
        lines += 1
        return lines * line

    def odd_is_enough(n, line, sets):
        """An odd number of lines is right for a power of two. Other numbers of sets share odd
        divisors with it, too."""
        lines = -(-n // line)
        lines += 1 - lines % 2
        return lines * line

    def odd_words(n, line, sets):
        """You look whether the number of *words* is odd. What counts is the number of lines: it may
        have no divisor in common with the number of sets."""
        row = -(-n // line) * line
        if row % 2 == 0:
            row += line
        return row

    def a_line_for_multiples(n, line, sets):
        """It isn't enough that the sets don't divide the row: with 6 lines and 4 sets only two sets
        are used. And with one set every row is right."""
        lines = -(-n // line)
        return lines * line if lines % sets else (lines + 1) * line

    one_line_at_most = edit("while math", "if math")
    """You add one line at most. The next number of lines may share a divisor with the sets, too."""

    not_a_multiple_alone = edit("math.gcd(lines, sets) != 1", "lines % sets == 0")
    """It isn't enough that the sets don't divide the row: with 6 lines and 4 sets only two sets are
    used."""

    def one_word_more(n, line, sets):
        """You add one word to every row. A row is a whole number of lines long."""
        return n + 1

    def words_of_a_line_more(n, line, sets):
        """You add the words of a line to every row. A row is a whole number of lines long, and some
        rows are good as they are."""
        return n + line

    def words_that_sets_divide(n, line, sets):
        """You add single words until `sets` doesn't divide their number. Rows begin on a line: it's
        the number of lines that says in which sets."""
        while n % sets == 0:
            n += 1
        return n

    def power_of_two(n, line, sets):
        """You round up to a power of two. That is the worst row there is for a power of two of
        sets: its neighbours all begin in the same few."""
        lines = -(-n // line)
        while lines & (lines - 1):
            lines += 1
        return lines * line

    full_line_more = edit("-(-n // line)", "n // line + 1")
    """Where the row fills its last line, you give it one more. Round up, and no further."""

    in_lines = edit("return lines * line", "return lines")
    """That is the row in lines. Return words."""

    nothing_added = edit(("while math.gcd(lines, sets) != 1:", ""), ("lines += 1", ""))
    """You only round up to whole lines. Where the row and the sets share a divisor, rows meet in
    the same sets."""
