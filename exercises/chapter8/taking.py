"""A module that takes a state over: `require_match` and `load_state_dict`."""

from grader.course import before, edit, exercise


@exercise("checkpoint.require_match", points=3)
class MATCH:
    """Three lists: names of `own` that aren't in `state`, names of `state` that aren't in `own`,
    and names of both whose shapes differ.

    Build all three before you raise anything. `np.shape(x)` is the shape of an array, and of a
    number.

    `', '.join(names)` makes one text of a list. Raise one ValueError if any of the three lists
    isn't empty.
    """

    def _matched(own, state):
        problems = [name for name in own if name not in state]
        problems += [name for name in state if name not in own]
        problems += [
            name
            for name in own
            if name in state and np.shape(state[name]) != tuple(own[name].shape)
        ]
        if problems:
            raise ValueError(", ".join(problems))

    def one_at_a_time(own, state):
        """You raise at the first name that doesn't fit. Users who fix that one then meet the next
        one, and so on: collect them all, and name them all at once."""
        for name in own:
            if name not in state:
                raise ValueError(name)
        for name in state:
            if name not in own:
                raise ValueError(name)
            if np.shape(state[name]) != own[name].shape:
                raise ValueError(name)

    def one_kind_at_a_time(own, state):
        """You name the missing ones first, and the others only when none is missing. Name all three
        kinds in one message: together they often show what happened."""
        missing = [name for name in own if name not in state]
        if missing:
            raise ValueError(", ".join(missing))
        other = [name for name in state if name not in own]
        if other:
            raise ValueError(", ".join(other))
        shapes = [n for n in own if np.shape(state[n]) != own[n].shape]
        if shapes:
            raise ValueError(", ".join(shapes))

    def shapes_not_compared(own, state):
        """You compare names only. Refuse an array of another shape, too."""
        wrong = sorted(set(own) ^ set(state))
        if wrong:
            raise ValueError(", ".join(wrong))

    def broadcast_allowed(own, state):
        """You accept shapes that NumPy would broadcast: a (3,) fills every row of a (2, 3), and
        nobody notices. Shapes have to be equal."""

        def _fits(array, shape):
            try:
                return np.broadcast_shapes(np.shape(array), shape) == shape
            except ValueError:
                return False

        problems = [name for name in own if name not in state]
        problems += [name for name in state if name not in own]
        problems += [
            name for name in own if name in state and not _fits(state[name], own[name].shape)
        ]
        if problems:
            raise ValueError(", ".join(problems))

    sizes_compared = edit(
        ("np.shape", "np.size"), ("tuple(own[name].shape)", "own[name].size"), of=_matched
    )
    """You compare how many values there are. A (3, 2) has as many as a (2, 3), and isn't the same:
    compare the shapes."""

    def unexpected_ignored(own, state):
        """You accept names that the module doesn't have. Usually they come from a typing error, or
        from a model that was built in another way."""
        problems = [name for name in own if name not in state]
        problems += [
            name
            for name in own
            if name in state and np.shape(state[name]) != tuple(own[name].shape)
        ]
        if problems:
            raise ValueError(", ".join(problems))

    missing_ignored = edit("name for name in own if name not in state", "", of=_matched)
    """You accept missing names: those parts of the module would keep their random numbers, and
    nobody would notice."""

    all_names = edit('(", ".join(problems))', '(f"{list(own)} against {list(state)}")', of=_matched)
    """You list all names, and leave it to the reader to find the wrong ones among them. List only
    those that don't fit."""

    key_error = edit("ValueError", "KeyError", of=_matched)
    """You raise KeyError. Raise ValueError: a KeyError prints its message in quotes, and a wrong
    shape has nothing to do with keys."""

    def takes_out(own, state):
        """You remove the names that fit from `state`. It's the caller's dict, and the caller still
        needs it: only look at it, or work on a copy."""
        rest = state
        problems = []
        for name in own:
            array = rest.pop(name, None)
            if array is None or np.shape(array) != own[name].shape:
                problems.append(name)
        problems += list(rest)
        if problems:
            raise ValueError(", ".join(problems))


@exercise("nn.Module.load_state_dict", points=3)
class LOAD:
    """First `named_state(self)`, then `require_match`, and only then the first assignment. That way
    nothing is half loaded.

    For a Tensor give `thing.data` a copy in the dtype that it had. You can't give an ndarray new
    data, but `thing[...] = values` writes into it.
    """

    no_copy = edit("np.array(state[name], dtype=thing.dtype)", "state[name]")
    """The module works on the arrays of the state now. The first optimizer step changes what you
    had saved, and the dtype is the state's."""

    def replaced(self, state):
        """You put new Tensors in place of the old ones. The values are right, but an optimizer
        still holds the old Tensors: it would train something that nobody uses."""
        require_match(named_state(self), state)

        def fill(thing, path):
            if isinstance(thing, Module):
                thing.__dict__ = fill(vars(thing), path)
                return thing
            if isinstance(thing, dict):
                return {k: fill(v, (*path, str(k))) for k, v in thing.items()}
            if isinstance(thing, (list, tuple)):
                for i, v in enumerate(thing):
                    fill(v, (*path, str(i)))
                return thing
            if isinstance(thing, Tensor):
                return type(thing)(state[".".join(path)], dtype=thing.dtype)
            if isinstance(thing, np.ndarray):
                return np.array(state[".".join(path)], dtype=thing.dtype)
            return thing

        fill(self, ())

    def new_attributes(self, state):
        """`setattr(self, 'layers.0.weight', …)` makes a new attribute of the outermost module whose
        name has dots in it. The weight of the layer hasn't changed: fill the Tensor that
        `named_state` gives you under this name."""
        require_match(named_state(self), state)
        for name, array in state.items():
            setattr(self, name, Tensor(array, dtype=array.dtype))

    def not_checked(self, state):
        """You accept a state that doesn't fit: what is missing keeps its random numbers, and other
        shapes are forced into place. Call `require_match` first."""
        for name, thing in named_state(self).items():
            if name in state:
                array = thing.data if isinstance(thing, Tensor) else thing
                array[...] = np.resize(state[name], array.shape)

    def half_loaded(self, state):
        """You load first, and check only afterwards whether the state fits. When you raise, the
        module is half old, half new, and useless."""
        own = named_state(self)
        for name, thing in own.items():
            if name in state and np.shape(state[name]) == thing.shape:
                if isinstance(thing, Tensor):
                    thing.data = np.array(state[name], dtype=thing.dtype)
                else:
                    thing[...] = state[name]
        require_match(own, state)

    def parameters_only(self, state):
        """Only Parameters are filled. The running statistics stay those of a new module."""
        own = named_state(self)
        require_match(own, state)
        for name, thing in own.items():
            if isinstance(thing, Parameter):
                thing.data = np.array(state[name], dtype=thing.dtype)

    arrays_forgotten = edit(("else:", ""), ("thing[...] = state[name]", ""))
    """Tensors are filled, but ndarrays aren't: what a module keeps in a plain array stays as it
    was."""

    dtype_of_the_state = edit(", dtype=thing.dtype", "")
    """The Tensors take the dtype of the state. A float32 model that loads a float64 state would be
    float64 from then on; it should keep its own dtype."""

    @before(
        "if isinstance(thing, Tensor):",
        edits=(
            ("state[name],", "array,"),
            (" state[name]", " array"),
        ),
    )
    def takes_out(name, state):
        """You remove the arrays from the state that you were given. Afterwards it's empty, and
        nobody can load it again."""
        array = state.pop(name)
