"""`Module`: calls, parameters, gradients, modes."""

from grader.course import Exercise, Mistake

CALL = Exercise(
    "chapter4.module.call",
    section="4.2",
    targets=("nn.Module.__call__",),
    points=1,
    minutes=2,
    hints=(
        "`args` is a tuple and `kwargs` a dict. Hand them on unpacked, with the same stars.",
        "A call that computes and returns nothing is a call that forgot `return`.",
    ),
    mistakes=(
        Mistake(
            "no-return", "self.forward(*args, **kwargs)",
            "You call `forward`, but do not return what it gives.",
        ),
        Mistake(
            "no-names", "return self.forward(*args)",
            "Arguments by name are dropped: `module(x, scale=2)` ran without its scale.",
        ),
        Mistake(
            "packed", "return self.forward(args, kwargs)",
            "`forward` got one tuple and one dict. Unpack them with `*` and `**`.",
        ),
        Mistake(
            "first-only", "return self.forward(args[0], **kwargs)",
            "Only the first argument is handed on. A loss takes two.",
        ),
    ),
)  # fmt: skip

PARAMETERS = Exercise(
    "chapter4.module.parameters",
    section="4.2",
    targets=("nn.Module.parameters",),
    points=1,
    minutes=2,
    needs=("chapter4.collect",),
    hints=(
        "You have just written the search. What do you look for, and where do you begin?",
        "One call of `collect` is enough.",
    ),
    mistakes=(
        Mistake(
            "direct-only",
            "return [value for value in vars(self).values() if isinstance(value, Parameter)]",
            "These are the module's own attributes. What lists and inner modules hold is missed, "
            "and such parameters would never learn.",
        ),
        Mistake(
            "attributes-of-modules",
            "found = []\nfor module in collect(self, Module):\n"
            "    found += [v for v in vars(module).values() if isinstance(v, Parameter)]\nreturn "
            "found",
            "You take the attributes of every module. Parameters in lists are missed, and one "
            "with two names is counted twice.",
        ),
        Mistake(
            "every-tensor", "return collect(self, Tensor)",
            "You list every Tensor. Some are not to be learned, such as the running statistics "
            "of BatchNorm; only those of the type Parameter are.",
        ),
        Mistake(
            "modules", "return collect(self, Module)",
            "You list the modules, not their parameters.",
        ),
    ),
)  # fmt: skip

ZERO_GRAD = Exercise(
    "chapter4.module.zero_grad",
    section="4.2",
    targets=("nn.Module.zero_grad",),
    points=1,
    minutes=3,
    needs=("chapter4.module.parameters",),
    hints=(
        "Go through all parameters of the module and set one attribute of each.",
        "After `backward`, `grad` is an array. What was it before the very first `backward`?",
    ),
    mistakes=(
        Mistake(
            "direct-only",
            "for value in vars(self).values():\n    if isinstance(value, Parameter):\n        "
            "value.grad = None",
            "Only the module's own attributes are cleared. The gradients of inner modules and of "
            "lists stay, and the next `backward` adds to them.",
        ),
        Mistake(
            "compared", edit=("=", "=="),
            says="`==` compares and throws the answer away; `=` assigns.",
            has=("==",),
        ),
        Mistake(
            "values-too",
            "for parameter in self.parameters():\n    parameter.grad = None\n"
            "    parameter.data = parameter.data * 0",
            "You set the values to zero as well: everything that was learned is gone.",
        ),
        Mistake(
            "a-number", edit=("None", "0.0"),
            says="You left the number 0.0 in `grad`. It is to be None, or an array of zeros.",
        ),
    ),
)  # fmt: skip

TRAIN = Exercise(
    "chapter4.module.train",
    section="4.2",
    targets=("nn.Module.train",),
    points=1,
    minutes=4,
    needs=("chapter4.collect",),
    hints=(
        "`collect` finds any kind of object. Which kind has a mode?",
        "Set the attribute `training` of each to `mode`. Then return something, so that "
        "`model = Model().train()` works.",
    ),
    mistakes=(
        Mistake(
            "only-here", "self.training = mode\nreturn self",
            "Only this module changes its mode; the Dropout inside it keeps the old one.",
        ),
        Mistake(
            "children-only",
            "self.training = mode\nfor value in vars(self).values():\n"
            "    if isinstance(value, Module):\n        value.train(mode)\nreturn self",
            "Modules in lists, tuples and dicts keep their old mode: you only look at attributes.",
        ),
        Mistake(
            "ignores-mode", edit=("mode", "True"),
            says="`train(False)` switched training on. Use the argument `mode`.",
        ),
        Mistake(
            "no-return", "for module in collect(self, Module):\n    module.training = mode",
            "The modes are right, but nothing is returned: `model = Model().train()` is None.",
        ),
    ),
)  # fmt: skip

EVAL = Exercise(
    "chapter4.module.eval",
    section="4.2",
    targets=("nn.Module.eval",),
    points=1,
    minutes=1,
    needs=("chapter4.module.train",),
    hints=(
        "It differs from `train` in one value only.",
        "`train` has an argument. You need no loop here.",
    ),
    mistakes=(
        Mistake(
            "only-here", "self.training = False\nreturn self",
            "Only this module changes its mode; the Dropout inside it goes on dropping.",
        ),
        Mistake(
            "trains", "return self.train()",
            "This switches training on. Say which mode you want.",
        ),
        Mistake(
            "no-return", "self.train(False)",
            "The modes are right, but nothing is returned: `model = Model().eval()` is None.",
        ),
    ),
)  # fmt: skip
