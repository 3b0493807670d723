"""Learning rates that change: two schedules, and the scheduler that applies one."""

from grader.course import body, edit, exercise


@exercise("optim.step_decay", points=1, minutes=3, difficulty=1)
class STEP_DECAY:
    """How often has the rate been cut before step t? With `every=10`: not at all in steps 0 to 9,
    once in steps 10 to 19.

    `//` divides and rounds down.
    """

    smooth = edit("t //", "t /")
    """You used `/`, so the rate falls a little in every step. It should stay the same for `every`
    steps, then drop at once."""

    one_too_early = edit("t ", "(t + 1) ")
    """Your rate drops one step too early: steps are counted from 0, and step `every` is the first
    with the smaller rate."""

    only_once = body("return lr if t < every else lr * factor")
    """Your rate drops only once. It drops again every `every` steps."""

    times = body("return lr * factor * (t // every) if t >= every else lr")
    """You multiplied by the number of cuts; apply the factor that many times: use a power."""

    remainder = edit("t //", "t %")
    """`%` is the remainder; you need the number of whole blocks of `every` steps."""


@exercise("optim.warmup_cosine", points=2, minutes=8)
class WARMUP_COSINE:
    """Two cases: t is before `warmup`, or not. Write the first and check it by hand for `warmup=4`:
    a quarter, a half, three quarters, all of lr.

    `done` is 0 at step `warmup` and 1 at step `total`. What should it be beyond? The cosine of 0 is
    1, the cosine of π is −1.
    """

    starts_at_zero = edit("(t + 1)", "t", seen="https://github.com/EleutherAI/gpt-neox/pull/1379")
    """Your first rate is 0, so the first step is lost. Step 0 already has one part of `warmup`."""

    share_of_total = edit("(t - warmup) / (total - warmup)", "t / total")
    """You started the cosine at step 0. Start it where the warm-up ends, so that the rate doesn't
    jump there."""

    warmup_not_subtracted_below = edit("(total - warmup)", "total")
    """From step `warmup` to step `total` there are `total − warmup` steps; you divided by `total`,
    so the rate doesn't reach its end in time."""

    rises_again = edit(("min(1.0, ", ""), ("warmup))", "warmup)"))
    """Beyond `total` your cosine goes up again. From there on the rate stays at `lowest`."""

    not_halved = edit(" / 2", "")
    """1 + cos goes from 2 to 0; without the half your rate starts at nearly twice lr."""

    lowest_on_top = edit("(lr - lowest)", "lr")
    """You put `lowest` on top of the whole cosine, so it starts above lr. The cosine spans lr −
    lowest."""

    straight_down = edit("(1 + math.cos(math.pi * done)) / 2", "(1 - done)")
    """This goes down in a straight line; use half a cosine."""

    quarter_of_a_wave = edit("(1 + math.cos(math.pi * done)) / 2", "math.cos(math.pi * done / 2)")
    """You took a quarter of the wave. It falls fastest at the end; half a wave, shifted up, is flat
    at both ends."""


@exercise(
    "chapter5.scheduler",
    targets=("optim.Scheduler.step", "optim.Scheduler.__init__"),
    points=2,
    minutes=6,
    difficulty=1,
)
class SCHEDULER:
    """`__init__` keeps three things and sets the rate of step 0. `step` has two lines.

    In `step`, count first, then ask the schedule: after the first call `t` is 1.
    """

    not_at_once = edit("optimizer.lr = schedule(0)", "", target="optim.Scheduler.__init__")
    """The rate of step 0 is never set: the first step runs with whatever lr the optimizer was made
    with."""

    def counts_late(self):
        """You set the rate before you counted. Every step then has the rate of the step before it,
        and step 0's rate comes twice."""
        self.optimizer.lr = self.schedule(self.t)
        self.t += 1

    def never_counts(self):
        """`t` never grows, so the rate stays at that of step 1."""
        self.optimizer.lr = self.schedule(self.t + 1)

    multiplies = edit("lr =", "lr *=")
    """You multiplied the old rate by the new one. The schedule gives the rate itself."""

    def counts_in_twos(self):
        """`t` grows by 2 in each call; you skip every other rate."""
        self.t += 1
        self.optimizer.lr = self.schedule(self.t)
        self.t += 1
