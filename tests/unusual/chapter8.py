"""States by generators, zip archives by hand, headers by slices of memory."""

from grader.course import right, variant


@variant("unusual words")
class UNUSUAL:
    @right("checkpoint.require_match")
    def require_match(own, state):
        shapes = [
            {
                name: tuple(np.shape(x.data if hasattr(x, "requires_grad") else x))
                for name, x in each.items()
            }
            for each in (own, state)
        ]
        if wrong := {name for name, _ in shapes[0].items() ^ shapes[1].items()}:
            raise ValueError(f"Look at {sorted(wrong)}.")

    @right("nn.named_state")
    def named_state(value):
        def walk(thing, path=(), inside=frozenset()):
            match thing:
                case Tensor() | np.ndarray():
                    yield ".".join(path), thing
                    return
                case Module():
                    held = vars(thing)
                case dict():
                    held = thing
                case list() | tuple():
                    held = dict(enumerate(thing))
                case _:
                    return
            if id(thing) not in inside:
                for name, item in held.items():
                    yield from walk(item, (*path, f"{name}"), inside | {id(thing)})

        rows = [*walk(value)]
        if len(found := dict(rows)) < len(rows):
            raise ValueError("One name for two things.")
        return found

    @right("nn.Module.state_dict")
    def module_state_dict(self):
        def copied(pair):
            name, thing = pair
            return name, (thing.data if isinstance(thing, Tensor) else thing).copy()

        return dict(map(copied, named_state(self).items()))

    @right("nn.Module.load_state_dict")
    def module_load_state_dict(self, state):
        require_match(own := named_state(self), state)
        for name in own:
            target = own[name].data if isinstance(own[name], Tensor) else own[name]
            np.copyto(target, state[name], casting="unsafe")

    @right("optim.Optimizer.state_dict")
    def optimizer_state_dict(self):
        def walk(path, value):
            match value:
                case list() | tuple():
                    for i, item in enumerate(value):
                        yield from walk(f"{path}.{i}", item)
                case value if isinstance(value, KEPT):
                    yield path, np.array(value, copy=True)

        return {name: kept for pair in vars(self).items() for name, kept in walk(*pair)}

    @right("optim.Optimizer.load_state_dict")
    def optimizer_load_state_dict(self, state):
        require_match(Optimizer.state_dict(self), state)

        def put(holder, key, path):
            value = holder[key]
            if isinstance(value, tuple):
                value = list(value)
                for i in range(len(value)):
                    put(value, i, f"{path}.{i}")
                holder[key] = tuple(value)
            elif isinstance(value, list):
                for i in range(len(value)):
                    put(value, i, f"{path}.{i}")
            elif isinstance(value, np.ndarray):
                holder[key] = state[path].astype(value.dtype, copy=True)
            elif isinstance(value, KEPT):
                holder[key] = np.asarray(state[path]).tolist()

        for name in [*vars(self)]:
            put(vars(self), name, name)

    @right("checkpoint.save")
    def save(state, file):
        import io
        import zipfile

        pickled = [n for n, each in state.items() if np.asarray(each).dtype.hasobject]
        if pickled:
            raise ValueError(" ".join(pickled))
        with opened(file, "wb") as target, zipfile.ZipFile(target, "w") as archive:
            for name, each in state.items():
                np.lib.format.write_array(buffer := io.BytesIO(), np.asarray(each))
                archive.writestr(f"{name}.npy", buffer.getvalue())

    @right("checkpoint.load")
    def load(file):
        import io

        with opened(file, "rb") as source:
            whole = io.BytesIO(source.read())
        archive = np.load(whole, allow_pickle=False)
        return {**archive}

    @right("checkpoint.random_state")
    def random_state():
        state = np.random.get_state(legacy=False)
        inner = state.pop("state")
        state.pop("bit_generator")
        return {name: np.array(each) for name, each in {**state, **inner}.items()}

    @right("checkpoint.set_random_state")
    def set_random_state(state):
        words = {name: state[name] for name in ("key", "pos")}
        rest = {name: state[name].item() for name in ("has_gauss", "gauss")}
        words["pos"] = int(words["pos"])
        np.random.set_state({"bit_generator": "MT19937", "state": words, **rest})

    @right("checkpoint.parse_safetensors")
    def parse_safetensors(data):
        memory = memoryview(data)
        start = 8 + int.from_bytes(memory[:8], "little")
        entries = json.loads(bytes(memory[8:start]))

        def array(dtype, shape, data_offsets):
            if dtype not in SAFETENSORS:
                raise ValueError(f"What is {dtype}?")
            kind = np.dtype(SAFETENSORS[dtype])
            begin, end = (start + offset for offset in data_offsets)
            count = int(np.prod(shape, dtype=int))
            if end - begin != count * kind.itemsize:
                raise ValueError("The offsets do not fit the shape.")
            out = np.empty(shape, kind)
            out.reshape(-1).view(np.uint8)[:] = memory[begin:end]
            return out

        return {n: array(**e) for n, e in entries.items() if n != "__metadata__"}
