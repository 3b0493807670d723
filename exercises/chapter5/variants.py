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

BY_ATTRIBUTE = Variant(
    "by attribute, one memory for all",
    {
        "optim.Optimizer.zero_grad": "for p in self.parameters:\n    setattr(p, 'grad', None)",
        "optim.SGD.__init__": """
            Optimizer.__init__(self, parameters=parameters, lr=lr)
            vars(self).update(momentum=momentum, weight_decay=weight_decay, velocities=[])
            for p in self.parameters:
                self.velocities.append(np.zeros(p.data.shape, dtype=p.data.dtype))
        """,
        "optim.Adam.__init__": """
            super().__init__(parameters, lr=lr)
            self.eps, self.betas, self.weight_decay = eps, tuple(betas), weight_decay
            self.steps = [0 for _ in self.parameters]
            for name in ("first_moments", "second_moments"):
                setattr(self, name, [0 * p.data for p in self.parameters])
        """,
        "optim.Adam.step": """
            decay, lr = self.weight_decay, self.lr
            for i, p in enumerate(self.parameters):
                if p.grad is not None:
                    g = decay * p.data + gradient_of(p)
                    p.data[...] = p.data - lr * self.direction(gradient=g, i=i)
        """,
        "optim.Adam.direction": """
            (b1, b2), g = self.betas, gradient
            self.steps[i] = t = self.steps[i] + 1
            self.first_moments[i] = m = g - b1 * (g - self.first_moments[i])
            self.second_moments[i] = v = g * g - b2 * (g * g - self.second_moments[i])
            return (m / (1 - b1**t) / (np.sqrt(v / (1 - b2**t)) + self.eps)).astype(g.dtype)
        """,
        "optim.clip_grad_norm": """
            held = [p for p in parameters if p.grad is not None]
            total = math.hypot(*(float(np.linalg.norm(gradient_of(p).ravel())) for p in held))
            if total > max_norm:
                for p in held:
                    g = gradient_of(p)
                    g *= max_norm / total
            return total
        """,
        "optim.step_decay": "times = math.floor(t / every)\nreturn lr * math.pow(factor, times)",
        "optim.warmup_cosine": """
            if t >= warmup:
                done = min(max(t - warmup, 0) / (total - warmup), 1)
                return lowest + (lr - lowest) * math.cos(math.pi * done / 2) ** 2
            return lr / warmup * (1 + t)
        """,
        "optim.Scheduler.__init__": (
            "self.t, self.schedule, self.optimizer = 0, schedule, optimizer\n"
            "self.optimizer.lr = self.schedule(self.t)"
        ),
        "optim.Scheduler.step": (
            "self.t = following = self.t + 1\n"
            "setattr(self.optimizer, 'lr', self.schedule(following))"
        ),
    },
)

VARIANTS = (IN_PLACE, OTHER_ALGEBRA, BY_ATTRIBUTE)
