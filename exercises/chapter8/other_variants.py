"""More right solutions of chapter 8, written in other ways than the reference."""

from grader.course import right, variant


# One dict of places per level; everything in bytes; what fits nothing is an error at once.
@variant("level by level, in bytes")
class LEVELS:
    @right("nn.named_state")
    def named_state(value):
        found, level = [], [((), value, ())]
        while level:
            deeper = []
            for path, thing, above in level:
                if isinstance(thing, (np.ndarray, Tensor)):
                    found.append((".".join(map(str, path)), thing))
                    continue
                inside = vars(thing) if isinstance(thing, Module) else thing
                if isinstance(inside, (list, tuple)):
                    inside = dict(enumerate(inside))
                if isinstance(inside, dict) and id(thing) not in above:
                    for name in inside:
                        deeper.append(((*path, name), inside[name], (*above, id(thing))))
            level = deeper
        if len(dict(found)) != len(found):
            raise ValueError("one name for two things")
        return dict(found)

    @right("nn.Module.load_state_dict")
    def module_load_state_dict(self, state):
        held = named_state(self)
        require_match(held, state)
        fresh = {name: np.array(state[name], held[name].dtype) for name in held}
        for name, each in held.items():
            if isinstance(each, Tensor):
                each.data = fresh[name]
            else:
                each.flat = fresh[name].ravel()

    @right("checkpoint.require_match")
    def require_match(own, state):
        lines = []
        for name in dict.fromkeys([*own, *state]):
            sizes = [side[name].shape if name in side else None for side in (own, state)]
            if sizes[0] != sizes[1]:
                lines.append(f"{name}: {sizes[0]} here, {sizes[1]} there")
        if len(lines) > 0:
            raise ValueError("; ".join(lines))

    @right("checkpoint.load")
    def load(file):
        with contextlib.ExitStack() as stack:
            source = stack.enter_context(opened(file, "rb"))
            archive = np.load(source)
            if isinstance(archive, np.ndarray):
                raise ValueError("one array, and no archive")
            return {name: np.array(array) for name, array in archive.items()}

    @right("checkpoint.random_state")
    def random_state():
        kind, keys, *rest = np.random.get_state()
        return {
            "keys": np.frombuffer(keys.tobytes(), dtype="uint8"),
            "rest": np.array(rest, dtype="float64"),
        }

    @right("checkpoint.set_random_state")
    def set_random_state(state):
        keys = np.frombuffer(np.asarray(state["keys"]).tobytes(), dtype="uint32")
        position, spare, number = np.asarray(state["rest"]).tolist()
        np.random.set_state(("MT19937", keys, int(position), int(spare), number))
