"""What a module knows: `named_state` and `state_dict`."""

from grader.course import Exercise, Mistake

WALKED = """
found = {}

def visit(thing, path, inside):
    if isinstance(thing, (Tensor, np.ndarray)):
        name = ".".join(path)
        if name in found:
            raise ValueError(name)
        found[name] = thing
        return
    if any(thing is outer for outer in inside):
        return
    if isinstance(thing, Module):
        held = list(vars(thing).items())
    elif isinstance(thing, dict):
        held = list(thing.items())
    elif isinstance(thing, (list, tuple)):
        held = list(enumerate(thing))
    else:
        return
    for name, item in held:
        visit(item, (*path, str(name)), (*inside, thing))

visit(value, (), ())
return found
"""
STATE_BODY = """
return {
    name: np.array(thing.data if isinstance(thing, Tensor) else thing)
    for name, thing in named_state(self).items()
}
"""


def but(text: str, *changes: tuple[str, str]) -> str:
    """A working body with some things done otherwise."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


WALK = Exercise(
    "chapter8.named_state",
    section="8.1",
    targets=("nn.named_state",),
    points=4,
    minutes=25,
    difficulty=3,
    hints=(
        "It is the walk of `collect` with a path in its hand: whoever visits an item hands on the "
        "path so far and the item's own name.",
        "What does a thing hold, and under which names? A Module: `vars(thing).items()`. A dict: "
        "`thing.items()`. A list or tuple: `enumerate(thing)`. A Tensor or an array: it is the "
        "end of a path.",
        "Remember what you are *inside of*, not everything you have met: what is held in two "
        "places has two names. Join the parts with dots only when you write a name down.",
    ),
    mistakes=(
        Mistake(
            "without-index",
            but(WALKED, ("    for name, item in held:\n        visit(item, (*path, str(name))",
                         "    for name, item in held:\n        step = () if isinstance(thing, "
                         "(list, tuple)) else (str(name),)\n        visit(item, (*path, *step)"),
                ("            raise ValueError(name)\n", "            pass\n")),
            "The number of a list's item is missing from your names. All layers in one list then "
            "share their names, and only the last one is kept.",
        ),
        Mistake(
            "counts-what-has-state",
            but(WALKED, ("held = list(enumerate(thing))",
                         "held = list(enumerate(i for i in thing if not isinstance(i, Module) or "
                         "named_state(i)))")),
            "You count only the items that hold something. A ReLU in a list takes a number, too; "
            "otherwise one ReLU more renames every layer after it.",
        ),
        Mistake(
            "from-one", but(WALKED, ("list(enumerate(thing))", "list(enumerate(thing, 1))")),
            "You count the items of a list from 1. Python and PyTorch count from 0.",
        ),
        Mistake(
            "parameters-only",
            but(WALKED, ("(Tensor, np.ndarray)", "Parameter")),
            "You keep Parameters only. What BatchNorm has noted about the data is learned, too, "
            "though by no gradient: without it, the loaded network gives other answers.",
        ),
        Mistake(
            "tensors-only",
            but(WALKED, ("(Tensor, np.ndarray)", "Tensor")),
            "You keep Tensors, and pass over ndarrays. A module may remember things in a plain "
            "array as well.",
        ),
        Mistake(
            "no-tuples", but(WALKED, ("(list, tuple)", "list")),
            "You look into lists, but not into tuples. `Sequential` keeps its layers in a tuple.",
        ),
        Mistake(
            "no-dicts",
            but(WALKED, ("    elif isinstance(thing, dict):\n        held = list(thing.items())\n",
                         "")),
            "You do not look into dicts: what stands in their values is missed.",
        ),
        Mistake(
            "once-only",
            but(WALKED, ("        found[name] = thing\n",
                         "        if not any(thing is each for each in found.values()):\n"
                         "            found[name] = thing\n")),
            "What is held in two places stands under one name only. That was right for "
            "`collect`, where each is to be moved once; here every place has a name.",
        ),
        Mistake(
            "last-name-only",
            but(WALKED, ("(*path, str(name))", "(str(name),)"),
                ("            raise ValueError(name)\n", "            pass\n")),
            "You keep the last part of the path only. Two layers that both have a `weight` then "
            "share one name.",
        ),
        Mistake(
            "slashes", but(WALKED, ('".".join', '"/".join')),
            "You join the parts of a path with slashes. They are joined with dots.",
        ),
        Mistake(
            "endless",
            but(WALKED, ("    if any(thing is outer for outer in inside):\n        return\n", "")),
            "Two modules that hold each other keep you going round for ever. Do not enter what "
            "you are inside of.",
        ),
        Mistake(
            "last-one-wins",
            but(WALKED, ("            raise ValueError(name)\n", "            pass\n")),
            "Where two places have the same path, the second silently takes the name of the "
            "first, and what the first had learned is lost. Raise a ValueError.",
        ),
        Mistake(
            "copies",
            but(WALKED, ("found[name] = thing",
                         "found[name] = np.array(thing.data if isinstance(thing, Tensor) else "
                         "thing)")),
            "You give copies of the values. `load_state_dict` is to fill the very Tensors that "
            "the module holds, so it needs these themselves.",
        ),
    ),
)  # fmt: skip

STATE = Exercise(
    "chapter8.module.state_dict",
    section="8.2",
    targets=("nn.Module.state_dict",),
    points=2,
    minutes=5,
    needs=("chapter8.named_state",),
    hints=(
        "`named_state(self)` has the names and the objects. What is asked for are arrays: for a "
        "Tensor its `data`.",
        "An optimizer may write into `parameter.data` in place. What has to happen, so that your "
        "state does not move along? `np.array(x)` makes a copy, `np.asarray(x)` does not.",
    ),
    mistakes=(
        Mistake(
            "no-copy", edit=("np.array", "np.asarray"),
            says="Your state holds the arrays of the module, not copies. The next optimizer step "
            "changes them, and the «best» weights that you kept are those of now.",
        ),
        Mistake(
            "objects", "return named_state(self)",
            "You gave the Tensors themselves. A state holds plain arrays, copies that no later "
            "training changes.",
        ),
        Mistake(
            "arrays-too-have-data",
            but(STATE_BODY, ("thing.data if isinstance(thing, Tensor) else thing",
                             "thing.data.copy()")),
            "You ask everything for its `data`. A Tensor keeps its values there; an ndarray is its "
            "own values, and what NumPy calls `data` is something else (a memoryview).",
        ),
        Mistake(
            "numbered",
            "return {str(i): np.array(p.data) for i, p in enumerate(self.parameters())}",
            "You numbered the parameters. A number says nothing about where a value belongs, the "
            "order of `parameters()` is free, and what is no Parameter is missing.",
        ),
        Mistake(
            "parameters-only",
            but(STATE_BODY, ("}\n", "    if isinstance(thing, Parameter)\n}\n")),
            "You left out what is no Parameter. The running statistics of BatchNorm are not "
            "learned by gradients, but the network needs them all the same.",
        ),
        Mistake(
            "float64", edit=("else thing", "else thing, dtype='float64'"),
            says="Everything became float64. A state keeps the dtype of what it was taken from.",
        ),
    ),
)  # fmt: skip
