"""Right solutions that are written in another way than the reference."""

from grader.course import right, variant

from . import other_variants


@variant("in-place")
class IN_PLACE:
    @right("nn.named_state")
    def named_state(value):
        found, todo = {}, [("", value, [])]
        while todo:
            path, thing, above = todo.pop()
            if isinstance(thing, Tensor) or isinstance(thing, np.ndarray):
                if path in found:
                    raise ValueError(path)
                found[path] = thing
                continue
            if id(thing) in above:
                continue
            items = ()
            if isinstance(thing, Module):
                items = thing.__dict__.items()
            elif isinstance(thing, dict):
                items = thing.items()
            elif isinstance(thing, (list, tuple)):
                items = enumerate(thing)
            for name, item in items:
                longer = f"{path}.{name}" if path else f"{name}"
                todo.append((longer, item, [*above, id(thing)]))
        return found

    @right("nn.Module.state_dict")
    def module_state_dict(self):
        state = {}
        for name, thing in named_state(self).items():
            state[name] = (
                getattr(thing, "data", thing).copy() if isinstance(thing, Tensor) else thing.copy()
            )
        return state

    @right("nn.Module.load_state_dict")
    def module_load_state_dict(self, state):
        require_match(self.state_dict(), state)
        for name, thing in named_state(self).items():
            np.copyto(
                thing.data if isinstance(thing, Tensor) else thing, state[name], casting="unsafe"
            )

    @right("checkpoint.require_match")
    def require_match(own, state):
        missing, unexpected = own.keys() - state.keys(), state.keys() - own.keys()
        differ = {
            n
            for n in own.keys() & state.keys()
            if tuple(own[n].shape) != np.asarray(state[n]).shape
        }
        if missing or unexpected or differ:
            raise ValueError(f"missing {missing}, unexpected {unexpected}, shapes {differ}")

    @right("checkpoint.save")
    def save(state, file):
        bad = [n for n, a in state.items() if np.asarray(a).dtype == object]
        if bad:
            raise ValueError(f"{bad} cannot be saved")
        kind = zipfile.ZIP_DEFLATED
        with opened(file, "wb") as out, zipfile.ZipFile(out, "w", kind) as archive:
            for n, a in state.items():
                with archive.open(n + ".npy", "w") as part:
                    np.lib.format.write_array(part, np.asarray(a))

    @right("checkpoint.load")
    def load(file):
        import io

        with opened(file, "rb") as source:
            data = io.BytesIO(source.read())
        archive = np.load(data)
        return dict(archive.items())

    @right("checkpoint.random_state")
    def random_state():
        _, keys, *numbers = np.random.get_state()
        return {"all": np.array([*keys, *numbers], dtype="float64")}

    @right("checkpoint.set_random_state")
    def set_random_state(state):
        *keys, position, spare, number = state["all"].tolist()
        np.random.set_state(
            ("MT19937", np.array(keys, dtype="uint32"), int(position), int(spare), number)
        )

    @right("checkpoint.parse_safetensors")
    def parse_safetensors(data):
        n = 8 + int.from_bytes(data[:8], "little")
        entries = json.loads(data[8:n].decode("utf-8"))
        found = {}
        for name in entries:
            if name != "__metadata__":
                code, shape = entries[name]["dtype"], entries[name]["shape"]
                if code not in SAFETENSORS:
                    raise ValueError(code)
                first, last = entries[name]["data_offsets"]
                bits = memoryview(data)[n + first : n + last]
                array = np.frombuffer(bits, SAFETENSORS[code]).copy()
                found[name] = array.reshape(tuple(shape))
        return found


@variant("by-name")
class BY_NAME:
    @right("nn.named_state")
    def named_state(value):
        def inside(thing, above):
            if isinstance(thing, (Tensor, np.ndarray)):
                yield "", thing
            elif not any(thing is each for each in above):
                holder = thing
                if isinstance(thing, Module):
                    thing = vars(thing)
                if isinstance(thing, (list, tuple)):
                    thing = {str(i): each for i, each in enumerate(thing)}
                if isinstance(thing, dict):
                    for name, item in thing.items():
                        for rest, found in inside(item, [*above, holder]):
                            yield f"{name}.{rest}", found

        pairs = [(name.rstrip("."), thing) for name, thing in inside(value, [])]
        if len({name for name, _ in pairs}) < len(pairs):
            raise ValueError("two things have the same name")
        return dict(sorted(pairs, key=lambda pair: pair[0]))

    @right("optim.Optimizer.state_dict")
    def optimizer_state_dict(self):
        flat = {}
        for name in sorted(self.__dict__):
            value = self.__dict__[name]
            many = isinstance(value, (list, tuple))
            for i, item in enumerate(value if many else [value]):
                if isinstance(item, KEPT):
                    flat[f"{name}.{i}" if many else name] = np.copy(item)
        return flat

    @right("optim.Optimizer.load_state_dict")
    def optimizer_load_state_dict(self, state):
        require_match(Optimizer.state_dict(self), state)
        for path, array in state.items():
            name, dot, number = path.rpartition(".")
            held = getattr(self, name) if dot else getattr(self, path)
            old = held[int(number)] if dot else held
            new = (
                np.array(array, dtype=old.dtype)
                if isinstance(old, np.ndarray)
                else np.array(array).tolist()
            )
            if dot:
                items = list(held)
                items[int(number)] = new
                setattr(self, name, type(held)(items))
            else:
                setattr(self, path, new)

    @right("checkpoint.save")
    def save(state, file):
        import zipfile

        bad = [n for n, a in state.items() if np.asarray(a).dtype.hasobject]
        if bad:
            raise ValueError(" and ".join(bad))
        with opened(file, "wb") as out, zipfile.ZipFile(out, "w") as archive:
            for name, array in state.items():
                with archive.open(name + ".npy", "w") as member:
                    np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)

    @right("checkpoint.random_state")
    def random_state():
        found = np.random.get_state(legacy=False)
        return {
            "key": found["state"]["key"].copy(),
            "numbers": np.array([found["state"]["pos"], found["has_gauss"], found["gauss"]]),
        }

    @right("checkpoint.set_random_state")
    def set_random_state(state):
        position, spare, number = state["numbers"]
        np.random.set_state(
            {
                "bit_generator": "MT19937",
                "has_gauss": int(spare),
                "gauss": number,
                "state": {"key": state["key"], "pos": int(position)},
            }
        )


