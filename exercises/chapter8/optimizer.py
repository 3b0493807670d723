"""What an optimizer has to remember: `Optimizer.state_dict` and `load_state_dict`."""

from grader.course import Exercise, Mistake

from .module import but

TAKEN = """
state = {}
for name, value in vars(self).items():
    if isinstance(value, KEPT):
        state[name] = np.array(value)
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            if isinstance(item, KEPT):
                state[f"{name}.{i}"] = np.array(item)
return state
"""
RENEWED = """
require_match(self.state_dict(), state)

def renewed(value, path):
    if isinstance(value, np.ndarray):
        return np.array(state[path], dtype=value.dtype)
    return np.asarray(state[path]).item() if isinstance(value, KEPT) else value

for name, value in list(vars(self).items()):
    if isinstance(value, (list, tuple)):
        items = [renewed(item, f"{name}.{i}") for i, item in enumerate(value)]
        setattr(self, name, type(value)(items))
    else:
        setattr(self, name, renewed(value, name))
"""

STATE = Exercise(
    "chapter8.optimizer.state_dict",
    section="8.6",
    targets=("optim.Optimizer.state_dict",),
    points=2,
    minutes=12,
    difficulty=2,
    hints=(
        "`vars(self).items()` are the names and values of all attributes. Two cases are of "
        "interest: a value of one of the types in `KEPT`, and a list or tuple of such values.",
        "No rule for the parameters is needed: they are Tensors, and a Tensor is none of the "
        "types in `KEPT`. `np.array(x)` makes an array of a number, and a copy of an array.",
    ),
    mistakes=(
        Mistake(
            "steps-lost",
            but(TAKEN, ("            if isinstance(item, KEPT):",
                        "            if isinstance(item, np.ndarray):")),
            "Numbers in lists are missing: Adam's step counts, and its betas. With the count back "
            "at 0, the bias correction treats a long training as its first step.",
        ),
        Mistake(
            "settings-lost",
            but(TAKEN, ("    if isinstance(value, KEPT)", "    if isinstance(value, np.ndarray)")),
            "The settings are missing. The learning rate may have changed since the start, and "
            "whoever continues needs the one of now.",
        ),
        Mistake(
            "tuples-left-out", but(TAKEN, ("(list, tuple)", "list")),
            "You look into lists, but not into tuples: Adam's betas are a tuple.",
        ),
        Mistake(
            "no-copy", but(TAKEN, ("np.array(item)", "np.asarray(item)")),
            "Your state holds the velocities and moments themselves, not copies. The next step "
            "changes them, and with them what you had saved.",
        ),
        Mistake(
            "lists-as-they-are",
            "return {name: value for name, value in vars(self).items() if name != 'parameters'}",
            "You gave the attributes as they are. A state is flat: every value is one array, and "
            "the items of a list have names of their own, `velocities.0`.",
        ),
        Mistake(
            "from-one", but(TAKEN, ("{name}.{i}", "{name}.{i + 1}")),
            "You count the items from 1. They are counted from 0.",
        ),
        Mistake(
            "parameters-too",
            but(TAKEN, ("            if isinstance(item, KEPT):",
                        "            item = item.data if isinstance(item, Tensor) else item\n"
                        "            if isinstance(item, KEPT):")),
            "The parameters are in the optimizer's state. They belong to the model, whose state "
            "has them already: saved twice, they need twice the room and may contradict.",
        ),
    ),
)  # fmt: skip

LOAD = Exercise(
    "chapter8.optimizer.load_state_dict",
    section="8.6",
    targets=("optim.Optimizer.load_state_dict",),
    points=3,
    minutes=20,
    difficulty=3,
    needs=("chapter8.optimizer.state_dict", "chapter8.require_match"),
    hints=(
        "`require_match(self.state_dict(), state)` first. Then the same walk as in `state_dict`, "
        "and `setattr(self, name, …)` in the place of writing into a dict.",
        "What a value becomes depends on what it is now: an array becomes a copy with its own "
        "dtype; a number becomes `np.asarray(…).item()`, a plain number; all else stays.",
        "A tuple cannot be changed, so make a new one: `type(value)(items)` makes a list of "
        "items for a list, a tuple for a tuple. Walk through `list(vars(self).items())`.",
    ),
    mistakes=(
        Mistake(
            "new-attributes",
            "require_match(self.state_dict(), state)\nself.__dict__.update(state)",
            "You made an attribute of every name in the state. The optimizer has one called "
            "`velocities.0` now, which nobody reads; its list `velocities` is as it was.",
        ),
        Mistake(
            "steps-lost",
            but(RENEWED, ("    if isinstance(value, (list, tuple)):",
                          "    if name == 'steps':\n        continue\n"
                          "    if isinstance(value, (list, tuple)):")),
            "The step counts stay those of the new optimizer, at 0. The bias correction then "
            "treats a long training as its first step, and blows the moments up.",
        ),
        Mistake(
            "settings-kept",
            but(RENEWED, ("    else:\n        setattr(self, name, renewed(value, name))\n", "")),
            "Only the lists are taken over. The learning rate and the other settings are in the "
            "state as well, and the state wins.",
        ),
        Mistake(
            "rounded",
            but(RENEWED, ("np.asarray(state[path]).item()", "type(value)(state[path])")),
            "You made each number of the type that it has now. An optimizer that was made with "
            "`lr=1` has a whole number there, and `int(0.25)` is 0.",
        ),
        Mistake(
            "no-copy",
            but(RENEWED, ("np.array(state[path], dtype=value.dtype)",
                          "np.asarray(state[path], dtype=value.dtype)")),
            "The optimizer works on the arrays of the state now: its next step changes what you "
            "had saved.",
        ),
        Mistake(
            "dtype-of-the-state", but(RENEWED, (", dtype=value.dtype", "")),
            "The arrays take the dtype of the state. Each keeps the dtype that it had here, that "
            "of its parameter.",
        ),
        Mistake(
            "numbers-as-arrays",
            but(RENEWED, ("np.asarray(state[path]).item()", "np.array(state[path])")),
            "The settings came back as arrays. Make plain numbers of them again: an array of "
            "shape () is changed in place by `+=`, and prints in another way.",
        ),
        Mistake(
            "tuples-become-lists", but(RENEWED, ("type(value)(items)", "items")),
            "Tuples became lists. What was a tuple stays one.",
        ),
        Mistake(
            "not-checked",
            but(RENEWED, ("require_match(self.state_dict(), state)\n", ""),
                ("def renewed(value, path):\n",
                 "def renewed(value, path):\n    if path not in state:\n        return value\n")),
            "A state that does not fit goes through: a velocity that is missing stays as it was, "
            "one too many is forgotten. Call `require_match` first.",
        ),
        Mistake(
            "half-loaded",
            but(RENEWED, ("require_match(self.state_dict(), state)\n", "own = self.state_dict()\n"),
                ("def renewed(value, path):\n",
                 "def renewed(value, path):\n    if path not in state or np.shape(state[path]) "
                 "!= np.shape(value):\n        return value\n"))
            + "require_match(own, state)\n",
            "You load first and look afterwards whether the state fits. When you raise, half of "
            "the old state is gone already.",
        ),
    ),
)  # fmt: skip
