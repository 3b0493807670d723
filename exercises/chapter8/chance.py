"""The state of the random numbers: `random_state` and `set_random_state`."""

from grader.course import body, exercise


@exercise(
    "chapter8.random_state",
    targets=("checkpoint.random_state", "checkpoint.set_random_state"),
    points=2,
)
class CHANCE:
    """Print `np.random.get_state()` once. It is a tuple of five: a name, an array of 624 whole
    numbers, and three numbers. The name is always the same.

    `np.random.set_state` takes the same tuple again. `int(…)` or `float(…)` turns an array from the
    file back into a number.
    """

    seed_drawn = body(
        'return {"seed": np.array(np.random.randint(0, 2**31))}', lacks=("get_state",)
    )
    """You drew a number to seed with later. Drawing changes what comes next, and a seed starts
    another sequence: keep what `np.random.get_state()` returns."""

    def keys_only():
        """You keep the 624 numbers, but not the position among them. The draws continue from
        another place."""
        return {
            "keys": np.array(np.random.get_state()[1]),
            "position": np.array(624),
            "has_gauss": np.array(0),
            "cached_gaussian": np.array(0.0),
        }

    def spare_normal_lost():
        """Normal draws are made in pairs, and the second one waits. It doesn't come back here
        (`has_gauss` and the number after it), so after an odd number of draws all normal ones are
        shifted by one."""
        keys, position = np.random.get_state()[1:3]
        return {
            "keys": np.array(keys),
            "position": np.array(position),
            "has_gauss": np.array(0),
            "cached_gaussian": np.array(0.0),
        }

    never_set = body(
        "np.random.set_state(np.random.get_state())",
        target="checkpoint.set_random_state",
        has=(r"\bset_state\(",),
    )
    """You set the state that is there already. The draws go on as if nothing had been called; set
    the one that was passed in."""

    set_as_seed = body(
        'np.random.seed(next(iter(state.values())).astype("uint32").ravel()[:1])',
        target="checkpoint.set_random_state",
    )
    """You used a part of the state as a seed. That starts another sequence; `np.random.set_state`
    continues the one that was there."""
