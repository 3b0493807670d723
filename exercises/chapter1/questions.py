"""Questions on chapter 1: predict and then run, or think and then write."""

from grader.course import Question

PATHS = Question(
    "chapter1.q.paths",
    asks="""A Value used in three operations. What does this print?

```python
from babygrad.scalar import Value

x = Value(2.0)
y = x * x + 3 * x - x
y.backward()
print(x.grad)
```
""",
    choices=("-1.0", "4.0", "6.0", "7.0"),
    answer="6.0",
    why="x·x passes on 2 + 2 (x is both of its inputs), 3·x passes 3, and -x passes -1: 6 in "
    "all. By hand: y = x² + 2x, so 2x + 2 = 6.",
)

STAYS = Question(
    "chapter1.q.stays",
    asks="""Two results from the same leaf, and no `zero_grad`. What does this print?

```python
from babygrad.scalar import Value

w = Value(3.0)
for _ in range(3):
    loss = (w - 1) ** 2
    loss.backward()
print(w.grad)
```
""",
    choices=("0.0", "4.0", "8.0", "12.0"),
    answer="12.0",
    why="Each of the three losses has the slope 2·(3 - 1) = 4, and a leaf adds to what it holds. "
    "In a training loop that forgets `zero_grad`, step 3 goes three times as far.",
)

TWICE = Question(
    "chapter1.q.twice",
    asks="""`backward` twice on one graph, whose leaf is zeroed in between. What does this print?

```python
from babygrad.scalar import Value, zero_grad

x = Value(3.0)
u = x * x
y = 2 * u
y.backward()
zero_grad([x])
y.backward()
print(x.grad)
```

(With the `Value.backward` of the course. Yours may differ here; no check looks at it.)
""",
    choices=("12.0", "24.0", "36.0"),
    answer="24.0",
    why="Only x went back to 0. The node u still holds 2 from the first walk; the second makes it "
    "4 before u hands it on: 4·2x = 24. PyTorch raises an error on the second call. With "
    "`retain_graph=True` it gives 12 here, since it keeps no gradient at u.",
)

STALE = Question(
    "chapter1.q.stale",
    asks="""The data of a leaf is edited after the loss was built. What does this print?

```python
from babygrad.scalar import Value

w = Value(3.0)
loss = (w * w) * w
w.data = 1.0
loss.backward()
print(loss.data, w.grad)
```
""",
    choices=("1.0 3.0", "27.0 3.0", "27.0 11.0", "27.0 27.0"),
    answer="27.0 11.0",
    why="The inner product still holds 9, computed from the old w; the rules find w = 1. So the "
    "outer product passes 9 to w and 1 to the inner one, which passes on 1 + 1: 9 + 2 = 11. At "
    "w = 3 the slope is 27, at w = 1 it is 3; 11 is the slope of nothing.",
)

RELU = Question(
    "chapter1.q.relu",
    asks="""A neuron whose weighted sum is negative. What does this print?

```python
from babygrad.scalar import Value

w, x = Value(-0.5), 2.0
out = (w * x).relu()
((out - 1) ** 2).backward()
print(out.data, w.grad == 0)
```
""",
    choices=("0.0 True", "0.0 False", "-1.0 False"),
    answer="0.0 True",
    why="The output is 0 and should be 1, and still no gradient comes through: left of 0, relu is "
    "flat. A neuron for which this holds at every input cannot learn any more. It is called dead.",
)

SHARED = Question(
    "chapter1.q.shared_weight",
    asks="""What does this print?

```python
from babygrad.scalar import Value

weights = [Value(0.5)] * 3
total = sum(w * x for w, x in zip(weights, [1, 2, 3]))
total.backward()
print([w.grad for w in weights])
```
""",
    choices=("[1.0, 2.0, 3.0]", "[6.0, 6.0, 6.0]", "[0.5, 0.5, 0.5]"),
    answer="[6.0, 6.0, 6.0]",
    why="`[…] * 3` holds the same Value three times. It was used three times, so it sums 1 + 2 + "
    "3. Convolutions share weights in this way on purpose (chapter 10).",
)

