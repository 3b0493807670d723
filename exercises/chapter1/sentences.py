"""Sentences that several mistakes share from chapter 1 on."""

OVERWRITES = (
    "Your rule sets `grad` instead of adding to it. If the same Value is used a second time, what "
    "the first use passed on is lost."
)
FORGOT_OUT_GRAD = (
    "You passed on the local slope alone. It must be multiplied by `out.grad`, which says how much "
    "the final result moves per unit of this one."
)
NO_GRAPH = (
    "The value is right, but your result is a leaf: its `_prev` is empty and it has no rule, so no "
    "gradient gets through it."
)
EDITED = (
    "You wrote the result into `self` and returned that. Everything that still uses the input now "
    "sees a different number; make a new Value."
)
EARLY = (
    "You read `out.grad` when the node was made, and it was 0 then. The rule has to read it when "
    "it is called."
)
READ_EARLY = (r"\w = \w+\.grad\b",)
NOT_ATTACHED = (
    "Your result still has the rule of a leaf, which does nothing. A rule is called only if you "
    "store it in the result: `out._backward = …`."
)
CALLED = (
    "`out._backward = rule()` calls the rule at once, when `out.grad` is still 0, and keeps what "
    "it returns: None. Without the parentheses the rule itself is kept."
)
ON_SELF = (
    "You put the rule into `self._backward`. The rule belongs to the result, `out`; `self` may "
    "itself come from an operator, and you overwrote the rule that this operator stored there."
)
TWO_FAULTS = (
    "Two things at once: your rule sets `grad` with `=` instead of adding to it with `+=`, and it "
    "passes on the local slope alone, which must be multiplied by `out.grad`."
)
SETS = (
    "Whatever else is wrong here: your rule sets `grad` with `=`, and what the input held before "
    "is lost. It has to add to it, with `+=`."
)
SETS_GRAD = r"\b(self|other)\.grad = (?!.{0,200}\b\1\.grad\b)"
ASKED = r"\bif .{0,99}\bin \w+:"  # whether something is in a collection
EXPONENT_NOT_LOWERED = (
    "The exponent came down as a factor, but the power above is still the old one; it has to be "
    "one less."
)
LIKE_SQUARE = "This is the rule of the square. It has to hold for any exponent."
