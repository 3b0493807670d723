"""Adam: its memory, its direction, its step."""

from grader.course import Exercise, Mistake

from .sgd import DECAY, NONE_AS_ZERO, loop, not_arriving

SUPER = """
super().__init__(parameters, lr)
self.betas = betas
self.eps = eps
self.weight_decay = weight_decay
"""
MOVE = "p.data = p.data - self.lr * self.direction(i, g)"
ZEROS = "[np.zeros_like(p.data) for p in self.parameters]"

INIT = Exercise(
    "chapter5.adam.init",
    section="5.3",
    targets=("optim.Adam.__init__",),
    points=1,
    minutes=4,
    needs=("chapter5.optimizer.init",),
    hints=(
        "As in `SGD.__init__`; only there are two arrays per parameter, and one number.",
        "`[0] * n` is a list of n zeros. For arrays write a comprehension: `[array] * n` would be "
        "n times the same array.",
    ),
    mistakes=(
        Mistake(
            "one-for-all",
            SUPER + "n = len(self.parameters)\n"
            "self.first_moments = [np.zeros_like(self.parameters[0].data)] * n\n"
            "self.second_moments = [np.zeros_like(self.parameters[0].data)] * n\n"
            "self.steps = [0] * n",
            "All parameters share the memory of the first one. Each needs arrays of its own, of "
            "its own shape.",
        ),
        Mistake(
            "one-counter",
            SUPER + f"self.first_moments = {ZEROS}\nself.second_moments = {ZEROS}\nself.steps = 0",
            "There is one counter for all. A parameter that is skipped does not count that step, "
            "so that each needs a counter of its own: a list.",
        ),
        Mistake(
            "starts-at-one",
            SUPER + f"self.first_moments = {ZEROS}\nself.second_moments = {ZEROS}\n"
            "self.steps = [1] * len(self.parameters)",
            "The counters start at 1. `direction` adds 1 before it uses them, so that the first "
            "step would count as the second.",
        ),
        Mistake(
            "walked-twice",
            SUPER + "self.first_moments = [np.zeros_like(p.data) for p in parameters]\n"
            "self.second_moments = [np.zeros_like(p.data) for p in parameters]\n"
            "self.steps = [0 for p in parameters]",
            "You walked through `parameters` again. Where it is a generator, it is empty by then; "
            "use `self.parameters`.",
        ),
        Mistake(
            "second-at-one",
            SUPER + f"self.first_moments = {ZEROS}\n"
            "self.second_moments = [np.ones_like(p.data) for p in self.parameters]\n"
            "self.steps = [0] * len(self.parameters)",
            "The means of g² start from 1. They start from 0, and the correction for that start "
            "is part of `direction`.",
        ),
    ),
)  # fmt: skip


def direction(
    t: str = "self.steps[i] += 1\nt = self.steps[i]",
    m: str = "b1 * self.first_moments[i] + (1 - b1) * gradient",
    v: str = "b2 * self.second_moments[i] + (1 - b2) * gradient**2",
    result: str = "(m / (1 - b1**t)) / (np.sqrt(v / (1 - b2**t)) + self.eps)",
    keep: str = "self.first_moments[i], self.second_moments[i] = m, v",
) -> str:
    """A body of `Adam.direction` with some of its parts exchanged."""
    return f"b1, b2 = self.betas\n{t}\nm = {m}\nv = {v}\n{keep}\nreturn {result}"


