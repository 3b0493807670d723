"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "data.Dataset.apply_transforms": {
        "results-thrown-away": [
            "for transform in self.transforms and ():",
            "for transform in ():",
            "x = x",
        ],
    },
    "data.ArrayDataset.__init__": {
        "transforms-not-applied": ["super().__init__()", "transforms = None"],
        "lengths-not-compared": [
            "if False:",
            "if len({len(array) for array in arrays}) < 1:",
            "if len({len(array) for array in arrays}) > 2:",
            "no: raise ValueError(f'arrays of different lengths: {[len(array) for "
            "array in arrays]}')",
        ],
    },
    "data.ArrayDataset.__getitem__": {
        "transforms-not-applied": ["return (first, *others)"],
    },
    "data.parse_idx": {
        "type-not-checked": [
            "if False:",
            "no: raise ValueError(f'not an IDX file of unsigned bytes: it begins with "
            "{data[:3].hex()}')",
        ],
    },
    "data.parse_mnist": {
        "counts-not-compared": [
            "if False:",
            "no: raise ValueError(f'{len(images)} images, but {len(labels)} labels')",
        ],
        "not-scaled": [
            "pixels = images.reshape(len(images), math.prod(images.shape[1:])).astype(np.float32)"
        ],
        "float64": [
            "pixels = images.reshape(len(images), math.prod(images.shape[1:])) / 255",
            "pixels = images.reshape(len(images), math.prod(images.shape[1:]))"
            ".astype(np.float64) / 255",
        ],
        "divided-by-256": [
            "pixels = images.reshape(len(images), math.prod(images.shape[1:]))"
            ".astype(np.float32) / 256"
        ],
    },
    "data.MNISTDataset.__getitem__": {
        "flat": ["image = self.images[index]"],
        "transforms-forgotten": ["return (image, self.labels[index])"],
    },
    "data.collate": {
        "wants-gradients": [
            "return tuple((Tensor(field, dtype=field.dtype, requires_grad=True) for "
            "field in fields))"
        ],
    },
    "data.DataLoader.__len__": {
        "counts-samples": ["return math.ceil(len(self.dataset))"],
    },
    "data.DataLoader.__iter__": {
        "always-shuffled": ["if True:"],
        "never-shuffled": ["if False:", "no: np.random.shuffle(order)", "order", "np.random"],
    },
    "data.Normalize.__call__": {
        "multiplied": ["normal: NDArray = (image - mean) * std"],
        "mean-not-taken-away": ["normal: NDArray = image / std"],
    },
    "data.RandomFlipHorizontal.__call__": {
        "always": ["return image[:, ::-1] if True else image"],
    },
    "data.RandomCrop.__call__": {
        "one-direction": [
            "top, left = np.random.randint(0, self.padding + 1, size=2)",
            "top, left = np.random.randint(0, 1 * self.padding + 1, size=2)",
        ],
        "not-cut": ["return framed"],
    },
    "data.make_xor": {
        "fixed-seed": ["seed = 0"],
    },
    "data.make_moons": {
        "fixed-seed": ["seed = 0"],
    },
    "data.make_spiral": {
        "arms-on-top": [
            "angle = 4 * r",
            "angle = 4 * r + 2 * np.pi * labels * classes",
            "angle = 4 * r + 2 * np.pi * labels",
        ],
        "no-winding": ["angle = 2 * np.pi * labels / classes"],
        "half-circle": ["angle = 4 * r + 1 * np.pi * labels / classes"],
        "fixed-seed": ["seed = 0"],
    },
}
