"""Bodies of engine 3, from the one or two lines in which they differ."""


def one(value: str, handed: str, how: str = "self.grad += {0}") -> str:
    """A function of one input: its value, and what that input is handed."""
    return f"""\
out = Tensor({value}, _prev=(self,))

def push():
    {how.format(handed)}

out._backward = push
return out"""


def two(value: str, left: str, right: str, how: str = "{0} += {1}", wrap: bool = True) -> str:
    """An operator with two inputs."""
    first = "other = as_tensor(other)\n" if wrap else ""
    return f"""\
{first}out = Tensor({value}, _prev=(self, other))

def push():
    {how.format("self.grad", left)}
    {how.format("other.grad", right)}

out._backward = push
return out"""
