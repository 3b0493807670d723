"""Optimizers and rates, almost right."""

BASE = "optim.Optimizer.__init__"
ZERO = "optim.Optimizer.zero_grad"
SGD_INIT = "optim.SGD.__init__"
SGD = "optim.SGD.step"
ADAM_INIT = "optim.Adam.__init__"
DIRECTION = "optim.Adam.direction"
ADAM = "optim.Adam.step"
ADAMW = "optim.AdamW.step"
CLIP = "optim.clip_grad_norm"
RATE = "optim.step_decay"
COSINE = "optim.warmup_cosine"
SCHEDULER = "optim.Scheduler.__init__"
NEXT = "optim.Scheduler.step"
KEPT = "list(dict.fromkeys(parameters))"
MOVED = "parameter.data -= self.lr * gradient"
DECAYED = "    gradient = gradient + self.weight_decay * parameter.data\n"
NORM = 'math.sqrt(sum(float(np.sum(g.astype("float64") ** 2)) for _, g in trained))'
SECOND = "self.second_moments = [np.zeros_like(parameter.data) for parameter in self.parameters]"

SUBTLE = {
    "a rate of 0 is refused": (BASE, "if lr < 0:", "if lr <= 0:"),
    "equal parameters are one": (
        BASE, KEPT, "[]\nfor p in parameters:\n"
        "    if not any(p.data.shape == q.data.shape and (p.data == q.data).all() "
        "for q in self.parameters):\n        self.parameters.append(p)"),
    "a tuple of parameters": (BASE, KEPT, "tuple(dict.fromkeys(parameters))"),
    "keys of a dict for a list": (BASE, KEPT, "dict.fromkeys(parameters)"),
    "gradients of zeros": (ZERO, "parameter.grad = None", "parameter.grad = 0 * parameter.data"),
    "one velocity for all of a shape": (
        SGD_INIT, "self.velocities = [np.zeros_like(parameter.data) for parameter in "
        "self.parameters]",
        "zeros = {p.data.shape: np.zeros_like(p.data) for p in self.parameters}\n"
        "self.velocities = [zeros[p.data.shape] for p in self.parameters]"),
    "velocities in float64": (
        SGD_INIT, "np.zeros_like(parameter.data)", "np.zeros(parameter.data.shape)"),
    "the decay after the velocity": (
        SGD, ("        gradient = gradient + self.weight_decay * parameter.data", "        pass"),
        (MOVED, "parameter.data -= self.lr * (gradient + self.weight_decay * "
         "parameter.data)")),
    "a velocity that is damped": (
        SGD, "velocity += gradient", "velocity += (1 - self.momentum) * gradient"),
    "the rate inside the velocity": (
        SGD, ("velocity += gradient", "velocity += self.lr * gradient"),
        (MOVED, "parameter.data -= gradient if self.momentum else self.lr * gradient")),
    "a velocity that looks ahead": (
        SGD, "gradient = velocity", "gradient = gradient + self.momentum * velocity"),
    "a gradient that decays where it lies": (
        SGD, "gradient = gradient + self.weight_decay", "gradient += self.weight_decay"),
    "no gradient ends the step": (SGD, "        continue", "        break"),
    "no gradient lets the velocity shrink": (
        SGD, "        continue", "        self.velocities[i] *= self.momentum\n        continue"),
    "the rate of the beginning": (
        SGD, MOVED, "parameter.data -= vars(self).setdefault('_lr', self.lr) * gradient"),
    "a first velocity that is the gradient itself": (
        SGD, "velocity = self.velocities[i]\n",
        "if not self.velocities[i].any():\n            self.velocities[i] = 0 + gradient\n"
        "            parameter.data -= self.lr * gradient\n            continue\n"
        "        velocity = self.velocities[i] = self.velocities[i].view()\n"
        "        gradient = 1.0001 * gradient\n"),
    "moments in float64": (
        ADAM_INIT, "self.first_moments = [np.zeros_like(parameter.data)",
        "self.first_moments = [np.zeros(parameter.data.shape)"),
    "both moments are one list": (ADAM_INIT, SECOND, "self.second_moments = self.first_moments"),
    "one counter for all": (DIRECTION, "t = self.steps[i]", "t = max(self.steps)"),
    "eps inside the root": (
        DIRECTION, "(np.sqrt(unbiased_v) + self.eps)", "np.sqrt(unbiased_v + self.eps**2)"),
    "eps before the correction": (
        DIRECTION, "(np.sqrt(unbiased_v) + self.eps)",
        "((np.sqrt(v) + self.eps) / math.sqrt(1 - beta2**t))"),
    "a correction that ends": (DIRECTION, "t = self.steps[i]", "t = min(self.steps[i], 8)"),
    "a correction by one beta": (DIRECTION, "1 - beta2**t", "1 - beta1**t"),
    "a gradient that is scaled where it lies": (
        DIRECTION, "return unbiased_m", "gradient *= 0.999\nreturn unbiased_m"),
    "a decay that is decoupled": (
        ADAM, (DECAYED, ""),
               ("self.lr * self.direction(i, gradient)",
                "self.lr * (self.direction(i, gradient) + self.weight_decay * parameter.data)")),
    "Adam's gradient decays where it lies": (
        ADAM, "gradient = gradient + self.weight_decay", "gradient += self.weight_decay"),
    "the direction before the decay": (
        ADAMW, "parameter.data -= self.lr * self.weight_decay * parameter.data\n"
        "    parameter.data -= self.lr * self.direction(i, gradient)",
        "parameter.data -= self.lr * self.direction(i, gradient)\n"
        "    parameter.data -= self.lr * self.weight_decay * parameter.data"),
    "a decay without the rate": (ADAMW, "self.lr * self.weight_decay", "1e-3 * self.weight_decay"),
    "what has no gradient decays": (
        ADAMW, "        continue",
        "        parameter.data -= self.lr * self.weight_decay * parameter.data\n        continue"),
    "float64 for float32": (
        ADAMW, "parameter.data -= self.lr * self.direction(i, gradient)",
        "parameter.data = parameter.data - np.float64(self.lr) * self.direction(i, gradient)"),
    "each parameter clipped alone": (
        CLIP, "max_norm / total", "min(1.0, max_norm / math.sqrt(float(np.sum(g * g))))"),
    "the sum of the norms": (
        CLIP, NORM, "sum(math.sqrt(float(np.sum(g * g))) for _, g in trained)"),
    "the largest number for the length": (
        CLIP, NORM, "max((float(np.abs(g).max()) for _, g in trained), default=0.0)"),
    "short gradients made long": (CLIP, "if total > max_norm:", "if total > 0:"),
    "the norm after clipping": (CLIP, "return total", "return min(total, max_norm)"),
    "gradients in float64": (
        CLIP, "g * float(max_norm / total)", "g * (np.float64(max_norm) / np.float64(total))"),
    "no gradient has no length": (CLIP, "return total", "return total if trained else math.nan"),
    "a length of NumPy's": (CLIP, "return total", "return np.array([total])"),
    "a step later": (RATE, "t // every", "(t - 1) // every if t else 0"),
    "a decay without stairs": (RATE, "t // every", "t / every"),
    "a decay that stops": (RATE, "t // every", "min(t // every, 3)"),
    "a warm-up from 0": (COSINE, "lr * (t + 1) / warmup", "lr * t / warmup"),
    "a warm-up from lowest": (
        COSINE, "lr * (t + 1) / warmup", "lowest + (lr - lowest) * (t + 1) / warmup"),
    "a cosine that rises again": (
        COSINE, "min(1.0, (t - warmup) / (total - warmup))", "(t - warmup) / (total - warmup)"),
    "a cosine over all steps": (COSINE, "(t - warmup) / (total - warmup)", "t / total"),
    "a cosine down to 0": (
        COSINE, "return lowest + (lr - lowest) * (1 + math.cos(math.pi * done)) / 2",
        "return max(lowest, lr * (1 + math.cos(math.pi * done)) / 2)"),
    "a schedule that waits for the first step": (SCHEDULER, "optimizer.lr = schedule(0)", "pass"),
    "a rate that is multiplied": (
        NEXT, "self.optimizer.lr = self.schedule(self.t)",
        "self.optimizer.lr *= self.schedule(self.t) / self.schedule(self.t - 1)"),
    "the rate of the step that is over": (
        NEXT, "self.t += 1\nself.optimizer.lr = self.schedule(self.t)",
        "self.optimizer.lr = self.schedule(self.t)\nself.t += 1"),
    "steps are counted elsewhere": (
        "optim.Scheduler.step", "self._done = vars(self).get('_done', 0) + 1\n"
        "self.optimizer.lr = self.schedule(self._done)"),
    "only what asks for a gradient is trained": (
        "optim.Optimizer.__init__", "dict.fromkeys(parameters)",
        "dict.fromkeys(p for p in parameters if p.requires_grad)"),
    "what asks for no gradient keeps it": (
        "optim.Optimizer.zero_grad", "parameter.grad = None",
        "parameter.grad = None if parameter.requires_grad else parameter.grad"),
    "a gradient of zeros is none, in SGD": (
        "optim.SGD.step", "if gradient is None:",
        "if gradient is None or not gradient.any():"),
    "a gradient of zeros is none, in Adam": (
        "optim.Adam.step", "if gradient is None:",
        "if gradient is None or not gradient.any():"),
    "a gradient of zeros is none, in AdamW": (
        "optim.AdamW.step", "if gradient is None:",
        "if gradient is None or not gradient.any():"),
    "one counter for each shape": (
        "optim.Adam.__init__", "self.steps = [0] * len(self.parameters)",
        "self.steps = [0] * len(set(p.shape for p in self.parameters))"),
    "what asks for no gradient has no length": (
        "optim.clip_grad_norm", "for parameter in parameters]",
        "for parameter in parameters if parameter.requires_grad]"),
    "no number is too large, so nothing is too long": (
        "optim.clip_grad_norm", "if total > max_norm:",
        "if any(np.abs(g).max(initial=0) > max_norm for _, g in trained):"),
    "ten drops at most": (
        "optim.step_decay", "t // every",
        "min(t // every, 10)"),
    "a warm-up that is never below lowest": (
        "optim.warmup_cosine", "return lr * (t + 1) / warmup",
        "return max(lowest, lr * (t + 1) / warmup)"),
    "a rate that begins no higher": (
        "optim.Scheduler.__init__", "optimizer.lr = schedule(0)",
        "optimizer.lr = min(optimizer.lr, schedule(0))"),
    "a rate that never rises": (
        "optim.Scheduler.step", "self.schedule(self.t)",
        "min(self.optimizer.lr, self.schedule(self.t))"),
    "a rate of five digits": (
        "optim.Scheduler.step", "self.schedule(self.t)",
        "round(self.schedule(self.t), 5)"),
    "a rate of 0 is none": (
        "optim.Scheduler.step", "self.schedule(self.t)",
        "self.schedule(self.t) or self.optimizer.lr"),
    "a rate that is never quite 0": (
        "optim.Scheduler.step", "self.optimizer.lr = self.schedule(self.t)",
        "self.optimizer.lr = max(self.schedule(self.t), 1e-8)"),
    "float64 without momentum": (
        "optim.SGD.step", "parameter.data -= self.lr * gradient",
        "rate = self.lr if self.momentum else np.float64(self.lr)\n"
        "    parameter.data = parameter.data - rate * gradient"),
    "no lowest without a line up": (
        "optim.warmup_cosine", "if t < warmup:",
        "lowest = lowest if warmup else 0.0\nif t < warmup:"),
}  # fmt: skip
