# never: the name of a type is learner code too
# expect: chapter3.div.forward=crashed

#@ body ops.Div.forward
class Meta(type):
    @property
    def __name__(cls):
        raise SystemExit
class Odd(Exception, metaclass=Meta):
    pass
raise Odd
