"""The operators of Tensor: what is written, and the same in NumPy and in PyTorch."""

from __future__ import annotations

from grader.course import POSITIVE, REAL

# What is asked of the number in these, beyond the value: exercise, expression, its twin, domain.
WITH_NUMBERS = (
    ("chapter3.add.operator", "x0 + 2.7", lambda a: a + 2.7, REAL),
    ("chapter3.sub.operator", "x0 - 2.7", lambda a: a - 2.7, REAL),
    ("chapter3.mul.operator", "x0 * 2.7", lambda a: a * 2.7, REAL),
    ("chapter3.div.operator", "x0 / 2.7", lambda a: a / 2.7, REAL),
    ("chapter3.pow.operator", "x0 ** 2.7", lambda a: a**2.7, POSITIVE),
    ("chapter3.add.reflected", "2.7 + x0", lambda a: 2.7 + a, REAL),
    ("chapter3.sub.reflected", "2.7 - x0", lambda a: 2.7 - a, REAL),
    ("chapter3.mul.reflected", "2.7 * x0", lambda a: 2.7 * a, REAL),
    ("chapter3.div.reflected", "2.7 / x0", lambda a: 2.7 / a, REAL),
)

EITHER = "`self {} other`; `other` is a Tensor or a number"
NUMBER = "for a number `other`: `{}`"

TWO = (REAL, REAL)
ONE = (REAL,)
PAIR = ((2,), (2,))
ALONE = ((2, 3),)

# Beside a Tensor an int is a number as well; that a float is none the worse is asked above. One
# that changes no value makes a node all the same.
OPERATORS = (
    # exercise, words that announce it, domains, cases (name, expression, its twin, shapes)
    (
        "chapter3.add.operator", EITHER.format("+"), TWO,
        (
            ("tensors", "x0 + x1", lambda a, b: a + b, PAIR),
            ("number", "x0 + 0", lambda a: a + 0, ALONE),
        ),
    ),
    (
        "chapter3.sub.operator", EITHER.format("-"), TWO,
        (
            ("tensors", "x0 - x1", lambda a, b: a - b, PAIR),
            ("number", "x0 - 0", lambda a: a - 0, ALONE),
        ),
    ),
    (
        "chapter3.mul.operator", "`self * other`, value by value; `other` is a Tensor or a number",
        TWO,
        (
            ("tensors", "x0 * x1", lambda a, b: a * b, PAIR),
            ("number", "x0 * 1", lambda a: a * 1, ALONE),
        ),
    ),
    (
        "chapter3.div.operator", EITHER.format("/"), TWO,
        (
            ("tensors", "x0 / x1", lambda a, b: a / b, PAIR),
            ("number", "x0 / 1", lambda a: a / 1, ALONE),
        ),
    ),
    (
        "chapter3.pow.operator", EITHER.format("**"), (POSITIVE, REAL),
        (
            ("tensors", "x0 ** x1", lambda a, b: a**b, PAIR),
            ("number", "x0 ** -2", lambda a: a**-2, ALONE),
        ),
    ),
    ("chapter3.negate.operator", "`-self`", ONE, (("tensor", "-x0", lambda a: -a, PAIR[:1]),)),
    (
        "chapter3.add.reflected", NUMBER.format("5 + x"), ONE,
        (("number", "5 + x0", lambda a: 5 + a, ALONE),),
    ),
    (
        "chapter3.sub.reflected", NUMBER.format("5 - x"), ONE,
        (("number", "5 - x0", lambda a: 5 - a, ALONE),),
    ),
    (
        "chapter3.mul.reflected", NUMBER.format("5 * x"), ONE,
        (("number", "5 * x0", lambda a: 5 * a, ALONE),),
    ),
    (
        "chapter3.div.reflected", NUMBER.format("1 / x"), ONE,
        (
            ("number", "2.5 / x0", lambda a: 2.5 / a, ALONE),
            ("zero", "0 / x0", lambda a: 0 / a, ALONE),
        ),
    ),
)  # fmt: skip
