"""The state of an optimizer: `Optimizer.state_dict` and `load_state_dict`."""

from grader.course import before, edit, exercise, instead


@exercise("optim.Optimizer.state_dict", points=2, minutes=12, difficulty=2)
class STATE:
    """`vars(self).items()` are the names and values of all attributes. Two cases matter: a value of
    one of the types in `KEPT`, and a list or tuple of such values.

    You need no special case for the parameters: they are Tensors, and Tensor isn't one of the types
    in `KEPT`. `np.array(x)` turns a number into an array, and copies an array.
    """

    def _taken(self):
        state = {}
        for name, value in vars(self).items():
            if isinstance(value, KEPT):
                state[name] = np.array(value)
            elif isinstance(value, (list, tuple)):
                for i, item in enumerate(value):
                    if isinstance(item, KEPT):
                        state[f"{name}.{i}"] = np.array(item)
        return state

    steps_lost = edit("item, KEPT", "item, np.ndarray", of=_taken)
    """Numbers in lists are missing: Adam's step counts, and its betas. With the count back at 0,
    the bias correction treats a long training run as its first step."""

    settings_lost = edit("value, KEPT", "value, np.ndarray", of=_taken)
    """The settings are missing. The learning rate may have changed since the start, and to continue
    you need the current one."""

    tuples_left_out = edit("(list, tuple)", "list", of=_taken)
    """You look into lists, but not into tuples: Adam's betas are a tuple."""

    no_copy = edit("array(item)", "asarray(item)", of=_taken)
    """Your state holds the velocities and moments themselves, not copies. The next step changes
    them, and with them what you had saved."""

    def lists_as_they_are(self):
        """You returned the attributes as they are. A state is flat: every value is one array, and
        each item of a list has its own name, such as `velocities.0`."""
        return {name: value for name, value in vars(self).items() if name != "parameters"}

    from_one = edit("{i}", "{i + 1}", of=_taken)
    """You count the items from 1. They are counted from 0."""

    @before("if isinstance(item, KEPT):", of=_taken)
    def parameters_too(item):
        """The parameters are in the optimizer's state. They belong to the model, whose state has
        them already: saved twice, they need twice the space and may contradict each other."""
        item = item.data if isinstance(item, Tensor) else item


@exercise(
    "optim.Optimizer.load_state_dict",
    points=3,
    minutes=20,
    needs=("chapter8.optimizer.state_dict", "chapter8.require_match"),
)
class LOAD:
    """`require_match(self.state_dict(), state)` first. Then the same walk as in `state_dict`, and
    `setattr(self, name, …)` instead of writing into a dict.

    What a value becomes depends on what it is now: an array becomes a copy with its own dtype; a
    number becomes `np.asarray(…).item()`, a plain number; everything else stays.

    You can't change a tuple, so make a new one: `type(value)(items)` makes a list of items for a
    list, a tuple for a tuple. Go through `list(vars(self).items())`.
    """

    def _renewed(self, state):
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

    def new_attributes(self, state):
        """You made an attribute of every name in the state. The optimizer has one called
        `velocities.0` now, which nobody reads; its list `velocities` hasn't changed."""
        require_match(self.state_dict(), state)
        self.__dict__.update(state)

    @instead("for name, value in list(vars(self).items()):", of=_renewed)
    def steps_lost(self):
        """The step counts stay those of the new optimizer, at 0. The bias correction then treats a
        long training run as its first step, and blows the moments up."""
        for name, value in list(vars(self).items()):
            if name == "steps":
                continue

    settings_kept = edit(
        ("else:", ""), ("setattr(self, name, renewed(value, name))", ""), of=_renewed
    )
    """Only the lists are taken over. The learning rate and the other settings are in the state as
    well, and the state wins."""

    rounded = edit(
        ("np.asarray", "type(value)"), ("(state[path]).item()", "(state[path])"), of=_renewed
    )
    """You converted each number to the type that it has now. An optimizer that was made with `lr=1`
    has a whole number there, and `int(0.25)` is 0."""

    no_copy = edit("np.array", "np.asarray", of=_renewed)
    """The optimizer works on the arrays of the state now: its next step changes what you had
    saved."""

    dtype_of_the_state = edit(", dtype=value.dtype", "", of=_renewed)
    """The arrays take the dtype of the state. Each should keep the dtype that it had here, the
    dtype of its parameter."""

    numbers_as_arrays = edit(
        ("asarray", "array"), ("(state[path]).item()", "(state[path])"), of=_renewed
    )
    """The settings came back as arrays. Turn them back into plain numbers: `+=` changes an array of
    shape () in place, and it prints differently."""

    tuples_become_lists = edit("type(value)(items)", "items", of=_renewed)
    """Tuples became lists. A tuple should stay a tuple."""

    def not_checked(self, state):
        """You accept a state that doesn't fit: a velocity that is missing stays as it was, and an
        extra one is dropped. Call `require_match` first."""

        def renewed(value, path):
            if path not in state:
                return value
            if isinstance(value, np.ndarray):
                return np.array(state[path], dtype=value.dtype)
            return np.asarray(state[path]).item() if isinstance(value, KEPT) else value

        for name, value in list(vars(self).items()):
            if isinstance(value, (list, tuple)):
                items = [renewed(item, f"{name}.{i}") for i, item in enumerate(value)]
                setattr(self, name, type(value)(items))
            else:
                setattr(self, name, renewed(value, name))

    def half_loaded(self, state):
        """You load first, and check only afterwards whether the state fits. When you raise, half of
        the old state is already gone."""
        own = self.state_dict()

        def renewed(value, path):
            if path not in state or np.shape(state[path]) != np.shape(value):
                return value
            if isinstance(value, np.ndarray):
                return np.array(state[path], dtype=value.dtype)
            return np.asarray(state[path]).item() if isinstance(value, KEPT) else value

        for name, value in list(vars(self).items()):
            if isinstance(value, (list, tuple)):
                items = [renewed(item, f"{name}.{i}") for i, item in enumerate(value)]
                setattr(self, name, type(value)(items))
            else:
                setattr(self, name, renewed(value, name))
        require_match(own, state)
