"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

EQUIVALENT = {
    "optim.Optimizer.__init__": {"what the message says is left open": ("raise ValueError()",)},
    "optim.SGD.step": {
        "with a weight decay or a momentum of 0, what is added is 0": ("if True:",),
    },
    "optim.clip_grad_norm": {
        "a number of NumPy's is a number, too": (
            "total = math.sqrt(sum((np.sum(g * g) for _, g in trained)))",
        ),
        "exactly as long as it may be: the factor is 1": ("if total >= max_norm:",),
    },
}  # fmt: skip
