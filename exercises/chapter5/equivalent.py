"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

NUMPYS = "no check has a number of NumPy's for an option"

EQUIVALENT = {
    "optim.Optimizer.__init__": {"what the message says is left open": ("raise ValueError()",)},
    "optim.SGD.step": {
        "with a weight decay or a momentum of 0, what is added is 0": ("if True:",),
    },
    "optim.Adam.__init__": {
        NUMPYS: (
            "self.betas = (betas[0], float(betas[1]))", "self.betas = (float(betas[0]), betas[1])",
            "self.eps = eps", "self.weight_decay = weight_decay",
        ),
    },
    "optim.clip_grad_norm": {
        "a number of NumPy's is a number, too": (
            "total = math.sqrt(sum((np.sum(g.astype('float64') ** 2) for _, g in trained)))",
        ),
        NUMPYS: ("parameter.grad = g * (max_norm / total)",),
        "exactly as long as it may be: the factor is 1": ("if total >= max_norm:",),
    },
}  # fmt: skip
