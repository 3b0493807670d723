"""Wrong bodies of chapter 5 written without knowledge of its suites, and unusual right ones."""

from grader.course import before, edit, instead, mistake, right


class SECOND_CALL:
    @instead("velocity *= self.momentum", "velocity += gradient", target="optim.SGD.step")
    def the_first_velocity_is_the_gradient_itself(self, velocity, gradient, i):
        """«Gradients are read, never written»: the second step writes into the first grad array."""
        if velocity.any():
            velocity *= self.momentum
            velocity += gradient
        else:
            velocity = self.velocities[i] = gradient

    @instead("return unbiased_m", target="optim.Adam.direction")
    def every_direction_is_written_into_one_array(self, i, m, unbiased_m, unbiased_v):
        """«Return which way it should move»: the direction of the last call becomes that of this
        one."""
        out = self.__dict__.setdefault("_out", {}).setdefault(i, np.empty_like(m))
        return np.divide(unbiased_m, np.sqrt(unbiased_v) + self.eps, out=out)

    the_decay_of_the_first_step_is_kept = edit(
        "parameter.data -= self.lr * self.weight_decay * parameter.data",
        'parameter.data *= vars(self).setdefault("_left", 1 - self.lr * self.weight_decay)',
        target="optim.AdamW.step",
    )
    """«step reads lr again each time»: the share that is left of a parameter is that of step
    one."""

    @mistake(target="optim.Scheduler.step")
    def a_rate_is_set_only_if_the_schedule_moves(self):
        """«What optimizer.lr was before does not matter»: it stays where the schedule is level."""
        before = self.schedule(self.t)
        self.t += 1
        rate = self.schedule(self.t)
        if rate != before:
            self.optimizer.lr = rate


class SETTING:
    @before("for i, parameter", target="optim.SGD.step")
    def with_a_rate_of_zero_nothing_is_remembered(self):
        """«v ← momentum · v + g», with a rate of 0 as well: nothing moves, and the velocity
        grows."""
        if not self.lr:
            return

    the_line_up_starts_at_the_lowest_rate = edit(
        "return lr * (t + 1) / warmup",
        "return lowest + (lr - lowest) * (t + 1) / warmup",
        target="optim.warmup_cosine",
    )
    """«lr · (t + 1) / warmup»: with lowest given, the line starts there instead of at 0."""

    a_first_rate_of_zero_is_passed_over = edit(
        "optimizer.lr = schedule(0)",
        "optimizer.lr = schedule(0) or optimizer.lr",
        target="optim.Scheduler.__init__",
    )
    """«Set optimizer.lr to schedule(0) at once», 0 included: the rate of before stays."""

    @instead(
        "if total > max_norm:",
        "parameter.grad = g * factor",
        edits=(("g * float(max_norm / total)", "g * factor"),),
        target="optim.clip_grad_norm",
    )
    def the_norm_is_divided_by_before_it_is_compared(trained, max_norm, total):
        """«0.0 where there is no gradient», and «a total norm greater than max_norm» alone scales:
        a gradient of zeros is divided by 0."""
        factor = max_norm / total if trained else 1.0
        if factor < 1:
            for parameter, g in trained:
                parameter.grad = g * factor


class VARIETY:
    @instead("self.parameters =", target="optim.Optimizer.__init__")
    def only_neighbours_are_compared(self, parameters):
        """«A Tensor that occurs twice is kept once»: only next to each other."""
        self.parameters = []
        for parameter in parameters:
            if not self.parameters or parameter is not self.parameters[-1]:
                self.parameters.append(parameter)

    a_matrix_is_measured_by_its_largest_stretch = edit(
        'sum(float(np.sum(g.astype("float64") ** 2)) for _, g in trained)',
        "sum(float(np.linalg.norm(g, 2 if g.ndim else None)) ** 2 for _, g in trained)",
        target="optim.clip_grad_norm",
    )
    """«The root of the sum of the squares of all values»: of a matrix its largest singular
    value."""

    @instead("unbiased_v = v / (1 - beta2**t)", "return unbiased_m", target="optim.Adam.direction")
    def eps_is_added_before_the_correction(self, unbiased_m, v, beta2, t):
        """«m̂ / (√v̂ + eps)»: eps is added to the root before the correction, and counts 30
        times."""
        return unbiased_m * math.sqrt(1 - beta2**t) / (np.sqrt(v) + self.eps)

    a_rate_falls_three_times_at_most = edit(
        "t // every", "min(t // every, 3)", target="optim.step_decay"
    )
    """«Times factor, once per `every` steps»: 0.1 four times is 0.0001, not 0.001."""

    a_gradient_of_zeros_is_no_gradient = edit(
        "if gradient is None:",
        "if gradient is None or not gradient.any():",
        target="optim.SGD.step",
    )
    """«Every parameter that has a gradient»: zeros are a gradient, and momentum moves it on."""


