"""What a module knows: `named_state`, `state_dict`, `require_match`, `load_state_dict`."""

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
MATCHED = """
problems = [name for name in own if name not in state]
problems += [name for name in state if name not in own]
problems += [name for name in own
             if name in state and np.shape(state[name]) != tuple(own[name].shape)]
if problems:
    raise ValueError(", ".join(problems))
"""
LOADED = """
own = named_state(self)
require_match(own, state)
for name, thing in own.items():
    if isinstance(thing, Tensor):
        thing.data = np.array(state[name], dtype=thing.dtype)
    else:
        thing[...] = state[name]
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
            "no-copy",
            but(STATE_BODY, ("np.array(thing.data", "np.asarray(thing.data")),
            "Your state holds the arrays of the module, not copies. The next optimizer step "
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
            "float64",
            but(STATE_BODY, ("else thing)", "else thing, dtype='float64')")),
            "Everything became float64. A state keeps the dtype of what it was taken from.",
        ),
    ),
)  # fmt: skip

MATCH = Exercise(
    "chapter8.require_match",
    section="8.3",
    targets=("checkpoint.require_match",),
    points=3,
    minutes=15,
    difficulty=2,
    hints=(
        "Three lists: names of `own` that are not in `state`, names of `state` that are not in "
        "`own`, and names of both whose shapes differ.",
        "Build all three before you raise anything. `np.shape(x)` is the shape of an array, and "
        "of a number.",
        "`', '.join(names)` makes one text of a list. Raise one ValueError if any of the three "
        "lists is not empty.",
    ),
    mistakes=(
        Mistake(
            "one-at-a-time",
            "for name in own:\n    if name not in state:\n        raise ValueError(name)\n"
            "for name in state:\n    if name not in own:\n        raise ValueError(name)\n"
            "    if np.shape(state[name]) != own[name].shape:\n        raise ValueError(name)",
            "You raise at the first name that does not fit. Whoever mends that one meets the next "
            "one, and so on: collect them all, and tell them at once.",
        ),
        Mistake(
            "one-kind-at-a-time",
            "missing = [name for name in own if name not in state]\n"
            "if missing:\n    raise ValueError(', '.join(missing))\n"
            "other = [name for name in state if name not in own]\n"
            "if other:\n    raise ValueError(', '.join(other))\n"
            "shapes = [n for n in own if np.shape(state[n]) != own[n].shape]\n"
            "if shapes:\n    raise ValueError(', '.join(shapes))",
            "You tell about the missing names first, and about the others only when none is "
            "missing. Tell all three kinds in one message: together they often show what happened.",
        ),
        Mistake(
            "shapes-not-compared",
            "wrong = sorted(set(own) ^ set(state))\nif wrong:\n"
            "    raise ValueError(', '.join(wrong))",
            "You compare names only. An array of another shape has to be refused, too.",
        ),
        Mistake(
            "broadcast-allowed",
            but(MATCHED, ("np.shape(state[name]) != tuple(own[name].shape)",
                          "not _fits(state[name], own[name].shape)"))
            .replace("problems = [", "def _fits(array, shape):\n    try:\n"
                     "        return np.broadcast_shapes(np.shape(array), shape) == shape\n"
                     "    except ValueError:\n        return False\n\nproblems = [", 1),
            "You let shapes through that NumPy would broadcast: a (3,) fills every row of a "
            "(2, 3), and nobody hears of it. Shapes have to be equal.",
        ),
        Mistake(
            "sizes-compared",
            but(MATCHED, ("np.shape(state[name]) != tuple(own[name].shape)",
                          "np.size(state[name]) != own[name].size")),
            "You compare how many values there are. A (3, 2) has as many as a (2, 3), and is not "
            "the same: compare the shapes.",
        ),
        Mistake(
            "unexpected-ignored",
            but(MATCHED, ("problems += [name for name in state if name not in own]\n", "")),
            "Names that the module does not have go through. Most often they are a typing error, "
            "or a model that was built in another way.",
        ),
        Mistake(
            "missing-ignored",
            but(MATCHED, ("[name for name in own if name not in state]", "[]")),
            "Missing names go through: those parts of the module would keep their random numbers, "
            "and nobody would hear of it.",
        ),
        Mistake(
            "all-names",
            but(MATCHED, ('", ".join(problems)', 'f"{list(own)} against {list(state)}"')),
            "You tell all names, and leave it to the reader to find the wrong ones among them. "
            "Say only those that do not fit.",
        ),
        Mistake(
            "key-error",
            but(MATCHED, ("raise ValueError", "raise KeyError")),
            "You raise KeyError. A ValueError is asked for: a KeyError prints its message in "
            "quotes, and a wrong shape is no matter of keys.",
        ),
        Mistake(
            "takes-out",
            "rest = state\nproblems = []\nfor name in own:\n"
            "    array = rest.pop(name, None)\n"
            "    if array is None or np.shape(array) != own[name].shape:\n"
            "        problems.append(name)\n"
            "problems += list(rest)\nif problems:\n    raise ValueError(', '.join(problems))",
            "You take the names that fit out of `state`. It is the caller's dict, and it is "
            "needed afterwards: only look at it, or work on a copy.",
        ),
    ),
)  # fmt: skip

LOAD = Exercise(
    "chapter8.module.load_state_dict",
    section="8.4",
    targets=("nn.Module.load_state_dict",),
    points=3,
    minutes=12,
    difficulty=2,
    needs=("chapter8.named_state", "chapter8.require_match"),
    hints=(
        "First `named_state(self)`, then `require_match`, and only then the first assignment: so "
        "nothing is half loaded.",
        "For a Tensor give `thing.data` a copy in the dtype that it had. An ndarray cannot be "
        "given new data, but `thing[...] = values` writes into it.",
    ),
    mistakes=(
        Mistake(
            "no-copy",
            but(LOADED, ("np.array(state[name], dtype=thing.dtype)", "state[name]")),
            "The module works on the arrays of the state now. The first optimizer step changes "
            "what you had saved, and the dtype is the state's.",
        ),
        Mistake(
            "replaced",
            "require_match(named_state(self), state)\n"
            "def fill(thing, path):\n"
            "    if isinstance(thing, Module):\n"
            "        thing.__dict__ = fill(vars(thing), path)\n"
            "        return thing\n"
            "    if isinstance(thing, dict):\n"
            "        return {k: fill(v, (*path, str(k))) for k, v in thing.items()}\n"
            "    if isinstance(thing, (list, tuple)):\n"
            "        for i, v in enumerate(thing):\n"
            "            fill(v, (*path, str(i)))\n"
            "        return thing\n"
            "    if isinstance(thing, Tensor):\n"
            "        return type(thing)(state['.'.join(path)], dtype=thing.dtype)\n"
            "    if isinstance(thing, np.ndarray):\n"
            "        return np.array(state['.'.join(path)], dtype=thing.dtype)\n"
            "    return thing\n"
            "fill(self, ())",
            "You put new Tensors in the place of the old ones. The values are right, but an "
            "optimizer still holds the old Tensors: it would train something that nobody uses.",
        ),
        Mistake(
            "new-attributes",
            "require_match(named_state(self), state)\nfor name, array in state.items():\n"
            "    setattr(self, name, Tensor(array, dtype=array.dtype))",
            "`setattr(self, 'layers.0.weight', …)` makes a new attribute of the outermost module "
            "whose name has dots in it. The weight of the layer is as it was: fill the Tensor that "
            "`named_state` gives you under this name.",
        ),
        Mistake(
            "not-checked",
            "for name, thing in named_state(self).items():\n"
            "    if name in state:\n"
            "        array = thing.data if isinstance(thing, Tensor) else thing\n"
            "        array[...] = np.resize(state[name], array.shape)",
            "A state that does not fit goes through: what is missing keeps its random numbers, and "
            "other shapes are forced into place. Call `require_match` first.",
        ),
        Mistake(
            "half-loaded",
            "own = named_state(self)\n"
            "for name, thing in own.items():\n"
            "    if name in state and np.shape(state[name]) == thing.shape:\n"
            "        if isinstance(thing, Tensor):\n"
            "            thing.data = np.array(state[name], dtype=thing.dtype)\n"
            "        else:\n"
            "            thing[...] = state[name]\n"
            "require_match(own, state)",
            "You load first and look afterwards whether the state fits. When you raise, the "
            "module is half old, half new, and neither is of use.",
        ),
        Mistake(
            "parameters-only",
            but(LOADED, ("isinstance(thing, Tensor)", "isinstance(thing, Parameter)"),
                ("    else:\n        thing[...] = state[name]\n", "")),
            "Only Parameters are filled. The running statistics stay those of a new module.",
        ),
        Mistake(
            "arrays-forgotten", but(LOADED, ("    else:\n        thing[...] = state[name]\n", "")),
            "Tensors are filled, but ndarrays are not: what a module keeps in a plain array stays "
            "as it was.",
        ),
        Mistake(
            "dtype-of-the-state", but(LOADED, (", dtype=thing.dtype", "")),
            "The Tensors take the dtype of the state. A float32 model that loads a float64 state "
            "would be float64 from then on; it keeps its own.",
        ),
        Mistake(
            "takes-out",
            "own = named_state(self)\nrequire_match(own, state)\n"
            "for name, thing in own.items():\n    array = state.pop(name)\n"
            "    if isinstance(thing, Tensor):\n"
            "        thing.data = np.array(array, dtype=thing.dtype)\n"
            "    else:\n        thing[...] = array",
            "You take the arrays out of the state that you were given. Afterwards it is empty, "
            "and cannot be loaded again.",
        ),
    ),
)  # fmt: skip
