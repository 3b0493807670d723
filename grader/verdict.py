"""The words for how a check ended."""

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

# The first of these words that any check has is the word of the whole exercise.
WORST_FIRST = (
    BROKEN, REFUSED, CRASHED, OUT_OF_MEMORY, TIMED_OUT, FAILED, BLOCKED, PENDING, PASSED, GIVEN,
)  # fmt: skip

# The learner's own code is at fault, as opposed to: not there yet, or waiting for another.
WRONG = frozenset({REFUSED, CRASHED, OUT_OF_MEMORY, TIMED_OUT, FAILED})
