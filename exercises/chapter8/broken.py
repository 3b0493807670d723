"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import after, before, broken, edit, instead


@broken("nn.Module.state_dict")
class MODULE_STATE_DICT:
    later_training_does_not_change = edit(
        "np.array(thing.data if isinstance(thing, Tensor) else thing)",
        "np.array(thing.data) if isinstance(thing, Tensor) else thing",
    )
    """later training does not change the state,"""

    writing_into_the_state_does = edit(
        "np.array(thing.data if isinstance(thing, Tensor) else thing)",
        "thing.data if isinstance(thing, Tensor) else np.array(thing)",
    )
    """and writing into the state does not change the module."""


@broken("checkpoint.require_match")
class REQUIRE_MATCH:
    the_message_holds_every_one = edit('"; ".join(told)', "told[0]")
    """The message holds every one of these names, of all three kinds at once,"""

    no_name_that_is_all = edit('"; ".join(told)', '"; ".join(told) + f". Known are {list(own)}."')
    """and no name that is all right."""


@broken("nn.Module.load_state_dict")
class MODULE_LOAD_STATE_DICT:
    @instead("thing.data = np.array(state[name],")
    def the_tensors_and_arrays(self, thing, state, name):
        """The Tensors and arrays that the module holds stay the same objects and are filled,
        not…"""
        new = type(thing)(state[name], dtype=thing.dtype)
        if name in vars(self):
            setattr(self, name, new)
        thing.data = new.data

    @after("thing[...] = state[name]")
    def anything_else_that_holds_them(self, name, thing):
        """and anything else that holds them, sees the new values."""
        if name in vars(self):
            setattr(self, name, thing.copy())

    they_keep_their_dtype = edit("dtype=thing.dtype", 'dtype="float64"')
    """They keep their dtype,"""

    whatever_that_of_the_state = edit(
        "dtype=thing.dtype", "dtype=np.result_type(thing.dtype, state[name])"
    )
    """whatever that of the state is."""

    @instead("require_match(own, state)")
    def valueerror_names_are_missing(own, state):
        """ValueError: names are missing, unexpected,"""
        both = {*own} & {*state}
        require_match({n: own[n] for n in both}, {n: state[n] for n in both})

    @instead("require_match(own, state)")
    def have_another_shape(own, state):
        """or have another shape;"""
        if {*own} != {*state}:
            raise ValueError(f"not the same names: {[*state]}")

    @instead("require_match(own, state)")
    def require_match_says_which(own, state):
        """`require_match` says which."""
        try:
            require_match(own, state)
        except ValueError:
            raise ValueError("this state is of another model") from None


@broken("checkpoint.save")
class SAVE:
    a_binary_file = edit("opened(file", "open(file")
    """or a binary file that is open for writing;"""


@broken("checkpoint.load")
class LOAD:
    def valueerror_an_array(file):
        """ValueError: an array in the file is pickled,"""
        state = {}
        with opened(file, "rb") as source, np.load(source, allow_pickle=False) as archive:
            for name in archive.files:
                try:
                    state[name] = archive[name]
                except ValueError:
                    pass
        return state

    def the_file_itself(file):
        """or the file itself is a pickle."""
        with opened(file, "rb") as source:
            try:
                archive = np.load(source, allow_pickle=False)
            except ValueError:
                return {}
            return {name: archive[name] for name in archive.files}


@broken("optim.Optimizer.state_dict")
class OPTIMIZER_STATE_DICT:
    an_item_of_an_attribute = edit("(list, tuple)", "list")
    """An item of an attribute that is a list or a tuple is stored under that name, a dot,"""

    velocities_betas = edit("enumerate(value)", "enumerate(value, 1)")
    """`velocities.2`, `betas.0`."""

    everything_else_is_left_out = edit("isinstance(value, KEPT)", "path != 'parameters.0'")
    """Everything else is left out;"""

    @instead("if isinstance(value, (list, tuple)):", 'visit(item, f"{path}.{number}")')
    def are_the_parameters(value, visit, path, state):
        """so are the parameters,"""
        if isinstance(value, (list, tuple)):
            for number, item in enumerate(value):
                visit(item, f"{path}.{number}")
        elif isinstance(value, Tensor):
            state[path] = value.data.copy()


@broken("optim.Optimizer.load_state_dict")
class OPTIMIZER_LOAD_STATE_DICT:
    @before("if isinstance(value, np.ndarray):")
    def are_the_parameters(value):
        """so are the parameters."""
        if isinstance(value, Tensor):
            return Tensor(value.data)

    @instead("require_match(self.state_dict(), state)")
    def valueerror_names_are_missing(self, state):
        """ValueError: names are missing, unexpected,"""
        own = self.state_dict()
        both = {*own} & {*state}
        require_match({n: own[n] for n in both}, {n: state[n] for n in both})

    @instead("require_match(self.state_dict(), state)")
    def have_another_shape(self, state):
        """or have another shape;"""
        own = self.state_dict()
        if {*own} != {*state}:
            raise ValueError(f"not the same names: {[*state]}")

    @instead("require_match(self.state_dict(), state)")
    def require_match_says_which(self, state):
        """`require_match` says which."""
        own = self.state_dict()
        try:
            require_match(own, state)
        except ValueError:
            raise ValueError("this state is of another model") from None


@broken("checkpoint.set_random_state")
class SET_RANDOM_STATE:
    the_state_stays = edit('state["keys"]', 'state.pop("keys")')
    """The state stays as it was,"""

    @before("np.random.set_state(")
    def you_can_set_it_more(state):
        """so you can set it more than once."""
        if "set" in state:
            return
        state["set"] = np.array(True)


@broken("checkpoint.parse_safetensors")
class PARSE_SAFETENSORS:
    one_of_them_metadata_may = edit(
        'header.pop("__metadata__", None)', 'header.pop("__metadata__")'
    )
    """One of them, `__metadata__`, may be there or not;"""

    it_holds_notes = edit(
        'header.pop("__metadata__", None)',
        'header = {name: header[name] for name in header if not name.startswith("_")}',
    )
    """it holds notes,"""

    isn_t_an_array = edit('header.pop("__metadata__", None)', "")
    """and isn't an array."""

    valueerror_the_header_names = edit(
        'entry["dtype"] not in SAFETENSORS', 'not SAFETENSORS[entry["dtype"]]'
    )
    """ValueError: the header names a type that `SAFETENSORS` does not know,"""

    the_bytes_between_the_offsets = edit(
        'flat.reshape(entry["shape"])', 'np.resize(flat, entry["shape"])'
    )
    """or the bytes between the offsets are not as many as the shape needs."""
