"""Questions without code: predict first, then run; and open ones that a person marks."""

from grader.course import Question

USED_THREE_TIMES = Question(
    "chapter3.q.three-uses",
    asks="""What does this print?

```python
from babygrad import Tensor

x = Tensor(3.0)
y = x * x + 2 * x + x
y.backward()
print(float(x.grad))
```
""",
    choices=("3.0", "6.0", "8.0", "9.0"),
    answer="9.0",
    why="Every use of x is a path from y back to x, and the gradients of all paths add. `x * x` "
    "uses x twice and brings 3 + 3, `2 * x` brings 2, the last x brings 1: together 9. The formula "
    "says the same: y = x² + 3x, so dy/dx = 2x + 3.",
)

TWICE_HERE = Question(
    "chapter3.q.twice",
    asks="""`backward` is called twice on the same graph. What does this print?

```python
from babygrad import Tensor

x = Tensor(3.0)
y = x * x
y.backward()
y.backward()
print(float(x.grad))
```
""",
    choices=("6.0", "12.0", "18.0", "an error"),
    answer="12.0",
    why="The graph is still there after the first walk, so the second walk finds the same 6 once "
    "more, and a leaf adds it to what it holds. This is the reference. An engine that keeps "
    "`.grad` on y, too, and starts the second walk from what is there, has 1 + 1 at y and so "
    "adds 12 to the 6: 18. If yours prints 18, it does that. Chapter 11 compares engines on this "
    "point.",
)

TWICE_IN_PYTORCH = Question(
    "chapter3.q.twice-in-pytorch",
    asks="""The same in PyTorch: what happens at the second `backward`?

```python
import torch

x = torch.tensor(3.0, requires_grad=True)
y = x * x
y.backward()
y.backward()
```
""",
    choices=(
        "x.grad becomes 12",
        "x.grad stays 6",
        "RuntimeError, unless the first call was `y.backward(retain_graph=True)`",
        "RuntimeError, whatever the first call was",
    ),
    answer="RuntimeError, unless the first call was `y.backward(retain_graph=True)`",
    why="While it walks, PyTorch frees the arrays that the ops saved in the forward pass: they are "
    "most of the memory of a training step, and are seldom needed again. The second walk finds "
    "them gone. With `retain_graph=True` they stay, and x.grad becomes 12, as here.",
)

SCALAR_ONLY = Question(
    "chapter3.q.start",
    asks="""What does this print, and what would PyTorch do in its last line but one?

```python
from babygrad import Tensor

x = Tensor([1.0, 2.0])
y = x * x
y.backward()
print(x.grad.tolist())
```
""",
    choices=(
        "[2.0, 4.0]; PyTorch does the same",
        "[2.0, 4.0]; PyTorch raises a RuntimeError",
        "[1.0, 1.0]; PyTorch raises a RuntimeError",
    ),
    answer="[2.0, 4.0]; PyTorch raises a RuntimeError",
    why="Without `grad` this walk starts from ones, which gives the gradient of the sum of y. "
    "PyTorch asks you to say what you mean when the output is not a single number: «grad can be "
    "implicitly created only for scalar outputs».",
)

ACCUMULATE = Question(
    "chapter3.q.accumulate",
    asks="Why does `backward` add to the gradient that a leaf holds, instead of replacing it? Give "
    "one example where that is wanted, and one where you have to do something about it.",
    rubric=(
        "Within one walk: a value that is used more than once gets one gradient per path, and the "
        "chain rule for several variables adds these.",
        "Between walks: the gradient of a sum of losses is the sum of their gradients. Example: a "
        "large batch in several parts, with one `backward` per part and one step at the end.",
        "Another right example: a weight that two networks or all time steps share.",
        "The other side: before the next training step the old gradients have to be cleared "
        "(`zero_grad`), or each step also uses those of all steps before it.",
    ),
    why="The gradient of a sum is the sum of the gradients. So adding is right wherever several "
    "results count together, and the place to forget is chosen by the training loop, which alone "
    "knows where one step ends.",
)

