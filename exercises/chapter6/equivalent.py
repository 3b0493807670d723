"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

WORDING = "the wording of the message is free"
RESHAPE = "`reshape` raises a ValueError for another number of values"
MEAN, WHICH = "mean, std = (", "which float dtype comes out is left open"
MINUS = "the negative of a normal draw is one"

EQUIVALENT = {
    "data.Dataset.apply_transforms": {
        "no check has a transform that writes into its image": (
            "if True:", "if False:", "x = np.asarray(x)",
        ),
    },
    "data.ArrayDataset.__init__": {WORDING: ("raise ValueError()",)},
    "data.ArrayDataset.__len__": {
        "all arrays have the same number of rows": ("return len(self.arrays[-1])",),
    },
    "data.parse_idx": {
        WORDING: ("raise ValueError()",),
        RESHAPE: ("if False:", "no: raise ValueError(f'{values.size} values, …"),
        "no check asks for a file that ends in its header": (
            "if len(data) …", "no: raise ValueError(f'the file ends…", "raise f'the file ends…",
        ),
    },
    "data.parse_mnist": {WORDING: ("raise ValueError()",)},
    "data.DataLoader.__iter__": {
        "a whole number of NumPy's is an index, too": (
            "yield collate([self.dataset[index] for index in chosen])",
        ),
    },
    "data.Normalize.__call__": {
        WHICH: (
            f"{MEAN}number for number in (self.mean, self.std))",
            f"{MEAN}np.asarray(number) for number in (self.mean, self.std))",
            "return cast(normal, 'float32')", "dtype = …",
        ),
    },
    "data.RandomFlipHorizontal.__call__": {
        "the same but for one of the 2^53 numbers that are drawn": (
            "return image[:, ::-1] if np.random.random() <= self.p else image",
        ),
    },
    "data.make_xor": {
        "of a list, both make a new array": (
            "corners = np.asarray([(0, 0), (0, 1), (1, 0), (1, 1)])[np.arange(n) % 4]",
        ),
        "exclusive or commutes": ("labels = corners[:, 1] ^ corners[:, 0]",),
        MINUS: ("points = corners - np.random.default_rng(seed).normal(0, noise, (n, 2))",),
    },
    "data.make_moons": {
        MINUS: (
            "points = np.stack([x, y], axis=1) "
            "- np.random.default_rng(seed).normal(0, noise, (n, 2))",
        ),
        "`repeat` cuts a count off to a whole number": (
            "labels = np.repeat([0, 1], [n / 2, n - n // 2])",
        ),
    },
    "data.make_spiral": {
        MINUS: ("points -= np.random.default_rng(seed).normal(0, noise, points.shape)",),
    },
}  # fmt: skip
