"""A module that takes a state over: `require_match` and `load_state_dict`."""

from grader.course import Exercise, Mistake

from .module import but

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
            "no-copy", edit=("np.array(state[name], dtype=thing.dtype)", "state[name]"),
            says=(
                "The module works on the arrays of the state now. The first optimizer step changes "
                "what you had saved, and the dtype is the state's."
            ),
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
