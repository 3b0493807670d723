"""Questions without code: predict first, then run; and open ones at the end."""

from grader.course import Question

LENGTH = Question(
    "chapter15.q.length",
    asks="""How many instructions does the program have?

```python
from babygrad import Tensor
from babygrad.tracing import trace

def f(x):
    for _ in range(3):
        x = x * 2.0
    return x

print(len(trace(f, Tensor([1.0, 2.0])).instructions))
```
""",
    choices=("1", "2", "3", "4"),
    answer="3",
    why="The loop runs while f is traced. What is left of it is what it did: three instructions in "
    "a row. A program has no loops.",
)

ZERO = Question(
    "chapter15.q.zero",
    asks="""What does it print?

```python
import numpy as np

x = np.array(-0.0)
print(np.signbit(x + 0.0), np.signbit(x + -0.0))
```
""",
    choices=("False True", "True True", "False False", "True False"),
    answer="False True",
    why="-0.0 + 0.0 is 0.0, and -0.0 + -0.0 is -0.0. So only x + (-0.0) leaves every x as it is.",
)

SAME = Question(
    "chapter15.q.same",
    asks="Which of these may a pass replace with `x`, if every output has to keep its value to the "
    "last bit, for every x?",
    choices=("x * 1.0", "x + 0.0", "log(exp(x))", "(x + 1.0) - 1.0"),
    answer="x * 1.0",
    why="x + 0.0 changes -0.0. log(exp(x)) overflows at 1000 and is rounded twice. (x + 1.0) - 1.0 "
    "is 0 for x = 1e-20.",
)

FROZEN = Question(
    "chapter15.q.frozen",
    asks="""`noise` is drawn while the function runs. What does it print?

```python
import numpy as np
from babygrad import Tensor
from babygrad.tracing import run, trace

def f(x):
    noise = Tensor(np.random.randn(3), requires_grad=False)
    return x + noise

x = Tensor([1.0, 2.0, 3.0])
program = trace(f, x)
print(np.array_equal(run(program, x.data), run(program, x.data)))
```
""",
    choices=("True", "False", "an error"),
    answer="True",
    why="The numbers were drawn once, when f was traced. In the program they are a constant. What "
    "should change from call to call has to be an input.",
)

BUFFERS = Question(
    "chapter15.q.buffers",
    asks="A chain of 20 element-by-element instructions, all of one shape, and its last value is "
    "the only output. How many buffers does `assign_buffers` need?",
    choices=("0", "1", "2", "19"),
    answer="1",
    why="Each instruction writes over what it reads for the last time: 19 values share one buffer. "
    "The output has none: the caller may keep it.",
)

ORDER = Question(
    "chapter15.q.order",
    asks="After which pass is there usually the most to do for `dead_code`?",
    choices=("fold_constants", "dead_code", "none of them"),
    answer="fold_constants",
    why="A folded instruction reads nothing any longer, so those that made its inputs are dead.",
)

TRACED = Question(
    "chapter15.q.what_is_lost",
    asks="Your compiler runs the Python function once and keeps what the ops did. Name three "
    "things that such a program can't know about the function, and say what you would do about "
    "each.",
    rubric=(
        "A Python `if` or loop on a value: the program holds the branch that was taken (ours "
        "refuses to read the value). Compute both and choose by a mask, or trace each case.",
        "Random draws and anything else that happens outside the ops (prints, counters): it "
        "happens once, while the function is traced. Make it an input.",
        "Other shapes: retrace, as Compiled does. (Tensors that the function takes from outside "
        "are constants: hand them over.)",
    ),
)

SPEED = Question(
    "chapter15.q.where_it_comes_from",
    asks="A compiled step of your GPT computes the same numbers with the same NumPy functions, and "
    "takes much less time. Where does the time go in the eager one? Which of it is saved by "
    "tracing, which by passes, and which by buffers?",
    rubric=(
        "Tracing: no Tensors, no graph, no walk; Tensor copies its data at every op.",
        "Passes: what is computed twice, transposes that cancel, constants that are known.",
        "Buffers: fresh memory costs time (the system has to hand out and clear pages), and memory "
        "that was just used is still in the cache.",
    ),
)

QUESTIONS = (LENGTH, ZERO, SAME, FROZEN, BUFFERS, ORDER, TRACED, SPEED)
