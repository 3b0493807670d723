"""States, files and optimizers' memories that are almost right."""

from grader.course import edit, instead, mistake

WALK = "nn.named_state"
STATE = "nn.Module.state_dict"
MATCH = "checkpoint.require_match"
LOAD_MODULE = "nn.Module.load_state_dict"
SAVE = "checkpoint.save"
LOAD = "checkpoint.load"
CHANCE = "checkpoint.random_state"
SET_CHANCE = "checkpoint.set_random_state"
SAFE = "checkpoint.parse_safetensors"
MEMORY = "optim.Optimizer.state_dict"
RENEW = "optim.Optimizer.load_state_dict"
OPEN = 'opened(file, "wb")'
FILL = "thing.data = np.array(state[name], dtype=thing.dtype)"
SHAPE = "np.shape(state[name]) != own[name].shape"


class SUBTLE:
    @instead("while stack:", "continue", target=WALK)
    def each_module_list_and_dict_is_entered_once(stack, found):
        met = []
        while stack:
            thing, path, inside = stack.pop()
            if isinstance(thing, (Tensor, np.ndarray)):
                name = ".".join(path)
                if name in found:
                    raise ValueError(f"two things would be called {name!r}")
                found[name] = thing
                continue
            if any(thing is each for each in met):
                continue
            met.append(thing)

    @instead("found[name] = thing", target=WALK)
    def a_number_without_axes_is_passed_over(thing, found, name):
        if thing.ndim:
            found[name] = thing

    tuples_alone_are_not_entered_again = edit(
        "any(thing is outer", "isinstance(thing, tuple) and any(thing is outer", target=WALK
    )
    a_module_in_itself = edit("for outer in inside)", "for outer in inside[:-1])", target=WALK)
    compared_by_equality = edit("thing is outer", "thing == outer", target=WALK)
    modules_alone_are_not_entered_again = edit(
        "any(thing is outer", "isinstance(thing, Module) and any(thing is outer", target=WALK
    )
    a_list_inside_itself = edit(
        "any(thing is outer", "not isinstance(thing, list) and any(thing is outer", target=WALK
    )
    a_dict_inside_itself = edit(
        "any(thing is outer", "not isinstance(thing, dict) and any(thing is outer", target=WALK
    )
    three_deep = edit("if any(", "if len(inside) > 5 or any(", target=WALK)
    dicts_with_names_alone = edit(
        "held = list(thing.items())",
        "held = [(k, v) for k, v in thing.items() if isinstance(k, str)]",
        target=WALK,
    )
    what_begins_with_an_underscore_is_private = edit(
        "held = list(vars(thing).items())",
        'held = [(k, v) for k, v in vars(thing).items() if k[0] != "_"]',
        target=WALK,
    )
    objects_of_any_class = edit(
        "isinstance(thing, Module)", 'hasattr(thing, "__dict__")', target=WALK
    )

    @instead("if isinstance(thing, (Tensor, np.ndarray)):", "found[name] = thing", target=WALK)
    def a_walk_of_the_parameters_gradients_too(thing, path, found):
        if isinstance(thing, (Tensor, np.ndarray)):
            name = ".".join(path)
            if name in found:
                raise ValueError(f"two things would be called {name!r}")
            found[name] = thing
        if getattr(thing, "grad", None) is not None:
            found[name + ".grad"] = thing.grad

    a_checkpoint_in_float32 = edit(
        "np.array(thing.data if isinstance(thing, Tensor) else thing)",
        "np.float32(thing.data if isinstance(thing, Tensor) else thing)",
        target=STATE,
    )
    integers_become_floats = edit(
        "else thing)",
        'else thing, dtype="float32" if thing.dtype == "float32" else "float64")',
        target=STATE,
    )
    sizes_for_shapes = edit(SHAPE, "np.size(state[name]) != own[name].size", target=MATCH)
    a_vector_for_a_column = edit(
        SHAPE,
        "np.squeeze(state[name]).shape != np.squeeze(np.empty(own[name].shape)).shape",
        target=MATCH,
    )
    a_number_needs_no_shape = edit(SHAPE, f"own[name].shape and {SHAPE}", target=MATCH)
    the_same_dtype_is_asked_for = edit(
        SHAPE, f"({SHAPE} or np.asarray(own[name].data).dtype != state[name].dtype)", target=MATCH
    )
    the_last_name_may_be_missing = edit(
        "name for name in own if name not in state",
        "name for name in [*own][:-1] if name not in state",
        target=MATCH,
    )
    part_of_a_name_is_a_name = edit(
        "for name in state if name not in own",
        "for name in state if not any(name in each for each in own)",
        target=MATCH,
    )
    turned_to_the_shape_that_fits = edit(
        FILL,
        "thing.data = np.array(state[name], dtype=thing.dtype).reshape(thing.shape[::-1]).T.copy()",
        target=LOAD_MODULE,
    )
    filled_along_the_first_axis = edit(FILL, "thing.data[:] = state[name]", target=LOAD_MODULE)
    the_last_place_is_forgotten = edit(
        "in own.items()", "in [*own.items()][:-1]", target=LOAD_MODULE
    )
    missing_and_unexpected_exchanged = edit(
        "require_match(own, state)", "require_match(state, own)", target=LOAD_MODULE
    )
    counters_become_floats = edit(
        "thing[...] = state[name]",
        "thing[...] = np.asarray(state[name], dtype=np.float16)",
        target=LOAD_MODULE,
    )
    by_order_not_by_name = edit(
        "for name, thing in own.items():",
        "for name, thing in zip(state, own.values()):",
        target=LOAD_MODULE,
    )
    through_float32 = edit(
        FILL,
        "thing.data = np.array(state[name], dtype='float32').astype(thing.dtype)",
        target=LOAD_MODULE,
    )
    no_Path = edit(
        OPEN, "opened(f'{file}.npz' if isinstance(file, Path) else file, 'wb')", target=SAVE
    )
    a_suffix_of_its_own = edit(
        OPEN, "opened(f'{file}.npz' if isinstance(file, str) else file, 'wb')", target=SAVE
    )

    @mistake(target=SAVE)
    def savez_by_a_path(state, file):
        arrays = {name: np.asarray(array) for name, array in state.items()}
        objects = [name for name, array in arrays.items() if array.dtype.hasobject]
        if objects:
            raise ValueError(f"only pickle could write these: {', '.join(objects)}")
        np.savez(file, **arrays)

    a_number_becomes_an_array_of_one = edit(
        "np.asarray(array)", "np.atleast_1d(np.asarray(array))", target=SAVE
    )
    a_file_in_float32 = edit(
        "np.asarray(array)",
        "np.float32(array) if np.asarray(array).dtype == 'float64' else np.asarray(array)",
        target=SAVE,
    )

    @mistake(target=LOAD)
    def load_by_a_path_alone(file):
        with open(file, "rb") as source, np.load(source, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}

    @mistake(target=LOAD)
    def load_of_files_alone(file):
        with file as source, np.load(source, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}

    @mistake(target=LOAD)
    def load_closes_the_file(file):
        with opened(file, "rb") as source, np.load(source, allow_pickle=False) as archive:
            found = {name: archive[name] for name in archive.files}
        getattr(file, "close", lambda: None)()
        return found

    @mistake(target=LOAD)
    def a_pickle_is_an_EOFError(file):
        try:
            with opened(file, "rb") as source, np.load(source, allow_pickle=False) as archive:
                return {name: archive[name] for name in archive.files}
        except ValueError as error:
            raise TypeError(str(error))

    the_spare_normal_as_a_whole_number = edit(
        'float(state["cached_gaussian"])',
        'round(float(state["cached_gaussian"]), 6)',
        target=SET_CHANCE,
    )
    the_keys_as_floats = edit("np.array(keys)", "np.array(keys, dtype='float32')", target=CHANCE)
    the_spare_normal_in_float32 = edit(
        "np.array(cached_gaussian)", "np.array(cached_gaussian, dtype='float32')", target=CHANCE
    )
    the_state_is_used_up = edit('state["keys"]', 'state.pop("keys")', target=SET_CHANCE)
    the_spare_normal_is_forgotten_when_set = edit('int(state["has_gauss"])', "0", target=SET_CHANCE)
    the_position_is_that_of_a_fresh_block = edit('int(state["position"])', "624", target=SET_CHANCE)
    to_the_end_of_the_file = edit("values[begin:end]", "values[begin:]", target=SAFE)

    @instead("flat = np.frombuffer(values[begin:end],", target=SAFE)
    def the_shape_gives_the_length(entry, values, begin):
        kind = np.dtype(SAFETENSORS[entry["dtype"]])
        count = int(np.prod(entry["shape"]))
        flat = np.frombuffer(values, kind, count, begin)

    too_many_bytes_are_cut = edit(
        'state[name] = flat.reshape(entry["shape"])',
        "state[name] = flat[: int(np.prod(entry['shape']))].reshape(entry[\"shape\"])",
        target=SAFE,
    )
    a_length_of_two_bytes = edit('data[:8], "little"', 'data[:2], "little"', target=SAFE)
    notes_that_are_no_notes = edit(
        'header.pop("__metadata__", None)',
        'header = {n: e for n, e in header.items() if not n.startswith("_")}',
        target=SAFE,
    )
    an_unknown_type_is_passed_over = edit(
        "raise ValueError(f\"{name} is of the type {entry['dtype']}, which is not known here\")",
        "continue",
        target=SAFE,
    )
    no_numbers_shape = edit(
        'flat.reshape(entry["shape"])', 'flat.reshape(entry["shape"] or -1)', target=SAFE
    )
    every_float_as_float64 = edit("np.array(value)", "np.array(value, dtype=float)", target=MEMORY)
    Pythons_numbers_alone = edit(
        "isinstance(value, KEPT)", "isinstance(value, (int, float, np.ndarray))", target=MEMORY
    )
    settings_by_a_list_of_names = edit(
        "elif isinstance(value, KEPT):",
        'elif isinstance(value, KEPT) and not path.startswith("_"):',
        target=MEMORY,
    )

    @instead("setattr(self, name, renewed(value, name))", target=RENEW)
    def the_learning_rate_of_now(self, name, renewed, value):
        if name != "lr":
            setattr(self, name, renewed(value, name))

    what_is_loaded_too_much_is_told_as_missing = edit(
        "require_match(self.state_dict(), state)",
        "require_match(state, self.state_dict())",
        target=RENEW,
    )
    the_numbers_of_NumPy_are_left_alone = edit(
        "isinstance(value, KEPT) else", "isinstance(value, (int, float)) else", target=RENEW
    )
    numbers_as_they_were = edit(
        ".item() if isinstance(value, KEPT)", ".item() if isinstance(value, float)", target=RENEW
    )
    through_float32_and_back = edit(
        "np.array(state[path], dtype=value.dtype)",
        "np.float32(state[path]).astype(value.dtype)",
        target=RENEW,
    )
    every_number_a_float = edit(
        "np.asarray(state[path]).item()", "float(state[path])", target=RENEW
    )

    @mistake(target=LOAD_MODULE)
    def as_many_numbers_as_there_are_places(self, state):
        own = named_state(self)
        wrong = [
            n
            for n in {*own, *state}
            if n not in own or n not in state or math.prod(own[n].shape) != np.size(state[n])
        ]
        if wrong:
            raise ValueError(", ".join(wrong))
        for name, thing in own.items():
            if isinstance(thing, Tensor):
                thing.data = np.array(state[name], dtype=thing.dtype).reshape(thing.shape)
            else:
                thing[...] = np.reshape(state[name], thing.shape)

    @instead(
        "require_match(self.state_dict(), state)",
        edits=(
            (
                "np.array(state[path], dtype=value.dtype)",
                "np.array(state[path], dtype=value.dtype).reshape(value.shape)",
            ),
        ),
        target=RENEW,
    )
    def as_many_numbers_as_it_remembers(self, state):
        own = self.state_dict()
        if {*own} != {*state}:
            require_match(own, state)
        wrong = [n for n in own if np.size(own[n]) != np.size(state[n])]
        if wrong:
            raise ValueError(", ".join(wrong))

    @mistake(target="nn.Module.state_dict")
    def the_first_state_again(self):
        if "_state" not in vars(self):
            found = {n: np.array(getattr(t, "data", t)) for n, t in named_state(self).items()}
            self._state = lambda: found
        return self._state()