# Patterns for types, messages by set and sort, a zip archive read by hand, lists changed in place.
@variant("patterns, archives by hand, lists in place")
class BY_PATTERN:
    @right("nn.named_state")
    def named_state(value):
        def walk(thing, path, above):
            match thing:
                case Tensor() | np.ndarray():
                    yield path[1:], thing
                    return
                case Module():
                    inside = thing.__dict__.items()
                case dict():
                    inside = thing.items()
                case list() | tuple():
                    inside = enumerate(thing)
                case _:
                    return
            if id(thing) not in above:
                for name, item in inside:
                    yield from walk(item, f"{path}.{name}", above | {id(thing)})

        state = {}
        for path, thing in walk(value, "", frozenset()):
            if state.setdefault(path, thing) is not thing or list(state).count(path) > 1:
                raise ValueError(path)
        return state

    @right("nn.Module.state_dict")
    def module_state_dict(self):
        state = named_state(self)
        for name in state:
            each = state[name]
            state[name] = each.numpy() if isinstance(each, Tensor) else np.copy(each)
        return state

    @right("nn.Module.load_state_dict")
    def module_load_state_dict(self, state):
        own = named_state(self)
        require_match(own=own, state=state)
        for name in own.keys() & state.keys():
            array = own[name].data if isinstance(own[name], Tensor) else own[name]
            array[...] = np.asarray(state[name]).astype(array.dtype)

    @right("checkpoint.require_match")
    def require_match(own, state):
        wrong = sorted(own.keys() ^ state.keys())
        for name in own.keys() & state.keys():
            if list(np.shape(state[name])) != list(own[name].shape):
                wrong.append(name)

        class Mismatch(ValueError):
            pass

        if wrong:
            raise Mismatch("\n".join(wrong))

    @right("checkpoint.save")
    def save(state, file):
        import io

        for array in state.values():
            if np.asarray(array).dtype.hasobject:
                names = [n for n, a in state.items() if np.asarray(a).dtype.hasobject]
                raise ValueError(names)
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w") as archive:
            for name, array in state.items():
                data = io.BytesIO()
                np.save(data, array)
                archive.writestr(f"{name}.npy", data.getvalue())
        with opened(file, "wb") as out:
            out.write(whole.getvalue())

    @right("checkpoint.load")
    def load(file):
        import zipfile

        state = {}
        with opened(file, "rb") as source:
            if not zipfile.is_zipfile(source):
                raise ValueError("no archive")
            with zipfile.ZipFile(source) as archive:
                for name in archive.namelist():
                    with archive.open(name) as member:
                        array = np.lib.format.read_array(member, allow_pickle=False)
                    state[name[: -len(".npy")]] = array
        return state

    @right("checkpoint.random_state")
    def random_state():
        told = np.random.get_state()[1:]
        return {f"part.{i}": np.asarray(part).copy() for i, part in enumerate(told)}

    @right("checkpoint.set_random_state")
    def set_random_state(state):
        parts = [np.array(state[f"part.{i}"]) for i in range(4)]
        np.random.set_state(["MT19937", parts[0], *(part.item() for part in parts[1:])])

    @right("checkpoint.parse_safetensors")
    def parse_safetensors(data):
        end = 8 + int.from_bytes(data[:8], byteorder="little")
        state = {}
        for name, entry in json.loads(data[8:end].decode()).items():
            if name == "__metadata__":
                continue
            try:
                kind = np.dtype(SAFETENSORS[entry["dtype"]])
            except KeyError:
                raise ValueError(f"{name}: {entry['dtype']}") from None
            begin, stop = entry["data_offsets"]
            array = np.empty(entry["shape"], kind)
            if array.nbytes != stop - begin:
                raise ValueError(f"{name} has {stop - begin} bytes")
            array.reshape(-1)[:] = np.frombuffer(data, kind, array.size, end + begin)
            state[name] = array
        return state

    @right("optim.Optimizer.state_dict")
    def optimizer_state_dict(self):
        def items(name, value):
            if isinstance(value, (list, tuple)):
                for i in range(len(value)):
                    yield from items(name + "." + str(i), value[i])
            elif isinstance(value, KEPT):
                yield name, np.array(value, copy=True)

        return {k: v for name in self.__dict__ for k, v in items(name, self.__dict__[name])}

    @right("optim.Optimizer.load_state_dict")
    def optimizer_load_state_dict(self, state):
        require_match(self.state_dict(), state)

        def one(old, path):
            if isinstance(old, np.ndarray):
                old[...] = state[path]
                return old
            return state[path].item() if isinstance(old, KEPT) else old

        for name, held in vars(self).items():
            if isinstance(held, list):
                held[:] = [one(item, f"{name}.{i}") for i, item in enumerate(held)]
            elif isinstance(held, tuple):
                pairs = enumerate(held)
                self.__dict__[name] = tuple(one(item, f"{name}.{i}") for i, item in pairs)
            else:
                self.__dict__[name] = one(held, name)


VARIANTS = (IN_PLACE, BY_NAME, BY_PATTERN, other_variants.LEVELS)
