"""Questions without code: predict first, then run; and open ones at the end."""

from grader.course import Question

SIZE = Question(
    "chapter10.q.size",
    asks="""What is the shape of the output?

```python
from babygrad import Tensor, nn

layer = nn.Conv(3, 16, 5, stride=2, padding=1)
print(layer(Tensor.zeros(1, 3, 32, 32)).shape)
```
""",
    choices=("(1, 16, 15, 15)", "(1, 16, 16, 16)", "(1, 15, 15, 16)", "(1, 3, 15, 15)"),
    answer="(1, 16, 15, 15)",
    why="(32 + 2 · 1 - 5) // 2 + 1 = 29 // 2 + 1 = 15. One row and one column are left over. The "
    "channels out take the place of the channels in.",
)

COUNT = Question(
    "chapter10.q.count",
    asks="""How many numbers does this layer learn? The pictures have 100 × 100 pixels.

```python
from babygrad import nn

layer = nn.Conv(3, 8, 3, padding=1)
print(sum(parameter.size for parameter in layer.parameters()))
```
""",
    choices=("80", "224", "80000", "2400000008"),
    answer="224",
    why="8 kernels of 3 · 3 · 3 weights, and 8 biases. The size of the pictures doesn't matter. "
    "A linear layer between as many numbers, 30,000 and 80,000, would have 2.4 billion weights.",
)

WHERE = Question(
    "chapter10.q.where",
    asks="""What does it print?

```python
from babygrad import Tensor

x = Tensor([3.0, 1.0, 4.0, 1.0, 5.0])
(x[1:4] * x[:3]).sum().backward()
print(x.grad)
```
""",
    choices=("[1. 7. 2. 4. 0.]", "[1. 7. 1. 4. 0.]", "[3. 4. 4. 1. 0.]", "[1. 4. 4. 0. 0.]"),
    answer="[1. 7. 2. 4. 0.]",
    why="The sum is x₁x₀ + x₂x₁ + x₃x₂. x₁ is in two products, with 3 and with 4; x₂ is in two, "
    "with x₁ = 1 and with x₃ = 1. What comes back through both slices adds up.",
)

TIES = Question(
    "chapter10.q.ties",
    asks="""What does it print?

```python
from babygrad import Tensor

x = Tensor([2.0, 7.0, 7.0, 7.0, 7.0])
(x.max() * 8).backward()
print(x.grad)
```
""",
    choices=("[0. 8. 0. 0. 0.]", "[0. 8. 8. 8. 8.]", "[0. 2. 2. 2. 2.]", "[1. 1. 1. 1. 1.]"),
    answer="[0. 2. 2. 2. 2.]",
    why="8 arrives, and four values tie: 2 each. The shares add up to what arrived.",
)

SHIFT = Question(
    "chapter10.q.shift",
    asks="""A bright pixel moves one place to the right. Does the output of a convolution move
with it?

```python
import numpy as np
from babygrad import Tensor, ops

kernel = Tensor(np.random.randn(3, 3, 1, 1))
here, there = np.zeros((1, 8, 8, 1)), np.zeros((1, 8, 8, 1))
here[0, 4, 3] = there[0, 4, 4] = 1.0
one, two = (ops.conv(Tensor(a), kernel, padding=1).data for a in (here, there))
print(np.allclose(one[:, :, :-1], two[:, :, 1:]))
```
""",
    choices=("True", "False"),
    answer="True",
    why="The same weights serve every place, so a shifted picture gives a shifted map. This is "
    "called equivariance. It ends only at the border, where the padding begins.",
)

MIXED = Question(
    "chapter10.q.mixed",
    asks="""To move the channels to the end, is a reshape as good as a transpose?

```python
import numpy as np
from babygrad import Tensor

x = Tensor(np.arange(6.0).reshape(1, 2, 1, 3))  # two channels of 1 x 3 pixels
moved, reshaped = x.transpose((0, 2, 3, 1)), x.reshape(1, 1, 3, 2)
print(moved.shape == reshaped.shape, np.array_equal(moved.data, reshaped.data))
```
""",
    choices=("True True", "True False", "False False"),
    answer="True False",
    why="The shapes agree, the values don't. Pixel 0 holds 0 and 3, one from each channel; the "
    "reshape gives it 0 and 1, two neighbours of the first.",
)

