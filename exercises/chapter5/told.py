"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "optim.Optimizer.__init__": {
        "kept-twice": ["self.parameters = list(parameters)"],
    },
    "optim.SGD.__init__": {
        "starts-at-the-values": [
            "self.velocities = [parameter.data for parameter in self.parameters]"
        ],
    },
    "optim.SGD.step": {
        "never-moves": [
            "if True:",
            "if gradient is not None:",
            "no: parameter.data -= self.lr * gradient",
        ],
        "crash-on-none": ["if False:", "no: continue"],
        "no-decay": ["if False:", "gradient = gradient"],
        "decay-pushes-away": ["gradient = gradient - self.weight_decay * parameter.data"],
        "no-momentum": ["if False:", "velocity = gradient"],
        "uphill": ["parameter.data += self.lr * gradient"],
    },
    "optim.Adam.__init__": {
        "second-at-one": [
            "self.second_moments = [np.ones_like(parameter.data) for parameter in self.parameters]"
        ],
        "one-counter": ["self.steps = len(self.parameters)"],
        "starts-at-one": ["self.steps = [1] * len(self.parameters)"],
    },
    "optim.Adam.direction": {
        "t-stays": ["self.steps[i] = 1"],
        "half-corrected": ["unbiased_m = m", "unbiased_m = m / 1"],
        "no-root": ["return unbiased_m / (unbiased_v + self.eps)"],
    },
    "optim.Adam.step": {
        "never-moves": [
            "if True:",
            "if gradient is not None:",
            "no: parameter.data -= self.lr * self.direction(i, gradient)",
        ],
        "crash-on-none": ["if False:", "no: continue"],
        "no-decay": ["gradient = gradient"],
        "uphill": ["parameter.data += self.lr * self.direction(i, gradient)"],
    },
    "optim.AdamW.step": {
        "never-moves": ["if True:", "if gradient is not None:"],
        "no-decay": ["no: parameter.data -= self.lr * self.weight_decay * parameter.data"],
        "grows": ["parameter.data += self.lr * self.weight_decay * parameter.data"],
        "decay-without-lr": ["parameter.data -= self.weight_decay * parameter.data"],
    },
    "optim.clip_grad_norm": {
        "no-root": ["total = sum((float(np.sum(g.astype('float64') ** 2)) for _, g in trained))"],
    },
    "optim.warmup_cosine": {
        "starts-at-zero": ["return lr * (t + 0) / warmup"],
        "rises-again": [
            "done = min(1.0, (warmup - t) / (total - warmup))",
            "done = min(1.0, (t - warmup) / (warmup - total))",
        ],
        "not-halved": ["return lowest + (lr - lowest) * (1 + math.cos(math.pi * done)) / 1"],
    },
    "optim.Scheduler.__init__": {
        "not-at-once": ["no: optimizer.lr = schedule(0)"],
    },
}
