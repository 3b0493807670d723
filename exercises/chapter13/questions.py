"""Questions without code: predict first, then run; and open ones at the end."""

from grader.course import Question

THIRD = Question(
    "chapter13.q.third",
    asks="""Differentiate again, and again. What does this print?

```python
from babygrad import Tensor
from babygrad.higher import grad

x = Tensor(2.0, dtype="float64")
y = x ** 4
for _ in range(3):
    (y,) = grad(y, [x], create_graph=True)
print(y.data, x.grad)
```
""",
    choices=("48.0 None", "32.0 None", "48.0 48.0", "an error"),
    answer="48.0 None",
    why="4x³, 12x², 24x: at 2 that is 48. `grad` returns what it finds and writes nothing into "
    "`x.grad`.",
)

CUT = Question(
    "chapter13.q.cut",
    asks="""Somebody forgets `create_graph`. What does this print?

```python
x = Tensor(3.0, dtype="float64")
(slope,) = grad(x * x * x, [x])
(curvature,) = grad(slope, [x])
print(slope.data, curvature.data)
```
""",
    choices=("27.0 18.0", "27.0 0.0", "27.0 None", "an error"),
    answer="27.0 0.0",
    why="Without a graph the slope is the constant 27, and nothing it was made from can be "
    "found. Our `grad` gives zeros for an input that the output does not depend on. PyTorch "
    'raises an error here, which is kinder: "element 0 of tensors does not require grad".',
)

WHICH = Question(
    "chapter13.q.which_mode",
    asks="A function takes 1000 numbers and gives 3. You want all of its 3000 derivatives. How "
    "often must you ask each of its operations for its rule, at least, if you may choose between "
    "forward and reverse mode?",
    choices=("3", "1000", "1003", "3000"),
    answer="3",
    why="Reverse mode needs a walk per output: 3. Forward mode needs one per input: 1000. A loss "
    "has a single output and a million inputs, so training uses reverse mode.",
)

DOTS = Question(
    "chapter13.q.dot_product",
    asks="""`J` is the Jacobian of some function at some point. jvp gives `J @ t` and a walk back
gives `v @ J`. Which of these two numbers is larger, for random `t` and `v`?

`v · (J @ t)` or `(v @ J) · t`
""",
    choices=("the first", "the second", "they are equal", "it depends on the function"),
    answer="they are equal",
    why="It is the same double sum, added up in another order. So each mode can be tested by the "
    "other one without any finite difference: one wrong rule, and the two numbers differ.",
)

PIECES = Question(
    "chapter13.q.pieces",
    asks="A network has 64 layers, all of the same size. You checkpoint every k of them. On the "
    "way back, the 64/k results between the pieces are alive, and the k results of the piece that "
    "is being computed again. Which k needs the least memory?",
    choices=("1", "8", "32", "64"),
    answer="8",
    why="64/k + k is 65 for 1 and for 64, 34 for 32, and 16 for 8: the square root of 64.",
)

NESTED = Question(
    "chapter13.q.swallowed",
    asks="""An exception leaves `no_grad`, and its `__exit__` restores nothing. A notebook goes
on after the error message. What does the next cell print?

```python
x = Tensor([1.0, 2.0])
y = (x * x).sum()
y.backward()
print(x.grad)
```
""",
    choices=("[2. 4.]", "None", "[0. 0.]", "an error"),
    answer="None",
    why="`y` was computed without a graph. It requires no gradient, so `backward` returns at once, "
    "and no error says so. A switch that is left in the wrong position is worse than an exception; "
    "that is why `__exit__` runs whatever happens.",
)

BACKWARD = Question(
    "chapter13.q.why_backward_stays",
    asks="`Tensor.backward` keeps arrays, `grad` keeps Tensors. Why doesn't `backward` always "
    "keep a graph? Think of a training loop of 10,000 steps, of what each step would hold, and "
    "of what `x.grad` would be.",
    rubric=(
        "Gradients that are part of a graph keep alive everything that they were made from: all "
        "results of the forward pass and of the walk back.",
        "`x.grad` lives from step to step and you add to it, so the graphs of all steps would "
        "hang together, and memory would grow with every step.",
        "Almost every training run needs only first derivatives: nobody should pay for the rest.",
        "Says how to ask for it: create_graph=True. (In PyTorch the same, and a warning there "
        "for backward(create_graph=True).)",
    ),
)

MEMORY = Question(
    "chapter13.q.forward_for_free",
    asks="Forward mode needs no graph: a Dual lives as long as the number that it belongs to. "
    "Yet nobody trains networks with it. Explain the price, for a network with a million weights "
    "and one loss. Then name a case in which forward mode is the right one.",
    rubric=(
        "One run gives the derivative along one direction; the gradient has a million directions, "
        "so it takes a million runs.",
        "Reverse mode: one run forward and one back, a small multiple of a single run, whatever "
        "the number of weights. Its price is memory.",
        "A case: few inputs and many outputs (a curve, a simulation with a few parameters), a "
        "product of the Hessian with one vector (forward over reverse), a derivative along one "
        "direction as in a line search.",
    ),
)

QUESTIONS = (THIRD, CUT, WHICH, DOTS, PIECES, NESTED, BACKWARD, MEMORY)
