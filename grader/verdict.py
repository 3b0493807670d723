"""The statuses of checks and exercises."""

PASSED = "passed"
FAILED = "failed"
GIVEN = "given"
PENDING = "pending"
BLOCKED = "blocked"
CRASHED = "crashed"
TIMED_OUT = "timed_out"
OUT_OF_MEMORY = "out_of_memory"
REFUSED = "refused"
BROKEN = "broken"

# An exercise has the first of these statuses that any of its checks has.
WORST_FIRST = (
    BROKEN, REFUSED, CRASHED, OUT_OF_MEMORY, TIMED_OUT, FAILED, BLOCKED, PENDING, PASSED, GIVEN,
)  # fmt: skip

# Failures of the learner's own code, as opposed to code that is missing or blocked.
WRONG = frozenset({REFUSED, CRASHED, OUT_OF_MEMORY, TIMED_OUT, FAILED})
