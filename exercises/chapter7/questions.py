"""Questions without code: predict first, then run; and open ones at the end."""

from grader.course import Question

SAME = Question(
    "chapter7.q.all_the_same",
    asks="""All weights of a layer start from the same number. What does this print?

```python
import numpy as np

x = np.array([[0.5, -1.0, 2.0]])
first = np.full((3, 4), 0.3)
second = np.full((4, 1), 0.3)
hidden = np.tanh(x @ first)
flow = (1.0 * second.T) * (1 - hidden**2)
gradient = x.T @ flow
print(len(set(gradient[0].round(12))))
```
""",
    choices=("1", "3", "4"),
    answer="1",
    why="The four neurons compute the same, get the same gradient, and move by the same step. They "
    "stay four copies of one neuron forever. Random starts break this symmetry.",
)

TENFOLD = Question(
    "chapter7.q.ten_layers",
    asks="Ten layers without nonlinearity, each with 100 inputs and 100 outputs. The weights are "
    "drawn with mean 0 and standard deviation 0.2, the inputs have standard deviation 1. How large "
    "is the standard deviation after the tenth layer, roughly?",
    choices=("2", "20", "1000", "10000000000"),
    answer="1000",
    why="Each layer multiplies the standard deviation by √100 · 0.2 = 2. Ten layers: 2¹⁰ = 1024.",
)

BOUND = Question(
    "chapter7.q.bound",
    asks="`kaiming_uniform(150, 30)` with its default nonlinearity: what is the largest value "
    "that it can draw?",
    choices=("0.1", "0.115", "0.2", "0.447"),
    answer="0.2",
    why="The bound is √2 · √(3 / 150) = √(6 / 150) = √0.04 = 0.2. The 30 does not enter.",
)

HALF = Question(
    "chapter7.q.half",
    asks="Behind a ReLU layer with Kaiming weights, roughly which share of the activations is "
    "exactly 0? Answer with a number.",
    choices=("0", "0.1", "0.5", "0.9"),
    answer="0.5",
    why="The sums have mean 0 and are as often negative as positive; ReLU makes 0 of the negative "
    "ones. A share near 1 in some layer is the sign of dead neurons.",
)

BOTH = Question(
    "chapter7.q.both_ways",
    asks="Xavier's rule has fan_in + fan_out under its root, Kaiming's fan_in alone. What does "
    "each of the two fans keep in balance, and why can one number not do both in a layer "
    "with 10 inputs and 1,000 outputs?",
    rubric=(
        "fan_in: each output sums over fan_in inputs; std² = 1/fan_in keeps the activations' "
        "spread.",
        "fan_out: on the way back each input's gradient sums over fan_out outputs; std² = "
        "1/fan_out keeps the gradients' spread.",
        "With 10 and 1,000 these ask for variances 1/10 and 1/1000: no single number is both. "
        "Xavier takes the mean of the fans as a compromise.",
    ),
)

BIAS = Question(
    "chapter7.q.zeros",
    asks="Biases may all start from 0, weights may not. Explain the difference. When would "
    "weights of exactly 0 be harmless, or even wanted?",
    rubric=(
        "Equal weights make equal neurons: same output, same gradient, same step, forever.",
        "With random weights the neurons differ already, so that equal biases do no harm.",
        "With zero weights in a hidden layer, no gradient reaches the layers before it.",
        "Harmless or wanted: one linear layer alone; the last layer of a residual branch, "
        "which then starts as the identity.",
    ),
)

QUESTIONS = (SAME, TENFOLD, BOUND, HALF, BOTH, BIAS)
