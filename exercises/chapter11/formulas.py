"""Hidden formulas: what `--formulas hidden` leaves out of the docstrings of this chapter's stubs.

A row is a target and an edit of its docstring. The paragraph as it was is the last hint.
"""

FORMULAS = {
    "engines.grad_fn.MulBackward.backward": (
        "d(a·b)/da = b and d(a·b)/db = a; each product in the shape of its own input",
        "The gradients of both inputs, each in the shape of its own input"),
    "engines.grad_fn.SigmoidBackward.backward": ("ds/da = s·(1 - s), where s is the result",
                                                 "The gradient of the input"),
    "engines.grad_fn.CrossEntropyBackward.backward": (
        "(softmax(logits) - one_hot(labels)) / rows, times the one number in ``gradient``",
        "The gradient of the logits; ``gradient`` holds one number"),
    "engines.apply.Mul.backward": (
        "d(a·b)/da = b and d(a·b)/db = a; each in the shape of its own input",
        "The gradients of both inputs, each in the shape of its own input"),
    "engines.apply.Tanh.backward": ("d(tanh a)/da = 1 - t², where t is the result",
                                    "The gradient of the input"),
    "engines.apply.Sum.backward": (
        "Every element went into one sum with the slope 1: ``gradient`` spread over the shape of "
        "``a``, negative axes too", "The gradient of ``a``, for negative axes too"),
    "engines.closure.Tensor.tanh": (" d(tanh a)/da = 1 - tanh²a.", ""),
    "engines.closure.stack": (
        "Input number i gets row i of the gradient. A Tensor that is in the list twice gets both "
        "of its rows.", "A Tensor may be in the list twice."),
}  # fmt: skip
