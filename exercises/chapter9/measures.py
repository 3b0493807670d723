"""How good is the model, and is it time to stop: `correct`, `evaluate`, `EarlyStopping`."""

from grader.course import Exercise, Mistake

LABELS = "labels = y.data if isinstance(y, Tensor) else y\n"

CORRECT = Exercise(
    "chapter9.correct",
    section="9.2",
    targets=("trainer.correct",),
    points=1,
    minutes=5,
    hints=(
        "`argmax` gives the place of the largest value. Along which axis do the classes lie?",
        "Comparing two arrays gives True and False; summing these counts the True ones. `y` may be "
        "a Tensor, then its array is in `.data`.",
    ),
    mistakes=(
        Mistake(
            "wrong-axis", LABELS + "return int(np.sum(out.data.argmax(axis=0) == labels))",
            "You looked for the best row of every class. The best class of every row was asked "
            "for.",
        ),
        Mistake(
            "share", LABELS + "return float(np.mean(out.data.argmax(axis=1) == labels))",
            "You returned a share. A count can be added up over batches of different sizes, a "
            "share cannot.",
        ),
        Mistake(
            "smallest", LABELS + "return int(np.sum(out.data.argmin(axis=1) == labels))",
            "You took the class with the smallest score.",
        ),
        Mistake(
            "counts-errors", LABELS + "return int(np.sum(out.data.argmax(axis=1) != labels))",
            "You counted the rows that are wrong.",
        ),
        Mistake(
            "tensor-compared", "return int(np.sum(out.data.argmax(axis=1) == y))",
            "Where `y` is a Tensor, you compared an array with an object: that is never equal. "
            "Compare with its `data`.",
        ),
    ),
)  # fmt: skip


def evaluation(
    *, before="self.model.eval()\n", each="", after="if was:\n    self.model.train()\n",
    add="loss += self.loss_fn(out, y).data.item() * n", right="right += correct(out, y)",
    result="loss / count, right / count", choose="self.val_loader if loader is None else loader",
):  # fmt: skip
    """A body of `Trainer.evaluate` that is right but for what is named."""
    return (
        f"loader = {choose}\nif loader is None:\n    raise ValueError('no loader')\n"
        f"was = self.model.training\n{before}loss, right, count, batches = 0.0, 0, 0, 0\n"
        f"for x, y in loader:\n    out = self.model(x)\n    n = x.shape[0]\n{each}    {add}\n"
        f"    {right}\n    count += n\n    batches += 1\n{after}return {result}"
    )


TRAINS = (
    "    self.optimizer.zero_grad()\n    self.loss_fn(out, y).backward()\n"
    "    self.optimizer.step()\n"
)

EVALUATE = Exercise(
    "chapter9.evaluate",
    section="9.3",
    targets=("trainer.Trainer.evaluate",),
    points=3,
    minutes=15,
    difficulty=2,
    needs=("chapter9.correct",),
    hints=(
        "Remember the mode, switch to evaluation, go through the batches, put the mode back.",
        "`loss_fn` gives the mean over a batch. What do you multiply it with, so that batches of "
        "different sizes can be added up?",
        "Count the samples as you go, and divide once, at the end.",
    ),
    mistakes=(
        Mistake(
            "left-in-evaluation-mode", evaluation(after=""),
            "You leave the model in evaluation mode: the next epoch trains without Dropout, and "
            "nobody notices. Put back the mode that you found.",
        ),
        Mistake(
            "always-back-to-training", evaluation(after="self.model.train()\n"),
            "You switch to training mode at the end whatever mode the model was in before. Put "
            "back the one that you found.",
        ),
        Mistake(
            "in-training-mode", evaluation(before="", after=""),
            "You never switched to evaluation mode: Dropout still throws values away while you "
            "measure.",
        ),
        Mistake(
            "trains", evaluation(each=TRAINS),
            "Your evaluation learns. What a model was trained on says nothing about how it does on "
            "new samples.",
        ),
        Mistake(
            "mean-of-batch-losses",
            evaluation(
                add="loss += self.loss_fn(out, y).data.item()",
                result="loss / batches, right / count",
            ),
            "You averaged the losses of the batches. A smaller last batch then counts as much as a "
            "full one: weight each loss with the size of its batch.",
        ),
        Mistake(
            "mean-of-batch-accuracies",
            evaluation(
                right="right += correct(out, y) / n", result="loss / count, right / batches"
            ),
            "You averaged the accuracies of the batches. A smaller last batch then counts as much "
            "as a full one: add up the right answers, and divide once.",
        ),
        Mistake(
            "loss-summed", evaluation(result="loss, right / count"),
            "You added the losses up and did not divide: with twice the samples the loss would be "
            "twice as large.",
        ),
        Mistake(
            "losses-divided-by-samples",
            evaluation(add="loss += self.loss_fn(out, y).data.item()"),
            "You added up means and divided by the number of samples: that divides twice.",
        ),
        Mistake(
            "percent", evaluation(result="loss / count, 100 * right / count"),
            "You returned percent. The share lies between 0 and 1.",
        ),
        Mistake(
            "swapped", evaluation(result="right / count, loss / count"),
            "You returned the accuracy first. First the loss, then the accuracy.",
        ),
        Mistake(
            "argument-ignored", evaluation(choose="self.val_loader"),
            "You always use `val_loader`, also where another loader is given.",
        ),
        Mistake(
            "training-set", evaluation(choose="self.train_loader if loader is None else loader"),
            "Without an argument you evaluate on the training batches. The model has seen those.",
        ),
    ),
)  # fmt: skip

