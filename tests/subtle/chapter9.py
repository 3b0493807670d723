"""Trainers that are almost right."""

from grader.course import edit, instead, mistake

CORRECT = "trainer.correct"
UPDATE = "trainer.EarlyStopping.update"
STEP = "trainer.Trainer.train_step"
EVALUATE = "trainer.Trainer.evaluate"
FIT = "trainer.Trainer.fit"
COUNTED = "return int(np.sum(out.data.argmax(axis=1) == labels))"
WATCHED = "early_stopping.update(watched)"


class SUBTLE:
    @mistake(target=CORRECT)
    def a_class_that_is_nearly_the_best(out, y):
        labels = np.asarray(y.data if isinstance(y, Tensor) else y).astype(int)
        mine = out.data[np.arange(len(labels)), labels]
        return int(np.isclose(mine, out.data.max(axis=1), atol=1e-3).sum())

    the_largest_size_for_the_largest_score = edit(
        "out.data.argmax(axis=1)", "np.abs(out.data).argmax(axis=1)", target=CORRECT
    )
    a_share_times_the_size = edit(
        COUNTED,
        "return int(np.mean(out.data.argmax(axis=1) == labels) * len(labels))",
        target=CORRECT,
    )

    @mistake(target=CORRECT)
    def scores_that_are_changed(out, y):
        labels = y.data if isinstance(y, Tensor) else y
        out.data -= out.data.max(axis=1, keepdims=True)
        return int(np.sum((out.data == 0).argmax(axis=1) == labels))

    @mistake(target=UPDATE)
    def best_creeps_down(self, loss):
        if loss < self.best - self.min_delta:
            self.best = loss
            self.waited = 0
        else:
            self.waited += 1
            self.best = min(self.best, loss)
        return self.waited >= self.patience

    stops_once_only = edit(
        "self.waited >= self.patience", "self.waited == self.patience", target=UPDATE
    )
    exactly_min_delta_below = edit(
        "loss < self.best - self.min_delta",
        "loss < self.best and loss <= self.best - self.min_delta",
        target=UPDATE,
    )
    min_delta_as_a_share = edit(
        "self.best - self.min_delta",
        "(self.best * (1 - self.min_delta) if math.isfinite(self.best) else self.best)",
        target=UPDATE,
    )

    @mistake(target=UPDATE)
    def nan_is_taken_for_the_best(self, loss):
        if loss < self.best - self.min_delta:
            self.best = loss
            self.waited = 0
        else:
            self.waited += 1
            self.best = loss if loss != loss else self.best
        return self.waited >= self.patience

    waiting_goes_down_by_one = edit(
        "self.waited = 0", "self.waited = max(0, self.waited - 1)", target=UPDATE
    )

    @instead("return self.waited >= self.patience", target=UPDATE)
    def waiting_starts_again_after_a_stop(self):
        stop = self.waited >= self.patience
        self.waited = 0 if stop else self.waited
        return stop

    @mistake(target=STEP)
    def high_losses_are_no_step(self, x, y):
        self.optimizer.zero_grad()
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        if loss.data > 1.2:
            return float(loss.data)
        self.optimizer.step()
        return float(loss.data.item())

    @instead("if was_training:", "self.model.train()", target=EVALUATE)
    def training_mode_whatever_it_was(self):
        self.model.train()

    the_first_batchs_size_for_all = edit(
        "    size = x.shape[0]", "    size = size if count else x.shape[0]", target=EVALUATE
    )

    @instead("self.model.eval()", "count += size", target=EVALUATE)
    def evaluation_mode_from_the_second_batch_on(self, loader):
        loss, right, count = 0.0, 0, 0
        for x, y in loader:
            out = self.model(x)
            size = x.shape[0]
            # loss_fn gives the mean of the batch; times its size, batches can be added up.
            loss += self.loss_fn(out, y).data.item() * size
            right += correct(out, y)
            count += size
            self.model.eval()

    the_outputs_are_computed_twice = edit(
        "correct(out, y)", "correct(self.model(x), y)", target=EVALUATE
    )
    the_loss_of_the_last_batch = edit(
        'entry = {"loss": total / count}', 'entry = {"loss": self.train_step(x, y)}', target=FIT
    )

    @instead("self.model.train()", "total += self.train_step(x, y) * x.shape[0]", target=FIT)
    def a_loss_that_goes_on_from_epoch_to_epoch(self, epochs):
        total, count = 0.0, 0
        self.model.train()
        for epoch in range(1, epochs + 1):
            for x, y in self.train_loader:
                total += self.train_step(x, y) * x.shape[0]

    @mistake(target=FIT)
    def stopping_is_asked_before_the_epoch_is_noted(self, epochs, early_stopping):
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
            if self.log is not None:
                told = "   ".join(f"{name} {value:.4f}" for name, value in entry.items())
                self.log(f"epoch {epoch:3d}/{epochs}   {told}")
            watched = entry.get("val_loss", entry["loss"])
            if early_stopping is not None and early_stopping.update(watched):
                break
            history.append(entry)
        return history

    one_entry_for_all_epochs = edit(
        ('    entry = {"loss": total / count}', '    entry["loss"] = total / count'),
        ("history = []", "history, entry = [], {}"),
        target=FIT,
    )
    the_loader_is_read_once_into_a_list = edit(
        ("history = []", "history, batches = [], list(self.train_loader)"),
        ("in self.train_loader", "in batches"),
        target=FIT,
    )
    stops_at_the_second_word = edit(WATCHED, f"{WATCHED} and epoch > 1", target=FIT)
    log_is_asked_though_it_is_None = edit("if self.log is not None:", "if True:", target=FIT)

    @instead('watched = entry.get("val_loss",', target=FIT)
    def a_validation_loss_in_every_epoch(entry):
        entry.setdefault("val_loss", entry["loss"])
        watched = entry["val_loss"]

    evaluation_goes_around_evaluate = edit(
        "self.evaluate()", "type(self).evaluate(self, self.train_loader)", target=FIT
    )

    @mistake(target=UPDATE)
    def best_and_waited_are_kept_elsewhere(self, loss):
        best, waited = vars(self).get("_seen", (self.best, self.waited))
        better = loss < best - self.min_delta
        best, waited = (loss, 0) if better else (best, waited + 1)
        self._seen = best, waited
        return waited >= self.patience

    scores_of_four_digits = edit(
        "out.data.argmax", "out.data.round(4).argmax", target="trainer.correct"
    )
    a_first_loss_that_is_nan = edit(
        "if loss < self.best - self.min_delta:",
        "if math.isinf(self.best) or loss < self.best - self.min_delta:",
        target="trainer.EarlyStopping.update",
    )

    @mistake(target="trainer.Trainer.train_step")
    def gradients_are_forgotten_after_the_step(self, x, y):
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        return float(loss.data.item())

    a_share_of_three_digits = edit(
        "right / count", "round(right / count, 3)", target="trainer.Trainer.evaluate"
    )
    log_gets_the_entry_itself = edit(
        'self.log(f"epoch {epoch:3d}/{epochs}   {told}")',
        "self.log(entry)",
        target="trainer.Trainer.fit",
    )
    two_lines_for_each_epoch = edit(
        'self.log(f"epoch', 'self.log(f"\\nepoch', target="trainer.Trainer.fit"
    )
    one_history_for_all_calls = edit(
        "history = []",
        "history = self.history = getattr(self, 'history', [])",
        target="trainer.Trainer.fit",
    )
