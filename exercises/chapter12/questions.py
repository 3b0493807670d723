"""Questions without code: predict first, then run; and open ones at the end."""

from grader.course import Question

ONES = Question(
    "chapter12.q.ones",
    asks="A judge whose cotangent is made of ones looks at four wrong rules for `a * b` at arrays "
    "of shape (2, 3). Which of them does it accept?",
    choices=(
        "`return b, a` (the cotangent is forgotten)",
        "`return -out_grad * b, out_grad * a`",
        "`return out_grad * a, out_grad * b`",
        "`return out_grad * b * 2, out_grad * a`",
    ),
    answer="`return b, a` (the cotangent is forgotten)",
    why="Times one changes nothing, so nobody can see that the factor is missing. The other three "
    "are wrong for every cotangent.",
)

NAN = Question(
    "chapter12.q.nan",
    asks="""What does this print?

```python
import numpy as np

off = np.abs(np.array([0.0, np.nan]) - np.array([0.0, 1.0]))
print((off > 1e-6).any(), (off <= 1e-6).all())
```
""",
    choices=("False False", "True False", "False True", "True True"),
    answer="False False",
    why='Every comparison with nan is False. "Is anything too far off?" is answered no, and so '
    'is "is everything near?". Only the second question keeps a nan out.',
)

STEPS = Question(
    "chapter12.q.step",
    asks="The central difference of exp at 1, in float64. Which step comes nearest to the "
    "derivative?",
    choices=("1e-2", "6e-6", "1e-10", "1e-15"),
    answer="6e-6",
    why="Two errors add: the formula's own grows with the square of the step, rounding's with one "
    "over the step. They meet near the cube root of 2e-16, which is 6e-6.",
)

FLOAT32 = Question(
    "chapter12.q.float32",
    asks="""What does this print?

```python
import numpy as np

x = np.float32(100.0)
print(x + np.float32(1e-6) == x)
```
""",
    choices=("True", "False"),
    answer="True",
    why="Near 100, float32 numbers are 7.6e-6 apart. The step vanishes, and the difference "
    "quotient would be 0 / 1e-6: move numbers in float64.",
)

BLIND = Question(
    "chapter12.q.blind",
    asks="Somebody's `Log.backward` computes in float32 and returns float64: it is right to "
    'seven digits. Your judge accepts it with a tolerance of 1e-6, and its author says: "So it '
    'is right." What can no finite difference ever see, and how would you find it?',
    rubric=(
        "A central difference in float64 is itself right to ten digits at most, so mistakes "
        "smaller than its error are invisible to it, and the tolerance has to leave room for it.",
        "A way to see more: the complex step, exact to rounding; a formula; another library's "
        "numbers; or a direct look at the dtype on the way.",
        "Also invisible: mistakes at single points (a kink such as relu at 0), and mistakes at "
        "inputs that were never tried.",
        "Says what a passed check is: not a proof; it found no mistake at these inputs, with "
        "this tolerance.",
    ),
)

DESIGN = Question(
    "chapter12.q.thousands",
    asks="A framework has two thousand ops, with a test written by hand for each; half of the "
    "tests try only one shape. You may change this. What do you write once, what once per op, "
    "and what keeps a new op from being forgotten?",
    rubric=(
        "Once: the properties, as templates. The rule agrees with numbers; the dtype stays; inputs "
        "are untouched; differentiable twice; odd shapes.",
        "Once per op: a row in a table. How it is called, where its inputs may lie, sample shapes, "
        "another library's twin, exceptions with a reason.",
        "Nothing is forgotten if the table is compared with the list of ops: an op without a row "
        "fails.",
        "The tests are tested, too: they must find mutants. (JAX and PyTorch, whose OpInfo is "
        "such a table.)",
    ),
)

QUESTIONS = (ONES, NAN, STEPS, FLOAT32, BLIND, DESIGN)
