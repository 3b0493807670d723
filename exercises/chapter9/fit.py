"""The loop over epochs: `Trainer.fit`."""

from grader.course import before, edit, exercise, instead


@exercise("chapter9.fit", targets=("trainer.Trainer.fit",), points=3)
class FIT:
    """Two loops, one in the other: epochs, and batches. What belongs before the inner loop, and
    what after it?

    As in `evaluate`, a batch counts as often as it has samples: add up loss times size, and divide
    by the number of samples.

    Write the epoch down first, then ask `early_stopping`. Build the dict step by step: `val_loss`
    and `val_accuracy` only if there is a `val_loader`.
    """

    def _plain(self, epochs, early_stopping):
        history = []
        for epoch in range(epochs):
            self.model.train()
            total, count = 0.0, 0
            for x, y in self.train_loader:
                total += self.train_step(x, y) * x.shape[0]
                count += x.shape[0]
            entry = {"loss": total / count}
            if self.val_loader is not None:
                entry["val_loss"], entry["val_accuracy"] = self.evaluate()
            history.append(entry)
            if self.log is not None:
                self.log(f"epoch {epoch}: {entry}")
            if early_stopping is not None and early_stopping.update(
                entry.get("val_loss", entry["loss"])
            ):
                break
        return history

    never_in_training_mode = edit("self.model.train()", "", of=_plain)
    """You never put the model into training mode. It may come to you in evaluation mode."""

    mean_of_batch_losses = edit(
        (" * x.shape[0]", ""),
        ("/ count", "/ len(list(self.train_loader))"),
        of=_plain,
        seen="https://github.com/catalyst-team/catalyst/issues/799",
    )
    """You averaged the losses of the batches. A smaller last batch then counts as much as a full
    one."""

    loss_summed = edit(" / count", "", of=_plain)
    """You didn't divide the loss by the number of samples."""

    @instead("for epoch in range(epochs):", "total, count = 0.0, 0", of=_plain)
    def loss_goes_on(self, epochs):
        """You set the sum back only once, before the first epoch: every entry is the mean over all
        epochs so far."""
        total, count = 0.0, 0
        for epoch in range(epochs):
            self.model.train()

    def loader_used_up(self, epochs, early_stopping):
        """You started the loader once, before the loop. After the first epoch it has nothing left:
        every epoch has to start it again."""
        history = []
        batches = iter(self.train_loader)
        for epoch in range(epochs):
            self.model.train()
            total, count = 0.0, 0
            for x, y in batches:
                total += self.train_step(x, y) * x.shape[0]
                count += x.shape[0]
            entry = {"loss": total / max(count, 1)}
            if self.val_loader is not None:
                entry["val_loss"], entry["val_accuracy"] = self.evaluate()
            history.append(entry)
            if self.log is not None:
                self.log(f"epoch {epoch}: {entry}")
            if early_stopping is not None and early_stopping.update(
                entry.get("val_loss", entry["loss"])
            ):
                break
        return history

    one_epoch_too_few = edit("epochs", "1, epochs", of=_plain)
    """You train one epoch too few. `range` leaves out its end."""

    evaluates_on_training_data = edit("evaluate()", "evaluate(self.train_loader)", of=_plain)
    """You evaluate on what the model was trained on. `val_loader` is for that."""

    @before('entry = {"loss": total / count}', of=_plain)
    def learns_from_validation(self):
        """You train on the validation batches too. Then nothing is left to tell you how the model
        does on new samples."""
        for x, y in self.val_loader or ():
            self.train_step(x, y)

    def never_stops(self, epochs, early_stopping):
        """You never asked `early_stopping`."""
        history = []
        for epoch in range(epochs):
            self.model.train()
            total, count = 0.0, 0
            for x, y in self.train_loader:
                total += self.train_step(x, y) * x.shape[0]
                count += x.shape[0]
            entry = {"loss": total / count}
            if self.val_loader is not None:
                entry["val_loss"], entry["val_accuracy"] = self.evaluate()
            history.append(entry)
            if self.log is not None:
                self.log(f"epoch {epoch}: {entry}")
        return history

    def watches_the_training_loss(self, epochs, early_stopping):
        """You gave `early_stopping` the training loss, which goes on falling long after the
        validation loss has turned."""
        history = []
        for epoch in range(epochs):
            self.model.train()
            total, count = 0.0, 0
            for x, y in self.train_loader:
                total += self.train_step(x, y) * x.shape[0]
                count += x.shape[0]
            entry = {"loss": total / count}
            if self.val_loader is not None:
                entry["val_loss"], entry["val_accuracy"] = self.evaluate()
            history.append(entry)
            if self.log is not None:
                self.log(f"epoch {epoch}: {entry}")
            if early_stopping is not None and early_stopping.update(entry["loss"]):
                break
        return history

    watches_the_accuracy = edit('"val_loss",', '"val_accuracy",', of=_plain)
    """You gave `early_stopping` the accuracy. It waits for something to fall, so give it the
    loss."""

    def last_epoch_not_noted(self, epochs, early_stopping):
        """When you stop early, the last epoch is missing from the history."""
        history = []
        for epoch in range(epochs):
            self.model.train()
            total, count = 0.0, 0
            for x, y in self.train_loader:
                total += self.train_step(x, y) * x.shape[0]
                count += x.shape[0]
            entry = {"loss": total / count}
            if self.val_loader is not None:
                entry["val_loss"], entry["val_accuracy"] = self.evaluate()
            if self.log is not None:
                self.log(f"epoch {epoch}: {entry}")
            if early_stopping is not None and early_stopping.update(
                entry.get("val_loss", entry["loss"])
            ):
                break
            history.append(entry)
        return history

    last_entry_only = edit("return history", "return history[-1:]", of=_plain)
    """You returned the last epoch only. The history has one dict per epoch."""

    @instead("for epoch in range(epochs):", "history.append(entry)", of=_plain)
    def one_dict_for_all(self, epochs, history):
        """All entries of your history are one and the same dict, so each of them shows the last
        epoch. Make a new dict in every epoch."""
        shared = {}
        for epoch in range(epochs):
            self.model.train()
            total, count = 0.0, 0
            for x, y in self.train_loader:
                total += self.train_step(x, y) * x.shape[0]
                count += x.shape[0]
            entry = {"loss": total / count}
            if self.val_loader is not None:
                entry["val_loss"], entry["val_accuracy"] = self.evaluate()
            shared.update(entry)
            history.append(shared)