DIRECTION = Exercise(
    "chapter5.adam.direction",
    section="5.3",
    targets=("optim.Adam.direction",),
    points=4,
    minutes=15,
    difficulty=3,
    needs=("chapter5.adam.init",),
    hints=(
        "Five lines of formula, five lines of code. Take m, v and t from the three lists at "
        "place `i`, and put the new ones back there.",
        "After the first call for a parameter t is 1, and m̂ is g itself whatever beta1 is. "
        "Print m̂ and v̂ for g = 3: they have to be 3 and 9.",
        "eps is added to the root, not under it.",
    ),
    mistakes=(
        Mistake(
            "no-correction",
            direction(result="m / (np.sqrt(v) + self.eps)"),
            "The bias correction is missing: m and v started from 0 and are far too small in the "
            "first steps.",
        ),
        Mistake(
            "half-corrected",
            direction(result="m / (np.sqrt(v / (1 - b2**t)) + self.eps)"),
            "You corrected v but not m. Both started from 0.",
        ),
        Mistake(
            "t-stays",
            direction(t="t = 1"),
            "Your t is 1 in every step. The correction has to fade as the means fill up, so that "
            "t has to grow.",
        ),
        Mistake(
            "t-for-all",
            direction(t="self.steps = [s + 1 for s in self.steps]\nt = self.steps[i]"),
            "Each call counts for all parameters. With ten of them t grows ten times as fast as "
            "it should; count at place `i` only.",
        ),
        Mistake(
            "t-from-zero",
            direction(t="t = self.steps[i]\nself.steps[i] += 1"),
            "You used t before you added 1 to it. In the first step t is 0 then, and 1 − beta⁰ is "
            "0: a division by zero.",
        ),
        Mistake(
            "one-memory",
            direction().replace("moments[i]", "moments[0]"),
            "All parameters use the means at place 0. Each has its own, at place `i`.",
        ),
        Mistake(
            "eps-inside",
            direction(result="(m / (1 - b1**t)) / np.sqrt(v / (1 - b2**t) + self.eps)"),
            "eps stands under the root. There it acts as its own root, 1e-4 instead of 1e-8.",
        ),
        Mistake(
            "eps-too-early",
            direction(result="(m / (1 - b1**t)) * (1 - b2**t) ** 0.5 / (np.sqrt(v) + self.eps)"),
            "You added eps to the root of v before the correction, so that eps is corrected too. "
            "It is added to the root of v̂.",
        ),
        Mistake(
            "no-root",
            direction(result="(m / (1 - b1**t)) / (v / (1 - b2**t) + self.eps)"),
            "The root is missing. v̂ is a mean of squares; only its root is as large as a gradient.",
        ),
        Mistake(
            "not-squared",
            direction(v="b2 * self.second_moments[i] + (1 - b2) * np.abs(gradient)"),
            "The second mean is one of g², not of the size of g.",
        ),
        Mistake(
            "betas-swapped",
            direction().replace("b1, b2 =", "b2, b1 ="),
            "beta1 and beta2 changed places: beta1 belongs to the mean of g, beta2 to that of g².",
        ),
        Mistake(
            "weights-swapped",
            direction(m="(1 - b1) * self.first_moments[i] + b1 * gradient"),
            "In m, beta1 weighs what was there before, 1 − beta1 the new gradient.",
        ),
        Mistake(
            "means-not-kept",
            direction(keep="pass"),
            "You never put the new m and v back into the lists, so that every step starts from 0 "
            "again.",
        ),
        Mistake(
            "corrected-kept",
            direction(
                keep="m, v = m / (1 - b1**t), v / (1 - b2**t)\n"
                "self.first_moments[i], self.second_moments[i] = m, v",
                result="m / (np.sqrt(v) + self.eps)",
            ),
            "You put the corrected means back into the lists. The next step then corrects them "
            "once more; keep m and v as they are.",
        ),
    ),
)  # fmt: skip

STEP = Exercise(
    "chapter5.adam.step",
    section="5.3",
    targets=("optim.Adam.step",),
    points=2,
    minutes=6,
    needs=("chapter5.adam.direction",),
    hints=(
        "The same loop as in `SGD.step`, with `self.direction(i, g)` in the place of the velocity.",
        "The decay goes into g before `direction` sees it. Mind that `g` may be the very array "
        "that `grad` holds.",
    ),
    mistakes=(
        Mistake(
            "uphill",
            loop(DECAY, "p.data = p.data + self.lr * self.direction(i, g)"),
            "You added the step. `direction` points the way the gradient does, uphill; go against "
            "it.",
        ),
        Mistake(
            "no-decay",
            loop(MOVE),
            "The weight decay is missing: the values themselves never enter the step.",
        ),
        Mistake(
            "decoupled",
            loop("p.data = p.data - self.lr * (self.direction(i, g) + self.weight_decay * p.data)"),
            "You applied the decay beside the means: that is AdamW. In Adam it is added to the "
            "gradient first, and goes through both means.",
        ),
        Mistake(
            "idle-at-zero",
            f"if not self.lr:\n    return\n{loop(DECAY, MOVE)}",
            "Where the learning rate is 0 you do nothing at all. The values stay, but the means "
            "take the new gradient in, as in every step.",
        ),
        Mistake(
            "crash-on-none",
            f"for i, p in enumerate(self.parameters):\n    g = gradient_of(p)\n    {DECAY}\n"
            f"    {MOVE}",
            "A parameter that took no part in the loss has `grad` None. Skip it.",
        ),
        Mistake(
            "none-as-zero",
            f"{NONE_AS_ZERO}    {DECAY}\n    {MOVE}",
            "You took a missing gradient for a gradient of 0. Its means then forget, its counter "
            "grows, and the parameter drifts on; it should be skipped.",
        ),
        Mistake(
            "writes-into-grad",
            loop("g += self.weight_decay * p.data", MOVE),
            "`g += …` wrote the decay into the parameter's own `grad`. Make a new array instead.",
        ),
        Mistake(
            "direction-twice",
            loop(DECAY, "self.direction(i, g)", MOVE),
            "You called `direction` twice for one step. Each call takes the gradient into the "
            "means and counts; call it once and keep what it returns.",
        ),
        *not_arriving(DECAY, step="self.lr * self.direction(i, g)"),
    ),
)  # fmt: skip
