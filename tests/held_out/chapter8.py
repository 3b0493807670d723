"""Wrong bodies of chapter 8 written without knowledge of its suites, and unusual right ones."""

from grader.course import after, edit, instead, mistake, right


class SECOND_CALL:
    @mistake(target="nn.Module.state_dict")
    def every_snapshot_is_written_into_the_first(self):
        """«A copy: later training does not change the state»: the next snapshot changes it."""
        kept = Module.state_dict.__dict__.setdefault("kept", {}).setdefault(id(self), {})
        for name, thing in named_state(self).items():
            values = thing.data if isinstance(thing, Tensor) else thing
            if (
                name not in kept
                or kept[name].shape != values.shape
                or kept[name].dtype != values.dtype
            ):
                kept[name] = values.copy()
            kept[name][...] = values
        return dict(kept)

    @instead(
        "for name, value in vars(self).items():",
        "visit(value, name)",
        target="optim.Optimizer.state_dict",
    )
    def what_to_remember_is_decided_once(self, name, visit):
        """«Every attribute that is a number»: one that was set after the first call is left out."""
        names = vars(self).setdefault("_names", tuple(vars(self)))
        for name, value in [(name, vars(self)[name]) for name in names]:
            visit(value, name)

    @after(
        "_, keys, position,",
        edits=(('    "keys": np.array(keys),', '    "keys": np.copyto(buffer, keys) or buffer,'),),
        target="checkpoint.random_state",
    )
    def all_states_of_chance_share_their_keys(keys):
        """«Later draws do not change the state»: the next call of the function does."""
        buffer = random_state.__dict__.setdefault("buffer", np.empty_like(keys))

    numbers_are_taken_out_of_the_state = edit(
        "np.asarray(state[path]).item()",
        "np.asarray(state.pop(path)).item()",
        target="optim.Optimizer.load_state_dict",
    )
    """«The state stays as it was»: a second optimizer finds no numbers in it."""


class SETTING:
    a_single_number_gets_an_axis = edit(
        "np.array(thing.data if isinstance(thing, Tensor) else thing)",
        "np.ascontiguousarray(thing.data if isinstance(thing, Tensor) else thing).copy()",
        target="nn.Module.state_dict",
    )
    """«Every value has the dtype of the original», and its shape: a single number gets an axis."""

    numbers_of_NumPy_are_left_out = edit(
        "isinstance(value, KEPT)",
        "isinstance(value, (int, float, np.ndarray))",
        target="optim.Optimizer.state_dict",
    )
    """«One of the types in KEPT»: a rate that is np.float32(0.1) is left out."""

    @mistake(target="checkpoint.load")
    def a_single_number_is_no_array(file):
        """«Names and arrays», a single number as well: it comes back as a number of Python."""
        with opened(file, "rb") as source, np.load(source, allow_pickle=False) as archive:
            return {
                name: archive[name] if archive[name].ndim else archive[name].item()
                for name in archive.files
            }

    an_empty_shape_is_left_as_it_is = edit(
        'state[name] = flat.reshape(entry["shape"])',
        'state[name] = flat.reshape(entry["shape"] or -1)',
        target="checkpoint.parse_safetensors",
    )
    """«The shape that the header says», [] as well."""

    @instead(
        "if isinstance(thing, Tensor):",
        "thing.data = np.array(state[name],",
        target="nn.Module.load_state_dict",
    )
    def an_array_of_the_module_is_replaced(self, thing, state, name):
        """«Tensors and arrays stay the same objects and are filled»: an array of the module's own
        is replaced."""
        if isinstance(thing, Tensor):
            thing.data = np.array(state[name], dtype=thing.dtype)
        elif name in vars(self):
            setattr(self, name, np.array(state[name], dtype=thing.dtype))


class VARIETY:
    @after("require_match(own, state)", target="nn.Module.load_state_dict")
    def values_are_taken_over_in_their_order(own, state):
        """«Take over the values of a state» by their names: its order may be another."""
        state = dict(zip(own, state.values()))

    a_whole_number_stays_whole = edit(
        "np.asarray(state[path]).item() if isinstance(value, KEPT) else value",
        "type(value)(state[path]) if isinstance(value, KEPT) else value",
        target="optim.Optimizer.load_state_dict",
    )
    """«The state wins»: a rate of 1 becomes 0 when 0.5 is loaded."""

    @instead("return type(value)(renewed(v,", target="optim.Optimizer.load_state_dict")
    def what_is_missing_in_a_list_is_dropped(value, renewed):
        """«What is neither a number nor an array is left alone»: a None among arrays is dropped."""
        return type(value)(renewed(v, f"{path}.{i}") for i, v in enumerate(value) if v is not None)

    a_long_list_of_names_is_cut = edit(
        "{kind}: {', '.join(names)}\"",
        "{kind}: {', '.join(names[:10])}{', …' if names[10:] else ''}\"",
        target="checkpoint.require_match",
    )
    """«The message holds every one of these names», not the first ten."""