TEST = "if loss < self.best - self.min_delta:\n"
BETTER = "    self.best = loss\n    self.waited = 0\n"
WORSE = "else:\n    self.waited += 1\n"
STOP = "return self.waited >= self.patience"

EARLY_STOPPING = Exercise(
    "chapter9.early_stopping",
    section="9.4",
    targets=("trainer.EarlyStopping.update",),
    points=2,
    minutes=10,
    difficulty=2,
    hints=(
        "Two cases: the loss is an improvement, or it is not. What happens to `best` and `waited` "
        "in each?",
        "Go through patience = 2 with the losses 5, 4, 6, 7 on paper: the answers are False, "
        "False, False, True.",
        "Ask «is it better?» rather than «is it worse?»: every comparison with NaN is False.",
    ),
    mistakes=(
        Mistake(
            "one-too-late",
            TEST + BETTER + WORSE + "return self.waited > self.patience",
            "You stop one update too late: with a patience of 2, the second update in vain is the "
            "one to stop at.",
        ),
        Mistake(
            "one-too-early",
            TEST + BETTER + WORSE + "return self.waited >= self.patience - 1",
            "You stop one update too early.",
        ),
        Mistake(
            "never-reset", TEST + "    self.best = loss\n" + WORSE + STOP,
            "You never set the count back. Updates without improvement count only in a row.",
        ),
        Mistake(
            "compared-with-the-last",
            "better = loss < self.best - self.min_delta\nself.best = loss\n"
            "self.waited = 0 if better else self.waited + 1\n" + STOP,
            "You compare with the loss before, not with the best: a loss that goes up and down "
            "never stops.",
        ),
        Mistake(
            "min-delta-ignored", "if loss < self.best:\n" + BETTER + WORSE + STOP,
            "You count every decrease, however small. It has to be more than `min_delta`.",
        ),
        Mistake(
            "min-delta-added", "if loss < self.best + self.min_delta:\n" + BETTER + WORSE + STOP,
            "With your sign, a loss may even rise by `min_delta` and still count as an "
            "improvement.",
        ),
        Mistake(
            "equal-is-better",
            "if loss <= self.best - self.min_delta:\n" + BETTER + WORSE + STOP,
            "You count an equal loss as an improvement, so a loss that stands still never stops.",
        ),
        Mistake(
            "nan-is-best",
            "if loss >= self.best - self.min_delta:\n    self.waited += 1\n"
            "else:\n    self.best = loss\n    self.waited = 0\n" + STOP,
            "NaN became your best loss, because every comparison with it is False. A NaN is no "
            "improvement.",
        ),
        Mistake(
            "upwards", "if loss > self.best - self.min_delta:\n" + BETTER + WORSE + STOP,
            "You take a larger loss for an improvement.",
        ),
    ),
)  # fmt: skip
