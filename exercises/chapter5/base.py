"""What all optimizers share: `Optimizer.__init__` and `zero_grad`."""

from grader.course import Exercise, Mistake

INIT = Exercise(
    "chapter5.optimizer.init",
    section="5.1",
    targets=("optim.Optimizer.__init__",),
    points=1,
    minutes=5,
    difficulty=2,
    hints=(
        "A generator can be walked through once only. What do you have to make of it, so that "
        "`zero_grad` and `step` can walk through it again and again?",
        "The same Tensor twice in the list would be moved twice in every step. Compare with "
        "`is`, or put the Tensors where each key can stand only once.",
        "`dict.fromkeys(things)` keeps the first place of each thing, in order. The two errors "
        "are plain `if … raise ValueError(…)`.",
    ),
    mistakes=(
        Mistake(
            "not-a-list",
            "self.parameters = parameters\nself.lr = lr\n"
            "if parameters == [] or lr < 0:\n    raise ValueError",
            "You kept the iterable itself. A generator, such as `model.parameters()` may be, is "
            "empty after its first walk: `zero_grad` would see the parameters, `step` would not.",
        ),
        Mistake(
            "kept-twice",
            "self.parameters = list(parameters)\nself.lr = lr\n"
            "if not self.parameters or lr < 0:\n    raise ValueError",
            "You kept a Tensor twice where it was given twice. Every step would move such a "
            "shared weight two times.",
        ),
        Mistake(
            "by-value",
            "self.parameters = []\n"
            "for p in parameters:\n"
            "    if not any(np.array_equal(p.data, q.data) for q in self.parameters):\n"
            "        self.parameters.append(p)\n"
            "self.lr = lr\n"
            "if not self.parameters or lr < 0:\n    raise ValueError",
            "You left out a Tensor because its values equal those of another one. Two biases "
            "that both start from 0 are still two parameters; compare with `is`.",
        ),
        Mistake(
            "no-errors",
            "self.parameters = list(dict.fromkeys(parameters))\nself.lr = lr",
            "The two ValueErrors are missing: no parameter at all, and a negative learning rate.",
        ),
        Mistake(
            "lr-not-kept",
            "self.parameters = list(dict.fromkeys(parameters))\nself.lr = 0.01\n"
            "if not self.parameters or lr < 0:\n    raise ValueError",
            "`self.lr` is 0.01 whatever learning rate was given.",
        ),
        Mistake(
            "zero-is-false",
            "self.parameters = list(dict.fromkeys(parameters))\nself.lr = lr or 0.01\n"
            "if not self.parameters or lr < 0:\n    raise ValueError",
            "`lr or 0.01` takes the 0.01 where `lr` is 0, because 0 counts as false. A rate of 0 "
            "is a rate: a warm-up begins with it.",
        ),
        Mistake(
            "zero-refused",
            "self.parameters = list(dict.fromkeys(parameters))\nself.lr = lr\n"
            "if not self.parameters or lr <= 0:\n    raise ValueError",
            "You refuse a learning rate of 0. Only a negative one is an error: a warm-up begins "
            "with 0.",
            shown_by=r"\blr <= 0\b|\bnot lr\b",
        ),
    ),
)  # fmt: skip

ZERO_GRAD = Exercise(
    "chapter5.optimizer.zero_grad",
    section="5.1",
    targets=("optim.Optimizer.zero_grad",),
    points=1,
    minutes=2,
    needs=("chapter5.optimizer.init",),
    hints=(
        "Walk through `self.parameters`. What did `grad` hold before any `backward` was called?",
        "Assign to the attribute `grad` of each Tensor, not to a variable that holds it.",
    ),
    mistakes=(
        Mistake(
            "zeros",
            "for p in self.parameters:\n    p.grad = np.zeros_like(p.data)",
            "You set `grad` to zeros. Then a parameter that gets no gradient in the next step "
            "looks as if it had one, and momentum or weight decay would move it.",
        ),
        Mistake(
            "only-a-variable",
            "for p in self.parameters:\n    grad = p.grad\n    grad = None",
            "`grad = None` gives a new value to a local variable. The attribute `grad` of the "
            "Tensor still holds the old gradient.",
        ),
        Mistake(
            "first-only",
            "for p in self.parameters:\n    p.grad = None\n    return",
            "The loop ends after its first parameter; the others keep their gradients.",
        ),
        Mistake(
            "values-too",
            "for p in self.parameters:\n    p.grad = None\n    p.data = np.zeros_like(p.data)",
            "You set the values to 0 as well: all that was learned is gone. Only `grad` is to "
            "be forgotten.",
        ),
    ),
)  # fmt: skip
