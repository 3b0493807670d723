"""Learning rates that change: two schedules, and the scheduler that applies one."""

from grader.course import Exercise, Mistake

STEP_DECAY = Exercise(
    "chapter5.step_decay",
    section="5.6",
    targets=("optim.step_decay",),
    points=1,
    minutes=3,
    hints=(
        "How often has the rate been cut before step t? With `every=10`: not at all in steps 0 to "
        "9, once in steps 10 to 19.",
        "`//` divides and rounds down.",
    ),
    mistakes=(
        Mistake(
            "smooth",
            "return lr * factor ** (t / every)",
            "You used `/`, so that the rate falls a little in every step. It shall stay the same "
            "for `every` steps, then drop at once.",
        ),
        Mistake(
            "one-too-early",
            "return lr * factor ** ((t + 1) // every)",
            "Your rate drops one step too early: steps are counted from 0, and step `every` is "
            "the first with the smaller rate.",
        ),
        Mistake(
            "only-once",
            "return lr if t < every else lr * factor",
            "Your rate drops only once. It drops again every `every` steps.",
        ),
        Mistake(
            "times",
            "return lr * factor * (t // every) if t >= every else lr",
            "You multiplied by the number of cuts; the factor is applied that many times, which "
            "is a power.",
        ),
        Mistake(
            "remainder",
            "return lr * factor ** (t % every)",
            "`%` is the remainder; the number of whole blocks of `every` steps is asked.",
        ),
    ),
)  # fmt: skip


def cosine(
    rise: str = "lr * (t + 1) / warmup",
    done: str = "min(1.0, (t - warmup) / (total - warmup))",
    value: str = "lowest + (lr - lowest) * (1 + math.cos(math.pi * done)) / 2",
) -> str:
    """A body of `warmup_cosine` with some of its parts exchanged."""
    return f"if t < warmup:\n    return {rise}\ndone = {done}\nreturn {value}"


WARMUP_COSINE = Exercise(
    "chapter5.warmup_cosine",
    section="5.6",
    targets=("optim.warmup_cosine",),
    points=2,
    minutes=8,
    difficulty=2,
    hints=(
        "Two cases: t is before `warmup`, or not. Write the first and check it by hand for "
        "`warmup=4`: a quarter, a half, three quarters, all of lr.",
        "`done` is 0 at step `warmup` and 1 at step `total`. What should it be beyond? "
        "The cosine of 0 is 1, the cosine of π is −1.",
    ),
    mistakes=(
        Mistake(
            "starts-at-zero",
            cosine(rise="lr * t / warmup"),
            "Your first rate is 0, so that the first step is lost. Step 0 has already one part of "
            "`warmup`.",
        ),
        Mistake(
            "share-of-total",
            cosine(done="min(1.0, t / total)"),
            "You counted the cosine's way from step 0. It begins where the warm-up ends, so that "
            "the rate has no jump there.",
        ),
        Mistake(
            "warmup-not-subtracted-below",
            cosine(done="min(1.0, (t - warmup) / total)"),
            "The way from step `warmup` to step `total` has `total − warmup` steps; you divided "
            "by `total`, so that the end is never reached in time.",
        ),
        Mistake(
            "rises-again",
            cosine(done="(t - warmup) / (total - warmup)"),
            "Beyond `total` your cosine goes up again. From there on the rate stays at `lowest`.",
        ),
        Mistake(
            "not-halved",
            cosine(value="lowest + (lr - lowest) * (1 + math.cos(math.pi * done))"),
            "1 + cos goes from 2 to 0; without the half your rate starts at nearly twice lr.",
        ),
        Mistake(
            "lowest-on-top",
            cosine(value="lowest + lr * (1 + math.cos(math.pi * done)) / 2"),
            "You put `lowest` on top of the whole cosine, so that it starts above lr. The cosine "
            "spans lr − lowest.",
        ),
        Mistake(
            "straight-down",
            cosine(value="lowest + (lr - lowest) * (1 - done)"),
            "This goes down in a straight line; a half cosine was asked for.",
        ),
        Mistake(
            "quarter-of-a-wave",
            cosine(value="lowest + (lr - lowest) * math.cos(math.pi * done / 2)"),
            "You took a quarter of the wave. It falls fastest at the end; half a wave, shifted up, "
            "is flat at both ends.",
        ),
    ),
)  # fmt: skip

SCHEDULER = Exercise(
    "chapter5.scheduler",
    section="5.6",
    targets=("optim.Scheduler.step", "optim.Scheduler.__init__"),
    points=2,
    minutes=6,
    hints=(
        "`__init__` keeps three things and sets the rate of step 0. `step` has two lines.",
        "In `step`, count first, then ask the schedule: after the first call `t` is 1.",
    ),
    mistakes=(
        Mistake(
            "not-at-once",
            "self.optimizer = optimizer\nself.schedule = schedule\nself.t = 0",
            "The rate of step 0 is never set: the first step runs with whatever lr the optimizer "
            "was made with.",
            target="optim.Scheduler.__init__",
        ),
        Mistake(
            "counts-late",
            "self.optimizer.lr = self.schedule(self.t)\nself.t += 1",
            "You set the rate before you counted. Every step then has the rate of the step "
            "before it, and step 0's rate comes twice.",
        ),
        Mistake(
            "never-counts",
            "self.optimizer.lr = self.schedule(self.t + 1)",
            "`t` never grows, so that the rate stays that of step 1.",
        ),
        Mistake(
            "multiplies", edit=("lr ", "lr *"),
            says="You multiplied the old rate by the new one. The schedule gives the rate itself.",
        ),
        Mistake(
            "counts-in-twos",
            "self.t += 1\nself.optimizer.lr = self.schedule(self.t)\nself.t += 1",
            "`t` grows by 2 in each call; every other rate is left out.",
        ),
    ),
)  # fmt: skip
