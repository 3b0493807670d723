"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

BROKEN = {
    "optim.Optimizer.__init__": {
        "`self.parameters` becomes a list of these very Tensors in the order given.": (
            "list(dict.fromkeys(parameters))",
            "[Tensor(p.data) for p in dict.fromkeys(parameters)]",
        ),
        "or `lr` is negative.": """
            self.parameters = list(dict.fromkeys(parameters))
            self.lr = lr
            if not self.parameters:
                raise ValueError("no parameters")
        """,
    },
    "optim.SGD.step": {
        "neither it nor its velocity changes,": (
            "continue", "self.velocities[i] *= self.momentum\n        continue",
        ),
        "and the others move.": ("continue", "return"),
    },
    "optim.Adam.__init__": {
        "Keep the settings,": ("float(betas[0]), float(betas[1])", "0.9, 0.999"),
        "`self.betas`, `self.eps` and `self.weight_decay` hold the settings;": (
            "float(eps)", "1e-8",
        ),
        "the base class keeps parameters and lr.": ("(parameters, lr)", "(parameters, 0.001)"),
    },
    "optim.Adam.direction": {
        "the learning rate is not in it,": ("return unbiased_m", "return self.lr * unbiased_m"),
        "and `gradient` stays as it was.": (
            "v = beta2 * self.second_moments[i] + (1 - beta2) * gradient**2",
            "gradient *= gradient\nv = beta2 * self.second_moments[i] + (1 - beta2) * gradient",
        ),
    },
    "optim.AdamW.step": {
        "a parameter whose `grad` is None is skipped,": (
            "continue\n    parameter.data -= self.lr * self.weight_decay",
            "gradient = np.zeros_like(parameter.data)\n"
            "    else:\n"
            "        parameter.data -= self.lr * self.weight_decay",
        ),
        "and does not decay either.": (
            "continue",
            "parameter.data -= self.lr * self.weight_decay * parameter.data\n        continue",
        ),
    },
    "optim.clip_grad_norm": {
        "Scale all gradients by one common factor,": (
            "parameter.grad = g * float(max_norm / total)",
            "factor = float(max_norm / total)\n"
            "        parameter.data, parameter.grad = parameter.data * factor, g * factor",
        ),
        "so that together they are no longer than max_norm.": (
            "if total > max_norm:", "if any(np.max(np.abs(g)) > max_norm for _, g in trained):",
        ),
    },
    "optim.step_decay": {
        "and so on.": "return (lr, lr * factor, lr * factor**2)[min(t // every, 2)]",
    },
    "optim.warmup_cosine": {
        "In the first `warmup` steps it is `lr · (t + 1) / warmup`: never 0,": (
            "lr * (t + 1) / warmup", "lr * t / (warmup - 1)",
        ),
        "and `lr` in the last of them.": ("/ warmup", "/ (warmup + 1)"),
    },
    "optim.Adam": {
        "0 for not at all.": {
            "optim.Adam.step": ("self.weight_decay *", "(self.weight_decay or 0.01) *"),
        },
    },
    "optim.Optimizer": {
        "parameters: a list of the Tensors to train.": {
            "optim.Optimizer.__init__": ("list(", "tuple("),
        },
    },
    "optim.SGD": {
        "0 for none of it.": {
            "optim.SGD.step": (
                ("if self.momentum:", "momentum = self.momentum or 0.9\n    if momentum:"),
                ("*= self.momentum", "*= momentum"),
            ),
        },
        "0 for not at all.": {
            "optim.SGD.step": (
                ("if self.weight_decay:", "if True:"),
                ("self.weight_decay *", "(self.weight_decay or 0.01) *"),
            ),
        },
    },
}  # fmt: skip
