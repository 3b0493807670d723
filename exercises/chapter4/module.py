"""`Module`: calls, parameters, gradients, modes."""

from grader.course import edit, exercise, mistake

BY_ATTRIBUTES = (
    "You take the attributes of every module. Parameters in lists are missed, and one with two "
    "names is counted twice."
)


@exercise("nn.Module.__call__", points=1, minutes=2)
class CALL:
    """`args` is a tuple and `kwargs` a dict. Pass them on unpacked, with the same stars.

    If a call computes something and returns nothing, you forgot `return`.
    """

    no_return = edit("return ", "")
    """You call `forward`, but don't return what it gives."""

    no_names = edit(", **kwargs", "")
    """You drop named arguments: `module(x, scale=2)` ran without its scale."""

    packed = edit("*args, **", "args, ")
    """`forward` got one tuple and one dict. Unpack them with `*` and `**`."""

    first_only = edit("*args", "args[0]")
    """You pass on only the first argument. A loss takes two."""


@exercise("nn.Module.parameters", points=1, minutes=2, needs=("chapter4.collect",))
class PARAMETERS:
    """You have just written the search. What do you look for, and where do you begin?

    One call of `collect` is enough.
    """

    def direct_only(self):
        """These are the module's own attributes. What lists and inner modules hold is missed, and
        such parameters would never learn."""
        return [value for value in vars(self).values() if isinstance(value, Parameter)]

    @mistake(says=BY_ATTRIBUTES)
    def attributes_of_modules(self):
        found = []
        for module in collect(self, Module):
            found += [v for v in vars(module).values() if isinstance(v, Parameter)]
        return found

    @mistake(says=BY_ATTRIBUTES)
    def lists_of_modules_too(self):
        found = []
        for value in vars(self).values():
            if isinstance(value, Parameter):
                found.append(value)
            elif isinstance(value, Module):
                found.extend(value.parameters())
            elif isinstance(value, (list, tuple)):
                for item in value:
                    if isinstance(item, Module):
                        found.extend(item.parameters())
        return found

    every_tensor = edit("Parameter", "Tensor")
    """You list every Tensor. Some must not be learned, such as the running statistics of BatchNorm;
    list only those of the type Parameter."""

    modules = edit("Parameter", "Module")
    """You list the modules, not their parameters."""


@exercise("nn.Module.zero_grad", points=1, minutes=3)
class ZERO_GRAD:
    """Go through all parameters of the module and set one attribute of each.

    After `backward`, `grad` is an array. What was it before the very first `backward`?
    """

    def direct_only(self):
        """Only the module's own attributes are cleared. The gradients of inner modules and of lists
        stay, and the next `backward` adds to them."""
        for value in vars(self).values():
            if isinstance(value, Parameter):
                value.grad = None

    compared = edit("grad =", "grad ==", has=("==",))
    """`==` compares and throws the answer away; `=` assigns."""

    def values_too(self):
        """You set the values to zero as well: everything that was learned is gone."""
        for parameter in self.parameters():
            parameter.grad = None
            parameter.data = parameter.data * 0

    a_number = edit("None", "0.0")
    """You left the number 0.0 in `grad`. It has to be None, or an array of zeros."""


@exercise("nn.Module.train", points=1, minutes=4)
class TRAIN:
    """`collect` finds any kind of object. Which kind has a mode?

    Set the attribute `training` of each to `mode`. Then return something, so that `model =
    Model().train()` works.
    """

    def only_here(self, mode):
        """Only this module changes its mode; the Dropout inside it keeps the old one."""
        self.training = mode
        return self

    def children_only(self, mode):
        """Modules in lists, tuples and dicts keep their old mode: you only look at attributes."""
        self.training = mode
        for value in vars(self).values():
            if isinstance(value, Module):
                value.train(mode)
        return self

    ignores_mode = edit(
        "mode", "True", has=(r"\.training = True", r"\bmode = True", r"train\(True")
    )
    """`train(False)` switched training on. Use the argument `mode`."""

    no_return = edit("return self", "")
    """The modes are right, but nothing is returned: `model = Model().train()` is None."""


@exercise("nn.Module.eval", points=1, minutes=1)
class EVAL:
    """It differs from `train` in only one value.

    `train` has an argument. You need no loop here.
    """

    def only_here(self):
        """Only this module changes its mode; the Dropout inside it goes on dropping."""
        self.training = False
        return self

    trains = edit("False", "")
    """This switches training on. Say which mode you want."""

    no_return = edit("return ", "")
    """The modes are right, but nothing is returned: `model = Model().eval()` is None."""
