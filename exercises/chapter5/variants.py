"""Right solutions that are written in another way than the reference."""

from grader.course import Variant

from .sgd import loop

IN_PLACE = Variant(
    "in-place",
    {
        "optim.Optimizer.__init__": (
            "if lr < 0:\n    raise ValueError(lr)\nself.lr = lr\nself.parameters = []\n"
            "for p in parameters:\n"
            "    if not any(p is q for q in self.parameters):\n        self.parameters.append(p)\n"
            "if len(self.parameters) == 0:\n    raise ValueError('no parameters')"
        ),
        "optim.SGD.step": loop(
            "v = self.velocities[i]",
            "v *= self.momentum",
            "v += g",
            "if self.weight_decay:",
            "    v += self.weight_decay * p.data",
            "p.data -= self.lr * v",
        ),
        "optim.Adam.direction": (
            "self.steps[i] += 1\nb1, b2 = self.betas\n"
            "m, v = self.first_moments[i], self.second_moments[i]\n"
            "m += (1 - b1) * (gradient - m)\nv += (1 - b2) * (gradient**2 - v)\n"
            "root = np.sqrt(v) / math.sqrt(1 - b2 ** self.steps[i])\n"
            "return m / (1 - b1 ** self.steps[i]) / (root + self.eps)"
        ),
        "optim.clip_grad_norm": (
            "parameters = [p for p in parameters if p.grad is not None]\n"
            "norms = [np.linalg.norm(gradient_of(p)) for p in parameters]\n"
            "total = float(np.linalg.norm(norms))\nfactor = min(1.0, max_norm / (total + 1e-6))\n"
            "for p in parameters:\n    p.grad *= factor\nreturn total"
        ),
    },
)

OTHER_ALGEBRA = Variant(
    "other-algebra",
    {
        "optim.SGD.step": loop(
            "g = g + self.weight_decay * p.data",
            "if self.momentum:",
            "    g = self.velocities[i] = g + self.momentum * self.velocities[i]",
            "p.data = np.asarray(p.data - self.lr * g)",
        ),
        "optim.AdamW.step": loop(
            "shrunk = p.data * (1 - self.lr * self.weight_decay)",
            "p.data = np.asarray(shrunk - self.lr * self.direction(i, g))",
        ),
        "optim.step_decay": ("while t >= every:\n    lr, t = lr * factor, t - every\nreturn lr"),
        "optim.warmup_cosine": (
            "if t < warmup:\n    return (t + 1) / warmup * lr\nif t >= total:\n    return lowest\n"
            "angle = math.pi * (t - warmup) / (total - warmup)\n"
            "return lr - (lr - lowest) * (1 - math.cos(angle)) / 2"
        ),
    },
)

VARIANTS = (IN_PLACE, OTHER_ALGEBRA)