class HALF_PROMISE:
    clipping_makes_float64_of_float32 = edit(
        ("total = math.sqrt(sum(", "total = np.sqrt(sum("),
        ("g * float(max_norm / total)", "g * (max_norm / total)"),
        ("return total", "return float(total)"),
        target="optim.clip_grad_norm",
    )
    """«A new array of the same shape and dtype»: the factor is a NumPy number of 64 bits."""

    @mistake(target="optim.AdamW.step")
    def the_parameter_decays_after_it_has_moved(self):
        """«p ← p − lr · weight_decay · p» comes first: here the moved parameter decays."""
        for i, parameter in enumerate(self.parameters):
            gradient = gradient_of(parameter)
            if gradient is None:
                continue
            parameter.data -= self.lr * self.direction(i, gradient)
            parameter.data -= self.lr * self.weight_decay * parameter.data

    both_means_are_the_same_arrays = edit(
        "self.second_moments = [np.zeros_like(parameter.data) for parameter in self.parameters]",
        "self.second_moments = list(self.first_moments)",
        target="optim.Adam.__init__",
    )
    """«Lists with one array of zeros per parameter»: both lists hold the same arrays."""

    only_an_empty_list_is_refused = edit(
        "if not self.parameters:", "if not parameters:", target="optim.Optimizer.__init__"
    )
    """«ValueError: there is no parameter»: for a generator, which is true even if it gives none."""


class RIGHT:
    @right("optim.SGD.step")
    def sgd_that_computes_all_before_it_moves_any(self):
        def moved(p, g, v):
            if g is None:
                return p.data, v
            pull = np.multiply(p.data, self.weight_decay, dtype=v.dtype)
            v = np.add(np.multiply(v, self.momentum, dtype=v.dtype), np.add(g, pull), dtype=v.dtype)
            return np.asarray(
                np.subtract(p.data, np.multiply(v, self.lr, dtype=v.dtype))
            ), np.asarray(v)

        gradients = map(gradient_of, self.parameters)
        pairs = [*map(moved, self.parameters, gradients, self.velocities)]
        for p, (values, _) in zip(self.parameters, pairs):
            p.data = values
        self.velocities[:] = [v for _, v in pairs]

    @right("optim.Adam.direction")
    def means_that_move_a_part_of_the_way(self, i, gradient):
        self.steps[i] += 1
        corrected = []
        for moments, beta, new in zip(
            (self.first_moments, self.second_moments), self.betas, (gradient, np.square(gradient))
        ):
            moments[i] = moments[i] + (new - moments[i]) * (1 - beta)
            corrected.append(moments[i] / (1 - math.prod([beta] * self.steps[i])))
        m, v = corrected
        return np.divide(m, v**0.5 + self.eps)

    @right("optim.clip_grad_norm")
    def the_length_of_one_long_vector(parameters, max_norm):
        with_gradient = [p for p in parameters if gradient_of(p) is not None]
        total = math.hypot(*(float(x) for p in with_gradient for x in np.ravel(gradient_of(p))))
        factor = min(1.0, max_norm / total) if total else 1.0
        if factor < 1:
            for p in with_gradient:
                p.grad = np.multiply(gradient_of(p), factor, dtype=gradient_of(p).dtype)
        return total

    @right("optim.warmup_cosine")
    def half_a_cosine_as_a_squared_one_of_half_the_angle(t, lr, warmup, total, lowest):
        if 0 <= t < warmup:
            return (1 + t) * (lr / warmup)
        left = max(0.0, (total - t) / (total - warmup))
        return lowest + (lr - lowest) * math.sin(left * math.pi / 2) ** 2

    @right("optim.Scheduler.__init__")
    def a_schedule_that_begins_one_step_early(self, optimizer, schedule):
        vars(self).update(optimizer=optimizer, schedule=schedule, t=-1)
        self.step()

    @right("optim.Optimizer.__init__")
    def each_parameter_once_by_recursion(self, parameters, lr):
        def once(rest, met):
            for each in rest:
                if id(each) not in met:
                    yield each
                    yield from once(rest, met | {id(each)})
                    return

        self.lr, self.parameters = lr, [*once(iter(parameters), frozenset())]
        if lr < 0 or self.parameters == []:
            raise ValueError(f"lr {lr}, {len(self.parameters)} parameters")
