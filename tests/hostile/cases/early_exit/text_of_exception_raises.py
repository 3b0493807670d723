# never: the judge trips over a learner's `__str__`
# expect: chapter3.div.forward=crashed

#@ body ops.Div.forward
class Odd(Exception):
    def __str__(self):
        raise SystemExit
raise Odd
