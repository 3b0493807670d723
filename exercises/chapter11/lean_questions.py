"""The ladder to the lean engine: what does each rung gain? Predict, then see what was measured."""

from grader.course import Question

HARDLY, LITTLE, LOT, MORE = (
    "hardly: less than 1.1 ×", "a little: 1.1 to 1.3 ×", "a lot: 1.3 to 2 ×", "more than 2 ×",
)  # fmt: skip
GAINS = (HARDLY, LITTLE, LOT, MORE)


def gain(name: str, asks: str, answer: str, why: str) -> Question:
    """A rung of the ladder: how many times as fast as the rung below it?"""
    return Question(f"chapter11.q.{name}", asks=asks, choices=GAINS, answer=answer, why=why)


QUESTIONS = (
    gain(
        "lean-graph",
        "The textbook engine makes a node of every result, including every product that a rule "
        "computes on the way back. Nobody will differentiate those. Rung 1 records a node only "
        "where a gradient is wanted, and none during the walk. The arithmetic stays the same. "
        "How many times as fast is a training step?",
        LOT,
        "About 1.5 ×, and it is neither the sums nor the calls: 540 Python functions were called "
        "before, 546 are now. It is memory. A recorded gradient holds what its rule was given, "
        "and that holds its gradient: about 200 objects a step in cycles, which only the garbage "
        "collector frees. Now an array is free at once, and the next one takes its place while "
        "it is still in the cache. PyTorch's walk records nothing either, unless you ask for "
        "`create_graph=True`.",
    ),
    gain(
        "lean-arrays",
        "The profile of rung 1 has `Op.__call__`, `Tensor.__init__` and the copying of arrays at "
        "its top. Rung 2 hands the rules bare arrays. They are written with operators, so not a "
        "word of them changes. What does it gain?",
        LOT,
        "About 1.7 ×, the largest gain of any rung: the way back makes no Tensors any more. The "
        "price is that a gradient can no longer be differentiated. Chapter 3's engine doesn't "
        "pay it: there, your own rules get Tensors.",
    ),
    gain(
        "lean-slots",
        "Rung 3 gives Tensor `__slots__`, so that its attributes lie in fixed places and not in a "
        "dict, and no longer copies what an op has computed. What does it gain?",
        HARDLY,
        "About 1.03 ×. It is the best-known advice of all, and it was good advice where a step "
        "made a hundred Tensors. Now it makes two dozen. What a saving is worth depends on what "
        "was saved before, so measure where you are now.",
    ),
    gain(
        "lean-adopted",
        "Every node begins its gradient with zeros, and what arrives is added. Most nodes are used "
        "once, so that the sum is 0 + g. Rung 4 takes the first contribution as it is. What does "
        "it gain?",
        LITTLE,
        "About 1.2 ×: one array of zeros and one addition less for every node. From now on, two "
        "gradients may be one array: the rule of `a + b` returns `g, g`. An engine that then "
        "adds in place, `grad += part`, changes both.",
    ),
    Question(
        "chapter11.q.lean-fusing",
        asks="Two things get fused. Rung 5 makes one node of `tanh(x @ w + b)`, twice in this "
        "network, and one of `x @ w + b`. Rung 6 makes one node of the softmax and its loss, "
        "whose arrays are an eighth of the size. Which of the two gains more?",
        choices=("linear and tanh", "softmax and loss", "both alike"),
        answer="softmax and loss",
        why="About 1.4 × against 1.2 ×. On small arrays the price is per call, hardly per "
        "number, and the loss out of ops was eight nodes for 128 scores. Also, the rules of its "
        "parts compute exp, log and two sums only to get something simple, `softmax - onehot`.",
    ),
    gain(
        "lean-optimizer",
        "Rung 7 puts all parameters into one array, of which each layer sees its piece. The six "
        "updates of a step become one `concatenate`, one `*=` and one `-=`. What does it gain?",
        HARDLY,
        "About 1.04 ×, although twelve calls became three: a call costs half a microsecond, the "
        "concatenation costs one and a half. With hundreds of parameters it is worth more, and "
        "PyTorch's optimizers do the same there (`foreach`, `fused`).",
    ),
    Question(
        "chapter11.q.lean-layout",
        asks="""`scores` has the shape (64, 2): 64 points, two classes. Both lines give the same
numbers. Which is faster, and why?

```python
largest = scores.max(axis=1)
largest = scores.T.copy().max(axis=0)
```
""",
        choices=(
            "the first: the second copies",
            "the second: one loop over 64 numbers, not 64 loops over 2",
            "both alike: NumPy sees that they are the same",
        ),
        answer="the second: one loop over 64 numbers, not 64 loops over 2",
        why="The copy is a quarter of a microsecond, and the maximum becomes about three times as "
        "fast. NumPy's inner loops run along the last axis; with two numbers each, it spends its "
        "time between the loops. Rung 8 is made of such exchanges: the same sums, cheaper calls.",
    ),
    gain(
        "lean-search",
        "What is left has four nodes, and the search for a topological order visits ten Tensors. "
        "The lean engine numbers its nodes as it makes them, and its walk takes the youngest that "
        "waits; a rule is a closure instead of an object with a method. No call of NumPy is saved. "
        "What does it gain?",
        LOT,
        "About 1.4 ×, and with it the step is faster than NumPy by hand. As long as NumPy's "
        "share was small next to the engine's, nobody would have seen the search; now it and the "
        "objects were a quarter of the step.",
    ),
    Question(
        "chapter11.q.lean-price",
        asks="The lean engine is eight times as fast as the textbook engine. Why is chapter 3 not "
        "written like that? Name what was given up on the way, and for whom each thing matters.",
        rubric=(
            "Gradients of gradients: rules on arrays leave no graph behind (second derivatives, "
            "Hessian-vector products).",
            "A fused op is one more rule that somebody has to derive by hand and test, and it "
            "fits only one pattern; you can combine small ops as you like.",
            "Shared arrays: you must not write into gradients, and the parameters share one "
            "array of the optimizer; you see neither until somebody breaks it.",
            "Reading and learning: in the fused rule the chain rule has been worked out "
            "beforehand, so that nothing is left to see.",
            "Debugging: no node holds the values between matmul, bias and tanh any more.",
        ),
        why="Each rung has its price. A library chooses per case: PyTorch has small ops, and "
        "fused ones (`addmm`, `cross_entropy`) where the time is spent, and compilers that fuse "
        "for you (`torch.compile`, XLA).",
    ),
    Question(
        "chapter11.q.lean-honest",
        asks='"Our engine is four times as fast as PyTorch." This was measured, and still '
        "misleads. What must a reader know, and how would you write the sentence?",
        rubric=(
            "The network is tiny: a step takes 40 microseconds, and both engines spend it on "
            "calls, not on sums.",
            "PyTorch does more per call: dtypes, devices, broadcasting, views, hooks, versions "
            "of saved arrays, threads; here you pay for it and don't use it.",
            "With wide layers the matrix products take the time, and the difference goes away.",
            "One thread, CPU, float64, one version of PyTorch, no `torch.compile`.",
            "An honest sentence names network, batch, machine and what was compared, and says "
            "that it is a ratio within one run.",
        ),
        why="A figure without its conditions is an advertisement. `--hidden 512` shows where this "
        "one ends.",
    ),
)
