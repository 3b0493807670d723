"""Bodies of `Value`'s methods, from the one or two lines in which they differ."""


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
