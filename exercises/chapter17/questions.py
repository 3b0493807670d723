"""Questions without code: predict first, then run; and open ones at the end."""

from grader.course import Question

PLACE = Question(
    "chapter17.q.place",
    asks="""A view of a larger array has 3 rows, and every second column. At which word is its value
[2, 1]?

```python
from babygrad.ndarray import offset_of

print(offset_of((2, 1), (3, 3), (6, 2), offset=1))
```
""",
    choices=("8", "13", "14", "15"),
    answer="15",
    why="1 + 2 · 6 + 1 · 2. The rows of the larger array have six words, whatever the view shows "
    "of them.",
)

TWICE = Question(
    "chapter17.q.twice",
    asks="""Two views in a row. What does this print?

```python
from babygrad.ndarray import NDArray

x = NDArray([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], (6,))
y = x[::-2][1:]
print(y.strides, y.offset, y.numpy())
```
""",
    choices=(
        "(-2,) 5 [3. 1.]",
        "(-2,) 3 [3. 1.]",
        "(-2,) 4 [4. 2.]",
        "(2,) 1 [1. 3.]",
    ),
    answer="(-2,) 3 [3. 1.]",
    why="`x[::-2]` begins at word 5 and walks by −2: 5, 3, 1. `[1:]` drops the first one: the "
    "offset moves by 1 · (−2), to 3.",
)

SEEN = Question(
    "chapter17.q.seen",
    asks="""A number is written into a stretched row. What does the matrix show?

```python
from babygrad.ndarray import NDArray

row = NDArray([1.0, 2.0, 3.0], (3,))
many = row.broadcast_to((2, 3))
row[1] = 7.0
print(many.numpy().tolist())
```
""",
    choices=(
        "[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]",
        "[[1.0, 7.0, 3.0], [1.0, 2.0, 3.0]]",
        "[[1.0, 7.0, 3.0], [1.0, 7.0, 3.0]]",
        "[[7.0, 7.0, 7.0], [7.0, 7.0, 7.0]]",
    ),
    answer="[[1.0, 7.0, 3.0], [1.0, 7.0, 3.0]]",
    why="There are three words in all. Both rows read them, because a step to the next row is a "
    "step of 0 words.",
)

VIEWED = Question(
    "chapter17.q.viewed",
    asks="""Which of these share the memory of `x`?

```python
from babygrad.ndarray import NDArray

x = NDArray([0.0] * 24, (4, 6))
turned = x.transpose().reshape((2, 3, 4))
flat = x.transpose().reshape((24,))
print(turned.buffer is x.buffer, flat.buffer is x.buffer)
```
""",
    choices=("True True", "True False", "False False", "False True"),
    answer="True False",
    why="The transpose has the strides (1, 6). Its 6 rows can be cut into 2 · 3, in steps of 3 "
    "and 1. But no single stride leads down its columns and on to the next row.",
)

TRAVELS = Question(
    "chapter17.q.travels",
    asks="""A cache has room for two lines of 4 words. A matrix of 4 × 4 is read, column after
column. How many of the 16 accesses miss?

```python
from babygrad.counted_memory import Memory

memory = Memory(lines=2, line=4)
words = memory.array(range(16))
for column in range(4):
    for row in range(4):
        words[4 * row + column]
print(memory.misses)
```
""",
    choices=("4", "8", "12", "16"),
    answer="16",
    why="A column takes four lines, and two fit. When the next column comes back to line 0, lines "
    "2 and 3 are in the cache.",
)

INNERMOST = Question(
    "chapter17.q.innermost",
    asks="""`out[i * m + j] += a[i * k + t] * b[t * m + j]` stands inside three loops, and no column
fits into the cache. Which loop should be the innermost?""",
    choices=("over i", "over j", "over t", "it makes no difference"),
    answer="over j",
    why="Along j, `b` and `out` walk along a row, and `a` stays. Along t, `b` walks down a column. "
    "Along i, `a` and `out` do.",
)

ROWS = Question(
    "chapter17.q.rows",
    asks="""Lines have 4 words, and the cache has 4 sets. A matrix has 24 columns. How long should
its rows be?

```python
from babygrad.ndarray import padded_row

print(padded_row(24, line=4, sets=4))
```
""",
    choices=("24", "25", "28", "32"),
    answer="28",
    why="24 words are 6 lines: rows begin in the sets 0, 2, 0, 2. With 7 lines, 28 words, they "
    "begin in 0, 3, 2, 1. With 8 lines, all of them begin in set 0.",
)

COPIES = Question(
    "chapter17.q.copies",
    asks="You want to add up all values of a large array that is a transpose of a slice. Your "
    "friend says: «First make it compact. Then the loop is fast.» Is that right? What does it "
    "miss with the copy and without, and what else could you do?",
    rubric=(
        "The copy walks through the old words once in any case, in the order that misses much, and "
        "then writes and reads a new array: it misses more, not less.",
        "A sum may take its values in any order (up to rounding), so it can follow the memory "
        "instead of the indices: sort the axes by the size of their strides.",
        "A copy is worth it if the values are read often, as in a product of matrices, or if "
        "somebody else needs them compact.",
        "It is worth it as well if the array sees little of a large buffer that could then be "
        "freed.",
    ),
    why="NumPy does the second: before it loops, it sorts the axes by stride, so `a.T.sum()` is "
    "as fast as `a.sum()`.",
)

PROMISE = Question(
    "chapter17.q.promise",
    asks="In NumPy, a slice is a view, but an index that is a list of numbers, `x[[0, 2, 5]]`, "
    "gives a copy. Why can't this be a view? Which lists could be one, and why is it better that "
    "NumPy copies even then?",
    rubric=(
        "A view has one stride for each axis. The steps between 0, 2 and 5 are 2 and 3.",
        "Lists with equal steps could be views: [0, 2, 4], or [5, 5, 5] with a stride of 0.",
        "Then it would depend on the *values* of the list whether writing into the result changes "
        "`x`.",
        "A program is easier to understand if the form of an expression says whether it is a view.",
    ),
    why="`reshape` breaks that rule, and people do get caught by it: that is why PyTorch has "
    "`view` beside `reshape`.",
)

QUESTIONS = (PLACE, TWICE, SEEN, VIEWED, TRAVELS, INNERMOST, ROWS, COPIES, PROMISE)