REVERSE = Question(
    "chapter3.q.reverse-mode",
    asks="The chain rule may be multiplied out from the inputs (forward mode) or from the output "
    "(reverse mode). Why do neural networks use reverse mode? When is forward mode better?",
    rubric=(
        "A network has one output that counts, the loss, and many inputs: its parameters.",
        "One walk in reverse gives the derivatives of one output with respect to all inputs; one "
        "pass forward gives those of all outputs with respect to one input (one direction).",
        "So for n parameters forward mode needs n passes, reverse mode one walk, at a small "
        "multiple of the cost of computing the loss.",
        "The price: the values of the forward pass are kept until the walk needs them.",
        "Forward mode is better with few inputs and many outputs.",
    ),
    why="With a million parameters, forward mode would be a million passes for one step. Reverse "
    "mode is one pass and one walk, paid for in memory.",
)

CHAIN_RULE = Question(
    "chapter3.q.chain-rule",
    asks="What is the chain rule for, in this engine? Say what a `backward` of one op knows, what "
    "it does not know, and why that is enough.",
    rubric=(
        "The derivative of a composition is the product of the derivatives of its steps.",
        "An op knows its own local derivative and its inputs, and is given `out_grad`.",
        "It knows neither what comes before it nor what comes after it in the graph.",
        "That is enough: `out_grad` sums up all that comes after; the product with the local "
        "derivative is the `out_grad` of the op before.",
        "So any new op fits into every network as soon as its own rule is right.",
    ),
    why="The chain rule cuts the derivative of a whole network into pieces that can be written, "
    "and tested, one at a time.",
)

LINEAGE = Question(
    "chapter3.q.lineage",
    asks="Forward builds a graph, backward walks it in reverse topological order. Where else have "
    "you met this: in compilers, build tools, spreadsheets, data pipelines? Name what is alike, "
    "and one thing that is different.",
    rubric=(
        "Alike: operations are recorded as a directed graph without cycles, whose edges say what "
        "was made from what.",
        "Compilers: data-flow graphs and dead-code elimination walk from results back to what they "
        "need; each node is visited once, in dependency order.",
        "Data lineage: from a wrong number in a report back through the steps to the source rows. "
        "The recorded graph answers where a value came from.",
        "Build tools and spreadsheets: topological order, so that nothing runs before what it "
        "needs.",
        "A difference: lineage only asks which inputs count, the gradient also how much; or: a "
        "compiler sees the whole program before it runs, this engine records while it runs.",
    ),
    why="Recording how a value was made, and asking that record later, is one idea under many "
    "names. A gradient is lineage with a number on every edge.",
)

TESTING = Question(
    "chapter3.q.testing",
    asks="A framework has thousands of backward functions. How would you test them all, without "
    "writing down thousands of expected gradients by hand?",
    rubric=(
        "Numerically: compare with finite differences in float64 (PyTorch's `gradcheck`), for "
        "every op with the same code.",
        "A table of ops with sample inputs, and one test template per property that runs over the "
        "table, rather than a test per op (PyTorch's `OpInfo`).",
        "Random upstream gradients, not ones, or a forgotten `out_grad` passes.",
        "Sample inputs chosen with care: away from kinks, several shapes, broadcasting, no special "
        "values like 0 and 1; kinks tested on their own.",
        "A second opinion: another framework, or the complex step; and second derivatives.",
        "What numbers cannot see (float32 against float64, memory, speed) needs tests of its own.",
    ),
    why="The forward says what the gradient has to be; a numeric derivative reads it off. The code "
    "that checks your exercises works in this way: a row per op, a template per property.",
)

QUESTIONS = (
    USED_THREE_TIMES,
    TWICE_HERE,
    TWICE_IN_PYTORCH,
    SCALAR_ONLY,
    ACCUMULATE,
    REVERSE,
    CHAIN_RULE,
    LINEAGE,
    TESTING,
)
