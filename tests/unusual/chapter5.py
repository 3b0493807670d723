"""Optimizers that zip, reduce and write into what they own."""

from grader.course import right, variant


@variant("unusual words")
class UNUSUAL:
    @right("optim.Optimizer.__init__")
    def optimizer_init(self, parameters, lr):
        unique = {}
        for each in parameters:
            unique.setdefault(id(each), each)
        match (len(unique), lr < 0):
            case (0, _):
                raise ValueError("Give me something to train.")
            case (_, True):
                raise ValueError("Uphill is not where we go.")
        vars(self).update(parameters=[*unique.values()], lr=lr)

    @right("optim.Optimizer.zero_grad")
    def optimizer_zero_grad(self):
        for i in range(len(self.parameters)):
            self.parameters[i].grad = None

    @right("optim.SGD.__init__")
    def sgd_init(self, parameters, lr, momentum, weight_decay):
        Optimizer.__init__(self, parameters, lr=lr)
        self.velocities = list(map(np.zeros_like, (p.data for p in self.parameters)))
        self.momentum, self.weight_decay = momentum, weight_decay

    @right("optim.SGD.step")
    def sgd_step(self):
        import itertools

        for p, v, _ in zip(self.parameters, self.velocities, itertools.count()):
            if (g := gradient_of(p)) is not None:
                np.multiply(v, self.momentum, out=v)
                np.add(v, g, out=v)
                np.add(v, p.data * self.weight_decay, out=v)
                np.subtract(p.data, self.lr * v, out=p.data)

    @right("optim.Adam.__init__")
    def adam_init(self, parameters, lr, betas, eps, weight_decay):
        super().__init__(lr=lr, parameters=parameters)
        self.betas, self.eps, self.weight_decay = (*betas,), eps, weight_decay
        self.first_moments, self.second_moments, self.steps = map(
            list,
            zip(
                *[
                    (np.zeros(p.shape, p.dtype), np.zeros(p.shape, p.dtype), 0)
                    for p in self.parameters
                ]
            ),
        )

    # The two corrections as one factor, as Kingma and Ba write it at the end of section 2.
    @right("optim.Adam.direction")
    def adam_direction(self, i, gradient):
        b1, b2 = self.betas
        m, v = self.first_moments[i], self.second_moments[i]
        for mean, b, new in ((m, b1, gradient), (v, b2, np.square(gradient))):
            mean += (1 - b) * (new - mean)
        self.steps[i] += 1
        root = math.sqrt(1 - b2 ** self.steps[i])
        return m * (root / (1 - b1 ** self.steps[i])) / (np.sqrt(v) + self.eps * root)

    @right("optim.Adam.step")
    def adam_step(self):
        trained = ((i, p, gradient_of(p)) for i, p in enumerate(self.parameters))
        for i, p, g in filter(lambda row: row[2] is not None, trained):
            np.subtract(
                p.data, self.lr * self.direction(i, g + self.weight_decay * p.data), out=p.data
            )

    @right("optim.AdamW.step")
    def adam_w_step(self):
        i = 0
        while i < len(self.parameters):
            p, g = self.parameters[i], gradient_of(self.parameters[i])
            if g is not None:
                p.data -= self.lr * (self.weight_decay * p.data + self.direction(i, g))
            i += 1

    @right("optim.clip_grad_norm")
    def clip_grad_norm(parameters, max_norm):
        held = {id(p): p for p in parameters if gradient_of(p) is not None}.values()
        total = math.sqrt(math.fsum(float(np.vdot(g, g)) for g in map(gradient_of, held)))
        scale = max_norm / max(total, max_norm)
        for p in held if scale < 1 else ():
            p.grad = np.multiply(gradient_of(p), scale, dtype=gradient_of(p).dtype)
        return total

    @right("optim.step_decay")
    def step_decay(t, lr, every, factor):
        times, _ = divmod(t, every)
        return lr if times == 0 else factor * step_decay(t - every, lr, every, factor)

    # Half a cosine, turned: a sine.
    @right("optim.warmup_cosine")
    def warmup_cosine(t, lr, warmup, total, lowest):
        if t + 1 <= warmup:
            return lr * ((t + 1) / warmup)
        left = float(np.clip((total - t) / (total - warmup), 0, 1))
        return lowest + (lr - lowest) * math.sin(math.pi / 2 * left) ** 2

    @right("optim.Scheduler.__init__")
    def scheduler_init(self, optimizer, schedule):
        self.optimizer, self.schedule, self.t = optimizer, schedule, -1
        self.step()

    scheduler_step = right(
        "optim.Scheduler.step", "self.t, self.optimizer.lr = self.t + 1, self.schedule(self.t + 1)"
    )
