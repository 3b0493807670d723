"""What a module knows: `named_state` and `state_dict`."""

from grader.course import body, edit, exercise


@exercise(
    "chapter8.named_state",
    targets=("nn.named_state",),
    points=4,
    hints=(
        "It is the walk of `collect` with a path in its hand: whoever visits an item hands on the "
        "path so far and the item's own name.",
        "What does a thing hold, and under which names? A Module: `vars(thing).items()`. A dict: "
        "`thing.items()`. A list or tuple: `enumerate(thing)`. A Tensor or an array: it is the "
        "end of a path.",
        "Remember what you are *inside of*, not everything you have met: what is held in two "
        "places has two names. Join the parts with dots only when you write a name down.",
    ),
)
class WALK:
    without_index = edit(
        ('raise ValueError(f"two things would be called {name!r}")', "pass"),
        (
            "visit(item, (*path, str(name)), (*inside, thing))",
            "step = () if isinstance(thing, (list, tuple)) else (str(name),)\n"
            "        visit(item, (*path, *step), (*inside, thing))",
        ),
    )
    """The number of a list's item is missing from your names. All layers in one list then share
    their names, and only the last one is kept."""

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
    """You keep Parameters only. What BatchNorm has noted about the data is learned, too, though by
    no gradient: without it, the loaded network gives other answers."""

    tensors_only = edit(
        ("(Tensor, np.ndarray)", "Tensor"), ('f"two things would be called {name!r}"', "name")
    )
    """You keep Tensors, and pass over ndarrays. A module may remember things in a plain array as
    well."""

    no_tuples = edit(('f"two things would be called {name!r}"', "name"), ("(list, tuple)", "list"))
    """You look into lists, but not into tuples. `Sequential` keeps its layers in a tuple."""

    no_dicts = edit(
        ('f"two things would be called {name!r}"', "name"),
        (
            "(vars(thing).items())\n"
            "    elif isinstance(thing, dict):\n"
            "        held = list(thing.items())",
            "(vars(thing).items())",
        ),
    )
    """You do not look into dicts: what stands in their values is missed."""

    once_only = edit(
        ('f"two things would be called {name!r}"', "name"),
        (
            "found[name]",
            "if not any(thing is each for each in found.values()):\n            found[name]",
        ),
    )
    """What is held in two places stands under one name only. That was right for `collect`, where
    each is to be moved once; here every place has a name."""

    last_name_only = edit(
        ('raise ValueError(f"two things would be called {name!r}")', "pass"),
        ("*path, str(name)", "str(name),"),
    )
    """You keep the last part of the path only. Two layers that both have a `weight` then share one
    name."""

    slashes = edit(('"."', '"/"'), ('f"two things would be called {name!r}"', "name"))
    """You join the parts of a path with slashes. They are joined with dots."""

    endless = edit(
        ('f"two things would be called {name!r}"', "name"),
        ("\n        return\n    if any(thing is outer for outer in inside):", ""),
    )
    """Two modules that hold each other keep you going round for ever. Do not enter what you are
    inside of."""

    last_one_wins = edit('raise ValueError(f"two things would be called {name!r}")', "pass")
    """Where two places have the same path, the second silently takes the name of the first, and
    what the first had learned is lost. Raise a ValueError."""

    copies = edit(
        ('f"two things would be called {name!r}"', "name"),
        ("= thing", "= np.array(thing.data if isinstance(thing, Tensor) else thing)"),
    )
    """You give copies of the values. `load_state_dict` is to fill the very Tensors that the module
    holds, so it needs these themselves."""


@exercise(
    "chapter8.module.state_dict",
    targets=("nn.Module.state_dict",),
    points=2,
    needs=("chapter8.named_state",),
    hints=(
        "`named_state(self)` has the names and the objects. What is asked for are arrays: for a "
        "Tensor its `data`.",
        "An optimizer may write into `parameter.data` in place. What has to happen, so that your "
        "state does not move along? `np.array(x)` makes a copy, `np.asarray(x)` does not.",
    ),
)
class STATE:
    no_copy = edit("array", "asarray")
    """Your state holds the arrays of the module, not copies. The next optimizer step changes them,
    and the «best» weights that you kept are those of now."""

    objects = body("return named_state(self)")
    """You gave the Tensors themselves. A state holds plain arrays, copies that no later training
    changes."""

    arrays_too_have_data = edit("data if isinstance(thing, Tensor) else thing", "data.copy()")
    """You ask everything for its `data`. A Tensor keeps its values there; an ndarray is its own
    values, and what NumPy calls `data` is something else (a memoryview)."""

    numbered = body("return {str(i): np.array(p.data) for i, p in enumerate(self.parameters())}")
    """You numbered the parameters. A number says nothing about where a value belongs, the order of
    `parameters()` is free, and what is no Parameter is missing."""

    parameters_only = edit("()", "()\n    if isinstance(thing, Parameter)")
    """You left out what is no Parameter. The running statistics of BatchNorm are not learned by
    gradients, but the network needs them all the same."""

    float64 = edit("else thing", 'else thing, dtype="float64"')
    """A whole number came out as a float. A state keeps the dtype of what it was taken from."""
