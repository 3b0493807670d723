"""Sentences, and two whole mistakes, that several exercises of chapter 11 share."""

from grader.course import body, edit
from grader.course.bodies import Lines

NO_GRADIENT_FACTOR = (
    "You returned the local slope alone. It must be multiplied by `gradient`, which says how much "
    "the final result moves per unit of this one."
)
NOT_UNBROADCAST = (
    "Where an input was broadcast, your gradient has the shape of the result. Each place in which "
    "a value was used sends something back; `unbroadcast` sums it."
)
OWN_FACTOR = (
    "You multiplied each gradient by the input's own value. In a·b the slope with respect to a is "
    "b, and the other way round."
)
STORED_NOT_ADDED = (
    "Your closure sets `grad` instead of adding to it. Where a Tensor is used a second time, what "
    "the first use passed on is lost."
)
KEPT_AS_IT_WAS = r"else \w+\.grad\s*(\n|$)"
STORED = r"\.grad \+?= "
REVERSED = r"reversed\(|\[::-1\]"
HANDED_BACK = (r"return (?!out\s*(\n|$))",)  # something else than the node itself
NOT_STORED = (
    "Your closure works the gradient out and returns it, and nobody takes it: `_backward` is "
    "called for what it leaves in `grad`. Add it there."
)
NO_GRAPH = (
    "The value is right, but your result is a leaf: its `_prev` is empty and it has no closure of "
    "its own, so that no gradient can travel through it."
)
NOT_ATTACHED = (
    "Your result still has the rule of a leaf, which does nothing: your closure was written, and "
    "never put into `out._backward`."
)
EARLY = (
    "You read `out.grad` when the result was made, and it was 0 then. The closure has to read it "
    "when it is called."
)

# Any rule that does so ends alike: in a complaint about what it returned.
RECURSES = body(
    """
        for source in self.inputs:
            source.backward(gradient)
    """,
    says="Your rule calls `backward` of its inputs, as some lectures have it, and returns nothing. "
    "Here a rule only returns one gradient per input; the walk hands them on, and can do so in "
    "order.",
    has=(r"\.backward\(",),
)

# Both pass on nothing: the text tells which of them it is.
_ATTACHED = r"\._backward = "
UNATTACHED = edit("out._backward = push", "", says=NOT_ATTACHED, lacks=(_ATTACHED,))
# The line above the closure speaks of a gradient.
_BEFORE_THE_CLOSURE = (r"\.grad\b[^\n]{0,99}\n{1,3} *def ",)


def read_early(*more: tuple[str, str]):
    """The reference of an operation whose `out.grad` is read before there is a closure.

    Args:
        more: the places where it is read, and what stands there instead; where there is one, none.
    """
    places = more or (("out.grad", "early"),)
    early = Lines("def push", keeps="before", text="early = out.grad.copy()")
    return edit(*places, early, says=EARLY, has=_BEFORE_THE_CLOSURE)
