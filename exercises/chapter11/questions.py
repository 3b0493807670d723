"""Questions on chapter 11."""

from grader.course import Question

_CUBE = """`backward` twice on one graph of x³ at 3, where the slope is 27. What does this print?

```python
from {engine} import Tensor

x = {made}
y = x * x * x
y.backward()
y.backward()
print(x.grad)
```

(With the walk of the course.{more})
"""
_CHOICES = ("27.0", "54.0", "72.0", "81.0")

QUESTIONS = (
    Question(
        "chapter11.q.twice_recursion",
        _CUBE.format(
            engine="babygrad.engines.grad_fn", made="Tensor(3.0, requires_grad=True)", more=""
        ),
        answer="54.0",
        choices=_CHOICES,
        why="Each walk passes on what arrived *in this walk*: 27 both times, and the leaf adds. "
        "The node in between keeps a `grad` too, 3 and then 6, but nobody passes it on.",
    ),
    Question(
        "chapter11.q.twice_closures",
        _CUBE.format(
            engine="babygrad.engines.closure",
            made="Tensor(3.0)",
            more=" Yours may differ here; no check looks at it.",
        ),
        answer="72.0",
        choices=_CHOICES,
        why="A closure passes on `out.grad`, everything that its node holds. The root is set to "
        "1 again, but u = x·x still holds 3 from the first walk, and the second makes it 6 "
        "before u passes it on: 9 from the outer product and 6 · 6 from the inner one, 45. 27 + "
        "45 = 72.",
    ),
    Question(
        "chapter11.q.twice_tensor",
        _CUBE.format(engine="babygrad", made="Tensor(3.0)", more=" It is chapter 3's."),
        answer="54.0",
        choices=_CHOICES,
        why="Its walk gathers what arrives in a dict that lives as long as the walk. Only leaves "
        "keep anything from one walk to the next, and they add: 27 + 27.",
    ),
    Question(
        "chapter11.q.diamonds",
        "A ladder of diamonds: `y = y + y`, again and again. With 4 rungs the recursion asks 15 "
        "rules, with 8 rungs 255. How many does it ask with 20 rungs?",
        answer="1048575",
        choices=("20", "400", "1048575", "2432902008176640000"),
        why="The top rung is asked once, the next one twice, then 4, 8, … times: 2²⁰ - 1 in all. "
        "Each rung has two paths to the one below, and the recursion walks every path to its end.",
    ),
    Question(
        "chapter11.q.loop_variable",
        """Three functions made in a loop. What does this print?

```python
rules = []
for slope in (2, 3, 5):
    rules.append(lambda g: g * slope)
print([rule(1) for rule in rules])
```
""",
        answer="[5, 5, 5]",
        choices=("[2, 3, 5]", "[5, 5, 5]", "[2, 2, 2]"),
        why="A closure remembers the variable, not what it held. All three look `slope` up when "
        "they are called, and then the loop is over. `lambda g, slope=slope: …` would keep each "
        "value, and so would a function that makes the function.",
    ),
    Question(
        "chapter11.q.saved",
        """An array is changed between forward and backward. What does this print?

```python
import numpy as np
from babygrad.engines.apply import Tensor

a = Tensor(np.array([2.0]), requires_grad=True)
b = Tensor(np.array([5.0]), requires_grad=True)
product = a * b
b.data *= 10
product.backward()
print(a.grad)
```

(`Mul.forward` of the course saves the arrays that it is given.)
""",
        answer="[50.]",
        choices=("[5.]", "[50.]", "an error"),
        why="What is saved is the array itself, not a copy: a copy of every input would cost "
        "time and memory. So a step in place between forward and backward makes the gradient "
        "wrong. PyTorch counts the changes of each tensor and raises an error when a saved one "
        "was changed.",
    ),
    Question(
        "chapter11.q.bias_shape",
        """A rule for `+` that forgets about broadcasting. What does this print?

```python
import numpy as np

x, bias, rate = np.ones((4, 3)), np.zeros(3), 0.5
out = x + bias
gradient = np.ones(out.shape)  # what arrives, and what the naive rule hands to the bias
bias = bias - rate * gradient
print(bias.shape)
```
""",
        answer="(4, 3)",
        choices=("(3,)", "(4, 3)", "an error"),
        why="NumPy broadcasts again, in the step: the bias has grown to one row per sample, "
        "without any error. You notice it when a batch of another size comes along.",
    ),
    Question(
        "chapter11.q.three_places",
        "From forward to backward, each of the three engines must keep the values that a rule "
        "needs. Where does each engine keep them, and what keeps that alive? What would you have "
        "to do in each to free the memory early?",
        rubric=(
            "grad_fn: in the object of the rule, which the result's `grad_fn` holds.",
            "apply: in the Context, by save_for_backward, which the result's `_creator` holds.",
            "closures: in the variables that the inner function remembers, held by `_backward`.",
            "Freeing: drop grad_fn, the Context's saved arrays, or replace the closure; or let "
            "go of the result, and watch out for cycles (a closure that holds its own result).",
        ),
        why="PyTorch frees the saved tensors after the first backward, which is why a second one "
        "raises an error unless retain_graph=True was given.",
    ),
    Question(
        "chapter11.q.order",
        "The recursion of 11.2 visits nodes too early, before everything has arrived. In such an "
        "order, chapter 1's walk went wrong. Why is the recursion right? And why does nobody "
        "leave it at that?",
        rubric=(
            "The recursion passes on only what arrived just now, and comes again for each "
            "further part: the chain rule summed path by path.",
            "Chapter 1's closures pass on everything that has gathered, so an early call and a "
            "late one count the same part twice.",
            "The number of paths can grow exponentially with the depth (diamonds); in order, every "
            "rule is asked once.",
        ),
    ),
    Question(
        "chapter11.q.speed",
        'A tutorial says: "our closure engine trains two moons four times faster than '
        'PyTorch." What would you measure before you believe it, or conclude anything from it?',
        rubric=(
            "The same work on both sides: the network, the batches, float64 or float32, the "
            "optimizer, with or without a data loader.",
            "The same machine and thread count, side by side in one run, many repetitions, ratios.",
            "For which sizes it holds: small arrays measure the cost per operation of Python code, "
            "large ones the matrix product.",
            "What the faster one leaves out: checks, devices, dtypes, hooks, error messages.",
        ),
    ),
    Question(
        "chapter11.q.choose",
        "You write an engine for a new project. Which of the three styles do you choose? Which "
        "would you choose if others had to test and document thousands of operations?",
        rubric=(
            "Names an advantage of closures: forward and backward are next to each other, and it "
            "takes little code.",
            "Names an advantage of rule objects or Functions: a rule can be called, tested and "
            "replaced on its own; what is saved is explicit.",
            "Decides with a reason that fits the situation.",
        ),
    ),
)
