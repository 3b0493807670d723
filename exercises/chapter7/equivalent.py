"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

A_NUMBER = "a number of NumPy's is a number, too"
ROUND = "a draw between two bounds is the same from either side"
DIGITS = "to how many digits a value is drawn is left open"
ROUNDED = (
    "return cast(Tensor(values, dtype=dtype, requires_grad=requires_grad), "
    "'float32', and_back=True)"
)
TURNED = "values = np.random.uniform(bound, -bound, (fan_in, fan_out) if shape is None else shape)"

EQUIVALENT = {
    "init.gain": {"what the message says is left open": ("raise ValueError()",)},
    "init.xavier_uniform": {DIGITS: (ROUNDED,), ROUND: (TURNED,)},
    "init.xavier_normal": {DIGITS: (ROUNDED,)},
    "init.kaiming_uniform": {DIGITS: (ROUNDED,), ROUND: (TURNED,)},
    "init.kaiming_normal": {DIGITS: (ROUNDED,)},
    "init.activation_statistics": {
        A_NUMBER: (
            "zeros = np.mean(x.data == 0)",
            "found.append(Statistics(x.data.mean(), float(x.data.std()), zeros))",
            "found.append(Statistics(float(x.data.mean()), x.data.std(), zeros))",
        ),
    },
    "init.gradient_statistics": {
        A_NUMBER: (
            "found.append(Statistics(g.mean(), float(g.std()), float(np.mean(g == 0))))",
            "found.append(Statistics(float(g.mean()), g.std(), float(np.mean(g == 0))))",
            "found.append(Statistics(float(g.mean()), float(g.std()), np.mean(g == 0)))",
        ),
    },
}  # fmt: skip
