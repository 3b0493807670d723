"""Right solutions that are written in another way than the reference."""

from grader.course import right, variant


@variant("in-place")
class IN_PLACE:
    @right("optim.Optimizer.__init__")
    def optimizer_init(self, parameters, lr):
        if lr < 0:
            raise ValueError(lr)
        self.lr = lr
        self.parameters = []
        for p in parameters:
            if not any(p is q for q in self.parameters):
                self.parameters.append(p)
        if len(self.parameters) == 0:
            raise ValueError("no parameters")

    @right("optim.SGD.step")
    def sgd_step(self):
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            v = self.velocities[i]
            v *= self.momentum
            v += g
            if self.weight_decay:
                v += self.weight_decay * p.data
            p.data -= self.lr * v

    @right("optim.Adam.direction")
    def adam_direction(self, i, gradient):
        self.steps[i] += 1
        b1, b2 = self.betas
        m, v = self.first_moments[i], self.second_moments[i]
        m += (1 - b1) * (gradient - m)
        v += (1 - b2) * (gradient**2 - v)
        root = np.sqrt(v) / math.sqrt(1 - b2 ** self.steps[i])
        return m / (1 - b1 ** self.steps[i]) / (root + self.eps)

    @right("optim.clip_grad_norm")
    def clip_grad_norm(parameters, max_norm):
        parameters = [p for p in parameters if p.grad is not None]
        norms = [np.linalg.norm(gradient_of(p)) for p in parameters]
        total = float(np.linalg.norm(norms))
        factor = min(1.0, max_norm / (total + 1e-6))
        for p in parameters:
            p.grad *= factor
        return total


@variant("other-algebra")
class OTHER_ALGEBRA:
    @right("optim.SGD.step")
    def sgd_step(self):
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            g = g + self.weight_decay * p.data
            if self.momentum:
                g = self.velocities[i] = g + self.momentum * self.velocities[i]
            p.data = np.asarray(p.data - self.lr * g)

    @right("optim.AdamW.step")
    def adam_w_step(self):
        for i, p in enumerate(self.parameters):
            g = gradient_of(p)
            if g is None:
                continue
            shrunk = p.data * (1 - self.lr * self.weight_decay)
            p.data = np.asarray(shrunk - self.lr * self.direction(i, g))

    @right("optim.step_decay")
    def step_decay(t, lr, every, factor):
        while t >= every:
            lr, t = lr * factor, t - every
        return lr

    @right("optim.warmup_cosine")
    def warmup_cosine(t, lr, warmup, total, lowest):
        if t < warmup:
            return (t + 1) / warmup * lr
        if t >= total:
            return lowest
        angle = math.pi * (t - warmup) / (total - warmup)
        return lr - (lr - lowest) * (1 - math.cos(angle)) / 2


@variant("by attribute, one memory for all")
class BY_ATTRIBUTE:
    @right("optim.Optimizer.zero_grad")
    def optimizer_zero_grad(self):
        for p in self.parameters:
            setattr(p, "grad", None)

    @right("optim.SGD.__init__")
    def sgd_init(self, parameters, lr, momentum, weight_decay):
        Optimizer.__init__(self, parameters=parameters, lr=lr)
        vars(self).update(momentum=momentum, weight_decay=weight_decay, velocities=[])
        for p in self.parameters:
            self.velocities.append(np.zeros(p.data.shape, dtype=p.data.dtype))

    @right("optim.Adam.__init__")
    def adam_init(self, parameters, lr, betas, eps, weight_decay):
        super().__init__(parameters, lr=lr)
        self.eps, self.betas, self.weight_decay = eps, tuple(betas), weight_decay
        self.steps = [0 for _ in self.parameters]
        for name in ("first_moments", "second_moments"):
            setattr(self, name, [0 * p.data for p in self.parameters])

    @right("optim.Adam.step")
    def adam_step(self):
        decay, lr = self.weight_decay, self.lr
        for i, p in enumerate(self.parameters):
            if p.grad is not None:
                g = decay * p.data + gradient_of(p)
                p.data[...] = p.data - lr * self.direction(gradient=g, i=i)

    @right("optim.Adam.direction")
    def adam_direction(self, i, gradient):
        (b1, b2), g = self.betas, gradient
        self.steps[i] = t = self.steps[i] + 1
        self.first_moments[i] = m = g - b1 * (g - self.first_moments[i])
        self.second_moments[i] = v = g * g - b2 * (g * g - self.second_moments[i])
        return (m / (1 - b1**t) / (np.sqrt(v / (1 - b2**t)) + self.eps)).astype(g.dtype)

    @right("optim.clip_grad_norm")
    def clip_grad_norm(parameters, max_norm):
        held = [p for p in parameters if p.grad is not None]
        total = math.hypot(*(float(np.linalg.norm(gradient_of(p).ravel())) for p in held))
        if total > max_norm:
            for p in held:
                g = gradient_of(p)
                g *= max_norm / total
        return total

    @right("optim.step_decay")
    def step_decay(t, lr, every, factor):
        times = math.floor(t / every)
        return lr * math.pow(factor, times)

    @right("optim.warmup_cosine")
    def warmup_cosine(t, lr, warmup, total, lowest):
        if t >= warmup:
            done = min(max(t - warmup, 0) / (total - warmup), 1)
            return lowest + (lr - lowest) * math.cos(math.pi * done / 2) ** 2
        return lr / warmup * (1 + t)

    @right("optim.Scheduler.__init__")
    def scheduler_init(self, optimizer, schedule):
        self.t, self.schedule, self.optimizer = 0, schedule, optimizer
        self.optimizer.lr = self.schedule(self.t)

    @right("optim.Scheduler.step")
    def scheduler_step(self):
        self.t = following = self.t + 1
        setattr(self.optimizer, "lr", self.schedule(following))


VARIANTS = (IN_PLACE, OTHER_ALGEBRA, BY_ATTRIBUTE)
