"""Wrong bodies of chapter 9 written without knowledge of its suites, and unusual right ones."""

from grader.course import edit, instead, mistake, right


class SECOND_CALL:
    @mistake(target="trainer.Trainer.fit")
    def the_batches_are_listed_once(self, epochs, early_stopping):
        """«goes through train_loader epochs times»: a loader that shuffles gives one order for
        ever."""
        batches = list(self.train_loader)
        history = []
        for epoch in range(1, epochs + 1):
            self.model.train()
            total, count = 0.0, 0
            for x, y in batches:
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

    the_history_of_the_last_call_goes_on = edit(
        "history = []",
        "history = self.__dict__.setdefault('history', [])",
        target="trainer.Trainer.fit",
    )
    """«one dict per epoch» of this call: a second fit returns the epochs of the first one, too."""

    @instead("loader = self.val_loader", target="trainer.Trainer.evaluate")
    def the_last_loader_is_remembered(self, loader):
        """«without it, val_loader»: after evaluate(other), evaluate() looks at the other one
        again."""
        if loader is None:
            loader = getattr(self, "_loader", None) or self.val_loader
        self._loader = loader

    @mistake(target="trainer.Trainer.train_step")
    def the_optimizer_of_the_first_step_is_kept(self, x, y):
        """The optimizer steps: one that is put in place of the first is never asked."""
        if not hasattr(self, "_calls"):
            self._calls = self.optimizer.zero_grad, self.optimizer.step
        zero_grad, step = self._calls
        zero_grad()
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        step()
        return float(loss.data.item())

    @mistake(target="trainer.EarlyStopping.update")
    def once_stopped_it_stays_stopped(self, loss):
        """An improvement starts the count again: here nothing takes a True back."""
        if loss < self.best - self.min_delta:
            self.best = loss
            self.waited = 0
        else:
            self.waited += 1
        self.stopped = getattr(self, "stopped", False) or self.waited >= self.patience
        return self.stopped


class SETTING:
    min_delta_as_a_share = edit(
        "loss < self.best - self.min_delta",
        "loss < self.best * (1 - self.min_delta)",
        target="trainer.EarlyStopping.update",
    )
    """«a loss below best - min_delta»: the difference is taken as a share of the best loss."""

    @mistake(target="trainer.EarlyStopping.update")
    def a_step_within_min_delta_lowers_the_best(self, loss):
        """Only an improvement becomes the best: many small steps within min_delta lower the bar."""
        better = loss < self.best - self.min_delta
        self.best = min(self.best, loss)
        self.waited = 0 if better else self.waited + 1
        return self.waited >= self.patience

    @instead("if loader is None:", 'raise ValueError("there', target="trainer.Trainer.evaluate")
    def a_loader_alone_is_not_enough(self):
        """ValueError only if there is neither: a loader that is given is enough."""
        if self.val_loader is None:
            raise ValueError("there is nothing to evaluate on: give a loader, or a val_loader")

    @mistake(target="trainer.Trainer.fit")
    def an_epoch_first_the_count_afterwards(self, epochs, early_stopping):
        """«goes through train_loader epochs times»: none at all if epochs is 0."""
        history = []
        while True:
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
                self.log(f"epoch {len(history)}: {entry}")
            watched = entry.get("val_loss", entry["loss"])
            stop = early_stopping is not None and early_stopping.update(watched)
            if stop or len(history) >= epochs:
                return history

    @mistake(target="trainer.Trainer.fit")
    def it_stops_early_only_with_a_val_loader(self, epochs, early_stopping):
        """early_stopping «gets the loss if there is no val_loader»: it is not asked then."""
        history = []
        self.model.train()
        for epoch in range(1, epochs + 1):
            total, count = 0.0, 0
            for x, y in self.train_loader:
                total += self.train_step(x, y) * x.shape[0]
                count += x.shape[0]
            entry = {"loss": total / count}
            if self.val_loader is not None:
                entry["val_loss"], entry["val_accuracy"] = self.evaluate()
            history.append(entry)
            if self.log is not None:
                told = "   ".join(f"{name} {value:.4f}" for name, value in entry.items())
                self.log(f"epoch {epoch:3d}/{epochs}   {told}")
            if self.val_loader is None or early_stopping is None:
                continue
            if early_stopping.update(entry["val_loss"]):
                break
        return history


