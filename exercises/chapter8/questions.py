"""Questions without code: predict first, then run; and open ones at the end."""

from grader.course import Question

NAMES = Question(
    "chapter8.q.names",
    asks="""What does this print?

```python
from babygrad import nn

model = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Residual(nn.Linear(3, 3, bias=False)))
print(sorted(model.state_dict())[-1])
```
""",
    choices=("layers.1.fn.weight", "layers.2.weight", "layers.2.fn.weight", "2.fn.weight"),
    answer="layers.2.fn.weight",
    why="The ReLU has nothing to keep, but it is item 1 of the tuple `layers`. The Residual is "
    "item 2, and holds its module in the attribute `fn`.",
)

MOVES = Question(
    "chapter8.q.moves_along",
    asks="""Somebody writes `state_dict` with `np.asarray` instead of `np.array`, so that
nothing is copied. What does this print then?

```python
best = model.state_dict()               # the smallest loss so far
for step in range(100):
    train(model)                        # SGD that changes parameter.data in place
model.load_state_dict(best)
print("back at the best:", np.array_equal(weight_now(), weight_at_the_best()))
```
""",
    choices=("back at the best: True", "back at the best: False", "it raises an error"),
    answer="back at the best: False",
    why="`best` holds the very arrays that SGD writes into: after 100 steps it holds the current "
    "state. PyTorch's `state_dict` works like that, and this is a well-known trap there.",
)

BROADCAST = Question(
    "chapter8.q.broadcast",
    asks="""Without any check, `load_state_dict` would be one line, `thing.data[...] = state[name]`.
The weight of a model has the shape (2, 3). For which shape in the state does this line raise an
error?
""",
    choices=("(3,)", "(2, 1)", "()", "(3, 2)"),
    answer="(3, 2)",
    why="The other three are broadcast: a row fills both rows, a column all columns, a single "
    "number everything. The network then computes nonsense, and no error says so.",
)

STEPS = Question(
    "chapter8.q.steps",
    asks="Adam with betas 0.9 and 0.999 has trained for 10,000 steps, with gradients of a constant "
    "size. You save the moments, but not the step counts, and continue. How long is the first "
    "step, compared with the right one?",
    choices=("about a third", "the same", "about three times as long", "ten times as long"),
    answer="about a third",
    why="The correction divides m by 1 − 0.9 = 0.1 and v by 1 − 0.999 = 0.001, although both are "
    "already full-grown: m̂ is 10 times too large, √v̂ about 31.6 times. 10 / 31.6 is about 0.32.",
)

SPARE = Question(
    "chapter8.q.spare",
    asks="""What does this print?

```python
import numpy as np

np.random.seed(1)
np.random.normal()
keys, position = np.random.get_state()[1:3]
before = np.random.random(), np.random.normal()
np.random.set_state(("MT19937", keys, position, 0, 0.0))
after = np.random.random(), np.random.normal()
print(before[0] == after[0], before[1] == after[1])
```
""",
    choices=("True True", "True False", "False True", "False False"),
    answer="True False",
    why="Normal numbers are made in pairs. After the first draw the second one of its pair waits "
    "next to the 624 numbers, and `0, 0.0` says that none is waiting. So the uniform number "
    "comes again, and the normal one is the first of a new pair.",
)

HEADER = Question(
    "chapter8.q.header",
    asks="""A safetensors file begins with the eight bytes `60 00 00 00 00 00 00 00`, written in
base 16. An entry of its header says `"data_offsets": [24, 36]`. At which byte of the file, counted
from 0, do the values of that array begin?
""",
    choices=("24", "92", "120", "128"),
    answer="128",
    why="60 in base 16 is 96, the length of the header. 8 bytes for the length, 96 for the header, "
    "and 24 from there: 8 + 96 + 24 = 128.",
)

PICKLE = Question(
    "chapter8.q.pickle",
    asks='A colleague sends you a model as a pickle and says: "It\'s only weights." Explain why '
    "nobody can promise that about a file that came by mail, and what you would ask for instead. "
    "Would it help to look at the file's size?",
    rubric=(
        "A pickle is a program for rebuilding objects: it may name any function and call it with "
        "any arguments while it is being loaded.",
        "So if you load it, you run it, with your rights; you see what it holds only afterwards, "
        "and the colleague may have it from somebody else.",
        "A format that can hold nothing but arrays: .npz read with allow_pickle=False, or "
        "safetensors. (In PyTorch: weights_only=True, or safetensors.)",
        "The size doesn't help: a harmful pickle needs only one more line, and may fetch the "
        "rest from elsewhere.",
    ),
)

WHAT = Question(
    "chapter8.q.what_else",
    asks="You stop a training run of 100 epochs after 40 and continue on another computer. List "
    "everything that must be the same for the result to be the same to the last bit. What of it "
    "is in the checkpoint, what in the code, and what in neither?",
    rubric=(
        "In the checkpoint: parameters and buffers; the optimizer's memory, counters and settings; "
        "the random state; where the schedule and the loop stand (t, the epoch).",
        "In the code: how the model is built, the loss, the data set and its order, the batch "
        "size, the schedule as a function.",
        "In neither: the versions of Python and NumPy, the BLAS library and its threads, the kind "
        "of processor: sums in another order round in another way.",
        "Says what you may leave out on purpose, and at what price: without the random state it "
        "is another training run, but as good a one.",
    ),
)

QUESTIONS = (NAMES, MOVES, BROADCAST, STEPS, SPARE, HEADER, PICKLE, WHAT)