class HALF_PROMISE:
    @mistake(target="checkpoint.save")
    def the_file_is_opened_before_the_look(state, file):
        """«Nothing is written»: beside the path an empty file with .part at its end is left."""
        with opened(file, "wb") as target:
            arrays = {name: np.asarray(array) for name, array in state.items()}
            objects = [name for name, array in arrays.items() if array.dtype.hasobject]
            if objects:
                raise ValueError(f"only pickle could write these: {', '.join(objects)}")
            np.savez(target, **arrays)

    the_waiting_number_has_the_digits_of_float32 = edit(
        "np.array(cached_gaussian)",
        'np.array(cached_gaussian, dtype="float32")',
        target="checkpoint.random_state",
    )
    """«The same draws come again, of every kind»: the number that waits has lost digits."""

    @instead("flat = np.frombuffer(values[begin:end],", target="checkpoint.parse_safetensors")
    def bytes_that_are_left_over_are_no_error(entry, values, begin, end):
        """«The bytes between the offsets are not as many as the shape needs»: more of them pass."""
        count = int(np.prod(entry["shape"]))
        flat = np.frombuffer(values[begin:end], SAFETENSORS[entry["dtype"]], count)

    @after("own = named_state(self)", target="nn.Module.load_state_dict")
    def what_fits_is_loaded_before_the_error(own, state):
        """«Nothing is loaded then»: everything that fits is."""
        for name, thing in own.items():
            fits = name in state and np.shape(state[name]) == thing.shape
            if fits and isinstance(thing, Tensor):
                thing.data = np.array(state[name], dtype=thing.dtype)


class RIGHT:
    @right("nn.named_state")
    def paths_found_by_a_generator(value):
        def walk(thing, path, inside):
            if isinstance(thing, (np.ndarray, Tensor)):
                yield ".".join(path), thing
            elif id(thing) not in inside:
                if isinstance(thing, Module):
                    thing, outer = thing.__dict__, thing
                else:
                    outer = thing
                if isinstance(thing, (list, tuple)):
                    items = zip(map(str, range(len(thing))), thing)
                elif isinstance(thing, dict):
                    items = ((str(key), held) for key, held in thing.items())
                else:
                    items = ()
                for part, item in items:
                    yield from walk(item, [*path, part], inside | {id(outer)})

        pairs = list(walk(value, [], frozenset()))
        if len(pairs) > len({name for name, _ in pairs}):
            raise ValueError(f"two of these are the same: {sorted(name for name, _ in pairs)}")
        return dict(pairs)

    @right("checkpoint.require_match")
    def two_states_compared_as_sets_of_pairs(own, state):
        wanted = {(name, tuple(np.shape(own[name].data))) for name in own}
        given = {(name, tuple(np.shape(state[name]))) for name in state}
        if wanted != given:
            raise ValueError(" and ".join(sorted({name for name, _ in wanted ^ given})))

    @right("optim.Optimizer.load_state_dict")
    def a_state_taken_over_by_a_recursion_of_holders(self, state):
        require_match(self.state_dict(), state)

        def take(holder, key, path):
            value = holder[key]
            if isinstance(value, np.ndarray):
                holder[key] = np.empty(value.shape, value.dtype)
                holder[key][...] = state[path]
            elif isinstance(value, KEPT):
                holder[key] = np.array(state[path]).tolist()
            elif isinstance(value, (list, tuple)):
                items = list(value)
                for number in range(len(items)):
                    take(items, number, f"{path}.{number}")
                holder[key] = items if isinstance(value, list) else type(value)(items)

        for name in [*vars(self)]:
            take(vars(self), name, name)

    @right("checkpoint.save")
    def a_zip_archive_written_by_hand(state, file):
        import io
        import zipfile

        arrays = {name: np.asanyarray(state[name]) for name in state}
        if refused := sorted(name for name in arrays if arrays[name].dtype.hasobject):
            raise ValueError(f"object arrays: {refused}")
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in arrays:
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, arrays[name], allow_pickle=False)
        with opened(file, "wb") as target:
            target.write(whole.getvalue())

    @right("checkpoint.parse_safetensors")
    def a_files_values_copied_byte_by_byte(data):
        start = 8 + int.from_bytes(data[:8], "little")
        table = json.loads(data[8:start].decode("utf-8"))
        state = {}
        for name in table:
            if name == "__metadata__":
                continue
            code, shape, (begin, end) = (table[name][k] for k in ("dtype", "shape", "data_offsets"))
            if code not in SAFETENSORS:
                raise ValueError(f"no type is called {code}")
            out = np.empty(shape, SAFETENSORS[code])
            if out.nbytes != end - begin or start + end > len(data):
                raise ValueError(f"{name} needs {out.nbytes} bytes, not {end - begin}")
            out.reshape(-1).view("uint8")[:] = list(data[start + begin : start + end])
            state[name] = out
        return state

    @right("checkpoint.set_random_state")
    def chance_set_by_a_dict(state):
        inner = {"key": np.array(state["keys"]), "pos": int(state["position"])}
        waiting = {"has_gauss": int(state["has_gauss"]), "gauss": float(state["cached_gaussian"])}
        np.random.set_state({"bit_generator": "MT19937", "state": inner, **waiting})