ORDER = Question(
    "chapter10.q.flatten",
    asks="""Flatten gets two maps of 2 × 2. At which place of the row,
counted from 0, is the last pixel of the first map?

```python
import numpy as np
from babygrad import Tensor, nn

maps = np.zeros((1, 2, 2, 2))
maps[0, 0, 1, 1] = 1.0
print(int(nn.Flatten()(Tensor(maps)).data.argmax()))
```
""",
    choices=("3", "5", "6", "7"),
    answer="3",
    why="Channels come first, then rows, then columns: the whole first map, 0 to 3, and then the "
    "second. With the channels last it would be 6.",
)

LEFT_OVER = Question(
    "chapter10.q.left_over",
    asks="""How many of the 8 pixels influence the output?

```python
import numpy as np
from babygrad import Tensor, ops

a, b = Tensor(np.ones((1, 1, 8, 1))), Tensor(np.ones((1, 2, 1, 1)))
ops.conv(a, b, stride=3).sum().backward()
print(np.count_nonzero(a.grad))
```
""",
    choices=("4", "5", "6", "8"),
    answer="6",
    why="The windows begin at 0, 3 and 6, and hold two pixels each. Pixels 2 and 5 lie between "
    "two windows. Nothing is left over at the end, but the convolution still doesn't look at a "
    "quarter of the picture.",
)

FEWER = Question(
    "chapter10.q.fewer",
    asks="The network with convolutions learned fewer numbers than the one without, and did "
    "better. More weights could represent everything that fewer can. Why did they not help?",
    rubric=(
        "A convolution builds in what is known beforehand: neighbours belong together, and a "
        "pattern means the same wherever it is (weights are shared).",
        "The other network would have to learn this from examples, at each place again, and there "
        "are not enough of them: it learns these by heart instead.",
        "Being able to represent something is not the same as finding it with 1,437 examples.",
        "Bonus: on data without neighbours (columns of a table) the same knowledge would be wrong.",
    ),
    why="Shuffle the pixels of all digits in the same way: the network without convolutions "
    "doesn't notice, and the other one loses its advantage. Try it.",
)

MEMORY = Question(
    "chapter10.q.memory",
    asks="im2col writes down every window of a picture. Work out how much memory that takes for "
    "a batch of 64 pictures of 224 × 224 pixels with 64 channels, under kernels of 3 × 3, in "
    "float32. What could you do about it?",
    rubric=(
        "Right size: about 9 times the input, 64 · 224 · 224 · 64 · 9 · 4 bytes, about 7.4 GB.",
        "One thing to do, with its price: one picture (or part of one) at a time; a loop over the "
        "nine places of the kernel, adding nine smaller products; making the rows while they are "
        "multiplied.",
        "Says that the matrix is a waste: its values are copies.",
    ),
    why="Nine products of one shifted picture with a (64, out) slice of the kernel, added up, need "
    "no copy at all. Libraries choose between such ways by the sizes at hand.",
)

BUILDING = Question(
    "chapter10.q.building",
    asks="Which step of `Conv.backward` took you longest, and what did you look at to find the "
    "mistake? What would have told you earlier?",
    rubric=(
        "Names one step: flip, channels, padding, dilation, or what the stride leaves over.",
        "Says what was seen (a shape, a number, a case that passed while another failed).",
        "Names a smaller case or a check that would have shown it at once.",
    ),
    why="A kernel of [1, 10, 100], one axis, and the digits of the result say where each came "
    "from.",
)

QUESTIONS = (
    SIZE, COUNT, WHERE, TIES, SHIFT, MIXED, ORDER, LEFT_OVER, FEWER, MEMORY, BUILDING,
)  # fmt: skip
