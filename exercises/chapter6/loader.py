"""Batches: `collate` and `DataLoader`."""

from grader.course import Exercise, Mistake

COLLATE = Exercise(
    "chapter6.collate",
    section="6.6",
    targets=("data.collate",),
    points=2,
    minutes=10,
    difficulty=2,
    hints=(
        "You have a list of pairs and want a pair of lists. `zip(*samples)` turns one into the "
        "other.",
        "`np.stack` makes one array out of equal ones, with a new first axis, and takes plain "
        "numbers too.",
        "A new Tensor is float32 and wants a gradient unless it is told otherwise. Tell it both.",
    ),
    mistakes=(
        Mistake(
            "stacked-per-sample",
            "return tuple(\n"
            "    Tensor(np.hstack([np.ravel(f) for f in sample]), requires_grad=False)\n"
            "    for sample in samples\n)",
            "You made one Tensor per sample, with x and y in it. A batch has one Tensor per field: "
            "all the x, then all the y.",
        ),
        Mistake(
            "labels-became-floats",
            "fields = (np.stack(field) for field in zip(*samples))\n"
            "return tuple(Tensor(field, requires_grad=False) for field in fields)",
            "A Tensor is float32 unless you say otherwise, so your labels are no whole numbers any "
            "more. Pass on the dtype of the stacked array.",
        ),
        Mistake(
            "wants-gradients",
            "fields = (np.stack(field) for field in zip(*samples))\n"
            "return tuple(Tensor(field, dtype=field.dtype) for field in fields)",
            "Your batches require gradients: every backward would work out the gradient of the "
            "images, for nobody.",
        ),
        Mistake(
            "concatenated",
            "fields = (np.concatenate([np.atleast_1d(f) for f in field]) for field in "
            "zip(*samples))\n"
            "return tuple(Tensor(field, dtype=field.dtype, requires_grad=False) for field in "
            "fields)",
            "You strung the samples together along their first axis. Stacking gives the batch a "
            "new first axis, one row per sample.",
        ),
        Mistake(
            "new-axis-last",
            "fields = (np.stack(field, axis=-1) for field in zip(*samples))\n"
            "return tuple(Tensor(field, dtype=field.dtype, requires_grad=False) for field in "
            "fields)",
            "Your samples lie along the last axis. The first axis of a batch counts its samples.",
        ),
        Mistake(
            "two-fields-only",
            "x = np.stack([sample[0] for sample in samples])\n"
            "y = np.stack([sample[1] for sample in samples])\n"
            "return (\n    Tensor(x, dtype=x.dtype, requires_grad=False),\n"
            "    Tensor(y, dtype=y.dtype, requires_grad=False),\n)",
            "You took the first two fields. A sample may have one field, or three.",
        ),
    ),
)  # fmt: skip

LENGTH = Exercise(
    "chapter6.loader.length",
    section="6.7",
    targets=("data.DataLoader.__len__",),
    points=1,
    minutes=3,
    hints=(
        "10 samples in batches of 4: how many batches is that? And 8 samples?",
        "You divide and round up. The result is an int.",
    ),
    mistakes=(
        Mistake(
            "rounded-down", "return len(self.dataset) // self.batch_size",
            "You rounded down, so a smaller last batch is not counted.",
        ),
        Mistake(
            "one-too-many", "return len(self.dataset) // self.batch_size + 1",
            "Where the samples fill their batches exactly, you count an empty batch more.",
        ),
        Mistake(
            "counts-samples", "return len(self.dataset)",
            "You counted the samples. The length of a loader is its number of batches.",
        ),
        Mistake(
            "rounded-to-nearest", "return round(len(self.dataset) / self.batch_size)",
            "`round` goes to the nearest whole number, so that a last batch that is less than half "
            "full is lost.",
        ),
    ),
)  # fmt: skip

SHUFFLED = "order = np.arange(len(self.dataset))\nif self.shuffle:\n    np.random.shuffle(order)\n"


def batches(stop="len(order)", *, order=SHUFFLED, chosen="order[start : start + self.batch_size]"):
    """A body of `DataLoader.__iter__` that is right but for what is named."""
    return (
        f"{order}for start in range(0, {stop}, self.batch_size):\n"
        f"    yield collate([self.dataset[int(i)] for i in {chosen}])"
    )


