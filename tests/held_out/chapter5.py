"""Wrong bodies of chapter 5 written without knowledge of its suites, and unusual right ones."""

SECOND_CALL = {
    # "Gradients are read, never written": the second step writes into the first grad array.
    "the first velocity is the gradient itself": (
        "optim.SGD.step",
        (
            "        velocity *= self.momentum\n        velocity += gradient\n",
            "        if velocity.any():\n"
            "            velocity *= self.momentum\n"
            "            velocity += gradient\n"
            "        else:\n"
            "            velocity = self.velocities[i] = gradient\n",
        ),
    ),
    # "Return which way it should move": the direction of the last call becomes that of this one.
    "every direction is written into one array": (
        "optim.Adam.direction",
        (
            "return unbiased_m / (np.sqrt(unbiased_v) + self.eps)",
            'out = self.__dict__.setdefault("_out", {}).setdefault(i, np.empty_like(m))\n'
            "return np.divide(unbiased_m, np.sqrt(unbiased_v) + self.eps, out=out)",
        ),
    ),
    # "step reads lr again each time": the share that is left of a parameter is that of step one.
    "the decay of the first step is kept": (
        "optim.AdamW.step",
        (
            "parameter.data -= self.lr * self.weight_decay * parameter.data",
            'parameter.data *= vars(self).setdefault("_left", 1 - self.lr * self.weight_decay)',
        ),
    ),
    # "What optimizer.lr was before does not matter": it stays where the schedule is level.
    "a rate is set only if the schedule moves": (
        "optim.Scheduler.step",
        """\
before = self.schedule(self.t)
self.t += 1
rate = self.schedule(self.t)
if rate != before:
    self.optimizer.lr = rate""",
    ),
}

SETTING = {
    # "v ← momentum · v + g", with a rate of 0 as well: nothing moves, and the velocity grows.
    "with a rate of 0 nothing is remembered": (
        "optim.SGD.step",
        ("for i, parameter in", "if not self.lr:\n    return\nfor i, parameter in"),
    ),
    # "lr · (t + 1) / warmup": with lowest given, the line starts there instead of at 0.
    "the line up starts at the lowest rate": (
        "optim.warmup_cosine",
        ("return lr * (t + 1) / warmup", "return lowest + (lr - lowest) * (t + 1) / warmup"),
    ),
    # "Set optimizer.lr to schedule(0) at once", 0 included: the rate of before stays.
    "a first rate of 0 is passed over": (
        "optim.Scheduler.__init__",
        ("optimizer.lr = schedule(0)", "optimizer.lr = schedule(0) or optimizer.lr"),
    ),
    # "0.0 where there is no gradient", and "a total norm greater than max_norm" alone scales:
    # a gradient of zeros is divided by 0.
    "the norm is divided by before it is compared": (
        "optim.clip_grad_norm",
        (
            "if total > max_norm:",
            "factor = max_norm / total if trained else 1.0\nif factor < 1:",
        ),
        ("g * float(max_norm / total)", "g * factor"),
    ),
}

VARIETY = {
    # "A Tensor that occurs twice is kept once": only next to each other.
    "only neighbours are compared": (
        "optim.Optimizer.__init__",
        (
            "self.parameters = list(dict.fromkeys(parameters))",
            "self.parameters = []\n"
            "for parameter in parameters:\n"
            "    if not self.parameters or parameter is not self.parameters[-1]:\n"
            "        self.parameters.append(parameter)",
        ),
    ),
    # "The root of the sum of the squares of all values": of a matrix its largest singular value.
    "a matrix is measured by its largest stretch": (
        "optim.clip_grad_norm",
        (
            'sum(float(np.sum(g.astype("float64") ** 2)) for _, g in trained)',
            "sum(float(np.linalg.norm(g, 2 if g.ndim else None)) ** 2 for _, g in trained)",
        ),
    ),
    # "m̂ / (√v̂ + eps)": eps is added to the root before the correction, and counts 30 times.
    "eps is added before the correction": (
        "optim.Adam.direction",
        (
            "unbiased_v = v / (1 - beta2**t)\nreturn unbiased_m / (np.sqrt(unbiased_v) + self.eps)",
            "return unbiased_m * math.sqrt(1 - beta2**t) / (np.sqrt(v) + self.eps)",
        ),
    ),
    # "Times factor, once per `every` steps": 0.1 four times is 0.0001, not 0.001.
    "a rate falls three times at most": (
        "optim.step_decay",
        ("t // every", "min(t // every, 3)"),
    ),
    # "Every parameter that has a gradient": zeros are a gradient, and momentum moves it on.
    "a gradient of zeros is no gradient": (
        "optim.SGD.step",
        ("if gradient is None:", "if gradient is None or not gradient.any():"),
    ),
}

