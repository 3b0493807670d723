"""A trainer of generators and exact sums."""

from grader.course import right, variant


@variant("unusual words")
class UNUSUAL:
    @right("trainer.correct")
    def correct(out, y):
        labels = y.data if isinstance(y, Tensor) else np.asarray(y)
        order = np.argsort(-out.data, axis=1, kind="stable")
        return int(np.count_nonzero(np.equal(order[:, 0], labels)))

    @right("trainer.EarlyStopping.update")
    def early_stopping_update(self, loss):
        better = bool(loss < self.best - self.min_delta)
        self.waited = (self.waited + 1) * (not better)
        self.best = (self.best, loss)[better]
        return bool(self.waited >= self.patience)

    @right("trainer.Trainer.train_step")
    def trainer_train_step(self, x, y):
        self.optimizer.zero_grad()
        (loss := self.loss_fn(self.model(x), y)).backward()
        try:
            return sum(loss.data.ravel().tolist())
        finally:
            self.optimizer.step()

    @right("trainer.Trainer.evaluate")
    def trainer_evaluate(self, loader):
        if (batches := self.val_loader if loader is None else loader) is None:
            raise ValueError("Nothing to look at.")

        def rows():
            for x, y in batches:
                out, n = self.model(x), len(x.data)
                yield n, n * self.loss_fn(out, y).data.item(), correct(out, y)

        restore = self.model.train if self.model.training else self.model.eval
        self.model.eval()
        try:
            sizes, losses, right = zip(*rows())
        finally:
            restore()
        return math.fsum(losses) / sum(sizes), sum(right) / sum(sizes)

    @right("trainer.Trainer.fit")
    def trainer_fit(self, epochs, early_stopping):
        def epoch():
            self.model.train()
            sums = np.zeros(2)
            for x, y in self.train_loader:
                sums += len(x.data) * np.array([self.train_step(x, y), 1])
            entry = {"loss": float(np.divide(*sums))}
            if self.val_loader is not None:
                entry.update(zip(("val_loss", "val_accuracy"), self.evaluate()))
            return entry

        history = []
        for number in range(epochs):
            history.append(entry := epoch())
            (self.log or (lambda line: None))(f"{number}: {entry}")
            watched = [*entry.values()][:2][-1]
            if early_stopping is not None and early_stopping.update(watched):
                return history
        return history
