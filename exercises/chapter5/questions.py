"""Questions without code: predict first, then run; and open ones at the end."""

from grader.course import Question

NO_ZERO_GRAD = Question(
    "chapter5.q.no_zero_grad",
    asks="""This loop forgot something. What does it print?

```python
from babygrad import Tensor, optim

w = Tensor([1.0], dtype="float64")
optimizer = optim.SGD([w], lr=0.1)
for batch in range(2):
    loss = (w * w).sum()
    loss.backward()
    optimizer.step()
print(f"{w.data[0]:.2f}")
```
""",
    choices=("0.80", "0.64", "0.44"),
    answer="0.44",
    why="The first gradient is 2, and w becomes 0.8. The second is 1.6, but it is added to the 2 "
    "that is still there: the step is 0.1 · 3.6, and w becomes 0.44. With `zero_grad` it would "
    "have been 0.64.",
)

TERMINAL = Question(
    "chapter5.q.terminal_velocity",
    asks="SGD with lr 0.1 and momentum 0.9 meets the gradient 2 in every step, for a long time. "
    "How far does the parameter move per step in the end?",
    choices=("0.2", "0.38", "2", "20"),
    answer="2",
    why="The velocity grows until what fades equals what arrives: v = 0.9·v + 2, so v = 20. The "
    "step is lr times that: 2, ten times the step without momentum.",
)

DRIFT = Question(
    "chapter5.q.drift",
    asks="""What does this print?

```python
import numpy as np
from babygrad import Tensor, optim

a, b = Tensor([0.0], dtype="float64"), Tensor([0.0], dtype="float64")
optimizer = optim.SGD([a, b], lr=1.0, momentum=0.5)
a.grad, b.grad = np.array([1.0]), np.array([1.0])
optimizer.step()
a.grad, b.grad = None, np.array([0.0])
optimizer.step()
print(a.data[0], b.data[0])
```
""",
    choices=("-1.0 -1.0", "-1.0 -1.5", "-1.5 -1.5"),
    answer="-1.0 -1.5",
    why="None says that nothing arrived: `a` is skipped. Zero is a gradient like any other: the "
    "velocity of `b` halves to 0.5, and carries it on.",
)

SCALE = Question(
    "chapter5.q.scale",
    asks="You multiply a loss by 1000 and change nothing else. Which optimizers take (nearly) the "
    "same path as before?",
    choices=("none", "SGD", "SGD with momentum", "Adam without weight decay"),
    answer="Adam without weight decay",
    why="All gradients grow by 1000. SGD's steps grow with them. Adam divides the mean of g by the "
    "root of the mean of g²: the factor falls out, but for the tiny eps.",
)

FIRST_STEPS = Question(
    "chapter5.q.first_steps",
    asks="Somebody leaves the bias correction out of Adam, with betas 0.9 and 0.999. How long is "
    "the first step, compared with the right one?",
    choices=("about a tenth", "the same", "about three times as long", "a thousand times as long"),
    answer="about three times as long",
    why="m is a tenth of what it should be, and √v is √0.001 ≈ 0.032 of what it should be. The "
    "quotient is 0.1 / 0.032 ≈ 3.2 times too large: without the correction Adam starts too fast.",
)

CLIPPED = Question(
    "chapter5.q.clipped",
    asks="The gradients of three parameters are (2, 0), (0, 3) and (6,). You call "
    "`clip_grad_norm(parameters, 3.5)`. What does it return, and what is the gradient of the third "
    "parameter then? Answer with two numbers: `returned, gradient`.",
    choices=("7, 3", "3.5, 3", "7, 3.5", "11, 1.9"),
    answer="7, 3",
    why="√(4 + 9 + 36) = 7. The factor is 3.5 / 7 = 0.5, for all three.",
)

GRAPH = Question(
    "chapter5.q.outside_the_graph",
    asks="`step` writes into `parameter.data`. Somebody writes `parameter = parameter - lr * "
    "parameter.grad` with Tensors instead. Describe two things that go wrong, one at once and one "
    "over many batches. Why is the update not meant to be part of the graph?",
    rubric=(
        "At once: the name now means a new Tensor; the model still holds the old one, which never "
        "moves.",
        "The new Tensor is no leaf: it remembers the step that made it, so that `backward` would "
        "not leave a gradient in it as it does in a parameter.",
        "Over time: each step hangs on the one before; the graph grows batch by batch, with memory "
        "and time for every backward.",
        "The loss of a batch is a function of the weights as they are; how they came about is not "
        "part of that function. (To differentiate through steps on purpose is another subject.)",
    ),
)

DECAY = Question(
    "chapter5.q.decoupled",
    asks="Plain SGD without momentum: show that coupled and decoupled weight decay are the same "
    "there. Then say in your own words why they differ in Adam, with an example of a weight whose "
    "gradients are large.",
    rubric=(
        "SGD: p − lr·(g + wd·p) = p − lr·wd·p − lr·g; both are one and the same.",
        "Adam divides by √v̂, which the gradients set: the decay inside g is divided, too.",
        "Example: with large gradients √v̂ is large, so that the decay nearly vanishes; the share "
        "by which a weight shrinks then depends on its gradients.",
        "AdamW keeps the decay out of both means, so that each weight shrinks by lr·wd of itself.",
    ),
)

QUESTIONS = (NO_ZERO_GRAD, TERMINAL, DRIFT, SCALE, FIRST_STEPS, CLIPPED, GRAPH, DECAY)
