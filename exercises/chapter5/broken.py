"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import before, body, broken, edit, instead


@broken("optim.Optimizer.__init__")
class OPTIMIZER_INIT:
    self_parameters_becomes_a_list = edit(
        "list(dict.fromkeys(parameters))", "[Tensor(p.data) for p in dict.fromkeys(parameters)]"
    )
    """`self.parameters` becomes a list of these very Tensors in the order given."""

    def lr_is_negative(self, parameters, lr):
        """or `lr` is negative."""
        self.parameters = list(dict.fromkeys(parameters))
        self.lr = lr
        if not self.parameters:
            raise ValueError("no parameters")


@broken("optim.SGD.step")
class SGD_STEP:
    @before("continue")
    def neither_it_nor_its_velocity(self, i):
        """neither it nor its velocity changes,"""
        self.velocities[i] *= self.momentum

    the_others_move = edit("continue", "return")
    """and the others move."""


@broken("optim.Adam.__init__")
class ADAM_INIT:
    keep_the_settings = edit("float(betas[0]), float(betas[1])", "0.9, 0.999")
    """Keep the settings,"""

    self_betas_self_eps = edit("float(eps)", "1e-8")
    """`self.betas`, `self.eps` and `self.weight_decay` hold the settings;"""

    the_base_class_keeps_parameters = edit("(parameters, lr)", "(parameters, 0.001)")
    """the base class keeps parameters and lr."""


@broken("optim.Adam.direction")
class ADAM_DIRECTION:
    the_learning_rate_is_not = edit("return unbiased_m", "return self.lr * unbiased_m")
    """the learning rate is not in it,"""

    @instead("v = beta2 * self.second_moments[i]")
    def gradient_stays_as_it_was(self, gradient, beta2, i):
        """and `gradient` stays as it was."""
        gradient *= gradient
        v = beta2 * self.second_moments[i] + (1 - beta2) * gradient


@broken("optim.AdamW.step")
class ADAMW_STEP:
    def a_parameter_whose_grad(self):
        """a parameter whose `grad` is None is skipped,"""
        for i, parameter in enumerate(self.parameters):
            gradient = gradient_of(parameter)
            if gradient is None:
                gradient = np.zeros_like(parameter.data)
            else:
                parameter.data -= self.lr * self.weight_decay * parameter.data
            parameter.data -= self.lr * self.direction(i, gradient)

    def does_not_decay_either(self):
        """and does not decay either."""
        for i, parameter in enumerate(self.parameters):
            gradient = gradient_of(parameter)
            if gradient is None:
                parameter.data -= self.lr * self.weight_decay * parameter.data
                continue
            parameter.data -= self.lr * self.weight_decay * parameter.data
            parameter.data -= self.lr * self.direction(i, gradient)


@broken("optim.clip_grad_norm")
class CLIP_GRAD_NORM:
    @instead("parameter.grad = g * float(max_norm / total)")
    def scale_all_gradients_by_one(max_norm, total, parameter, g):
        """Scale all gradients by one common factor,"""
        factor = float(max_norm / total)
        parameter.data, parameter.grad = parameter.data * factor, g * factor

    that_together_they_are_no = edit(
        "if total > max_norm:", "if any(np.max(np.abs(g)) > max_norm for _, g in trained):"
    )
    """so that together they are no longer than max_norm."""


@broken("optim.step_decay")
class STEP_DECAY:
    on = body("return (lr, lr * factor, lr * factor**2)[min(t // every, 2)]")
    """and so on."""


@broken("optim.warmup_cosine")
class WARMUP_COSINE:
    in_the_first_warmup_steps = edit("lr * (t + 1) / warmup", "lr * t / (warmup - 1)")
    """In the first `warmup` steps it is `lr · (t + 1) / warmup`: never 0,"""

    lr_in_the_last = edit("/ warmup", "/ (warmup + 1)")
    """and `lr` in the last of them."""


@broken("optim.Adam")
class ADAM:
    for_not_at_all = edit(
        "self.weight_decay *", "(self.weight_decay or 0.01) *", target="optim.Adam.step"
    )
    """0 for not at all."""


@broken("optim.Optimizer")
class OPTIMIZER:
    parameters_a_list = edit("list(", "tuple(", target="optim.Optimizer.__init__")
    """parameters: a list of the Tensors to train."""


@broken("optim.SGD")
class SGD:
    @instead(
        "if self.momentum:",
        "velocity = self.velocities[i]",
        edits=(("*= self.momentum", "*= momentum"),),
        target="optim.SGD.step",
    )
    def for_none(self, i):
        """0 for none of it."""
        momentum = self.momentum or 0.9
        if momentum:
            velocity = self.velocities[i]

    for_not_at_all = edit(
        ("if self.weight_decay:", "if True:"),
        ("self.weight_decay *", "(self.weight_decay or 0.01) *"),
        target="optim.SGD.step",
    )
    """0 for not at all."""
