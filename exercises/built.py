"""The learner's achievement in each finished chapter, printed once after «You have built»."""

BUILT = {
    "chapter1": "an engine that differentiates any formula of numbers, and a network that learned "
    "with it",
    "chapter2": "the Tensor: an array that will know its gradient and where it came from",
    "chapter3": "automatic differentiation itself: every operation with its rule, and the walk "
    "that brings the gradients home",
    "chapter4": "modules that find their own parameters, layers, norms and losses",
    "chapter5": "optimizers that take exactly the steps of PyTorch's, and rates that change",
    "chapter6": "a way from files to batches",
    "chapter7": "first weights that keep a network of twenty layers alive",
    "chapter8": "a memory: what was learned is kept in files, and training goes on as if it had "
    "never stopped",
    "chapter9": "a Trainer that takes a network to more than 90 % on MNIST",
    "chapter10": "convolutions with both of their gradients, and a network that looks",
    "chapter11": "three more engines, and the proof that all of them say the same",
    "chapter12": "the judge: a checker that knows a wrong rule from a right one",
    "chapter13": "derivatives of derivatives, and the other direction: forward mode",
    "chapter14": "a language model, with every gradient in it worked out by your own engine",
    "chapter15": "a compiler: it watches your engine once, and writes the code that replaces it",
    "chapter16": "a model that answers, token by token, from a cache and a byte for each weight",
    "chapter17": "arrays, from the words up, and loops that know which lines of memory they need",
}
