"""Optimizers and rates, almost right."""

from grader.course import after, before, edit, instead, mistake

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
NORM = 'math.sqrt(sum(float(np.sum(g.astype("float64") ** 2)) for _, g in trained))'
SECOND = "self.second_moments = [np.zeros_like(parameter.data) for parameter in self.parameters]"


class SUBTLE:
    a_rate_of_zero_is_refused = edit("if lr < 0:", "if lr <= 0:", target=BASE)

    @instead("self.parameters =", target=BASE)
    def equal_parameters_are_one(self, parameters):
        self.parameters = []
        for p in parameters:
            if not any(
                p.data.shape == q.data.shape and (p.data == q.data).all() for q in self.parameters
            ):
                self.parameters.append(p)

    a_tuple_of_parameters = edit(KEPT, "tuple(dict.fromkeys(parameters))", target=BASE)
    keys_of_a_dict_for_a_list = edit(KEPT, "dict.fromkeys(parameters)", target=BASE)
    gradients_of_zeros = edit(
        "parameter.grad = None", "parameter.grad = 0 * parameter.data", target=ZERO
    )

    @mistake(target=SGD_INIT)
    def one_velocity_for_all_of_a_shape(self, parameters, lr, momentum, weight_decay):
        super().__init__(parameters, lr)
        self.momentum = momentum
        self.weight_decay = weight_decay
        zeros = {p.data.shape: np.zeros_like(p.data) for p in self.parameters}
        self.velocities = [zeros[p.data.shape] for p in self.parameters]

    velocities_in_float64 = edit(
        "np.zeros_like(parameter.data)", "np.zeros(parameter.data.shape)", target=SGD_INIT
    )
    the_decay_after_the_velocity = edit(
        ("        gradient = gradient + self.weight_decay * parameter.data", "        pass"),
        (MOVED, "parameter.data -= self.lr * (gradient + self.weight_decay * parameter.data)"),
        target=SGD,
    )
    a_velocity_that_is_damped = edit(
        "velocity += gradient", "velocity += (1 - self.momentum) * gradient", target=SGD
    )
    the_rate_inside_the_velocity = edit(
        ("velocity += gradient", "velocity += self.lr * gradient"),
        (MOVED, "parameter.data -= gradient if self.momentum else self.lr * gradient"),
        target=SGD,
    )
    a_velocity_that_looks_ahead = edit(
        "gradient = velocity", "gradient = gradient + self.momentum * velocity", target=SGD
    )
    a_gradient_that_decays_where_it_lies = edit(
        "gradient = gradient + self.weight_decay", "gradient += self.weight_decay", target=SGD
    )
    no_gradient_ends_the_step = edit("        continue", "        break", target=SGD)

    @before("continue", target=SGD)
    def no_gradient_lets_the_velocity_shrink(self, i):
        self.velocities[i] *= self.momentum

    the_rate_of_the_beginning = edit(
        MOVED, "parameter.data -= vars(self).setdefault('_lr', self.lr) * gradient", target=SGD
    )

    @mistake(target=SGD)
    def a_first_velocity_that_is_the_gradient_itself(self):
        for i, parameter in enumerate(self.parameters):
            gradient = gradient_of(parameter)
            if gradient is None:
                continue
            if self.weight_decay:
                gradient = gradient + self.weight_decay * parameter.data
            if self.momentum:
                if not self.velocities[i].any():
                    self.velocities[i] = 0 + gradient
                    parameter.data -= self.lr * gradient
                    continue
                velocity = self.velocities[i] = self.velocities[i].view()
                gradient = 1.0001 * gradient
                velocity *= self.momentum
                velocity += gradient
                gradient = velocity
            parameter.data -= self.lr * gradient

    moments_in_float64 = edit(
        "self.first_moments = [np.zeros_like(parameter.data)",
        "self.first_moments = [np.zeros(parameter.data.shape)",
        target=ADAM_INIT,
    )
    both_moments_are_one_list = edit(
        SECOND, "self.second_moments = self.first_moments", target=ADAM_INIT
    )
    one_counter_for_all = edit("t = self.steps[i]", "t = max(self.steps)", target=DIRECTION)
    eps_inside_the_root = edit(
        "(np.sqrt(unbiased_v) + self.eps)", "np.sqrt(unbiased_v + self.eps**2)", target=DIRECTION
    )
    eps_before_the_correction = edit(
        "(np.sqrt(unbiased_v) + self.eps)",
        "((np.sqrt(v) + self.eps) / math.sqrt(1 - beta2**t))",
        target=DIRECTION,
    )
    a_correction_that_ends = edit(
        "t = self.steps[i]", "t = min(self.steps[i], 8)", target=DIRECTION
    )
    a_correction_by_one_beta = edit("1 - beta2**t", "1 - beta1**t", target=DIRECTION)

    @after("unbiased_v = v / (1 - beta2**t)", target=DIRECTION)
    def a_gradient_that_is_scaled_where_it_lies(gradient):
        gradient *= 0.999

    @mistake(target=ADAM)
    def a_decay_that_is_decoupled(self):
        for i, parameter in enumerate(self.parameters):
            gradient = gradient_of(parameter)
            if gradient is None:
                continue
            parameter.data -= self.lr * (
                self.direction(i, gradient) + self.weight_decay * parameter.data
            )

    Adams_gradient_decays_where_it_lies = edit(
        "gradient = gradient + self.weight_decay", "gradient += self.weight_decay", target=ADAM
    )

    @mistake(target=ADAMW)
    def the_direction_before_the_decay(self):
        for i, parameter in enumerate(self.parameters):
            gradient = gradient_of(parameter)
            if gradient is None:
                continue
            parameter.data -= self.lr * self.direction(i, gradient)
            parameter.data -= self.lr * self.weight_decay * parameter.data

    a_decay_without_the_rate = edit(
        "self.lr * self.weight_decay", "1e-3 * self.weight_decay", target=ADAMW
    )

    @mistake(target=ADAMW)
    def what_has_no_gradient_decays(self):
        for i, parameter in enumerate(self.parameters):
            gradient = gradient_of(parameter)
            if gradient is None:
                parameter.data -= self.lr * self.weight_decay * parameter.data
                continue
            parameter.data -= self.lr * self.weight_decay * parameter.data
            parameter.data -= self.lr * self.direction(i, gradient)

    float64_for_float32 = edit(
        "parameter.data -= self.lr * self.direction(i, gradient)",
        "parameter.data = parameter.data - np.float64(self.lr) * self.direction(i, gradient)",
        target=ADAMW,
    )
    each_parameter_clipped_alone = edit(
        "max_norm / total", "min(1.0, max_norm / math.sqrt(float(np.sum(g * g))))", target=CLIP
    )
    the_sum_of_the_norms = edit(
        NORM, "sum(math.sqrt(float(np.sum(g * g))) for _, g in trained)", target=CLIP
    )
    the_largest_number_for_the_length = edit(
        NORM, "max((float(np.abs(g).max()) for _, g in trained), default=0.0)", target=CLIP
    )
    short_gradients_made_long = edit("if total > max_norm:", "if total > 0:", target=CLIP)
    the_norm_after_clipping = edit("return total", "return min(total, max_norm)", target=CLIP)
    gradients_in_float64 = edit(
        "g * float(max_norm / total)", "g * (np.float64(max_norm) / np.float64(total))", target=CLIP
    )
    no_gradient_has_no_length = edit(
        "return total", "return total if trained else math.nan", target=CLIP
    )
    a_length_of_NumPys = edit("return total", "return np.array([total])", target=CLIP)
    a_step_later = edit("t // every", "(t - 1) // every if t else 0", target=RATE)
    a_decay_without_stairs = edit("t // every", "t / every", target=RATE)
    a_decay_that_stops = edit("t // every", "min(t // every, 3)", target=RATE)
    a_warm_up_from_zero = edit("lr * (t + 1) / warmup", "lr * t / warmup", target=COSINE)
    a_warm_up_from_lowest = edit(
        "lr * (t + 1) / warmup", "lowest + (lr - lowest) * (t + 1) / warmup", target=COSINE
    )
    a_cosine_that_rises_again = edit(
        "min(1.0, (t - warmup) / (total - warmup))",
        "(t - warmup) / (total - warmup)",
        target=COSINE,
    )
    a_cosine_over_all_steps = edit("(t - warmup) / (total - warmup)", "t / total", target=COSINE)
    a_cosine_down_to_zero = edit(
        "return lowest + (lr - lowest) * (1 + math.cos(math.pi * done)) / 2",
        "return max(lowest, lr * (1 + math.cos(math.pi * done)) / 2)",
        target=COSINE,
    )
    a_schedule_that_waits_for_the_first_step = edit(
        "optimizer.lr = schedule(0)", "pass", target=SCHEDULER
    )
    a_rate_that_is_multiplied = edit(
        "self.optimizer.lr = self.schedule(self.t)",
        "self.optimizer.lr *= self.schedule(self.t) / self.schedule(self.t - 1)",
        target=NEXT,
    )

    @mistake(target=NEXT)
    def the_rate_of_the_step_that_is_over(self):
        self.optimizer.lr = self.schedule(self.t)
        self.t += 1

    @mistake(target="optim.Scheduler.step")
    def steps_are_counted_elsewhere(self):
        self._done = vars(self).get("_done", 0) + 1
        self.optimizer.lr = self.schedule(self._done)

    only_what_asks_for_a_gradient_is_trained = edit(
        "dict.fromkeys(parameters)",
        "dict.fromkeys(p for p in parameters if p.requires_grad)",
        target="optim.Optimizer.__init__",
    )
    what_asks_for_no_gradient_keeps_it = edit(
        "parameter.grad = None",
        "parameter.grad = None if parameter.requires_grad else parameter.grad",
        target="optim.Optimizer.zero_grad",
    )
    a_gradient_of_zeros_is_none_in_SGD = edit(
        "if gradient is None:",
        "if gradient is None or not gradient.any():",
        target="optim.SGD.step",
    )
    a_gradient_of_zeros_is_none_in_Adam = edit(
        "if gradient is None:",
        "if gradient is None or not gradient.any():",
        target="optim.Adam.step",
    )
    a_gradient_of_zeros_is_none_in_AdamW = edit(
        "if gradient is None:",
        "if gradient is None or not gradient.any():",
        target="optim.AdamW.step",
    )
    one_counter_for_each_shape = edit(
        "self.steps = [0] * len(self.parameters)",
        "self.steps = [0] * len(set(p.shape for p in self.parameters))",
        target="optim.Adam.__init__",
    )
    what_asks_for_no_gradient_has_no_length = edit(
        "for parameter in parameters]",
        "for parameter in parameters if parameter.requires_grad]",
        target="optim.clip_grad_norm",
    )
    no_number_is_too_large_so_nothing_is_too_long = edit(
        "if total > max_norm:",
        "if any(np.abs(g).max(initial=0) > max_norm for _, g in trained):",
        target="optim.clip_grad_norm",
    )
    ten_drops_at_most = edit("t // every", "min(t // every, 10)", target="optim.step_decay")
    a_warm_up_that_is_never_below_lowest = edit(
        "return lr * (t + 1) / warmup",
        "return max(lowest, lr * (t + 1) / warmup)",
        target="optim.warmup_cosine",
    )
    a_rate_that_begins_no_higher = edit(
        "optimizer.lr = schedule(0)",
        "optimizer.lr = min(optimizer.lr, schedule(0))",
        target="optim.Scheduler.__init__",
    )
    a_rate_that_never_rises = edit(
        "self.schedule(self.t)",
        "min(self.optimizer.lr, self.schedule(self.t))",
        target="optim.Scheduler.step",
    )
    a_rate_of_five_digits = edit(
        "self.schedule(self.t)", "round(self.schedule(self.t), 5)", target="optim.Scheduler.step"
    )
    a_rate_of_zero_is_none = edit(
        "self.schedule(self.t)",
        "self.schedule(self.t) or self.optimizer.lr",
        target="optim.Scheduler.step",
    )
    a_rate_that_is_never_quite_zero = edit(
        "self.optimizer.lr = self.schedule(self.t)",
        "self.optimizer.lr = max(self.schedule(self.t), 1e-8)",
        target="optim.Scheduler.step",
    )

    @instead("parameter.data -= self.lr * gradient", target="optim.SGD.step")
    def float64_without_momentum(self, parameter, gradient):
        rate = self.lr if self.momentum else np.float64(self.lr)
        parameter.data = parameter.data - rate * gradient

    @before("if t < warmup:", target="optim.warmup_cosine")
    def no_lowest_without_a_line_up(lowest, warmup):
        lowest = lowest if warmup else 0.0
