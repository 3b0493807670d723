"""The loop over epochs: `Trainer.fit`."""

from grader.course import Exercise, Mistake


def fitting(
    *, before="", rounds="range(epochs)",
    start="    self.model.train()\n    total, count = 0.0, 0\n",
    over="self.train_loader", add="* x.shape[0]", after="", loss="total / count",
    judge="self.evaluate()", note="    history.append(entry)\n",
    watch="entry.get('val_loss', entry['loss'])",
    stop=True, late_note="", result="return history",
):  # fmt: skip
    """A body of `Trainer.fit` that is right but for what is named."""
    stopping = (
        f"    if early_stopping is not None and early_stopping.update({watch}):\n        break\n"
    )
    return (
        f"history = []\n{before}for epoch in {rounds}:\n{start}    for x, y in {over}:\n"
        f"        total += self.train_step(x, y) {add}\n        count += x.shape[0]\n{after}"
        f"    entry = {{'loss': {loss}}}\n    if self.val_loader is not None:\n"
        f"        entry['val_loss'], entry['val_accuracy'] = {judge}\n{note}"
        "    if self.log is not None:\n        self.log(f'epoch {epoch}: {entry}')\n"
        f"{stopping if stop else ''}{late_note}{result}"
    )


FIT = Exercise(
    "chapter9.fit",
    section="9.5",
    targets=("trainer.Trainer.fit",),
    points=3,
    minutes=20,
    difficulty=3,
    needs=("chapter9.train_step", "chapter9.evaluate"),
    hints=(
        "Two loops, one in the other: epochs, and batches. What belongs before the inner loop, and "
        "what after it?",
        "As in `evaluate`, a batch counts as often as it has samples: add up loss times size, and "
        "divide by the number of samples.",
        "Write the epoch down first, then ask `early_stopping`. Build the dict step by step: "
        "`val_loss` and `val_accuracy` only where there is a `val_loader`.",
    ),
    mistakes=(
        Mistake(
            "never-in-training-mode", fitting(start="    total, count = 0.0, 0\n"),
            "You never put the model into training mode. It may come to you in evaluation mode.",
        ),
        Mistake(
            "mean-of-batch-losses", fitting(add="", loss="total / len(list(self.train_loader))"),
            "You averaged the losses of the batches. A smaller last batch then counts as much as a "
            "full one.",
        ),
        Mistake(
            "loss-summed", fitting(loss="total"),
            "You did not divide the loss by the number of samples.",
        ),
        Mistake(
            "loss-goes-on",
            fitting(before="total, count = 0.0, 0\n", start="    self.model.train()\n"),
            "You set the sum back only once, before the first epoch: every entry is the mean over "
            "all epochs so far.",
        ),
        Mistake(
            "loader-used-up",
            fitting(before="batches = iter(self.train_loader)\n", over="batches",
                    loss="total / max(count, 1)"),
            "You started the loader once, before the loop. After the first epoch it has nothing "
            "left: every epoch has to start it anew.",
        ),
        Mistake(
            "one-epoch-too-few", fitting(rounds="range(1, epochs)"),
            "You train one epoch less than was asked for: `range` leaves its end out.",
        ),
        Mistake(
            "evaluates-on-training-data", fitting(judge="self.evaluate(self.train_loader)"),
            "You evaluate on what the model was trained on. `val_loader` is for that.",
        ),
        Mistake(
            "learns-from-validation",
            fitting(
                after="    for x, y in self.val_loader or ():\n        self.train_step(x, y)\n"
            ),
            "You train on the validation batches too. Then nothing is left to tell you how the "
            "model does on new samples.",
        ),
        Mistake(
            "never-stops", fitting(stop=False),
            "You never asked `early_stopping`.",
        ),
        Mistake(
            "watches-the-training-loss", fitting(watch="entry['loss']"),
            "You gave `early_stopping` the training loss, which goes on falling long after the "
            "validation loss has turned.",
        ),
        Mistake(
            "watches-the-accuracy", fitting(watch="entry.get('val_accuracy', entry['loss'])"),
            "You gave `early_stopping` the accuracy. It waits for something to fall, so give it "
            "the loss.",
        ),
        Mistake(
            "last-epoch-not-noted", fitting(note="", late_note="    history.append(entry)\n"),
            "Where you stop early, the last epoch is missing from the history.",
        ),
        Mistake(
            "last-entry-only", fitting(result="return history[-1:]"),
            "You returned the last epoch only. The history has one dict per epoch.",
        ),
        Mistake(
            "one-dict-for-all",
            fitting(before="shared = {}\n",
                    note="    shared.update(entry)\n    history.append(shared)\n"),
            "All entries of your history are one and the same dict, so that each of them shows the "
            "last epoch. Make a new dict in every epoch.",
        ),
    ),
)  # fmt: skip