HALF_PROMISE = {
    # "A new array of the same shape and dtype": the factor is a NumPy number of 64 bits.
    "clipping makes float64 of float32": (
        "optim.clip_grad_norm",
        ("total = math.sqrt(sum(", "total = np.sqrt(sum("),
        ("g * float(max_norm / total)", "g * (max_norm / total)"),
        ("return total", "return float(total)"),
    ),
    # "p ← p − lr · weight_decay · p" comes first: here the moved parameter decays.
    "the parameter decays after it has moved": (
        "optim.AdamW.step",
        (
            "    parameter.data -= self.lr * self.weight_decay * parameter.data\n"
            "    parameter.data -= self.lr * self.direction(i, gradient)",
            "    parameter.data -= self.lr * self.direction(i, gradient)\n"
            "    parameter.data -= self.lr * self.weight_decay * parameter.data",
        ),
    ),
    # "Lists with one array of zeros per parameter": both lists hold the same arrays.
    "both means are the same arrays": (
        "optim.Adam.__init__",
        (
            "self.second_moments = [np.zeros_like(parameter.data) "
            "for parameter in self.parameters]",
            "self.second_moments = list(self.first_moments)",
        ),
    ),
    # "ValueError: there is no parameter": for a generator, which is true even if it gives none.
    "only an empty list is refused": (
        "optim.Optimizer.__init__",
        ("if not self.parameters:", "if not parameters:"),
    ),
}

RIGHT = {
    "sgd that computes all before it moves any": (
        "optim.SGD.step",
        """\
def moved(p, g, v):
    if g is None:
        return p.data, v
    pull = np.multiply(p.data, self.weight_decay, dtype=v.dtype)
    v = np.add(np.multiply(v, self.momentum, dtype=v.dtype), np.add(g, pull), dtype=v.dtype)
    return np.asarray(np.subtract(p.data, np.multiply(v, self.lr, dtype=v.dtype))), np.asarray(v)

gradients = map(gradient_of, self.parameters)
pairs = [*map(moved, self.parameters, gradients, self.velocities)]
for p, (values, _) in zip(self.parameters, pairs):
    p.data = values
self.velocities[:] = [v for _, v in pairs]""",
    ),
    "means that move a part of the way": (
        "optim.Adam.direction",
        """\
self.steps[i] += 1
corrected = []
for moments, beta, new in zip(
    (self.first_moments, self.second_moments), self.betas, (gradient, np.square(gradient))
):
    moments[i] = moments[i] + (new - moments[i]) * (1 - beta)
    corrected.append(moments[i] / (1 - math.prod([beta] * self.steps[i])))
m, v = corrected
return np.divide(m, v**0.5 + self.eps)""",
    ),
    "the length of one long vector": (
        "optim.clip_grad_norm",
        """\
with_gradient = [p for p in parameters if gradient_of(p) is not None]
total = math.hypot(*(float(x) for p in with_gradient for x in np.ravel(gradient_of(p))))
factor = min(1.0, max_norm / total) if total else 1.0
if factor < 1:
    for p in with_gradient:
        p.grad = np.multiply(gradient_of(p), factor, dtype=gradient_of(p).dtype)
return total""",
    ),
    "half a cosine as a squared one of half the angle": (
        "optim.warmup_cosine",
        """\
if 0 <= t < warmup:
    return (1 + t) * (lr / warmup)
left = max(0.0, (total - t) / (total - warmup))
return lowest + (lr - lowest) * math.sin(left * math.pi / 2) ** 2""",
    ),
    "a schedule that begins one step early": (
        "optim.Scheduler.__init__",
        """\
vars(self).update(optimizer=optimizer, schedule=schedule, t=-1)
self.step()""",
    ),
    "each parameter once, by recursion": (
        "optim.Optimizer.__init__",
        """\
def once(rest, met):
    for each in rest:
        if id(each) not in met:
            yield each
            yield from once(rest, met | {id(each)})
            return

self.lr, self.parameters = lr, [*once(iter(parameters), frozenset())]
if lr < 0 or self.parameters == []:
    raise ValueError(f"lr {lr}, {len(self.parameters)} parameters")""",
    ),
}