ACCUMULATE = Question(
    "chapter1.q.accumulate",
    asks="Why does a rule add to `grad` instead of setting it? Give an example with numbers in "
    "which setting gives a wrong gradient. And why is it still left to you to zero the leaves?",
    rubric=(
        "Says that a value used in several places reaches the result by several paths, and that "
        "their contributions add (chain rule).",
        "Gives an example with its right and its wrong number, such as y = x·x or y = a·b + a.",
        "Says that the engine cannot know where one step ends: adding over several results can be "
        "wanted (several losses, small batches gathered to a large one).",
    ),
    why="Within one graph adding is mathematics. Between graphs it is a choice, and PyTorch made "
    "the same one.",
)

REVERSE = Question(
    "chapter1.q.reverse_mode",
    asks="Why do networks use reverse mode, and neither forward mode nor central differences? "
    "Compare what each costs for a loss with a million parameters, and name a case in which "
    "forward mode is the better one.",
    rubric=(
        "Reverse mode: one walk back per result, whatever the number of inputs; one loss, so one "
        "walk, at a few times the cost of the forward.",
        "Forward mode needs one run per input, central differences two: a million or two million.",
        "Names the price of reverse mode: everything that the forward computed is kept until the "
        "walk; or that differences are inexact as well as slow.",
        "Names a case with few inputs and many results, such as one parameter of a simulation.",
    ),
    why="The number of results decides for reverse mode, the number of inputs for forward mode.",
)

CHAIN_RULE = Question(
    "chapter1.q.chain_rule",
    asks="What is the chain rule for in your engine? Name the line of code in `__mul__` that is "
    "the chain rule, and say what each of its factors stands for.",
    rubric=(
        "Says that it lets each operation know its own slope only, and still gives the slope of "
        "the whole.",
        "Names the line that adds the other factor times `out.grad` to an input's `grad`.",
        "Tells the two factors apart: the local slope, and the slope of the result with respect "
        "to this node.",
    ),
    why="An engine of twenty operations differentiates every program made of them.",
)

XOR = Question(
    "chapter1.q.xor",
    asks="Why can one neuron not learn XOR, however long it trains? What does a hidden layer of "
    'two neurons change? Would it help if these two were "linear"?',
    rubric=(
        "One neuron decides by the sign of a weighted sum: a straight line in the plane; the "
        "activation at the end does not bend that line.",
        "No line has (0, 1) and (1, 0) on one side and (0, 0) and (1, 1) on the other; a sketch or "
        "the contradiction of four inequalities.",
        "Each hidden neuron draws a line of its own; the output combines them, for example «or» "
        "and «not both».",
        "Linear ones do not help: a linear function of linear functions is linear again.",
    ),
    why="Minsky and Papert proved this and more about single perceptrons in 1969.",
)

LINEAGE = Question(
    "chapter1.q.lineage",
    asks="«The forward builds a record, the backward walks it.» Where else is it so? Compare with "
    "a compiler's syntax tree or a build tool, or with data lineage, where one asks from which "
    "sources a number in a report came.",
    rubric=(
        "Sees the common part: a directed graph without cycles, of results and what they were "
        "made from.",
        "Sees the use of a topological order: build in order, walk back in reverse.",
        "Names a difference, such as what travels along the edges (slopes; what is out of date; "
        "who is to blame), or that a compiler may also change the graph.",
    ),
    why="PyTorch records while it runs, as you do. Others, such as JAX, record first and compile.",
)

BUILDING = Question(
    "chapter1.q.building",
    asks="Name one thing about gradients that you had read or heard before, and understood only "
    "when a check of yours failed. What had you believed, and what did the code show?",
    rubric=(
        "Names a concrete belief and the concrete failure that contradicted it.",
        "Says what is true instead, in words of their own.",
    ),
    why="Reading lets a gap pass unseen. A program does not.",
)

FRAMEWORKS = Question(
    "chapter1.q.testing",
    asks="A framework has thousands of backward functions. How can it test all of them, without "
    "anybody working out the right numbers by hand? What does such a test not see?",
    rubric=(
        "Checks each against numeric slopes, at random inputs and with a random upstream gradient, "
        "from a table of operations with their allowed inputs.",
        "Says why the upstream gradient is random: with ones, a rule that forgets it passes.",
        "Names something it does not see: kinks, errors below the estimate's own, special values, "
        "mistakes that the forward shares.",
    ),
    why="PyTorch does it so: a table named OpInfo, and gradcheck over every row.",
)

QUESTIONS = (
    PATHS,
    STAYS,
    TWICE,
    STALE,
    RELU,
    SHARED,
    ACCUMULATE,
    REVERSE,
    CHAIN_RULE,
    XOR,
    LINEAGE,
    BUILDING,
    FRAMEWORKS,
)
