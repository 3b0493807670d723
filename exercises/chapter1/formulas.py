"""Hidden formulas: what `--formulas hidden` leaves out of the docstrings of this chapter's stubs.

A row is a target and an edit of its docstring. The paragraph as it was is the last hint.
"""

FORMULAS = {
    "scalar.numerical_derivative": ("central difference ``(f(x + h) - f(x - h)) / (2h)``",
                                    "central difference"),
    "scalar.Value.__add__": ("Its rule: d(a + b)/da = 1 and d(a + b)/db = 1.", ""),
    "scalar.Value.__mul__": ("Its rule: d(a·b)/da = b and d(a·b)/db = a.", ""),
    "scalar.Value.__neg__": (", whose derivative is -1", ""),
    "scalar.Value.__sub__": ("Its rule: d(a - b)/da = 1 and d(a - b)/db = -1.", ""),
    "scalar.Value.__pow__": ("Its rule: d(aⁿ)/da = n·aⁿ⁻¹.", ""),
    "scalar.Value.__truediv__": ("Its rule: d(a/b)/da = 1/b and d(a/b)/db = -a/b².", ""),
    "scalar.Value.exp": (" Its rule: d(eᵃ)/da = eᵃ.", ""),
    "scalar.Value.log": (" Its rule: d(ln a)/da = 1/a.", ""),
    "scalar.Value.relu": (
        "Its rule: the derivative is 1 for a positive number and 0 for a negative one. At exactly",
        "At exactly"),
    "scalar.Value.tanh": (" Its rule: d(tanh a)/da = 1 - tanh²a.", ""),
    "scalar.Value.sigmoid": (
        "Its derivative is s·(1 - s), where s is the result; it follows from the parts.",
        "Its derivative follows from the parts."),
}  # fmt: skip
