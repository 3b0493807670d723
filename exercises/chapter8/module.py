"""The state of a module: `named_state` and `state_dict`."""

from grader.course import body, edit, exercise, instead


@exercise("nn.named_state", points=4)
class WALK:
    """It's the walk of `collect`, with a path: each visit passes on the path so far and the name of
    the item.

    What does a thing hold, and under which names? A Module: `vars(thing).items()`. A dict:
    `thing.items()`. A list or tuple: `enumerate(thing)`. A Tensor or an array: it is the end of a
    path.

    Remember what you are *inside of*, not everything you have met: what is held in two places has
    two names. Join the parts with dots only when you write a name down.
    """

    @instead(
        "stack.append((item,",
        edits=(('raise ValueError(f"two things would be called {name!r}")', "pass"),),
    )
    def without_index(thing, name, stack, item, path, inside):
        """The number of a list's item is missing from your names. All layers in one list then share
        their names, and only the last one is kept."""
        step = () if isinstance(thing, (list, tuple)) else (str(name),)
        stack.append((item, (*path, *step), (*inside, thing)))

    counts_what_has_state = edit(
        ('f"two things would be called {name!r}"', "name"),
        (
            "(enumerate(thing))",
            "(enumerate(i for i in thing if not isinstance(i, Module) or named_state(i)))",
        ),
    )
    """You count only the items that hold something. A ReLU in a list takes a number, too; otherwise
    one ReLU more renames every layer after it."""

    from_one = edit(
        ('f"two things would be called {name!r}"', "name"),
        ("(enumerate(thing))", "(enumerate(thing, 1))"),
    )
    """You count the items of a list from 1. Python and PyTorch count from 0."""

    parameters_only = edit(
        ("(Tensor, np.ndarray)", "Parameter"), ('f"two things would be called {name!r}"', "name")
    )
    """You keep Parameters only. What BatchNorm has recorded about the data is learned, too, though
    not by gradients: without it, the loaded network gives other answers."""

    tensors_only = edit(
        ("(Tensor, np.ndarray)", "Tensor"), ('f"two things would be called {name!r}"', "name")
    )
    """You keep Tensors, and skip ndarrays. A module may remember things in a plain array as
    well."""

    no_tuples = edit(('f"two things would be called {name!r}"', "name"), ("(list, tuple)", "list"))
    """You look into lists, but not into tuples. `Sequential` keeps its layers in a tuple."""

    @instead(
        "held = list(vars(thing).items())",
        "held = list(thing.items())",
        edits=(('f"two things would be called {name!r}"', "name"),),
    )
    def no_dicts(thing):
        """You don't look into dicts: you miss what their values hold."""
        held = list(vars(thing).items())

    @instead("found[name] = thing", edits=(('f"two things would be called {name!r}"', "name"),))
    def once_only(thing, found, name):
        """What is held in two places gets only one name. That was right for `collect`, because a
        step must move each only once; here every place has a name."""
        if not any(thing is each for each in found.values()):
            found[name] = thing

    last_name_only = edit(
        ('raise ValueError(f"two things would be called {name!r}")', "pass"),
        ("*path, str(name)", "str(name),"),
    )
    """You keep the last part of the path only. Two layers that both have a `weight` then share one
    name."""

    slashes = edit(('"."', '"/"'), ('f"two things would be called {name!r}"', "name"))
    """You join the parts of a path with slashes. They are joined with dots."""

    def endless(value):
        """Two modules that hold each other keep you going round forever. Don't enter what you're
        inside of."""
        found = {}

        def visit(thing, path):
            if isinstance(thing, (Tensor, np.ndarray)):
                name = ".".join(path)
                if name in found:
                    raise ValueError(name)
                found[name] = thing
                return
            if isinstance(thing, Module):
                thing = vars(thing)
            if isinstance(thing, (list, tuple)):
                thing = dict(enumerate(thing))
            if isinstance(thing, dict):
                for name, item in thing.items():
                    visit(item, (*path, str(name)))

        visit(value, ())
        return found

    last_one_wins = edit('raise ValueError(f"two things would be called {name!r}")', "pass")
    """If two places have the same path, the second silently takes the name of the first, and what
    the first had learned is lost. Raise a ValueError."""

    copies = edit(
        ('f"two things would be called {name!r}"', "name"),
        ("= thing", "= np.array(thing.data if isinstance(thing, Tensor) else thing)"),
    )
    """You return copies of the values. `load_state_dict` has to fill the very Tensors that the
    module holds, so return those."""


@exercise("nn.Module.state_dict", points=2)
class STATE:
    """`named_state(self)` has the names and the objects. Return arrays: for a Tensor, its `data`.

    An optimizer may write into `parameter.data` in place. What do you have to do, so that your
    state doesn't change with it? `np.array(x)` makes a copy, `np.asarray(x)` doesn't.
    """

    no_copy = edit("array", "asarray", seen="https://github.com/pytorch/pytorch/issues/34765")
    """Your state holds the arrays of the module, not copies. The next optimizer step changes them,
    and the «best» weights that you kept are just the current ones."""

    objects = body("return named_state(self)")
    """You returned the Tensors themselves. A state holds plain arrays, copies that no later
    training step changes."""

    arrays_too_have_data = edit("data if isinstance(thing, Tensor) else thing", "data.copy()")
    """You ask everything for its `data`. A Tensor keeps its values there; an ndarray is its own
    values, and what NumPy calls `data` is something else (a memoryview)."""

    numbered = body("return {str(i): np.array(p.data) for i, p in enumerate(self.parameters())}")
    """You numbered the parameters. A number says nothing about where a value belongs,
    `parameters()` may use any order, and everything that isn't a Parameter is missing."""

    def parameters_only(self):
        """You left out what isn't a Parameter. The running statistics of BatchNorm aren't learned
        by gradients, but the network still needs them."""
        return {
            name: np.array(thing.data if isinstance(thing, Tensor) else thing)
            for name, thing in named_state(self).items()
            if isinstance(thing, Parameter)
        }

    float64 = edit("else thing", 'else thing, dtype="float64"')
    """A whole number came out as a float. A state keeps the dtype of what it was taken from."""