class VARIETY:
    scores_become_probabilities_first = edit(
        "out.data.argmax(axis=1)",
        "(np.exp(out.data) / np.exp(out.data).sum(axis=1, keepdims=True)).argmax(axis=1)",
        target="trainer.correct",
    )
    """The largest score: e to the power of 1000 is inf, and inf / inf is nan."""

    the_score_furthest_from_zero = edit(
        "out.data.argmax(axis=1)", "np.square(out.data).argmax(axis=1)", target="trainer.correct"
    )
    """The largest score, not the one furthest from 0: negative scores show it."""

    the_best_loss_so_far_is_watched = edit(
        'watched = entry.get("val_loss", entry["loss"])',
        'watched = min(each.get("val_loss", each["loss"]) for each in history)',
        target="trainer.Trainer.fit",
    )
    """early_stopping gets «the val_loss of every epoch»: it gets the best so far."""

    @instead("size = x.shape[0]", target="trainer.Trainer.evaluate")
    def every_batch_counts_as_the_first(count, size, x):
        """«the share of samples»: the size of the first batch stands for all of them."""
        size = size if count else x.shape[0]


class HALF_PROMISE:
    a_line_for_every_number = edit(
        "{told}", "{told.replace('   ', chr(10))}", target="trainer.Trainer.fit"
    )
    """log gets «one line of text per epoch»: it gets a line per number."""

    @mistake(target="trainer.Trainer.fit")
    def the_epoch_that_stops_is_not_told(self, epochs, early_stopping):
        """One line per epoch: the last one is lost if it stops early."""
        history = []
        self.model.train()
        for epoch in range(1, epochs + 1):
            total, count = 0.0, 0
            for x, y in self.train_loader:
                total += self.train_step(x, y) * x.shape[0]
                count += x.shape[0]
            entry = {"loss": total / count}
            if self.val_loader is not None:
                entry["val_loss"], entry["val_accuracy"] = self.evaluate()
            history.append(entry)
            watched = entry.get("val_loss", entry["loss"])
            if early_stopping is not None and early_stopping.update(watched):
                break
            if self.log is not None:
                self.log(f"epoch {epoch}: {entry}")
        return history

    a_number_of_NumPys = edit(
        "return float(loss.data.item())",
        "return loss.data.reshape(-1)[0]",
        target="trainer.Trainer.train_step",
    )
    """«a plain number: a float»: np.float32 is none."""


class RIGHT:
    @right("trainer.correct")
    def nobody_beats_the_right_class(out, y):
        truth = np.array(y.data if isinstance(y, Tensor) else y).astype(int)
        scores = out.data
        own = np.take_along_axis(scores, truth[:, None], axis=1)
        before = np.arange(scores.shape[1]) < truth[:, None]
        beaten = (scores > own) | (before & (scores == own))
        return len(truth) - int(np.count_nonzero(beaten.any(axis=1)))

    @right("trainer.EarlyStopping.update")
    def both_cases_in_one_line_each(self, loss):
        better = bool(np.less(loss, self.best - self.min_delta))
        self.best = (self.best, loss)[better]
        self.waited = (self.waited + 1) * (1 - better)
        return not self.patience > self.waited

    @right("trainer.Trainer.evaluate")
    def a_vector_of_three_sums(self, loader):
        batches = next((each for each in (loader, self.val_loader) if each is not None), None)
        if batches is None:
            raise ValueError("no batches")

        def measured(x, y):
            out = self.model(x)
            mean = float(self.loss_fn(out, y).data.reshape(()))
            return np.array([mean * len(x.data), correct(out, y), len(x.data)], dtype=float)

        switch_back = {True: self.model.train, False: self.model.eval}[bool(self.model.training)]
        self.model.eval()
        try:
            sums = sum((measured(x, y) for x, y in batches), np.zeros(3))
        finally:
            switch_back()
        return float(sums[0] / sums[2]), float(sums[1] / sums[2])

    @right("trainer.Trainer.fit")
    def epochs_from_a_generator_by_running_means(self, epochs, early_stopping):
        def rounds():
            for number in range(epochs):
                self.model.train()
                mean, seen = 0.0, 0
                for x, y in self.train_loader:
                    value, size = self.train_step(x, y), len(x.data)
                    seen += size
                    mean += (value - mean) * size / seen
                entry = dict(loss=mean)
                if self.val_loader is not None:
                    entry.update(zip(("val_loss", "val_accuracy"), self.evaluate()))
                if self.log is not None:
                    self.log(str((number, entry)))
                yield entry

        history = []
        for entry in rounds():
            history.append(entry)
            if early_stopping is None:
                continue
            if early_stopping.update(entry["val_loss"] if "val_loss" in entry else entry["loss"]):
                break
        return history

    @right("trainer.Trainer.train_step")
    def the_calls_in_a_tuple(self, x, y):
        self.optimizer.zero_grad()
        loss = self.loss_fn(self.model(x), y)
        kept = loss.data.tolist()
        for act in (loss.backward, self.optimizer.step):
            act()
        while isinstance(kept, list):
            (kept,) = kept
        return kept
