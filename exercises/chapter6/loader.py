"""Batches: `collate` and `DataLoader`."""

from grader.course import body, edit, exercise, mistake


@exercise("data.collate", points=2)
class COLLATE:
    """You have a list of pairs and want a pair of lists. `zip(*samples)` turns one into the other.

    `np.stack` makes one array out of equal ones, with a new first axis, and takes plain numbers
    too.

    A new Tensor is float32 and requires a gradient unless you say otherwise. Say both.
    """

    def stacked_per_sample(samples):
        """You made one Tensor per sample, with x and y in it. A batch has one Tensor per field: all
        the x, then all the y."""
        return tuple(
            Tensor(np.hstack([np.ravel(f) for f in sample]), requires_grad=False)
            for sample in samples
        )

    labels_became_floats = edit(", dtype=field.dtype", "")
    """A Tensor is float32 unless you say otherwise, so your labels are no longer whole numbers.
    Pass on the dtype of the stacked array."""

    wants_gradients = edit(", requires_grad=False", "")
    """Your batches require gradients: every `backward` would compute the gradient of the images,
    which nobody needs."""

    concatenated = edit("stack(field)", "concatenate([np.atleast_1d(f) for f in field])")
    """You strung the samples together along their first axis. Stacking gives the batch a new first
    axis, one row per sample."""

    new_axis_last = edit("(field)", "(field, axis=-1)")
    """Your samples lie along the last axis. The first axis of a batch counts its samples."""

    def two_fields_only(samples):
        """You took the first two fields. A sample may have one field, or three."""
        x = np.stack([sample[0] for sample in samples])
        y = np.stack([sample[1] for sample in samples])
        return (
            Tensor(x, dtype=x.dtype, requires_grad=False),
            Tensor(y, dtype=y.dtype, requires_grad=False),
        )


@exercise(
    "chapter6.loader.length",
    targets=("data.DataLoader.__len__",),
    points=1,
    minutes=3,
    difficulty=1,
)
class LENGTH:
    """10 samples in batches of 4: how many batches is that? And 8 samples?

    You divide and round up. The result is an int.
    """

    rounded_down = body("return len(self.dataset) // self.batch_size")
    """You rounded down, so a smaller last batch isn't counted."""

    one_too_many = body("return len(self.dataset) // self.batch_size + 1")
    """If the samples fill their batches exactly, you count one empty batch too many."""

    counts_samples = body("return len(self.dataset)")
    """You counted the samples. The length of a loader is its number of batches."""

    rounded_to_nearest = edit("math.ceil", "round")
    """`round` goes to the nearest whole number, so a last batch that is less than half full is
    lost."""


