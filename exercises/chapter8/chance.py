"""Where the random numbers stand: `random_state` and `set_random_state`."""

from grader.course import Exercise, Mistake

CHANCE = Exercise(
    "chapter8.random_state",
    section="8.7",
    targets=("checkpoint.random_state", "checkpoint.set_random_state"),
    points=2,
    minutes=10,
    difficulty=2,
    hints=(
        "Print `np.random.get_state()` once. It is a tuple of five: a name, an array of 624 whole "
        "numbers, and three numbers. The name is always the same.",
        "`np.random.set_state` wants the same tuple again. What was made an array for the file "
        "becomes a number by `int(…)` or `float(…)`.",
    ),
    mistakes=(
        Mistake(
            "seed-drawn",
            "return {'seed': np.array(np.random.randint(0, 2**31))}",
            "You drew a number to seed with later. Drawing changes what comes next, and a seed "
            "starts another sequence: take what `np.random.get_state()` tells.",
        ),
        Mistake(
            "keys-only",
            "return {'keys': np.array(np.random.get_state()[1]), 'position': np.array(624), "
            "'has_gauss': np.array(0), 'cached_gaussian': np.array(0.0)}",
            "You keep the 624 numbers, but not the position among them. The draws continue from "
            "another place.",
        ),
        Mistake(
            "spare-normal-lost",
            "keys, position = np.random.get_state()[1:3]\n"
            "return {'keys': np.array(keys), 'position': np.array(position), "
            "'has_gauss': np.array(0), 'cached_gaussian': np.array(0.0)}",
            "Normal draws are made in pairs, and the second one waits. You did not keep it "
            "(`has_gauss` and the number after it), so that after an odd number of draws all "
            "normal ones are shifted by one.",
        ),
        Mistake(
            "never-set", "np.random.set_state(np.random.get_state())",
            "You set the state that is there already. The draws go on as if nothing had been "
            "called; take the one that was handed in.",
            target="checkpoint.set_random_state",
        ),
        Mistake(
            "set-as-seed",
            "np.random.seed(next(iter(state.values())).astype('uint32').ravel()[:1])",
            "You used a part of the state as a seed. That starts another sequence; "
            "`np.random.set_state` continues the one that was there.",
            target="checkpoint.set_random_state",
        ),
    ),
)  # fmt: skip