ITERATE = Exercise(
    "chapter6.loader.iterate",
    section="6.7",
    targets=("data.DataLoader.__iter__",),
    points=3,
    minutes=20,
    difficulty=3,
    needs=("chapter6.collate",),
    hints=(
        "First an order of all indices, 0 to n - 1; then cut that order into pieces of "
        "`batch_size`.",
        "A slice that reaches beyond the end just stops there: that is your last, smaller batch.",
        "A function with `yield` starts anew for every `for` loop, so an order drawn inside it is "
        "a new one for every epoch.",
    ),
    mistakes=(
        Mistake(
            "last-batch-dropped", batches("len(order) - self.batch_size + 1"),
            "Your last batch is missing wherever it is smaller than the others: these samples are "
            "never seen.",
        ),
        Mistake(
            "last-batch-filled-up",
            batches(chosen="np.resize(order, 2 * len(order))[start : start + self.batch_size]"),
            "You filled the last batch up with samples from the beginning: they come twice in an "
            "epoch.",
        ),
        Mistake(
            "last-batch-moved-back",
            batches(
                chosen="order[min(start, max(0, len(order) - self.batch_size)) :]"
                "[: self.batch_size]"
            ),
            "Your last batch is full because it repeats samples of the batch before. It should "
            "hold only what is left over.",
        ),
        Mistake(
            "never-shuffled", batches(order="order = np.arange(len(self.dataset))\n"),
            "`shuffle` changes nothing: the samples come in the order of the data set.",
        ),
        Mistake(
            "always-shuffled",
            batches(order="order = np.random.permutation(len(self.dataset))\n"),
            "You shuffle even where `shuffle` is False.",
        ),
        Mistake(
            "shuffled-once",
            batches(
                order="if not hasattr(self, 'order'):\n"
                "    self.order = np.arange(len(self.dataset))\n"
                "    if self.shuffle:\n        np.random.shuffle(self.order)\norder = self.order\n"
            ),
            "You draw an order once and keep it. Every epoch needs a new one.",
        ),
        Mistake(
            "same-seed-every-epoch",
            batches(
                order="order = np.arange(len(self.dataset))\nif self.shuffle:\n"
                "    np.random.default_rng(0).shuffle(order)\n"
            ),
            "Your generator starts from the same seed in every epoch, so every epoch has the same "
            "order, and so does every run.",
        ),
        Mistake(
            "drawn-with-replacement",
            batches(
                order="order = np.arange(len(self.dataset))\nif self.shuffle:\n"
                "    order = np.random.choice(order, len(order))\n"
            ),
            "You draw every index on its own, so some samples come twice and others not at all. An "
            "epoch is a permutation.",
        ),
        Mistake(
            "batches-shuffled-not-samples",
            "starts = np.arange(0, len(self.dataset), self.batch_size)\nif self.shuffle:\n"
            "    np.random.shuffle(starts)\nfor start in starts:\n"
            "    stop = min(start + self.batch_size, len(self.dataset))\n"
            "    yield collate([self.dataset[int(i)] for i in range(start, stop)])",
            "You shuffle the batches, but the same samples share a batch in every epoch. Shuffle "
            "the samples.",
        ),
        Mistake(
            "one-epoch-only",
            "if not hasattr(self, 'rest'):\n    self.rest = np.arange(len(self.dataset))\n"
            "    if self.shuffle:\n        np.random.shuffle(self.rest)\nwhile len(self.rest):\n"
            "    chosen, self.rest = self.rest[: self.batch_size], self.rest[self.batch_size :]\n"
            "    yield collate([self.dataset[int(i)] for i in chosen])",
            "After one epoch your loader is empty. Every `for` loop has to start a new epoch.",
        ),
        Mistake(
            "goes-on-where-it-was-left",
            "if not hasattr(self, 'start') or self.start >= len(self.dataset):\n"
            "    self.start = 0\n"
            "    self.order = np.arange(len(self.dataset))\n    if self.shuffle:\n"
            "        np.random.shuffle(self.order)\n"
            "while self.start < len(self.dataset):\n"
            "    chosen = self.order[self.start : self.start + self.batch_size]\n"
            "    self.start += self.batch_size\n"
            "    yield collate([self.dataset[int(i)] for i in chosen])",
            "A loop that follows one that was left early goes on in the middle. Every loop has to "
            "start a whole new epoch.",
        ),
    ),
)  # fmt: skip