@exercise("chapter6.loader.iterate", targets=("data.DataLoader.__iter__",), points=3, minutes=20)
class ITERATE:
    """First an order of all indices, 0 to n - 1; then cut that order into pieces of `batch_size`.

    A slice that reaches beyond the end just stops there: that is your last, smaller batch.

    A function with `yield` starts again for every `for` loop, so an order drawn inside it is a new
    one for every epoch.
    """

    def last_batch_dropped(self):
        """Your last batch is missing wherever it is smaller than the others: these samples are
        never seen."""
        order = np.arange(len(self.dataset))
        if self.shuffle:
            np.random.shuffle(order)
        for start in range(0, len(order) - self.batch_size + 1, self.batch_size):
            yield collate([self.dataset[int(i)] for i in order[start : start + self.batch_size]])

    def last_batch_filled_up(self):
        """You filled the last batch up with samples from the beginning: they come twice in an
        epoch."""
        order = np.arange(len(self.dataset))
        if self.shuffle:
            np.random.shuffle(order)
        for start in range(0, len(order), self.batch_size):
            yield collate(
                [
                    self.dataset[int(i)]
                    for i in np.resize(order, 2 * len(order))[start : start + self.batch_size]
                ]
            )

    def last_batch_moved_back(self):
        """Your last batch is full because it repeats samples of the batch before. It should hold
        only what is left over."""
        order = np.arange(len(self.dataset))
        if self.shuffle:
            np.random.shuffle(order)
        for start in range(0, len(order), self.batch_size):
            yield collate(
                [
                    self.dataset[int(i)]
                    for i in order[min(start, max(0, len(order) - self.batch_size)) :][
                        : self.batch_size
                    ]
                ]
            )

    def never_shuffled(self):
        """`shuffle` changes nothing: the samples come in the order of the data set."""
        order = np.arange(len(self.dataset))
        for start in range(0, len(order), self.batch_size):
            yield collate([self.dataset[int(i)] for i in order[start : start + self.batch_size]])

    def always_shuffled(self):
        """You shuffle even if `shuffle` is False."""
        order = np.random.permutation(len(self.dataset))
        for start in range(0, len(order), self.batch_size):
            yield collate([self.dataset[int(i)] for i in order[start : start + self.batch_size]])

    @mistake(seen="https://github.com/keras-team/keras/issues/1551")
    def shuffled_once(self):
        """You draw an order once and keep it. Every epoch needs a new one."""
        if not hasattr(self, "order"):
            self.order = np.arange(len(self.dataset))
            if self.shuffle:
                np.random.shuffle(self.order)
        order = self.order
        for start in range(0, len(order), self.batch_size):
            yield collate([self.dataset[int(i)] for i in order[start : start + self.batch_size]])

    @mistake(seen="https://github.com/deeppavlov/DeepPavlov/issues/13")
    def same_seed_every_epoch(self):
        """Your generator starts from the same seed in every epoch, so every epoch has the same
        order, and so does every run."""
        order = np.arange(len(self.dataset))
        if self.shuffle:
            np.random.default_rng(0).shuffle(order)
        for start in range(0, len(order), self.batch_size):
            yield collate([self.dataset[int(i)] for i in order[start : start + self.batch_size]])

    def drawn_with_replacement(self):
        """You draw every index on its own, so some samples come twice and others not at all. An
        epoch is a permutation."""
        order = np.arange(len(self.dataset))
        if self.shuffle:
            order = np.random.choice(order, len(order))
        for start in range(0, len(order), self.batch_size):
            yield collate([self.dataset[int(i)] for i in order[start : start + self.batch_size]])

    @mistake(seen="https://github.com/lhotse-speech/lhotse/pull/562")
    def batches_shuffled_not_samples(self):
        """You shuffle the batches, but the same samples share a batch in every epoch. Shuffle the
        samples."""
        starts = np.arange(0, len(self.dataset), self.batch_size)
        if self.shuffle:
            np.random.shuffle(starts)
        for start in starts:
            stop = min(start + self.batch_size, len(self.dataset))
            yield collate([self.dataset[int(i)] for i in range(start, stop)])

    def whole_epoch_at_once(self):
        """You made all batches before the loop had the first one: then the whole epoch is in
        memory. With `yield` each is made when the loop asks for it."""
        order = np.arange(len(self.dataset))
        if self.shuffle:
            np.random.shuffle(order)
        batches = []
        for start in range(0, len(order), self.batch_size):
            chosen = order[start : start + self.batch_size]
            batches.append(collate([self.dataset[int(i)] for i in chosen]))
        return iter(batches)

    def one_epoch_only(self):
        """After one epoch your loader is empty. Every `for` loop has to start a new epoch."""
        if not hasattr(self, "rest"):
            self.rest = np.arange(len(self.dataset))
            if self.shuffle:
                np.random.shuffle(self.rest)
        while len(self.rest):
            chosen, self.rest = self.rest[: self.batch_size], self.rest[self.batch_size :]
            yield collate([self.dataset[int(i)] for i in chosen])

    def goes_on_where_it_was_left(self):
        """A loop that follows one that was left early goes on in the middle. Every loop has to
        start a whole new epoch."""
        if not hasattr(self, "start") or self.start >= len(self.dataset):
            self.start = 0
            self.order = np.arange(len(self.dataset))
            if self.shuffle:
                np.random.shuffle(self.order)
        while self.start < len(self.dataset):
            chosen = self.order[self.start : self.start + self.batch_size]
            self.start += self.batch_size
            yield collate([self.dataset[int(i)] for i in chosen])
