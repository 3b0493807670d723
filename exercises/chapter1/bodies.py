"""Wrong bodies of `Value`'s methods, from the one or two lines in which they differ."""

from grader.course import Mistake


def two(value: str, left: str, right: str, *, add: str = "+=") -> str:
    """An operator with two inputs: its value, and what each input is handed."""
    return f"""\
other = as_value(other)
out = Value({value}, (self, other))

def push():
    self.grad {add} {left}
    other.grad {add} {right}

out._backward = push
return out"""


def one(value: str, handed: str, *, add: str = "+=") -> str:
    """A function of one input: its value, and what that input is handed."""
    return f"""\
out = Value({value}, (self,))

def push():
    self.grad {add} {handed}

out._backward = push
return out"""


OVERWRITES = (
    "Your rule sets `grad` instead of adding to it. Where the same Value is used a second time, "
    "what the first use handed on is lost."
)
FORGOT_OUT_GRAD = (
    "You handed on the local slope alone. It must be multiplied by `out.grad`, which says how "
    "much the final result moves per unit of this one."
)
NO_GRAPH = (
    "The value is right, but your result is a leaf: its `_prev` is empty and it has no rule, so "
    "that no gradient can travel through it."
)
EDITED = (
    "You wrote the result into `self` and returned that. Whoever still uses the input finds "
    "another number in it; make a new Value."
)
EARLY = (
    "You read `out.grad` when the node was made, and it was 0 then. The rule has to read it when "
    "it is called."
)

READ_EARLY = (r"\w+ = \w+\.grad\b",)


NOT_ATTACHED = (
    "Your result still has the rule of a leaf, which does nothing. A rule is called only where it "
    "stands in the result: `out._backward = …`."
)
CALLED = (
    "`out._backward = rule()` calls the rule at once, when `out.grad` is still 0, and keeps what "
    "it returns: None. Without the parentheses the rule itself is kept."
)
ON_SELF = (
    "You put the rule into `self._backward`. The rule belongs to the result, `out`; `self` may "
    "have been made by an operator itself, and you overwrote the rule which that one left there."
)
TWO_FAULTS = (
    "Two things at once: your rule sets `grad` with `=` instead of adding to it with `+=`, and it "
    "hands on the local slope alone, which must be multiplied by `out.grad`."
)


SETS = (
    "Whatever else is wrong here: your rule sets `grad` with `=`, and what the input held before "
    "is lost. It has to add to it, with `+=`."
)
SETS_GRAD = r"\b(self|other)\.grad = (?!.*\b\1\.grad\b)"


def attached_to(body: str, place: str) -> str:
    """The body with its rule put elsewhere, or nowhere."""
    assert "out._backward = push" in body, body
    return body.replace("out._backward = push", f"{place} = push" if place else "")


def astray(body: str) -> tuple[Mistake, ...]:
    """A right rule that reads too early, is called at once, by nobody, or for the wrong node; and
    one that sets what it should add to, beside a fault that is not known."""
    doubled = body.replace("+= ", "= 2 * ")
    return (
        Mistake("sets-grad", doubled, SETS, has=(SETS_GRAD,), shown_by=SETS_GRAD),
        Mistake("early", early(body), EARLY, has=READ_EARLY),
        Mistake("rule-called", body.replace("= push", "= push()"), CALLED),
        Mistake("rule-not-attached", attached_to(body, ""), NOT_ATTACHED),
        Mistake("rule-on-self", attached_to(body, "self._backward"), ON_SELF),
    )


def early(body: str) -> str:
    """Reads ``out.grad`` before the walk back has put anything there."""
    made, rule = body.split("def push():")
    return f"{made}grad = out.grad\n\ndef push():{rule.replace('out.grad', 'grad')}"
