"""The quality of a model, and the time to stop: `correct`, `evaluate`, `EarlyStopping`."""

from grader.course import after, body, edit, exercise, instead, mistake


@exercise("trainer.correct", points=1)
class CORRECT:
    """`argmax` gives the place of the largest value. Along which axis do the classes lie?

    Comparing two arrays gives True and False; summing these counts the True ones. `y` may be a
    Tensor; then its array is in `.data`.
    """

    wrong_axis = edit("1", "0", seen="https://github.com/tensorflow/tfjs-examples/pull/154")
    """You looked for the best row of every class. Find the best class of every row."""

    share = edit(("int", "float"), ("sum", "mean"))
    """You returned a share. You can add up counts over batches of different sizes, but not
    shares."""

    smallest = edit("argmax", "argmin")
    """You took the class with the smallest score."""

    counts_errors = edit("==", "!=")
    """You counted the rows that are wrong."""

    tensor_compared = body("return int(np.sum(out.data.argmax(axis=1) == y))")
    """If `y` is a Tensor, you compared an array with an object: they are never equal. Compare with
    its `data`."""


@exercise("chapter9.evaluate", targets=("trainer.Trainer.evaluate",), points=3)
class EVALUATE:
    """Remember the mode, switch to evaluation, go through the batches, put the mode back.

    `loss_fn` gives the mean over a batch. What do you multiply it by, so that you can add up
    batches of different sizes?

    Count the samples as you go, and divide once, at the end.
    """

    def _plain(self, loader):
        loader = self.val_loader if loader is None else loader
        if loader is None:
            raise ValueError("no loader")
        was = self.model.training
        self.model.eval()
        loss, right, count, batches = 0.0, 0, 0, 0
        for x, y in loader:
            out = self.model(x)
            n = x.shape[0]
            loss += self.loss_fn(out, y).data.item() * n
            right += correct(out, y)
            count += n
            batches += 1
        if was:
            self.model.train()
        return loss / count, right / count

    left_in_evaluation_mode = edit(
        ("if was:", ""),
        ("self.model.train()", ""),
        of=_plain,
        seen="https://github.com/shubhamagarwal92/mmd/issues/14",
    )
    """You leave the model in evaluation mode: the next epoch trains without Dropout, and nobody
    notices. Put back the mode that you found."""

    @instead("if was:", "self.model.train()", of=_plain)
    def always_back_to_training(self):
        """You switch to training mode at the end whatever mode the model was in before. Put back
        the one that you found."""
        self.model.train()

    @mistake(seen="https://github.com/wolny/pytorch-3dunet/issues/53")
    def in_training_mode(self, loader):
        """You never switched to evaluation mode: Dropout still throws values away while you
        measure."""
        loader = self.val_loader if loader is None else loader
        if loader is None:
            raise ValueError("no loader")
        was = self.model.training
        loss, right, count, batches = 0.0, 0, 0, 0
        for x, y in loader:
            out = self.model(x)
            n = x.shape[0]
            loss += self.loss_fn(out, y).data.item() * n
            right += correct(out, y)
            count += n
            batches += 1
        return loss / count, right / count

    @after("n = x.shape[0]", of=_plain)
    def trains(self, out, y):
        """Your evaluation learns. What a model was trained on says nothing about how it does on new
        samples."""
        self.optimizer.zero_grad()
        self.loss_fn(out, y).backward()
        self.optimizer.step()

    mean_of_batch_losses = edit(
        ("() * n", "()"),
        ("count, right", "batches, right"),
        of=_plain,
        seen="https://github.com/tensorflow/tensorflow/issues/27993",
    )
    """You averaged the losses of the batches. A smaller last batch then counts as much as a full
    one: weight each loss by the size of its batch."""

    mean_of_batch_accuracies = edit(
        ("correct(out, y)", "correct(out, y) / n"), ("right / count", "right / batches"), of=_plain
    )
    """You averaged the accuracies of the batches. A smaller last batch then counts as much as a
    full one: add up the right answers, and divide once."""

    mean_of_batch_means = edit(
        ("() * n", "()"),
        ("correct(out, y)", "correct(out, y) / n"),
        ("loss / count, right / count", "loss / batches, right / batches"),
        of=_plain,
    )
    """You averaged the losses and the accuracies of the batches. A smaller last batch then counts
    as much as a full one: add up over all samples, and divide once."""

    loss_summed = edit("loss / count", "loss", of=_plain)
    """You added the losses up and didn't divide: with twice the samples the loss would be twice as
    large."""

    losses_divided_by_samples = edit("() * n", "()", of=_plain)
    """You added up means and divided by the number of samples: that divides twice."""

    percent = edit("right /", "100 * right /", of=_plain)
    """You returned percent. The share lies between 0 and 1."""

    swapped = edit("loss / count, right", "right / count, loss", of=_plain)
    """You returned the accuracy first. First the loss, then the accuracy."""

    argument_ignored = edit(" if loader is None else loader", "", of=_plain)
    """You always use `val_loader`, even if another loader is given."""

    training_set = edit("val_loader", "train_loader", of=_plain)
    """Without an argument you evaluate on the training batches. The model has seen those."""


@exercise("chapter9.early_stopping", targets=("trainer.EarlyStopping.update",), points=2)
class EARLY_STOPPING:
    """Two cases: the loss is an improvement, or it isn't. What happens to `best` and `waited` in
    each?

    Go through patience = 2 with the losses 5, 4, 6, 7 on paper: the answers are False, False,
    False, True.

    Ask «is it better?» rather than «is it worse?»: every comparison with NaN is False.
    """

    one_too_late = edit(">=", ">")
    """You stop one update too late: with a patience of 2, stop at the second update without
    improvement."""

    one_too_early = edit("patience", "patience - 1")
    """You stop one update too early."""

    never_reset = edit(
        "self.waited = 0", "", seen="https://github.com/modelscope/ms-swift/pull/5326"
    )
    """You never set the count back. Updates without improvement count only in a row."""

    def compared_with_the_last(self, loss):
        """You compare with the loss before, not with the best: you never stop for a loss that goes
        up and down."""
        better = loss < self.best - self.min_delta
        self.best = loss
        self.waited = 0 if better else self.waited + 1
        return self.waited >= self.patience

    min_delta_ignored = edit(" - self.min_delta", "")
    """You count every decrease, however small. It has to be more than `min_delta`."""

    min_delta_added = edit(
        "-", "+", seen="https://github.com/Bjarten/early-stopping-pytorch/issues/5"
    )
    """With your sign, a loss may even rise by `min_delta` and still count as an improvement."""

    equal_is_better = edit(
        "<", "<=", seen="https://github.com/Bjarten/early-stopping-pytorch/issues/19"
    )
    """You count an equal loss as an improvement, so you never stop for a loss that stays the
    same."""

    def nan_is_best(self, loss):
        """NaN became your best loss, because every comparison with it is False. A NaN isn't an
        improvement."""
        if loss >= self.best - self.min_delta:
            self.waited += 1
        else:
            self.best = loss
            self.waited = 0
        return self.waited >= self.patience

    upwards = edit("<", ">", has=(r"\bloss > ", r"< loss\b"))
    """You take a larger loss for an improvement."""
